"""Requests to a supervisor; every other message is the limits of a sandbox to start, as JSON."""

from __future__ import annotations

ANOTHER_OWNER = b"another owner"
"""Comes with a socket: fork, and serve the owner at its other end as well."""
