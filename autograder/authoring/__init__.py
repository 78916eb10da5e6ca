"""Authoring: scaffold exercises and tasks, and generate an exercise's notebook from the folders of its tasks."""
