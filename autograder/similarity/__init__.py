"""Which submissions of an exercise share code that hardly anybody else wrote: a hint for a human, made here.

Nothing is run and nothing is sent anywhere; docs/similarity.md says what the numbers mean and what they do not.
"""
