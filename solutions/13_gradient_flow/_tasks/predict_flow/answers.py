"""predict_flow: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "scale alone",
    "These predictions fit a network in which the scale alone decides. Activations, residual connections and "
    "normalisation change the factor of a layer, and depth is its exponent.",
)
def below_at_and_above_one():
    def predict_flow():
        words = dict.fromkeys("ABEH", "stays") | dict.fromkeys("CDFG", "explodes") | dict.fromkeys("IJ", "vanishes")
        return dict(sorted(words.items()))


@mistake(
    "every deep gradient vanishes",
    "These predictions fit a gradient that vanishes in every deep network. A factor of 1 stays 1, however often you "
    "multiply by it.",
)
def deep_is_hopeless():
    def predict_flow():
        return {case: "stays" if case == "E" else "vanishes" for case in "ABCDEFGHIJ"}


@mistake(
    "ReLU slope always 1",
    "These predictions fit a ReLU whose units are all open. About half are shut: what does that do to the squared "
    "norm?",
)
def relu_costs_nothing():
    def predict_flow():
        return {
            "A": "stays",
            "B": "stays",
            "C": "explodes",
            "D": "explodes",
            "E": "stays",
            "F": "vanishes",
            "G": "explodes",
            "H": "explodes",
            "I": "stays",
            "J": "stays",
        }


@mistake(
    "residual never explodes",
    "These predictions fit residual connections that cure everything. They add the identity, so the gradient does not "
    "vanish here; but what happens if every layer adds half as much again?",
    loses=("all ten cases",),
)
def residuals_save():
    def predict_flow():
        return dict(
            zip("ABCDEFGHIJ", "stays vanishes stays explodes stays vanishes explodes stays stays stays".split())
        )


@mistake(
    "residuals ignored",
    "These predictions fit residual layers that return only act(W h). They return h + act(W h).",
    loses=("all ten cases",),
)
def no_identity():
    def predict_flow():
        words = "stays vanishes stays explodes stays vanishes explodes vanishes vanishes stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "saturated tanh passes nothing",
    "These predictions fit a tanh that is flat for large weights. Most units are flat, but some are not, and their "
    "slopes are multiplied by large weights.",
    loses=("all ten cases",),
)
def large_weights_saturate():
    def predict_flow():
        words = "stays vanishes stays explodes stays vanishes vanishes explodes stays stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "one slope for all units",
    "These predictions fit a sigmoid with the slope 1/4 everywhere and a tanh with the slope 0 everywhere. W h "
    "differs from unit to unit: how many are near 0, and what is the mean of the squared slope over all of them?",
    loses=("all ten cases",),
)
def best_sigmoid_and_flat_tanh():
    def predict_flow():
        words = "stays vanishes stays explodes stays stays vanishes explodes stays stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "normalisation ignored",
    "In these predictions a normalised network loses its gradient. A LayerNorm divides by the spread of W h: what do "
    "the scale and ReLU's half do to that spread?",
    loses=("all ten cases",),
)
def half_is_half():
    def predict_flow():
        words = "stays vanishes stays explodes stays vanishes explodes explodes stays vanishes"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "depth ignored",
    "These predictions fit a shallow network that loses as much as a deep one. E has 5 layers: what power of the "
    "factor is that?",
    loses=("all ten cases",),
)
def five_is_fifty():
    def predict_flow():
        words = "stays vanishes stays explodes vanishes vanishes explodes explodes stays stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "sigmoid slope always 1/4",
    "These predictions fit a sigmoid with the slope 1/4 everywhere. It has that slope at 0, and weights of this scale "
    "drive most units far from there.",
    loses=("all ten cases",),
)
def the_best_slope_everywhere():
    def predict_flow():
        words = "stays vanishes stays explodes stays stays explodes explodes stays stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@mistake(
    "vanishes and explodes swapped",
    "You predicted an explosion where the gradient vanishes, and the other way round. A ratio below 0.001 vanishes.",
)
def the_wrong_way_round():
    def predict_flow():
        words = "stays explodes stays vanishes stays explodes vanishes vanishes stays stays"
        return dict(zip("ABCDEFGHIJ", words.split()))


@wrong("scale alone")
def scales_squared():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 1, 2, 4, 1, 16, 9, 1, 0.01, 0.25)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("every deep gradient vanishes")
def half_a_layer():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("ReLU slope always 1")
def no_half_for_relu():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 1, 2, 4, 1, 0.4, 1.8, 2, 1.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("residual never explodes", loses=("all ten cases",))
def the_identity_alone():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 1.8, 1, 1, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("residuals ignored", loses=("all ten cases",))
def branches_alone():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 1.8, 0.5, 0.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("saturated tanh passes nothing", loses=("all ten cases",))
def flat_tanh():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 0.1, 1.5, 1.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("one slope for all units", loses=("all ten cases",))
def slopes_at_one_point():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 1, 0.1, 1.5, 1.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("normalisation ignored", loses=("all ten cases",))
def a_quarter_of_a_half():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 1.8, 1.5, 1.005, 0.125)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("depth ignored", loses=("all ten cases",))
def always_fifty():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 1.8, 1.5, 1.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("sigmoid slope always 1/4", loses=("all ten cases",))
def sigmoid_at_its_best():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 1, 1.8, 1.5, 1.005, 1)))
        below, above = ("vanishes", "explodes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("vanishes and explodes swapped")
def small_and_large():
    def predict_flow():
        squares = dict(zip("ABCDEFGHIJ", (1, 0.5, 1, 2, 0.5, 0.4, 1.8, 1.5, 1.005, 1)))
        below, above = ("explodes", "vanishes")
        ratios = {case: square ** ((5 if case == "E" else 50) / 2) for case, square in squares.items()}
        return {case: below if r < 0.001 else above if r > 1000 else "stays" for case, r in ratios.items()}


@wrong("not attempted")
def predict_flow_not_attempted():
    def predict_flow():
        raise NotImplementedError  # your code here


@wrong("wrong")
def other_words():
    def predict_flow():
        words = "ok gone ok huge ok gone huge huge ok ok"
        return dict(zip("ABCDEFGHIJ", words.split()))


@wrong("wrong")
def a_case_forgotten():
    def predict_flow():
        words = "stays vanishes stays explodes stays vanishes explodes explodes stays"
        return dict(zip("ABCDEFGHI", words.split()))


@wrong("wrong")
def everything_stays():
    def predict_flow():
        return dict.fromkeys("ABCDEFGHIJ", "stays")


@right
def by_factors_on_paper():
    def predict_flow():
        # the factor of a layer for the squared norm, roughly, and the depth
        factors = {
            "A": (1, 50),
            "B": (0.5, 50),
            "C": (1, 50),
            "D": (2, 50),
            "E": (0.5, 5),
            "F": (0.4, 50),
            "G": (1.8, 50),
            "H": (1.5, 50),
            "I": (1.005, 50),
            "J": (1, 50),
        }

        def word(ratio):
            return "vanishes" if ratio < 0.001 else "explodes" if ratio > 1000 else "stays"

        return {case: word(factor ** (depth / 2)) for case, (factor, depth) in factors.items()}


@right
def by_building_them():
    import torch

    def predict_flow():
        cases = {
            "A": (50, 1, lambda z, h: z),
            "B": (50, 1, lambda z, h: z.relu()),
            "C": (50, 2**0.5, lambda z, h: z.relu()),
            "D": (50, 2, lambda z, h: z.relu()),
            "E": (5, 1, lambda z, h: z.relu()),
            "F": (50, 4, lambda z, h: z.sigmoid()),
            "G": (50, 3, lambda z, h: z.tanh()),
            "H": (50, 1, lambda z, h: h + z.relu()),
            "I": (50, 0.1, lambda z, h: h + z.relu()),
            "J": (50, 0.5, lambda z, h: torch.layer_norm(z, (64,)).relu()),
        }
        found = {}
        for case, (depth, scale, layer) in cases.items():
            x = h = torch.randn(8, 64, dtype=torch.float64, requires_grad=True)
            for _ in range(depth):
                h = layer(h @ torch.randn(64, 64, dtype=torch.float64) * scale / 8, h)
            u = torch.randn_like(h)
            ratio = torch.autograd.grad(h, x, u)[0].norm() / u.norm()
            found[case] = "vanishes" if ratio < 1e-3 else "explodes" if ratio > 1e3 else "stays"
        return found


@right
def three_groups():
    def predict_flow():
        groups = {"vanishes": "BF", "explodes": "DGH", "stays": "ACEIJ"}
        return {case: word for word, cases in groups.items() for case in cases}
