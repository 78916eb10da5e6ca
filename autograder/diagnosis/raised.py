"""Mistakes that end in an exception and can occur in every task.

What `raises` matches is the exception as "TypeError: ...", followed by what was found where it arose: "; None was the
.grad of a leaf", "; a similar name is there", "; an outer name is the same", "; at a shape", "; the same call again",
"; raised by this line", "; in code that the line called".
"""

from __future__ import annotations

import re

from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.interaction import ENDING, KEYBOARD
from autograder.probes.programs import IMPORTS

IMPORTED = {line: name for name, (line, _) in IMPORTS.items()} | {"import numpy as np": "np"}
"""The names that lessons and exercises import, by the line that does so."""

RAISED = (
    Mistake(
        "an exception of your own",
        "Your own line raises this exception, where the statement promises an answer. Which one?",
        raises="; raised by this line",
    ),
    Mistake(
        "endless recursion",
        "A function called itself with the same arguments as before. Unless something else changes in between, that "
        "never ends. Which call was meant to end it, or which other function was meant?",
        raises="RecursionError: .*; the same call again",
    ),
    Mistake(
        "recursion",
        "Python allows about a thousand nested calls. Does each call come nearer to an end? If not, they never end: "
        "which case should stop them? If so, this input needs more than a thousand: keep a list of what is still to be "
        "done instead of calling yourself.",
        raises="RecursionError",
    ),
    Mistake(
        "waits for the keyboard",
        "A function that is checked works with its arguments alone: take the call out, and test with values of your "
        "own in another cell.",
        raises=f"InteractionError: .*{re.escape(KEYBOARD)}",
    ),
    Mistake(
        "ends Python",
        "`exit()`, `quit()` and `sys.exit()` end the program that the function is part of. To leave a function, use "
        "`return`.",
        raises=f"InteractionError: .*{re.escape(ENDING)}|^SystemExit",
    ),
    Mistake(
        "graph already freed",
        "The program goes through a graph that an earlier backward pass has freed: one inside your function, or one "
        "through a result that still hangs on that graph. {read what a call frees}",
        raises="RuntimeError: Trying to backward through the graph a second time",
        afterwards=True,
    ),
    Mistake(
        "graph already freed",
        "A second backward pass went through a graph whose saved tensors the first had freed. {read what a call frees}",
        raises="RuntimeError: Trying to backward through the graph a second time",
    ),
    Mistake(
        "not part of the graph",
        "The program differentiates the result of your code with respect to a tensor that it was not computed "
        "from. A new tensor with the same numbers is another tensor.",
        raises="RuntimeError: .* appears? to not have been used in the graph",
        afterwards=True,
    ),
    Mistake(
        "not part of the graph",
        "Your code asks for a gradient with respect to a tensor that the output was not computed from. `detach()` on "
        "the way cuts it off, and a new tensor, such as `x[0]` written once more, is another tensor. Only where a "
        "tensor may be unused, `allow_unused=True` gives None for it. {read several nodes}",
        raises="RuntimeError: .* appears? to not have been used in the graph",
    ),
    Mistake(
        "gradient of a vector",
        "Only an output with one element has a gradient without being told how its elements count. "
        "{read the upstream gradient}",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    Mistake(
        "no graph behind it",
        "The program differentiates the result of your code, which has no graph: `detach`, `.item()`, `.data`, "
        "`torch.tensor(...)` or `no_grad` cut it off, or it holds integers or bools, which have no gradient.",
        raises="RuntimeError: element \\d+ of tensors does not require grad",
        afterwards=True,
    ),
    Mistake(
        "no graph behind it",
        "Nothing that requires a gradient leads to this output: it was computed from other tensors than your leaf, a "
        "leaf was made without `requires_grad`, a model's parameters are frozen, `detach`, `.item()`, `.data` or "
        "`no_grad` cut it off, or it is a new constant, such as one that a branch of an `if` makes.",
        raises="RuntimeError: element \\d+ of tensors does not require grad",
    ),
    Mistake(
        "gradient of plain data",
        "Your code asks for a gradient with respect to a tensor that does not require one, so nothing was recorded for "
        "it. Which tensors here require one?",
        raises="RuntimeError: One of the differentiated Tensors does not require grad",
    ),
    Mistake(
        "nothing to retain",
        "`retain_grad()` was called on a tensor that requires no gradient: nothing that it was computed from requires "
        "one. {read retaining}",
        raises="RuntimeError: can't retain_grad on Tensor that has requires_grad=False",
    ),
    Mistake(
        "an empty tensor taken for a number",
        "The tensor has no element. Which slice, mask or index selects nothing here? A slice such as `x[i:i + 1]` is "
        "empty where `i` is -1, because it ends before 0.",
        raises="RuntimeError: a Tensor with 0 elements cannot be converted to Scalar",
    ),
    Mistake(
        "several numbers taken for one",
        "`.item()` and `float()` take the number out of a tensor with one element. A gradient has the shape of its "
        "tensor; tensors here may have any number of elements.",
        raises="RuntimeError: a Tensor with \\d+ elements cannot be converted to Scalar"
        "|ValueError: (only one element tensors|can only convert an array of size 1)",
    ),
    Mistake(
        "a name local to the function",
        "A name that is assigned anywhere in a function is local to all of it, even if an outer one is called the same "
        "(as here), and it has no value yet. To change the outer one, declare it `nonlocal`. {read local names}",
        raises="UnboundLocalError: .*; an outer name is the same",
    ),
    Mistake(
        "a name without a value yet",
        "This name has no value here yet: one way to this line does not assign it, such as a branch that was not "
        "taken, or a loop without a turn.",
        raises="UnboundLocalError: cannot access local variable",
    ),
    Mistake(
        "two dtypes",
        "Two tensors of different dtypes met. Without a `dtype`, a new tensor is float32, or int64 if it is made of "
        "integers, as by `arange` and `one_hot`; `float()` makes float32 of any. `zeros_like(x)`, `x.new_zeros`, "
        "`dtype=x.dtype` and `to(x.dtype)` give the dtype of `x`.",
        raises="RuntimeError: (?!.*Complex).*(expected scalar type \\w+ but found|(have|both) .*(the )?same "
        "(dtype|scalar type)|dtypes match|Found dtype)",
    ),
    Mistake(
        "something else where a tensor belongs",
        "A function of torch, or one that you were handed, was given something that is not a tensor. A list or a NumPy "
        "array becomes one by `torch.as_tensor`; `.tolist()` and `.numpy()` go the other way.",
        raises="TypeError: .* must be (a )?Tensor, (but got|not) (list|tuple|int|float|numpy)"
        "|TypeError: expected Tensor as element \\d+ .*but got (list|int|float|numpy)",
    ),
    Mistake(
        "two devices",
        "Tensors on two devices met, or one on a GPU was taken for numbers in the machine's memory. A new tensor is "
        "made on the default device unless it is told otherwise; `zeros_like(x)`, `x.new_zeros` and `device=x.device` "
        "put it where `x` is.",
        raises="RuntimeError: (Expected all tensors to be on the same device|Input tensor is not a lazy tensor"
        "|.*[Ee]xpected a '?\\w+'? device type for generator)|TypeError: can't convert \\w+(:\\d+)? device type tensor",
    ),
    Mistake(
        "out of the device's memory",
        "The device has no room for what this asks for. Is a whole graph, or a Jacobian, kept where a product is "
        "enough?",
        raises="OutOfMemoryError: ",
    ),
    Mistake(
        "a view across the memory",
        "The elements of this tensor do not lie in memory in the order of its axes, as after a transpose or an "
        "`expand`. `reshape` does what `view` can't.",
        raises="RuntimeError: view size is not compatible with input tensor's size and stride",
    ),
    Mistake(
        "written in place",
        "A leaf that requires a gradient must not be changed in place: its gradient would belong to numbers that are "
        "gone. Make a new tensor. Under `torch.no_grad()` a leaf of your own may be changed, but then no gradient goes "
        "through the change.",
        raises="RuntimeError: a (view of a )?leaf Variable that requires grad is being used in an in-place",
    ),
    Mistake(
        "written in place",
        "A tensor whose old numbers the backward pass needs was written into: look for `+=`, `[...] =` and methods "
        "whose name ends in `_`. Make a new tensor.",
        raises="RuntimeError: one of the variables needed for gradient computation has been modified",
    ),
    Mistake(
        "not a leaf",
        "An optimiser takes only leaves, and a tensor that was computed, if only by `* 0.1` or `.double()`, is not a "
        "leaf. Compute first, and call `requires_grad_()` last. {read leaves}",
        raises="ValueError: can't optimize a non-leaf Tensor",
    ),
    Mistake(
        "a result of another shape",
        "Your result has another shape than it should. The message gives the right one first, then yours.",
        raises="RuntimeError: Mismatch in shape: grad_output",
        afterwards=True,
    ),
    Mistake(
        "an upstream gradient of another shape",
        "The upstream gradient has the shape of the output that it belongs to. {read the upstream gradient}",
        raises="RuntimeError: Mismatch in shape: grad_output",
    ),
    Mistake(
        "logits without their batch axis",
        "A loss let logits and labels pass whose numbers of samples differ, and its backward pass does not. Do the "
        "logits have an axis for the batch? `squeeze()` also takes away that of a batch of one.",
        raises="RuntimeError: size mismatch \\(got input: \\[\\d+\\], target: \\[1\\]\\)",
    ),
    Mistake(
        "shapes that do not fit",
        "The shapes that the message names do not fit together. Print the `.shape` of each tensor on this line: which "
        "axis counts what?",
        raises="RuntimeError: .*(must match (the size of tensor|the existing size)|shapes cannot be multiplied"
        "|is invalid for input of size|size mismatch|Sizes of tensors must match|1D tensors expected"
        "|expects each tensor to be equal size|inconsistent tensor size|Expected size for first two dimensions"
        "|match the broadcast shape|subscript \\w has size)",
    ),
    Mistake(
        "an axis that is not there",
        "The tensor has fewer axes than this line takes it to have. A tensor with two axes has 0 and 1, also called "
        "-2 and -1; `squeeze()` without an argument takes away every axis of length 1, and an index or a sum takes "
        "away one.",
        raises="IndexError: (Dimension out of range|too many indices)",
    ),
    Mistake(
        "an axis that is gone",
        "The tensor has fewer axes than this line takes it to have. `squeeze()` without an argument takes away every "
        "axis of length 1, and an index or a sum takes away one.",
        raises="IndexError: tuple index out of range; at a shape",
    ),
    Mistake(
        "a list that is too short",
        "The list is shorter than this line takes it to be, and may be empty. Does every way to this line fill it?",
        raises="IndexError: (list|tuple) index out of range",
    ),
    Mistake(
        "a place that is not there",
        "The index goes beyond the end. Indices are counted from 0, so the last one is the length minus 1. If a loop "
        "counts them, does it run over the length of this axis?",
        raises="IndexError: (index -?\\d+ is out of bounds|\\w+ index out of range)",
    ),
    Mistake(
        "None returned",
        "The program uses what your function returned, and that is None. Does every way through it end in a `return`?",
        raises="NoneType.*; None was returned by the task",
        afterwards=True,
    ),
    Mistake(
        "None used as a gradient",
        "Only leaves keep their `.grad`, and a computed tensor is none, nor is the `clone()` of a tensor that requires "
        "a gradient. Make a leaf, with `detach()` first and `requires_grad_()` last, or call `retain_grad()` before "
        "the pass. {read leaves}",
        raises="NoneType.*; None was the .grad of an inner tensor",
    ),
    Mistake(
        "None used as a gradient",
        "A backward pass stores gradients only for tensors that required one when the forward pass ran. {read leaves}",
        raises="NoneType.*; None was the .grad of a tensor that requires no gradient",
    ),
    Mistake(
        "None used as a gradient",
        "A backward pass fills `.grad`, and `zero_grad()` empties it. Which of them ran last before this line, and was "
        "the output computed from this tensor? {read leaves}",
        raises="NoneType.*; None was the .grad of a leaf",
    ),
    Mistake(
        "None used as a gradient",
        "With `allow_unused=True` None stands for a tensor from which the output was not computed. Test for it with "
        "`is None`.",
        raises="NoneType.*; None was an unused input's gradient",
    ),
    Mistake(
        "None used as a gradient",
        "A gradient that was never stored is None, and the next line used it. Which tensors keep their `.grad`? "
        "{read leaves}",
        raises="NoneType.*; None was a .grad",
    ),
    Mistake(
        "a function without a return",
        "A function gives None back where no `return` with a value is reached. Does every way through it end in one?",
        raises="NoneType.*; None was returned by a function of the notebook",
    ),
    Mistake(
        "changed in place, and None returned",
        "`backward()`, `append()`, `sort()`, `step()` and their like change something and return None. Use what they "
        "changed.",
        raises="NoneType.*; None was returned by a method that works in place",
    ),
    Mistake(
        "a parameter that is not there",
        "A layer may have been made without this parameter, which is None then. Test for it with `is None`, or "
        "call the layer itself, which does without.",
        raises="NoneType.*; None was a parameter that the layer does without",
    ),
    Mistake(
        "None used",
        "Something on this line is None where a value is needed. Follow it back: which line should have put one there?",
        raises="NoneType",
    ),
    Mistake(
        "an import is missing",
        "A notebook knows a module by the name under which a cell has imported it. Put the import into a cell, and run "
        "that cell.",
        raises=f"^NameError: name '({'|'.join(IMPORTED.values())})' is not defined",
    ),
    Mistake(
        "a name written otherwise",
        "No such name is defined, and one that is spelt similarly is. Capitals and small letters count as different.",
        raises="(Name|Attribute)Error: .*; a similar name is there",
    ),
    Mistake(
        "a name that nothing has",
        "No line that has run gave this name a value. Does it belong to another function, or to a cell that has not "
        "been run?",
        raises="NameError: (name|cannot access free variable)",
    ),
    Mistake(
        "a plain number instead of a tensor",
        "This is a plain Python number, which has no graph and no gradient. `.item()`, `.tolist()` and `float()` make "
        "them.",
        raises="AttributeError: '(float|int)' object has no attribute '(backward|clone|detach|dim|grad|grad_fn|item"
        "|mean|numel|register_hook|requires_grad|requires_grad_|reshape|retain_grad|shape|size|sum|tolist)'$",
    ),
    Mistake(
        "a function of torch without an argument",
        "This function of torch needs an argument that the call does not have. `*x.shape` is no argument at all where "
        "`x` has the shape `()`: hand over `x.shape` itself.",
        raises='TypeError: \\w+\\(\\) missing \\d+ required positional arguments?: "',
    ),
    Mistake(
        "other parameters",
        "A call and the definition that it reaches have different parameters. The statement shows how your function is "
        "called.",
        raises="TypeError: [\\w.<>]+\\(\\) (takes .*positional arguments? but|missing \\d+ required"
        "|got an unexpected keyword|got multiple values)",
    ),
)
"""In the order in which they are tried, after a task's own."""
