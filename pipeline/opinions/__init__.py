"""Opinions: what is computed for every word, and the resulting tier. The functions are pure: frames in, frames out."""
