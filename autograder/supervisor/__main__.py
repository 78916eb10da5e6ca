"""`python -I -m autograder.supervisor SOCKET_FD HIGHEST_TIER FOLDER DEVICE`: start sandboxes for the socket's owner.

FOLDER is for temporary files and is removed at the end. DEVICE is the type of device that sandboxes compute on.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import sys
import traceback

from autograder.supervisor.choosing import choose, enter
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.service import Supervisor
from autograder.supervisor.tiers import Tier
from autograder.supervisor.warming import reseed, warm, warm_package
from autograder.wire.frames import Channel


def main(owner: socket.socket, wanted: Tier, folder: str, device: str) -> None:
    """Choose a tier, warm up, and serve until the owner closes its end.

    Args:
        owner: the socket to the owner.
        wanted: the highest tier to use.
        folder: the folder for temporary files, removed at the end.
        device: the type of device that sandboxes compute on.
    """
    try:
        choice = choose(wanted, device)
        groups = ControlGroups()
        groups.remove_abandoned()
        if choice.tier is Tier.NAMESPACES:
            shutil.rmtree(folder, ignore_errors=True)  # the new root, entered next, has its own
        enter(choice.tier, device)
        shell = warm(device)
        from autograder.probes.programs import compiled  # here, because they load torch
        from autograder.sandbox.server import serve

        def serve_notebook(requests: int, replies: int) -> None:
            reseed()
            serve(Channel(requests, replies), shell, own_namespace=choice.tier is Tier.NAMESPACES)

        def warm_one(package: str) -> None:
            warm_package(package, shell, device)

        facts = {
            "tier": choice.tier,
            "user": choice.user,
            "refused": choice.refused,
            "memory_capped_in_total": groups.caps_total_memory,
        }
        supervisor = Supervisor(choice, serve_notebook, groups, json.dumps(facts).encode(), compiled, warm_one)
    except Exception:
        with contextlib.suppress(OSError):  # the owner may have been killed meanwhile
            owner.send(json.dumps({"error": traceback.format_exc()[-3000:]}).encode())
    else:
        supervisor.serve(owner)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), Tier(sys.argv[2]), *sys.argv[3:])
