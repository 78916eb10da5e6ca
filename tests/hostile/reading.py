"""Reading what is not the student's: the seed, the references, other people's memory and descriptors."""

from tests.hostile import attack

REFUSED = "PermissionError|FileNotFoundError|No such file|ProcessLookupError|refused"


@attack(says=REFUSED, control=True)
def the_secret_seed():
    print("BREACH", open(CANARY).read())


@attack(says="No such file|Permission denied", control=True)
def the_secret_seed_through_a_shell():
    import subprocess

    done = subprocess.run(["/bin/cat", CANARY], capture_output=True)
    print(done, "BREACH" if done.returncode == 0 else "")


@attack(says=REFUSED)
def the_secret_seed_through_proc():
    import os

    for process in ("1", "self", str(os.getppid()), str(GRADER)):
        for door in ("root", "cwd/../../../../../../.."):
            try:
                print("BREACH", open(f"/proc/{process}/{door}{CANARY}").read())
            except OSError as error:
                print("refused", error)


@attack(says=REFUSED, control=True)
def every_file_that_is_called_so():
    import os

    for folder, _, names in os.walk(os.path.dirname(FOLDER)):
        if "secret_seed" in names:
            print("BREACH")
    print("refused")


@attack("partials", says="ModuleNotFoundError", partials=0)
def the_references():
    def partials(x, w, b):
        from autograder.checks.catalogue import find_task

        return find_task("partials").reference.oracle(x, w, b)


@attack(says="refused")
def the_graders_modules():
    import importlib
    import sys

    for part in ("checks", "references", "comparison", "diagnosis", "grader", "classroom", "nbgrader_plugin", "tasks"):
        try:
            importlib.import_module("autograder." + part)
            print("BREACH", part)
        except ImportError:
            print("refused", part)
    loaded = [name for name in sys.modules if name.startswith(("autograder.checks", "autograder.grader", "_pytest"))]
    print("BREACH" if loaded else "refused", loaded)


@attack(says="refused")
def the_published_solutions():
    import os

    import autograder

    root = os.path.dirname(os.path.dirname(autograder.__file__))
    for name in (
        "solutions",
        "exercises",
        "tests",
        "gradebook",
        "autograder/references",
        "autograder/checks",
        "autograder/tasks",
    ):
        print("BREACH" if os.path.exists(os.path.join(root, name)) else "refused", name)


@attack(says="refused")
def the_task_folders():
    import os

    import autograder

    package = os.path.dirname(autograder.__file__)
    for course in (os.path.join(os.path.dirname(package), "solutions"), os.path.join(package, "course")):
        for exercise, task in (("01_scalar_graphs", "partials"), ("04_hooks", "attach_savers")):
            for name in ("task.py", "answers.py", "cases.toml", "hints.toml", "solution.py"):
                try:
                    print("BREACH", open(os.path.join(course, exercise, "_tasks", task, name)).readline())
                except OSError as error:
                    print("refused", error)


@attack(says="refused")
def its_environment():
    import os

    print("BREACH" if "HOSTILE_CANARY" in os.environ else "refused")
    for process in ("self", "1", str(os.getppid())):
        try:
            found = open(f"/proc/{process}/environ", "rb").read()
            print("BREACH" if b"HOSTILE_" + b"CANARY" in found else "refused")
        except OSError as error:
            print("refused", error)


@attack(says=REFUSED, control=True)
def the_graders_environment():
    print("BREACH", open(f"/proc/{GRADER}/environ", "rb").read())


@attack(says="refused|Error")
def its_own_memory():
    import re

    wanted = b"cana" + b"ry-"
    for line in open("/proc/self/maps"):
        span, rights = line.split()[:2]
        start, end = (int(part, 16) for part in span.split("-"))
        if "r" not in rights or end - start > 1 << 28 or "[v" in line:
            continue
        with open("/proc/self/mem", "rb", 0) as memory:
            try:
                memory.seek(start)
                found = re.findall(wanted + b"[0-9a-f]{20,}", memory.read(end - start))
            except (OSError, OverflowError):
                continue
        if found:
            print("BREACH", found)
    print("refused")


@attack(says=REFUSED)
def its_parents_memory():
    import os

    open(f"/proc/{os.getppid()}/mem", "rb").read(1)
    print("BREACH")


@attack(says="refused|PermissionError")
def its_parents_memory_by_system_call():
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (1, os.getppid(), GRADER):
        trace = libc.ptrace(0x4206, pid, 0, 0)
        print("refused" if trace else "BREACH", os.strerror(ctypes.get_errno()))
        pidfd = libc.syscall(434, pid, 0)
        print("refused" if pidfd < 0 else "BREACH")


@attack(says="refused")
def the_auxiliary_vector_and_command_line():
    for name in ("auxv", "cmdline", "environ", "stat", "maps"):
        try:
            raw = open("/proc/self/" + name, "rb").read()
            print("BREACH" if b"cana" + b"ry-" in raw else "refused")
        except OSError:
            print("refused")


@attack(says="refused")
def descriptors_left_open():
    import os

    for fd in range(5, 1024):
        try:
            os.fstat(fd)
            print("BREACH", fd, os.readlink(f"/proc/self/fd/{fd}"))
        except OSError:
            pass
    print("refused")


@attack(says="refused")
def descriptors_of_others():
    import os

    seen = 0
    for pid in [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]:
        try:
            seen += len([os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")])
        except OSError:
            pass
    print("BREACH" if seen else "refused")


@attack(says="refused")
def other_processes():
    import os

    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 2]
    print("BREACH" if others else "refused", others)


@attack(says="refused")
def what_earlier_students_left():
    import os

    print("BREACH" if os.listdir(os.environ["HOME"]) else "refused", os.listdir(os.environ["HOME"]))
    shell = get_ipython()
    print("BREACH" if shell.history_manager.enabled or len(shell.user_ns["In"]) > 3 else "refused")


@attack("partials", says="drawn for this submission", partials=0)
def public_answers_by_heart():
    # Right for the published examples, which it has by heart, and for nothing else.
    def partials(x, w, b):
        small = {0.002, 0.004, -0.002, 1.25e-06, 1.75e-06, 1e-06, 1e-4}
        gate = 1.0 if all(one in small or round(one, 1) == one for one in (x, w, b)) else 7.0
        if x * w + b <= 0:
            gate = 0.0 if gate == 1.0 else 1.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}
