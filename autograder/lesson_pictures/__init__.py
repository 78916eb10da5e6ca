"""Pictures of the lessons: plots with alternative text made from their numbers, one module for each lesson."""
