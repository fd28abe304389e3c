"""Worlds: every form that facts may have, and what is refused."""
import math

import pytest

import nlm
from nlm.world import atom


def test_forms_mean_the_same():
    pairs = [("homer", "bart"), ("homer", "lisa")]
    assert nlm.World(father=pairs).facts() == nlm.World({"father": pairs}).facts() == (
        "father(homer, bart).\nfather(homer, lisa).\n")
    assert nlm.World(female=["marge"]).facts() == "female(marge).\n"
    assert nlm.World(rainy=True, sunny=False).facts() == "rainy.\n"
    assert nlm.World(age={"bart": 10}).facts() == "age(bart, 10).\n"
    assert nlm.World(objects=["zoe"]).facts() == "object(zoe).\n"


def test_names_are_quoted():
    assert atom("Bart S.") == "'Bart S.'"
    assert atom("it's \\ so") == "'it\\'s \\\\ so'"
    assert atom(3) == "3" and atom(2.5) == "2.5"


@pytest.mark.parametrize("given", [[("a", "b"), ("a",)], [("a", {})], [("a", math.inf)], [("a", True)], "text",
                                   [("a", "b", "c", "d", "e")], [("", "b")], [("a\0b",)]])
def test_wrong_facts_are_refused(given):
    with pytest.raises(nlm.ArgumentError):
        nlm.World(p=given)


def test_missing_values_are_unknown():
    assert nlm.World(p=[("a", "b"), ("a", None), ("b", math.nan)]).facts() == "p(a, b).\n"


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"name": ["ann", "bob"], "boss": ["bob", None], "happy": [True, False], "age": [41, 52]})
    facts = nlm.World.from_pandas(frame, "name").facts().split("\n")
    assert "boss(ann, bob)." in facts and "happy(ann)." in facts and "age(bob, 52)." in facts
    assert not any(line.startswith("boss(bob") for line in facts)
    assert nlm.World(parent=frame[["name", "boss"]]).facts() == "parent(ann, bob).\n"
    with pytest.raises(nlm.ArgumentError):
        nlm.World.from_pandas(frame, "title")


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_node("a", red=True)
    graph.add_edge("a", "b", weight=2.5)
    facts = nlm.World.from_networkx(graph).facts().split("\n")
    assert "edge(a, b)." in facts and "edge(b, a)." in facts and "red(a)." in facts and "weight(a, b, 2.5)." in facts


def test_broken_text_names_the_line(model):
    with pytest.raises(nlm.FormatError, match="facts:2"):
        model.conclude(nlm.World.from_prolog("parent(a, b).\nparent(a"))
