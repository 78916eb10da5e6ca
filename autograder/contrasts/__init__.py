"""Contrasts: what relates wrong numbers to the right ones, and what separates where they stand; found by search.

Nothing here knows a task or a list of mistakes. A relation or a place is returned only if it fits everything that was
observed, what is right included.
"""

from autograder.contrasts.conditions import separating
from autograder.contrasts.lacking import ONE_FACTOR
from autograder.contrasts.nearness import far, nearness
from autograder.contrasts.observation import Observation
from autograder.contrasts.places import place
from autograder.contrasts.relations import relation
from autograder.contrasts.traits import plain_traits, traits

__all__ = ["ONE_FACTOR", "Observation", "far", "nearness", "place", "plain_traits", "relation", "separating", "traits"]
