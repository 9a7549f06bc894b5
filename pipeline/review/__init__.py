"""Review: the words that a person should look at, and the decisions of people."""
