"""What all problems of this folder have in common, and how their files are written.

A problem draws (facts, examples): facts are strings without their dot, examples are pairs (is it true?, string).
"""
import os


class Problem:
    def __init__(self, name, bias, draw, train, test):
        self.name, self.bias, self.draw = name, bias, draw
        self.sizes = {"train": train, "test": test}


def type_text(types):
    """Popper's tuples: one of a single type has a comma behind it."""
    return "(%s,)" % types[0] if len(types) == 1 else "(%s)" % ",".join(types)


def bias_text(head, body, limits=""):
    """head and each of body: (name, types)."""
    lines = ["head_pred(%s,%d)." % (head[0], len(head[1]))]
    lines += ["body_pred(%s,%d)." % (name, len(types)) for name, types in body]
    lines += ["type(%s,%s)." % (name, type_text(types)) for name, types in [head] + body]
    return limits + "\n".join(lines) + "\n"


def write_part(folder, bias, facts, examples):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "bias.pl"), "w") as file:
        file.write(bias)
    # facts of one predicate together, in the order of their drawing
    names = {}
    for fact in facts:
        names.setdefault(fact.split("(")[0], []).append(fact)
    with open(os.path.join(folder, "bk.pl"), "w") as file:
        for of_name in names.values():
            file.writelines(fact + ".\n" for fact in dict.fromkeys(of_name))
    with open(os.path.join(folder, "exs.pl"), "w") as file:
        for wanted, kind in ((True, "pos"), (False, "neg")):
            file.writelines("%s(%s).\n" % (kind, text) for is_true, text in examples if is_true == wanted)


def flip(stream, examples, percent):
    """The share of labels that are wrong is exact, up to rounding."""
    count = round(len(examples) * percent / 100)
    wrong = set(stream.sample(range(len(examples)), count))
    return [(is_true != (i in wrong), text) for i, (is_true, text) in enumerate(examples)]
