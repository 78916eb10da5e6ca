"""Draws of exercise 10: small networks, images with pixels in [0, 1], labels of which some are wrong."""
