"""`autograder report`: a page about a class, from its standings and stored verdicts.

It shows scores, the difficulty and discrimination of tasks, named mistakes, who is stuck and who stopped handing in.
No student code is run for it.
"""
