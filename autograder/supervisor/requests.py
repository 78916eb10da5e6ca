"""Requests to a supervisor; every other message is the limits of a sandbox to start, as JSON.

With it come the descriptors for its requests, its replies and how it ended, and, if files lie beside the notebook, one
of a file that holds them.
"""

from __future__ import annotations

ANOTHER_OWNER = b"another owner"
"""Comes with a socket: fork, and serve the owner at its other end as well."""
COMPILE = b"compile "
"""Followed by a source and its mode as JSON: compile it, so that every later fork has it; there is no answer."""
WARM = b"warm "
"""Followed by a package's name: import it and use it once, so that every later fork has it; there is no answer."""
LONGEST = 1 << 16
"""Bytes of the longest request."""
MOST_DESCRIPTORS = 4
