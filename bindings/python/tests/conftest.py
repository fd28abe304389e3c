"""The library is the one of the build folder (NLM_LIBRARY), the package that of the source tree."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nlm  # noqa: E402

FAMILIES = [
    ("a", "parent(a1, a2). parent(a2, a3). parent(a3, a4).", [("a1", "a3"), ("a2", "a4")]),
    ("b", "parent(b1, b2). parent(b1, b3). parent(b2, b4). parent(b3, b5).", [("b1", "b4"), ("b1", "b5")]),
    ("c", "parent(c1, c2). parent(c3, c2). parent(c2, c4).", [("c1", "c4"), ("c3", "c4")]),
    ("d", "parent(d1, d2). parent(d3, d4). parent(d4, d5).", [("d3", "d5")]),
]


def learn_grand(**more):
    worlds = [nlm.World.from_prolog(facts, name=name) for name, facts, _ in FAMILIES]
    settings = dict(held_out=0, epochs=60, progress=False)
    settings.update(more)
    return nlm.learn(worlds, targets={"grand": [labels for _, _, labels in FAMILIES]}, **settings)


@pytest.fixture(scope="session")
def model():
    return learn_grand()


@pytest.fixture
def line():
    return nlm.World(parent=[("x", "y"), ("y", "z"), ("z", "it's")])
