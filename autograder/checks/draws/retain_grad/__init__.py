"""Draws of exercise 03, what backward keeps: tensors, micro-batches, layers."""
