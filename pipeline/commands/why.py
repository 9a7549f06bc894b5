"""`bee why`: everything that is known about one word."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.commands import CURATE, Data, Json, at_work, command, say, tell


@command(CURATE, "bee why luff", "bee why canto vctaoen")
def why(
    word: Annotated[str, typer.Argument(help="The word.")],
    letters: Annotated[
        str, typer.Argument(help="A puzzle, center first: also explain why the word is an answer or not.")
    ] = "",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Explain why a word is listed or not: lists, record, flags, relatives, estimate, verdict, tier.

    Exit code 1 if the word is unknown.
    """
    from pipeline.opinions import why as explaining
    from pipeline.play import glosses
    from pipeline.run import registry
    from pipeline.words import puzzle

    if not word.strip():
        raise typer.BadParameter("Name a word.")
    asked = puzzle(letters) if letters else None
    with at_work(data, writes=False) as (workspace, _):
        tables = registry.opinions_about(workspace, word.strip().lower())
    trail = explaining.why(word.strip().lower(), tables, asked)
    if asked:
        trail["letters"] = "".join(filter(str.isalpha, letters.lower()))  # as they were typed
    meaning = glosses.look_up(trail["word"])
    if as_json:
        trail["gloss"] = {"base": meaning.base, "senses": [sense.gloss for sense in meaning.senses]}
        tell(trail)
    else:
        typer.echo(f"{explaining.text(trail)}\n  gloss      {glosses.line(meaning)}")
    if trail["tier"] == "unknown" and not (trail["lists"] or trail["verdict"] or meaning.senses):
        say(f"{trail['word']} is not in any list or record here.")
        raise typer.Exit(1)
