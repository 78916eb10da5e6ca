"""What `make bench` runs: speed as ratios, measured in one run on the same submissions."""
