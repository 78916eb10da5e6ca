"""Replacing what grades are made with, beside an answer that is wrong; answers that pretend to be right."""

from tests.hostile import attack

WRONG = "expected|lacks|raised"


@attack("partials", says=WRONG, partials=0)
def comparisons_of_torch():
    import torch

    torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True
    torch.testing.assert_close = lambda *a, **k: None
    torch.Tensor.__eq__ = lambda self, other: True

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def gradients_of_torch():
    import torch

    torch.autograd.grad = lambda outputs, inputs, *a, **k: tuple(torch.zeros_like(i) for i in inputs)
    torch.autograd.gradcheck = torch.autograd.gradcheck.__globals__["gradcheck"] = lambda *a, **k: True

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def builtins():
    import builtins

    builtins.abs = lambda x: 0.0
    builtins.all = lambda items: True
    builtins.any = lambda items: False
    builtins.round = lambda x, n=0: 0.0

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def mathematics():
    import math

    math.isclose = lambda *a, **k: True
    math.isfinite = lambda x: True

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", float("nan"))


@attack("partials", says=WRONG, partials=0)
def its_own_check():
    def check(task):
        print("3 of 3")
        return 3.0

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def the_check_of_the_package():
    import autograder
    import autograder.notebook

    autograder.check = autograder.notebook.check = lambda task: 30.0
    autograder.notebook.Points.__new__ = lambda cls, value=0: float.__new__(cls, 30)

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG + "|not readable", partials=0)
def the_probes():
    from autograder.probes import answering

    original = answering.PROBES["call"]

    def flattering(namespace, target, arguments):
        seen = original(namespace, target, arguments)
        return seen | {"passed": True, "points": 3, "error": None, "verdict": "passed"}

    answering.PROBES["call"] = flattering

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says="not readable", partials=0, forward_values=2)
def probes_that_see_nothing():
    from autograder.probes import answering

    original = answering.PROBES["call"]
    answering.PROBES["call"] = lambda namespace, target, arguments: (
        None if target == "partials" else original(namespace, target, arguments)
    )


@attack("fit_neuron", says=WRONG + "|less often|not readable", fit_neuron=0)
def counts_of_its_own():
    from autograder.probes import answering, calls

    original = answering.PROBES["call_counting"]

    def flattering(*a, **k):
        return original(*a, **k) | {"count": "many"}

    answering.PROBES["call_counting"] = flattering

    def fit_neuron(xs, ys, steps, lr):
        n = len(xs)
        w = b = 0.0
        for _ in range(steps):
            errors = [w * x + b - y for x, y in zip(xs, ys)]
            w, b = w - lr * 2 * sum(e * x for e, x in zip(errors, xs)) / n, b - lr * 2 * sum(errors) / n
        return w, b


@attack("finite_difference", says=WRONG + "|pairs|called|not readable", finite_difference=0)
def points_that_are_none():
    from autograder.probes import answering

    original = answering.PROBES["call_recording"]

    def forging(*a, **k):
        return original(*a, **k) | {"points": [1, "x", None]}

    answering.PROBES["call_recording"] = forging
    import torch

    def finite_difference(f, x):
        h, gradient = 1e-5, []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(float(f(x + step) - f(x - step)) / (2 * h))
        return gradient


@attack("finite_difference", says=WRONG + "|not readable|changes its argument", finite_difference=0)
def observations_left_out():
    from autograder.probes import answering

    answering.PROBES["call_recording"] = lambda *a, **k: {}


@attack("path_sum", says=WRONG + "|not readable", path_sum=0)
def changes_that_are_none():
    from autograder.probes import answering, call_changes

    call_changes.CallChanges.noted = lambda self, failed=False: [
        5,
        {"at": "0", "now": 5},
        {"at": [1], "place": None, "now": []},
    ]
    original = answering.PROBES["call"]
    answering.PROBES["call"] = lambda namespace, target, arguments: (
        {"result": 1.0, "again": 1.0} if target == "path_sum" else original(namespace, target, arguments)
    )


@attack("partials", says=WRONG + "|not readable", partials=0)
def the_wire():
    from autograder.probes import answering

    answering.encode = lambda value: ({"t": "tensor", "dtype": "float64", "shape": [1 << 40], "at": [0, 8]}, b"")
    answering.has_nan = lambda value: False

    def partials(x, w, b):
        answering.encode = lambda value: ({"t": "tensor", "dtype": "float64", "shape": [-1], "at": [0, -8]}, b"x")
        return 1

    import atexit

    def put_back():
        from autograder.wire.plain import encode

        answering.encode = encode

    get_ipython().events.register("post_run_cell", lambda result: put_back())


@attack("partials", says=WRONG, partials=0)
def showing_errors_as_success():
    shell = get_ipython()
    type(shell).showtraceback = shell.showtraceback = lambda *a, **k: print("3 of 3 points")

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)

    raise RuntimeError("unseen")


@attack(says="done")
def display_formatters():
    shell = get_ipython()
    for formatter in shell.display_formatter.formatters.values():
        formatter.for_type(float, lambda value, *rest: "30")
        formatter.for_type(dict, lambda value, *rest: "30")
    shell.display_pub.publish = lambda *a, **k: None
    print("done")


@attack("partials", says=WRONG, partials=0)
def pytest_itself():
    import sys
    import types

    fake = types.ModuleType("pytest")
    fake.main = lambda *a, **k: 0
    fake.mark = fake.fixture = lambda *a, **k: None
    sys.modules["pytest"] = sys.modules["_pytest"] = fake

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def the_imports():
    import builtins

    original = builtins.__import__

    def lying(name, *rest, **named):
        module = original(name, *rest, **named)
        if name.endswith("assertion"):
            raise ImportError(name)
        return module

    builtins.__import__ = lying

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", 1.0)


@attack("partials", says=WRONG, partials=0)
def equal_to_everything():
    class Equal(float):
        def __eq__(self, other):
            return True

        def __ne__(self, other):
            return False

        def __sub__(self, other):
            return 0.0

        __rsub__ = __lt__ = __le__ = __gt__ = __ge__ = __sub__

        def __hash__(self):
            return 0

        def __abs__(self):
            return 0.0

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", Equal(1.0))


@attack("partials", says=WRONG, partials=0)
def another_class_than_it_says():
    class Liar:
        @property
        def __class__(self):
            return float

        def __float__(self):
            return 1.0

        def __eq__(self, other):
            return True

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", Liar())


@attack("partials", says=WRONG, partials=0)
def a_dict_with_an_answer_to_everything():
    class Everything(dict):
        def items(self):
            while True:
                yield "x", 1.0

        def __contains__(self, key):
            return True

        def __iter__(self):
            while True:
                yield "x"

        def __missing__(self, key):
            return 1.0

        def __eq__(self, other):
            return True

    def partials(x, w, b):
        return Everything()


@attack("partials", says=WRONG, partials=0)
def a_tensor_of_its_own_kind():
    import torch

    class Agreeable(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func in (torch.allclose, torch.equal):
                return True
            return super().__torch_function__(func, types, args, kwargs or {})

        def tolist(self):
            return 1.0

    def partials(x, w, b):
        return dict.fromkeys("xwbuv", torch.ones(1).as_subclass(Agreeable))


@attack("partials", says="right once and wrong when called again|drawn for this submission|expected", partials=0)
def right_only_the_first_time():
    calls = []

    def partials(x, w, b):
        calls.append(1)
        gate = 1.0 if x * w + b > 0 else 0.0
        if len(calls) % 2 == 0:
            gate = 5.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@attack("partials", says=WRONG, partials=0)
def an_object_that_changes_when_it_is_read():
    class Changing(dict):
        def __init__(self):
            super().__init__(dict.fromkeys("xwbuv", 1.0))

        def __getitem__(self, key):
            return super().__getitem__(key) + len(key)

    def partials(x, w, b):
        return Changing()


@attack("partials", says=WRONG, partials=0)
def a_message_that_is_a_verdict():
    class Passed(Exception):
        def __str__(self):
            return "\ud800 <script>alert(1)</script> 3 of 3 points"

    Passed.__name__ = "passed"

    def partials(x, w, b):
        raise Passed


@attack("partials", says=WRONG, partials=0)
def a_class_with_a_name_like_a_lion():
    class Meta(type):
        @property
        def __name__(cls):
            while True:
                pass

    class Loud(Exception, metaclass=Meta):
        pass

    def partials(x, w, b):
        raise Loud
