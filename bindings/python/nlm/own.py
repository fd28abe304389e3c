"""Tasks and games written in Python."""
from __future__ import annotations

import ctypes as c
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy

from . import _library as _
from ._library import ArgumentError, Caught, call, lib


# The same functions without checks of types: worlds are drawn by the ten thousand.
_add_fact, _add_label = _.lib["nlm_world_add_fact"], _.lib["nlm_world_add_label"]
_add_fact.argtypes = [c.c_void_p, c.c_int, c.c_void_p, c.c_float, c.c_void_p]
_add_label.argtypes = [c.c_void_p, c.c_int, c.c_void_p, c.c_int, c.c_void_p]


class Random:
    """Random numbers of one world or instance: the same seed and number, the same world."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer

    def below(self, n: int) -> int:
        """A whole number in 0..n-1."""
        if not 0 < n < 2**32:
            raise ArgumentError("below(%r): 1 to 2**32 - 1 is possible" % (n,))
        return int(lib.nlm_random_below(self._pointer, n))

    def unit(self) -> float:
        """A number in [0, 1)."""
        return float(lib.nlm_random_unit(self._pointer))

    def choice(self, items: Sequence[Any]) -> Any:
        return items[self.below(len(items))]

    def shuffle(self, items: List[Any]) -> None:
        """Put a list in a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _names_and_arities(given: Mapping[str, int], what: str) -> Dict[str, int]:
    for name, arity in given.items():
        if not isinstance(name, str) or not isinstance(arity, int) or isinstance(arity, bool):
            raise ArgumentError("%s: {NAME: ARITY} is needed, not {%r: %r}" % (what, name, arity))
    return dict(given)


class Task:
    """A task in Python: see :func:`task`."""

    kind = "task"

    def __init__(self, function: Callable[[Random, int], Mapping[str, Any]], predicates: Mapping[str, int],
                 target: Tuple[str, int], objects: int, test_objects: int = 0, name: Optional[str] = None,
                 depth: int = 0, breadth: int = 0) -> None:
        self.function = function
        self.predicates = _names_and_arities(predicates, "predicates")
        (self.target, self.arity), = _names_and_arities(dict([target]), "target").items()
        if self.target in self.predicates:
            raise ArgumentError("%s is a predicate and the target" % self.target)
        self.name = name or getattr(function, "__name__", "task").replace("_", "-")
        self.caught = Caught()
        self.__doc__ = function.__doc__
        rows = [_.Declaration(n.encode(), a) for n, a in self.predicates.items()]
        self._rows = (_.Declaration * (len(rows) + 1))(*rows, _.Declaration(None, 0))
        self._generate = _.GENERATE(self._guarded)
        self._struct = _.CTask(name=self.name.encode(), description=(function.__doc__ or self.name).encode(),
                               target=self.target.encode(), arity=self.arity, train_objects=objects,
                               test_objects=test_objects, depth=depth, breadth=breadth, predicates=self._rows,
                               generate=self._generate)
        self.pointer = c.cast(c.pointer(self._struct), c.c_void_p)

    def _guarded(self, _task: Any, random: int, objects: int, world: int, _error: Any) -> int:
        return int(self.caught.guard(self._fill, _.BAD_ARGUMENT)(random, objects, world))

    def _fill(self, random: int, objects: int, world: int) -> int:
        found = self.function(Random(random), objects)
        if not isinstance(found, Mapping):
            raise ArgumentError("%s returned %r; a dict {PREDICATE: TUPLES} is needed" % (self.name, type(found).__name__))
        for unknown in set(found) - set(self.predicates) - {self.target}:
            raise ArgumentError("%s: %r is neither a predicate nor the target" % (self.name, unknown))
        for number, (name, arity) in enumerate(self.predicates.items()):
            self._add(_add_fact, world, number, 1.0, self._tuples(name, arity, found.get(name, ()), objects))
        self._add(_add_label, world, 0, 1, self._tuples(self.target, self.arity, found.get(self.target, ()), objects))
        return _.OK

    @staticmethod
    def _add(function: Any, world: int, number: int, value: Any, tuples: Any) -> None:
        address, step = tuples.ctypes.data, tuples.strides[0]
        for place in range(address, address + step * len(tuples), step):
            if function(world, number, place, value, None) != _.OK:
                error = _.CError()
                function(world, number, place, value, c.byref(error))
                raise ArgumentError(error.message.decode())

    def _tuples(self, name: str, arity: int, given: Any, objects: int) -> numpy.ndarray:
        array = numpy.array(given if isinstance(given, (list, numpy.ndarray)) else list(given))
        if len(array) == 0:
            return numpy.empty((0, arity), numpy.intc)
        if array.dtype.kind not in "iu" or array.size != len(array) * arity:
            raise ArgumentError("%s: tuples of %d whole numbers are needed" % (name, arity))
        if array.min(initial=0) < 0 or array.max(initial=0) >= objects:
            raise ArgumentError("%s: objects are 0 to %d" % (name, objects - 1))
        return numpy.ascontiguousarray(array.reshape(len(array), arity), numpy.intc)

    def generate(self, objects: int, *, seed: int = 1, index: int = 0) -> Dict[str, List[Tuple[int, ...]]]:
        """World number ``index`` of a seed, as the function returns it."""
        seen: Dict[str, Any] = {}
        world = c.c_void_p()
        call("nlm_world_new", c.byref(world))
        try:
            call("nlm_task_generate", self.pointer, 0, seed, index, objects, world, caught=self.caught)
            tuples = c.POINTER(c.c_int)()
            for number, (name, arity) in enumerate(self.predicates.items()):
                count = lib.nlm_world_facts(world, number, c.byref(tuples), None)
                seen[name] = [tuple(tuples[f * arity: (f + 1) * arity]) for f in range(count)]
            count = lib.nlm_world_labels(world, 0, c.byref(tuples), None, None)
            seen[self.target] = [tuple(tuples[f * self.arity: (f + 1) * self.arity]) for f in range(count)]
        finally:
            lib.nlm_world_free(world)
        return seen

    def __repr__(self) -> str:
        return "<nlm.Task %s: %s/%d>" % (self.name, self.target, self.arity)


def task(predicates: Mapping[str, int], target: Tuple[str, int], objects: int, **more: Any) -> Callable[..., Task]:
    """Make a task of a function that draws a random world.

    >>> @nlm.task(predicates={"next": 2}, target=("three_more", 2), objects=6)
    ... def three_more(random, n):
    ...     order = list(range(n))
    ...     random.shuffle(order)
    ...     return {"next": list(zip(order, order[1:])), "three_more": list(zip(order, order[3:]))}
    >>> model = nlm.train(three_more, exam=200)

    The function gets a :class:`Random` and the number of objects, which are 0 to n-1, and returns the tuples of
    each predicate, and those of which the target is true; of all others it is false.
    ``more``: test_objects, depth, breadth, name.
    """
    return lambda function: Task(function, predicates, target, objects, **more)


class Game:
    """A game in Python: derive a class from this one, and write its methods.

    A state is an array of whole numbers (numpy, int32).  ``predicates``, ``arity`` and ``test_objects`` are
    attributes of the class; draw, move, solved and see are needed, the others have usual results.

    >>> class Lamps(nlm.Game):
    ...     predicates = {"on": 1}
    ...     arity = 1
    ...     def draw(self, random, n, test): return [random.below(2) for _ in range(n)]
    ...     def move(self, state, move): state[move[0]] ^= 1
    ...     def solved(self, state): return state.all()
    ...     def see(self, state): return {"on": state}
    >>> agent = nlm.train(Lamps(), episodes=4000)
    >>> agent.test(50, 100)["right"]
    """

    kind = "game"
    predicates: Mapping[str, int] = {}
    arity: int = 1  # numbers of a move: objects
    least_objects: int = 2
    test_objects: Tuple[int, int] = (10, 50)

    def draw(self, random: Random, objects: int, test: bool) -> Optional[Sequence[int]]:
        """A random instance as a state; None asks for another draw."""
        raise NotImplementedError

    def move(self, state: numpy.ndarray, move: Tuple[int, ...]) -> None:
        """Make a legal move: change the state."""
        raise NotImplementedError

    def solved(self, state: numpy.ndarray) -> bool:
        raise NotImplementedError

    def see(self, state: numpy.ndarray) -> Mapping[str, Any]:
        """What an agent sees: an array of truth values for each predicate, [objects] or [objects, objects]."""
        raise NotImplementedError

    def legal(self, state: numpy.ndarray, move: Tuple[int, ...]) -> bool:
        """Whether a move may be made; others change nothing, and count."""
        return True

    def state_size(self, objects: int) -> int:
        """Numbers of a state."""
        return objects

    def limit(self, state: numpy.ndarray) -> int:
        """Moves that may be made from an instance on."""
        return 2 * len(state)

    def optimum(self, state: numpy.ndarray) -> int:
        """The least number of moves that solves an instance; -1: nobody knows."""
        return -1

    def __init__(self) -> None:
        predicates = _names_and_arities(self.predicates, "predicates")
        self.name = type(self).__name__.lower()
        self.caught = Caught()
        self._ordered = [(n, r) for r in (1, 2) for n, a in predicates.items() if a == r]
        if not self._ordered or len(self._ordered) != len(predicates):
            raise ArgumentError("%s: predicates of arity 1 and 2 are needed, {NAME: ARITY}" % self.name)
        inputs = (c.c_int * (_.MAX_BREADTH + 1))(*[sum(a == r for a in predicates.values())
                                                   for r in range(_.MAX_BREADTH + 1)])
        self._names, _count = _.names(n for n, _r in self._ordered)
        guard = self.caught.guard
        self._functions = dict(
            state_size=_.STATE_SIZE(guard(lambda _g, n: int(self.state_size(n)), 1)),
            draw=_.DRAW(guard(self._draw, False)),
            legal=_.LEGAL(guard(lambda _g, s, n, m: bool(self.legal(self._state(s, n), self._move(m))), False)),
            move=_.MOVE(guard(lambda _g, s, n, m: self.move(self._state(s, n), self._move(m)), None)),
            solved=_.SOLVED(guard(lambda _g, s, n: bool(self.solved(self._state(s, n))), False)),
            limit=_.COUNT(guard(lambda _g, s, n: int(self.limit(self._state(s, n))), 1)),
            optimum=_.COUNT(guard(lambda _g, s, n: int(self.optimum(self._state(s, n))), -1)),
            see=_.SEE(guard(self._see, None)))
        self._struct = _.CGame(name=self.name.encode(), description=(type(self).__doc__ or self.name).encode(),
                               arity=self.arity, inputs=inputs, predicates=self._names,
                               least_objects=self.least_objects, test_objects=(c.c_int * 2)(*self.test_objects),
                               **self._functions)
        self.pointer = c.cast(c.pointer(self._struct), c.c_void_p)

    # ---- what the library calls ----

    def _state(self, state: Any, objects: int) -> numpy.ndarray:
        return numpy.ctypeslib.as_array(state, (self.state_size(objects),))

    def _move(self, move: Any) -> Tuple[int, ...]:
        return tuple(move[: self.arity])

    def _draw(self, _game: Any, state: Any, objects: int, random: int, test: bool) -> bool:
        drawn = self.draw(Random(random), objects, test)
        if drawn is None:
            return False
        array = numpy.asarray(drawn)
        if array.dtype.kind not in "iub" or array.shape != (self.state_size(objects),):
            raise ArgumentError("%s.draw: a state is %d whole numbers" % (self.name, self.state_size(objects)))
        self._state(state, objects)[...] = array
        return True

    def _see(self, _game: Any, state: Any, objects: int, values: Any) -> None:
        seen = self.see(self._state(state, objects))
        if set(seen) != {name for name, _arity in self._ordered}:
            raise ArgumentError("%s.see: the predicates are %s" % (self.name, ", ".join(n for n, _r in self._ordered)))
        for arity in (1, 2):
            mine = [name for name, r in self._ordered if r == arity]
            if not mine:
                continue
            place = numpy.ctypeslib.as_array(values[arity], (objects,) * arity + (len(mine),))
            for number, name in enumerate(mine):
                array = numpy.asarray(seen[name])
                if array.shape != (objects,) * arity:
                    raise ArgumentError("%s.see: %s has the shape %s" % (self.name, name, array.shape))
                place[..., number] = array


AnyTask = Union[str, Task, Game]
