"""Tables: the contract of every table, whole-column work, and cells of CSV files."""
