"""`make term`: a whole term of a made class, from the first release to the last export, with every score expected.

Three hundred students hand in five exercises: late, again, with mistakes, or not at all. The steps are those of
docs/instructors.md, by the commands that stand there. Each step ends with what must hold; the last compares all scores.
"""
