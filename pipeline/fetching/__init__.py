"""Fetching: the network, the database of captures, and the days to fetch."""
