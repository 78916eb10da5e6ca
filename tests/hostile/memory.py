"""Too much memory, disk and output."""

from tests.hostile import attack

FULL_UP = "MemoryError|memory runs out|Cannot allocate|can't allocate|OutOfTime|SIGKILL"


@attack(says=FULL_UP)
def one_string():
    x = bytearray(8 << 30)
    print("BREACH")


@attack(says=FULL_UP)
def a_list_that_grows():
    x = []
    try:
        while True:
            x.append(bytes(1 << 20))
    except BaseException:
        x.clear()  # what it keeps, its own tasks lack
        raise


@attack(says=FULL_UP)
def a_tensor():
    import torch

    x = torch.ones(1 << 31)
    print("BREACH")


@attack(says=FULL_UP + "|refused")
def shared_between_processes():
    import mmap
    import os
    import time

    children = []
    for _ in range(20):
        pid = os.fork()
        if pid == 0:
            x = mmap.mmap(-1, 200 << 20)
            for n in range(0, 200 << 20, 4096):
                x[n] = 1
            time.sleep(1)
            os._exit(42)
        children.append(pid)
    whole = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42 for pid in children]
    print("BREACH" if all(whole) else "refused")


@attack(says="Function not implemented|Operation not permitted", control=True)
def a_system_v_segment():
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0x5EED5EED, 4096, 0o1600)
    if segment < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    print("BREACH")
    libc.shmctl(segment, 0, None)


@attack(says="PermissionError|OSError", control=True)
def memory_without_a_name():
    import os

    fd = os.memfd_create("x")
    print("BREACH")


@attack(says="No such file|Permission|Read-only", control=True)
def the_machines_shared_memory():
    import os

    path = "/dev/shm/" + TOKEN
    open(path, "wb").write(b"x")
    os.remove(path)
    print("BREACH")


@attack(says="No space left|File too large")
def filling_the_disk():
    for n in range(1000):
        with open(f"large-{n}", "wb") as file:
            file.write(bytes(16 << 20))
        if n == 40:
            print("BREACH")


@attack(says="File too large|No space left")
def one_huge_file():
    with open("large", "wb") as file:
        for n in range(1000):
            file.write(bytes(1 << 20))
    print("BREACH")


@attack(says="No space left|OutOfTime|Interrupt")
def a_million_files():
    for n in range(1_000_000):
        open(str(n), "w").close()
    print("BREACH")


@attack(says="cut off|OutOfTime|Interrupt")
def flooding_stdout():
    while True:
        print("x" * 100_000)


@attack(says="Interrupt|OutOfTime")
def flooding_the_real_stdout():
    import os

    while True:
        os.write(1, b"x" * 100_000)
        os.write(2, b"x" * 100_000)


@attack(says="text/plain|Interrupt|OutOfTime")
def a_thousand_displays():
    from IPython.display import HTML, display

    for _ in range(3000):
        display(HTML("y" * 10_000))


@attack("partials", says="more data than the task asks for", partials=0)
def an_answer_of_too_many_entries():
    many = dict.fromkeys(range(250_000), 1.0)

    def partials(x, w, b):
        return many


@attack("partials", says="more data than the task asks for", partials=0)
def an_answer_as_deep_as_can_be():
    def partials(x, w, b):
        answer = {"x": 1.0}
        for _ in range(100_000):
            answer = {"x": answer}
        return answer


@attack("partials", says="more data than the task asks for|expected", partials=0)
def an_answer_that_contains_itself():
    def partials(x, w, b):
        answer = {}
        answer["x"] = answer["w"] = answer
        return answer


@attack("partials", says="more data than the task asks for", partials=0)
def a_tensor_larger_than_the_world():
    import torch

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", torch.zeros(1).expand(1 << 40))


@attack("partials", says="expected", partials=0)
def a_sparse_tensor_larger_than_the_world():
    import torch

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", torch.sparse_coo_tensor(torch.zeros(1, 1).long(), torch.ones(1), (1 << 60,)))


@attack("finite_difference", says="pairs of points|more data", finite_difference=0)
def more_points_than_anyone_can_pair():
    import torch

    def finite_difference(f, x):
        points = torch.linspace(1, 2, 8_000, dtype=torch.float64).reshape(-1, 1) + x
        for point in points:
            f(point)
        h, gradient = 1e-5, []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(float(f(x + step) - f(x - step)) / (2 * h))
        return gradient
