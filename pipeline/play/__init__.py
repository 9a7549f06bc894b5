"""Play: answers, hints and descriptions of puzzles, for players."""
