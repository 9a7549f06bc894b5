"""Facts: tables made from official days and word lists. The functions are pure: bytes or frames in, frames out."""
