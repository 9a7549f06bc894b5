"""Facts: tables made from official days and word lists. Pure functions: bytes or frames in, frames out."""
