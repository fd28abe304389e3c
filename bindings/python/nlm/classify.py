"""Objects classified by their relations, in scikit-learn's manners."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

import numpy

from ._library import ArgumentError
from .model import Model, learn
from .world import World


class ObjectClassifier:
    """Learns which class an object of a world has, from facts about it and others.

    >>> classifier = nlm.ObjectClassifier(seed=1).fit(world, {"ann": True, "bob": False, ...})
    >>> classifier.predict(other, ["carla", "dan"])

    ``fit`` and ``predict`` take a :class:`nlm.World` where scikit-learn has a table; ``y`` is a dict from
    objects to classes, at most 8 of them.  get_params, set_params and sklearn.base.clone work as usual.
    """

    def __init__(self, seed: int = 1, epochs: Optional[int] = None, depth: Optional[int] = None,
                 breadth: Optional[int] = None, rules: bool = True) -> None:
        self.seed = seed
        self.epochs = epochs
        self.depth = depth
        self.breadth = breadth
        self.rules = rules

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in ("seed", "epochs", "depth", "breadth", "rules")}

    def set_params(self, **params: Any) -> "ObjectClassifier":
        for name, value in params.items():
            if name not in self.get_params():
                raise ArgumentError("%s is no parameter" % name)
            setattr(self, name, value)
        return self

    def fit(self, X: World, y: Mapping[str, Any]) -> "ObjectClassifier":
        """Learn from a world and the classes of some of its objects."""
        if not isinstance(y, Mapping) or not y:
            raise ArgumentError("y is a dict {OBJECT: CLASS}")
        self.classes_ = numpy.unique(numpy.array(list(y.values())))
        if not 2 <= len(self.classes_) <= 8:
            raise ArgumentError("2 to 8 classes are needed, not %d" % len(self.classes_))
        wanted = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        true = {"class_%d" % k: [o for o, label in y.items() if label == value] for k, value in enumerate(wanted)}
        false = {"class_%d" % k: [o for o, label in y.items() if label != value] for k, value in enumerate(wanted)}
        settings = {name: value for name, value in self.get_params().items()
                    if name != "rules" and value is not None}
        self.model_: Model = learn(X, targets=true, false=false, closed_world=False, rules=self.rules,
                                   progress=False, **settings)
        return self

    def predict_proba(self, X: World, objects: List[str]) -> numpy.ndarray:
        """The probability of each class (columns as in classes_) for each of the objects."""
        columns = []
        for target in self.model_.targets:
            values, atoms = self.model_.probabilities(X, target)
            place = {name: number for number, name in enumerate(atoms)}
            missing = [o for o in objects if str(o) not in place]
            if missing:
                raise ArgumentError("the world has no object %s" % missing[0])
            columns.append([float(values[place[str(o)]]) for o in objects])
        table = numpy.array(columns).T.reshape(len(objects), -1)
        if table.shape[1] == 1:
            return numpy.hstack([1 - table, table])
        return table / numpy.maximum(table.sum(axis=1, keepdims=True), 1e-12)

    def predict(self, X: World, objects: List[str]) -> numpy.ndarray:
        """The most probable class of each of the objects."""
        return self.classes_[self.predict_proba(X, objects).argmax(axis=1)]

    def score(self, X: World, y: Mapping[str, Any]) -> float:
        """The share of objects whose class is right."""
        return float(numpy.mean(self.predict(X, list(y)) == numpy.array(list(y.values()))))
