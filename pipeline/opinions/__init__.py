"""Opinions: what is computed for every word, and the resulting tier. Pure: frames in, frames out."""
