"""Worlds: facts about named objects, from dicts, tuples, pandas, NetworkX, or Prolog's syntax."""
from __future__ import annotations

import math
import numbers
import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import MAX_FACT_ARITY, ArgumentError

Atom = Union[str, int, float]
Tuples = Iterable[Union[Atom, Sequence[Atom]]]

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in (
        "NAType", "NaTType")


def atom(value: Any, where: str = "a fact") -> str:
    """A value as Prolog's syntax has it.  Numbers stay numbers; all else is a name, in quotes where needed."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        raise ArgumentError("%s: True and False are no objects" % where)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ArgumentError("%s: %r is no number that can be compared" % (where, value))
        return repr(float(value))
    if not isinstance(value, str):
        raise ArgumentError("%s: %r is neither a text nor a number (%s)" % (where, value, type(value).__name__))
    if "\0" in value or not value:
        raise ArgumentError("%s: a name is empty, or has a zero byte" % where)
    if _PLAIN.match(value):
        return value
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _rows(name: str, given: Any) -> Iterator[Tuple[Any, ...]]:
    """The tuples that a user wrote, in any of the forms that a World takes."""
    if given is True:
        yield ()
        return
    if given is False:
        return
    if isinstance(given, (str, bytes)):
        raise ArgumentError("%s: a list of tuples or of names is needed, not a text" % name)
    if hasattr(given, "itertuples"):  # a pandas DataFrame
        given = given.itertuples(index=False, name=None)
    elif isinstance(given, Mapping):  # {"ann": 36.6}: the last argument of a fact
        given = [((*key, value) if isinstance(key, tuple) else (key, value)) for key, value in given.items()]
    for row in given:
        row = tuple(row) if isinstance(row, (tuple, list)) or hasattr(row, "__array__") and getattr(
            row, "ndim", 0) == 1 else (row,)
        if not any(_is_missing(value) for value in row):
            yield row


def facts_text(predicates: Mapping[str, Any], wrap: str = "%s") -> Tuple[str, Dict[str, int]]:
    """Facts in Prolog's syntax, and the arity of each predicate."""
    lines: List[str] = []
    arities: Dict[str, int] = {}
    for name, given in predicates.items():
        if not isinstance(name, str):
            raise ArgumentError("a predicate is named by a text, not by %r" % (name,))
        for row in _rows(name, given):
            arity = arities.setdefault(name, len(row))
            if arity != len(row):
                raise ArgumentError("%s: tuples of %d and of %d arguments" % (name, arity, len(row)))
            if arity > MAX_FACT_ARITY:
                raise ArgumentError("%s: a fact has at most %d arguments" % (name, MAX_FACT_ARITY))
            inside = ", ".join(atom(value, name) for value in row)
            lines.append(wrap % (atom(name) + ("(" + inside + ")" if row else "")) + ".")
    return "\n".join(lines) + ("\n" if lines else ""), arities


class World:
    """Facts about named objects.

    >>> family = World(father=[("homer", "bart")], mother=[("marge", "bart")], female=["marge"])

    A predicate is given as a list of tuples (of names, for one argument), a pandas DataFrame whose rows are
    the tuples, a dict from objects to a number, or True.  Arguments are texts or numbers; numbers in the last
    places are compared, not objects.

    ``facts``: more predicates, as a dict, for names that are no Python names.
    ``objects``: objects that no fact mentions.
    ``labels``, ``false``: examples to learn from, what is true and what is false, by target.
    """

    def __init__(self, facts: Optional[Mapping[str, Any]] = None, *, objects: Iterable[Atom] = (),
                 labels: Optional[Mapping[str, Any]] = None, false: Optional[Mapping[str, Any]] = None,
                 name: str = "", **predicates: Any) -> None:
        both = dict(facts or {})
        for predicate in predicates:
            if predicate in both:
                raise ArgumentError("%s is given twice" % predicate)
        both.update(predicates)
        self.name = str(name)
        self._facts, self.predicates = facts_text(both)
        self._facts += facts_text({"object": list(objects)})[0]
        self.labels: Dict[str, Any] = dict(labels or {})
        self.false: Dict[str, Any] = dict(false or {})

    # ---- other forms ----

    @classmethod
    def from_prolog(cls, text: str, *, name: str = "") -> "World":
        """Facts, and rules of Datalog among them, in Prolog's syntax."""
        world = cls(name=name)
        world._facts = text
        return world

    @classmethod
    def read(cls, path: Any, *, name: str = "") -> "World":
        """A file of facts in Prolog's syntax.  Functions that take worlds take paths of files and folders too."""
        with open(path, encoding="utf-8") as stream:
            return cls.from_prolog(stream.read(), name=name)

    @classmethod
    def from_pandas(cls, frame: Any, key: str, *, name: str = "", **predicates: Any) -> "World":
        """A table whose rows are objects, named by the column ``key``.

        A column of booleans is a predicate of the objects for which it is true; one of numbers gives each
        object a number; any other relates an object to the value.  Empty cells are unknown.
        """
        if key not in frame.columns:
            raise ArgumentError("there is no column %r" % (key,))
        found: Dict[str, Any] = dict(predicates)
        keys = [str(value) if not isinstance(value, str) else value for value in frame[key]]
        for column in frame.columns:
            if column == key:
                continue
            values = list(frame[column])
            if all(_is_missing(v) or isinstance(v, bool) or type(v).__name__ == "bool_" for v in values):
                found[str(column)] = [o for o, v in zip(keys, values) if not _is_missing(v) and v]
            else:
                found[str(column)] = list(zip(keys, values))
        return cls(found, objects=keys, name=name)

    @classmethod
    def from_networkx(cls, graph: Any, edge: str = "edge", *, name: str = "") -> "World":
        """A graph: its edges as a binary predicate (both ways if it is undirected), numbers and texts of nodes
        and edges as predicates of their own, True as a predicate of those that have it."""
        nodes = {node: str(node) for node in graph.nodes}
        if len(set(nodes.values())) < len(nodes):
            raise ArgumentError("two nodes of the graph have the same name as a text")
        found: Dict[str, List[Tuple[Any, ...]]] = {edge: []}

        def attributes(at: Tuple[str, ...], data: Mapping[str, Any]) -> None:
            for key, value in data.items():
                if value is True:
                    found.setdefault(str(key), []).append(at)
                elif value is not False and not _is_missing(value):
                    found.setdefault(str(key), []).append((*at, value))

        for node, data in graph.nodes(data=True):
            attributes((nodes[node],), data)
        for source, target, data in graph.edges(data=True):
            for at in [(nodes[source], nodes[target])] + (
                    [] if graph.is_directed() else [(nodes[target], nodes[source])]):
                found[edge].append(at)
                attributes(at, data)
        return cls(found, objects=nodes.values(), name=name)

    # ---- for the library ----

    def facts(self) -> str:
        """The facts in Prolog's syntax."""
        return self._facts

    def examples(self, labels: Mapping[str, Any], false: Mapping[str, Any]) -> str:
        """Labels in the syntax of exs.pl."""
        return facts_text(labels, "pos(%s)")[0] + facts_text(false, "neg(%s)")[0]

    def __repr__(self) -> str:
        count = self._facts.count("\n")
        return "<nlm.World%s: %d fact%s>" % (" " + self.name if self.name else "", count, "" if count == 1 else "s")
