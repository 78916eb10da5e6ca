"""Benchmarks for `make bench`: speed as ratios, measured in one run on the same submissions."""
