"""Tables: the contract of every table, and whole-column work."""
