"""Draws of exercise 04, a file per kind of hook."""
