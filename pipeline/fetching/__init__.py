"""Fetching: the network, captures with receipts, and the days to fetch."""
