"""The course's secret: what a submission's further inputs are drawn from."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from autograder.sharing import share_file

NAME = "secret_seed"
SEED_BYTES = hashlib.sha256().digest_size
"""Of what one submission's inputs are drawn from."""


def secret_seed(gradebook: Path) -> bytes:
    """The seed in `gradebook/secret_seed`, made on first use, readable by its owner alone, or by those who share it.

    It is never in the environment, in a configuration or in a sandbox's memory.
    """
    path = gradebook / NAME
    gradebook.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(32).encode())
    share_file(path, stat.S_IRGRP)
    return path.read_bytes()


def submission_seed(secret: bytes, submission: bytes, variant: str = "") -> bytes:
    """What one submission's inputs are drawn from: another notebook, or another cohort, another seed."""
    own = hashlib.sha256(submission).digest() + variant.encode()
    return hmac.new(secret, own, hashlib.sha256).digest()
