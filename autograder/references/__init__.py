"""References: what is right, from two sources that share no code.

`oracle` computes what a check compares with; `second` gets the same by another way and is used by the
tests alone. Values for the public inputs stand as text in `public/`, where a reviewer can read them.
"""

from autograder.references.reference import PublicCase, Reference, public_cases

__all__ = ["PublicCase", "Reference", "public_cases"]
