"""Similar submissions of an exercise: pairs that share code that is rare in the class, as a hint for a human.

It runs no submission and sends nothing anywhere; docs/similarity.md says what the numbers mean and do not mean.
"""
