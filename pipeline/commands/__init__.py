"""The commands of `bee`. Each reads its options, calls one function, and prints the result: data on stdout, messages on
stderr. `cli.py` has the table of all commands. The object of the context of Typer is the workspace."""
