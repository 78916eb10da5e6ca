"""Cells and answers that never end."""

from tests.hostile import attack

STOPPED = "OutOfTime|KeyboardInterrupt"


@attack(says=STOPPED)
def endless_in_python():
    while True:
        pass


@attack(says=STOPPED)
def endless_inside_c():
    sum(range(10**12))


@attack(says=STOPPED)
def one_number_that_takes_for_ever():
    x = 7 ** (10**9)


@attack(says=STOPPED)
def a_pattern_that_explodes():
    import re

    re.match("(a+)+$", "a" * 60 + "b")


@attack(says=STOPPED)
def products_inside_torch():
    import torch

    x = torch.ones(3000, 3000)
    while True:
        x = x @ x


@attack(says=STOPPED)
def sleeping():
    import time

    time.sleep(10**6)


@attack(says=STOPPED)
def waiting_for_a_lock():
    import threading

    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


@attack(says=STOPPED)
def catching_every_exception():
    while True:
        try:
            while True:
                x = 1
        except BaseException:
            x = 2


@attack(says=STOPPED)
def shown_for_ever():
    class Endless:
        def _repr_html_(self):
            while True:
                pass

    from IPython.display import display

    display(Endless())


@attack(says="RecursionError|SIGSEGV|memory runs out|MemoryError")
def recursion_without_an_end():
    import sys

    sys.setrecursionlimit(10**9)

    def deeper(n):
        return [deeper(n + 1)]

    deeper(0)


@attack("partials", says="did not finish", partials=0)
def an_answer_that_never_comes():
    def partials(x, w, b):
        while True:
            pass


@attack("partials", says="did not finish|ended the whole process", partials=0)
def an_answer_that_never_comes_inside_c():
    def partials(x, w, b):
        return sum(range(10**12))


@attack("forward_values", says="did not finish|defines no", forward_values=0)
def a_solution_cell_that_never_ends():
    while True:
        pass
