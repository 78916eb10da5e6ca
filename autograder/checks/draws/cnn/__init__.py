"""Draws of exercise 09: small convolutional networks, small images, and what they are asked."""
