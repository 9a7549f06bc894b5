"""Intake: which days and words enter the record. Pure: frames in, frames out."""
