"""`autograder doctor`: try in a real sandbox what student code could do on this machine, and explain the result."""

from __future__ import annotations

import builtins
import dataclasses
import os
import sys
import tempfile
from pathlib import Path

from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor.tiers import HIGHEST, MEANING, Tier, check_system
from autograder.wire.operation import Operation

REFUSALS = (OSError, MemoryError, RuntimeError)
"""Errors by which a sandbox refuses; a thread that cannot be started raises the last. Others come from the system."""
LIMITS = Limits(memory=512 * MIB, scratch=32 * MIB, processes=32, file=16 * MIB)


@dataclasses.dataclass(frozen=True)
class Trial:
    """An attempt of student code to harm the machine.

    Attributes:
        refused: what it means if the attempt fails.
        allowed: what it means if it succeeds.
        source: a cell that raises one of `REFUSALS` if it is refused; `{course}`, `{secret}`, `{folder}` and `{pid}`
            are filled in.
        needs: a path that must exist outside the sandbox; where the system has none, the cell would prove nothing.
    """

    refused: str
    allowed: str
    source: str
    needs: str = "/"


TRIALS = (
    Trial(
        "It cannot read the folder that this command was started in.",
        "It can read the course's folder, the gradebook and its secret seed included.",
        "open({course!r}, 'rb').read()",
    ),
    Trial("It cannot read your private files.", "It can read your files.", "open({secret!r}).read()"),
    Trial(
        "It cannot write outside its own scratch folder.",
        "It can change and delete your files.",
        "open({folder!r} + '/planted', 'w')",
    ),
    Trial(
        "It cannot change modes and times of your files.",
        "It can change modes and times of your files, and so open them to others.",
        "import os; os.chmod({secret!r}, 0o646)\nif os.stat({secret!r}).st_mode & 0o777 != 0o646: raise OSError",
    ),
    Trial(
        "It cannot tell whether one of your files exists.",
        "It can see which files exist, and how large they are.",
        "import os; os.stat({secret!r})",
    ),
    Trial(
        "It cannot see the grader's environment variables.",
        "It can see the grader's environment variables.",
        "open('/proc/{pid}/environ').read()",
        needs="/proc/self/environ",
    ),
    Trial("It cannot signal the grader.", "It can kill the grader.", "import os; os.kill({pid}, 0)"),
    Trial(
        "It sees no other process.",
        "It sees the list of processes.",
        "import os\nif sum(name.isdigit() for name in os.listdir('/proc')) < 3: raise OSError",
        needs="/proc/self",
    ),
    Trial(
        "It has no network and cannot make a socket of any family.",
        "It has the network: it can send what it sees, and ask elsewhere for answers.",
        "import socket; socket.socket()",
    ),
    Trial(
        "It may call only those functions of the kernel that Python and its libraries need.",
        "It may call every function of the kernel, and so meet every defect of it.",
        "import os; os.memfd_create('x')",
    ),
    Trial(
        "It has no capability of an administrator and gets none.",
        "It has capabilities of an administrator.",
        "if '0000000000000000' in [n for n in open('/proc/self/status') if n[:6] == 'CapEff'][0]: raise OSError",
        needs="/proc/self/status",
    ),
    Trial("Its memory is limited.", "Its memory is not limited.", "x = bytearray(1 << 30)"),
    Trial(
        "Its processes and threads are limited.",
        "Its processes are not limited: it can fill the process list.",
        "from threading import Thread\nimport time\n"
        "for _ in range(100): Thread(target=time.sleep, args=[1], daemon=True).start()",
    ),
    Trial(
        "Its scratch disk is limited.",
        "It can fill the disk that holds temporary files.",
        "for n in range(4): open(f'large{n}', 'wb').write(bytes(10 << 20))",
    ),
)


def examine(required: str) -> int:
    """Run all trials and print one sentence for each.

    Args:
        required: the lowest tier that is good enough.

    Returns:
        The exit status: 1 if the tier is lower or no sandbox can be made, else 0.
    """
    try:
        check_system()
        print("Verdicts are reached outside the student's process, wherever a sandbox can be made.")
        tier = _examine_sandbox()
    except RuntimeError as error:
        print(f"No sandbox can be made here: {error}", file=sys.stderr)
        return 1
    if tier > required:
        print(f"Tier {required} is required and tier {tier} is what there is.", file=sys.stderr)
        return 1
    return 0


def _examine_sandbox() -> Tier:
    tier = _print_facts()
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder, "secret")
        secret.write_text("secret")
        known = {"course": str(_file_here() or secret), "secret": str(secret), "folder": folder, "pid": os.getpid()}
        for trial in TRIALS:
            print(_outcome(trial, known))
    return tier


def _print_facts() -> Tier:
    if sys.platform != "linux":
        print(MEANING[Tier.PROCESS])
        return Tier.PROCESS
    from autograder.grader.supervision import supervisor  # here, because it can only be imported on Linux

    facts = supervisor().facts
    print(MEANING[facts.tier])
    if os.environ.get(HIGHEST, "a") != "a":
        print(f"  ({HIGHEST}={os.environ[HIGHEST]} allows no higher tier.)")
    for reason in facts.refused:
        print(f"  ({reason})")
    own = "It runs under your own user id." if os.getuid() else "It runs as root, with no capabilities."
    print(f"  {'yes' if facts.user else 'NO '}  {f'It runs as user {facts.user}.' if facts.user else own}")
    total = "All processes of a submission share one limit on memory."
    each = "The limit on memory is each process's own: no control group with limits can be made here."
    print(f"  {'yes' if facts.memory_capped_in_total else 'NO '}  {total if facts.memory_capped_in_total else each}")
    return facts.tier


def _file_here() -> Path | None:
    """Return a file of the current folder, which is the course's, that this process can read; None if it has none."""
    files = (path for path in sorted(Path.cwd().iterdir()) if path.is_file())
    return next((path for path in files if os.access(path, os.R_OK)), None)


def _filled(source: str, known: dict[str, object]) -> str:
    for name, value in known.items():
        source = source.replace(f"{{{name}!r}}", repr(value)).replace(f"{{{name}}}", str(value))
    return source


def _outcome(trial: Trial, known: dict[str, object]) -> str:
    """Return a trial's line: refused, allowed, or that this system cannot tell."""
    refused = _refused(_filled(trial.source, known)) if Path(trial.needs).exists() else None
    if refused is None:
        return f'  --   This cannot be tried on this system: "{trial.refused}"'
    return f"  yes  {trial.refused}" if refused else f"  NO   {trial.allowed}"


def _refused(source: str) -> bool | None:
    """Return whether the sandbox refuses a cell; None if it failed for another reason."""
    with SandboxProcess(LIMITS) as process:
        try:
            reply, _, late = process.request({"op": Operation.RUN, "source": source}, seconds=20)
        except SandboxEndedError:
            return True
    if reply["ok"] and not late:
        return False
    errors = [getattr(builtins, one["ename"], Exception) for one in reply["outputs"] if one["output_type"] == "error"]
    return late or any(issubclass(error, REFUSALS) for error in errors) or None
