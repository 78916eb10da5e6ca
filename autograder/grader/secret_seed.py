"""The secret seed of a course, from which the further inputs of each submission are drawn."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from autograder.sharing import make_folder, share_file
from autograder.whole_files import write_whole

NAME = "secret_seed"
FINGERPRINT = "secret_seed.fingerprint"
"""Tells a replaced seed from the one that was used last; a seed has 256 random bits, so nobody computes it from there.
"""
MADE_WITH_IT = ("answers/*/*.answers", "results/*/*/*.json", "autograded/*/*/*.ipynb")
"""Files below the gradebook's folder that exist only after something was graded."""
SEED_BYTES = hashlib.sha256().digest_size
"""Length of one submission's seed."""


def seed_is_another(gradebook: Path) -> str:
    """Say what follows where the seed is not the one that something was graded with; empty otherwise.

    To be asked before `secret_seed`, which makes a new one where there is none.
    """
    path, kept = gradebook / NAME, gradebook / FINGERPRINT
    if not any(any(gradebook.glob(made)) for made in MADE_WITH_IT):
        return ""
    if not _is_whole(path):
        what = f"{'cut off' if path.exists() else 'gone'}, and submissions were graded with it: a new one is made"
    elif kept.exists() and kept.read_text() != _fingerprint(path.read_bytes()):
        what = "not the seed with which submissions were graded"
    else:
        return ""
    return (
        f"{path} is {what}, so every submission is asked other further inputs, kept answers do not count, all are run "
        "again, scores can change, and pseudonyms are others. To undo that, put the file back from a backup and run "
        "the same command again."
    )


def keep_fingerprint(gradebook: Path) -> None:
    """Take note of which seed is used, if there is one; the note says nothing about it."""
    path, kept = gradebook / NAME, gradebook / FINGERPRINT
    if _is_whole(path) and not (kept.exists() and kept.read_text() == _fingerprint(path.read_bytes())):
        write_whole(kept, _fingerprint(path.read_bytes()).encode())


def _fingerprint(seed: bytes) -> str:
    return hmac.new(seed, b"fingerprint", hashlib.sha256).hexdigest()


def secret_seed(gradebook: Path) -> bytes:
    """Return the seed in `gradebook/secret_seed`; make it on first use, readable by its owner or a sharing group only.

    It is never in the environment, in a configuration or in a sandbox's memory.
    """
    path = gradebook / NAME
    make_folder(gradebook)
    if path.exists() and not _is_whole(path):
        path.unlink()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(32).encode())
    share_file(path, stat.S_IRGRP)
    return path.read_bytes()


def _is_whole(path: Path) -> bool:
    """Return whether the seed's file exists and was not truncated, as by a full disk."""
    return path.exists() and path.stat().st_size >= SEED_BYTES


def submission_seed(secret: bytes, submission: bytes, variant: str = "", files: bytes = b"") -> bytes:
    """Derive the seed of one submission's further inputs.

    Args:
        secret: the course's secret seed.
        submission: the submission's fingerprint.
        variant: the cohort.
        files: what lies beside the notebook, as from `pack_files`: whoever hands in other files is asked anew.
    """
    own = hashlib.sha256(submission).digest() + variant.encode() + (hashlib.sha256(files).digest() if files else b"")
    return hmac.new(secret, own, hashlib.sha256).digest()
