"""Models: learning, asking, explaining, numbers, copies."""
import copy
import pickle
import threading

import numpy
import pytest

import nlm
from conftest import FAMILIES, learn_grand


def test_learned_rule(model, line):
    assert model.graduated and model.inputs == ["parent/2"] and model.targets == ["grand/2"]
    assert model.rules() == "grand(X, Y) :- parent(X, Z), parent(Z, Y).\n"
    assert "grand" in model.rules("sql") and "grand" in repr(model) and "<pre>" in model._repr_html_()
    assert model.prove() and model.prove().verdict == "proved"
    assert model.conclude(line) == [("grand", "x", "z", 1.0), ("grand", "y", "it's", 1.0)]
    assert "parent(y, z)" in model.why("grand", "x", "z")
    assert "z" in model.why("grand", "z", "x", data=line)
    assert model.history and 0 <= model.history[-1].score <= 1


def test_several_worlds(model):
    worlds = [nlm.World.from_prolog(facts, name=name) for name, facts, _ in FAMILIES]
    found = model.conclude(worlds)
    assert {(world, row[1], row[2]) for world, row in zip(found.worlds, found)} == {
        (name, *pair) for name, _, labels in FAMILIES for pair in labels}
    assert "table" in found._repr_html_()


def test_pandas_out(model, line):
    pytest.importorskip("pandas")
    frame = model.conclude(line).to_pandas()
    assert list(frame.columns) == ["world", "target", "object_1", "object_2", "probability"] and len(frame) == 2


def test_probabilities(model, line):
    values, atoms = model.probabilities(line, "grand")
    assert values.shape == (4, 4) and values.dtype == numpy.float32
    assert values[atoms.index("x"), atoms.index("z")] == 1 and values.sum() == 2
    with pytest.raises(nlm.ArgumentError):
        model.probabilities(line, "uncle")


def test_same_seed_same_bytes(model):
    assert learn_grand().bytes == model.bytes


def test_copies(model, line):
    for twin in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert twin.bytes == model.bytes and twin.conclude(line) == model.conclude(line)
        assert twin.history == model.history


def test_files(model, tmp_path):
    path = tmp_path / "grand.nlm"
    model.save(path)
    assert nlm.load(path).bytes == model.bytes == path.read_bytes()
    with pytest.raises(nlm.FileError):
        nlm.load(tmp_path / "none.nlm")
    path.write_bytes(b"nonsense")
    with pytest.raises(nlm.FormatError):
        nlm.load(path)


def test_learning_from_files(tmp_path, line):
    for name, facts, labels in FAMILIES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "bk.pl").write_text(facts)
        (tmp_path / name / "exs.pl").write_text("".join("pos(grand(%s, %s)).\n" % pair for pair in labels))
    (tmp_path / "apply.pl").write_text(line.facts())
    model = nlm.learn(tmp_path, held_out=0, epochs=60, progress=False)
    assert model.conclude(tmp_path / "apply.pl") == model.conclude(line)


def test_numbers(model, line):
    parents = numpy.zeros((4, 4, 1))
    parents[0, 1] = parents[1, 2] = parents[2, 3] = 1
    logits, = model.forward({2: parents})
    values, atoms = model.probabilities(line)
    assert atoms == ["x", "y", "z", "it's"] and numpy.array_equal(logits > 0, values > 0.5)
    assert model.values({2: parents}, 0, 2).shape == (4, 4, 1)


def test_gradients_are_differences():
    soft = learn_grand(rules=False, epochs=1, batches=5)
    generator = numpy.random.default_rng(1)
    inputs = generator.random((3, 3, 1)).astype(numpy.float32)
    factors = generator.standard_normal((3, 3)).astype(numpy.float32)
    found = soft.gradients({2: inputs}, [factors])
    step = 1e-2

    def change(name, place, by):
        weights = soft.weights()
        weights[name][place] += by
        return float((soft.with_weights(weights).forward({2: inputs})[0] * factors).sum())

    name = "head.weight"
    for place in [(0, 0), (0, 1)]:
        difference = (change(name, place, step) - change(name, place, -step)) / (2 * step)
        assert found.weights[name][place] == pytest.approx(difference, rel=2e-2, abs=1e-3)
    assert found.inputs[2].shape == (3, 3, 1)


@pytest.mark.parametrize("tensors", [{}, {1: numpy.zeros((3, 1)), 2: numpy.zeros((3, 3, 1))}, {2: numpy.zeros((3, 4, 1))},
                                     {2: numpy.zeros((3, 3, 2))}, {2: numpy.full((3, 3, 1), numpy.nan)},
                                     {2: numpy.zeros((0, 0, 1))}, {2: numpy.array([["a"]])}])
def test_wrong_arrays_are_refused(model, tensors):
    with pytest.raises(nlm.ArgumentError):
        model.forward(tensors)


def test_wrong_weights_are_refused(model):
    name, values = next(iter(model.weights().items()))
    for wrong in ({"none": values}, {name: values[..., :0]}, {name: values * numpy.nan}):
        with pytest.raises(nlm.ArgumentError):
            model.with_weights(wrong)


def test_threads(model, line):
    expected = model.conclude(line)
    failures = []

    def ask(own):
        for _ in range(20):
            if own.conclude(line) != expected:
                failures.append(own)

    threads = [threading.Thread(target=ask, args=(copy.copy(model),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("call", [
    lambda: nlm.learn(nlm.World(p=["a"])), lambda: nlm.learn([]), lambda: nlm.learn(3),
    lambda: nlm.learn(nlm.World(p=["a"]), {"q": ["a"]}, sed=1), lambda: nlm.learn(nlm.World(p=["a"]), {"q": ["a"]}, epochs="x"),
    lambda: nlm.learn([nlm.World(p=["a"])] * 2, {"q": [["a"]]}), lambda: nlm.train("nothing"), lambda: nlm.train(3)])
def test_wrong_calls_are_refused(call):
    with pytest.raises((nlm.Error, TypeError)):
        call()


def test_unknown_facts_and_atoms(model, line):
    with pytest.raises(nlm.Error, match="parent/2"):
        model.conclude(nlm.World(child=[("a", "b")]))
    with pytest.raises(nlm.ArgumentError):
        model.why("grand", "x", "nobody", data=line)
    with pytest.raises(nlm.ArgumentError):
        model.rules("latin")


def test_interrupt_keeps_the_checkpoint(tmp_path):
    path = tmp_path / "grand.nlm"

    def interrupt(progress):
        if progress.rounds >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_grand(output=path, watch=interrupt, rules=False, threshold=1e-9, epochs=5, batches=2)
    assert not path.exists() and (tmp_path / "grand.nlm.checkpoint").exists()
    whole = learn_grand(rules=False, threshold=1e-9, epochs=5, batches=2)
    resumed = learn_grand(output=path, resume=True, rules=False, threshold=1e-9, epochs=5, batches=2)
    assert resumed.bytes == whole.bytes == path.read_bytes()


def test_watch_stops(tmp_path):
    model = learn_grand(watch=lambda progress: progress.rounds < 2, rules=False, threshold=1e-9, batches=2)
    assert not model.graduated and model.metadata("epoch") == "2"


def test_classifier():
    world = nlm.World(likes=[("a", "b"), ("b", "c"), ("d", "e"), ("e", "a")], objects=["f"])
    labels = {"a": "fan", "b": "fan", "c": "other", "f": "other", "d": "fan"}
    classifier = nlm.ObjectClassifier(epochs=5, rules=False).fit(world, labels)
    assert list(classifier.classes_) == ["fan", "other"]
    assert classifier.predict_proba(world, ["a", "f"]).shape == (2, 2) and classifier.score(world, labels) >= 0.6
    assert classifier.set_params(seed=2).get_params()["seed"] == 2
    for wrong in ({}, {"a": 1}, [1, 0]):
        with pytest.raises(nlm.ArgumentError):
            classifier.fit(world, wrong)
    sklearn = pytest.importorskip("sklearn.base")
    assert sklearn.clone(classifier).get_params() == classifier.get_params()
