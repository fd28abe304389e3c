"""Models: learn, ask, explain, save."""
from __future__ import annotations

import ctypes as c
import os
import tempfile
import time
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from . import _library as _
from ._library import ArgumentError, Caught, call, lib
from .progress import Point, Progress, Watcher, curve_svg, display_of, escape
from .world import World, atom

Data = Union[World, Sequence[World], str, "os.PathLike[str]"]
_LANGUAGES = ["prolog", "asp", "datalog", "sql", "english", "json", "clauses"]
_VERDICTS = ["proved", "soft", "refuted", "undecided"]
_DRAW_SECONDS = 0.2


# ---- problems: worlds as the library has them ----


class _Problem:
    """Worlds that the library has read, and freed with this object."""

    def __init__(self, data: Any, reading: Optional[_.Reading] = None, labels: Any = None, false: Any = None) -> None:
        self.pointer = c.c_void_p()
        reading_pointer = c.byref(reading) if reading is not None else None
        if isinstance(data, (str, os.PathLike)):
            call("nlm_problem_read", os.fsencode(data), reading_pointer, c.byref(self.pointer))
            return
        worlds = [data] if isinstance(data, World) else list(data)
        for world in worlds:
            if not isinstance(world, World):
                raise ArgumentError("a world, a list of worlds or a path is needed, not %r" % type(world).__name__)
        if not worlds:
            raise ArgumentError("there is no world")
        texts = (_.WorldText * len(worlds))()
        for number, world in enumerate(worlds):
            texts[number].name = (world.name or ("world %d" % (number + 1) if len(worlds) > 1 else "")).encode()
            texts[number].facts = world.facts().encode()
            if labels is not None:
                texts[number].examples = world.examples(labels[number], false[number]).encode()
        call("nlm_problem_parse", texts, len(worlds), reading_pointer, c.byref(self.pointer))

    def __del__(self) -> None:
        if self.pointer:
            lib.nlm_problem_free(self.pointer)
            self.pointer = c.c_void_p()

    def notes(self) -> List[str]:
        return [lib.nlm_problem_note(self.pointer, n).decode() for n in range(lib.nlm_problem_notes(self.pointer))]


def _labels_of(data: Any, given: Optional[Mapping[str, Any]], which: str) -> List[Dict[str, Any]]:
    """Labels of each world: its own, and those of ``targets``, a list of one entry for each world if there are
    several."""
    worlds = [data] if isinstance(data, World) else list(data)
    found = [dict(getattr(world, which)) for world in worlds]
    for target, labels in (given or {}).items():
        parts = [labels] if isinstance(data, World) else list(labels)
        if len(parts) != len(worlds):
            raise ArgumentError("%s: labels of %d worlds, and there are %d" % (target, len(parts), len(worlds)))
        for labels_of_world, part in zip(found, parts):
            if part is not None:
                labels_of_world[target] = part
    return found


# ---- conclusions ----


class Conclusions(List[Tuple[Any, ...]]):
    """A list of tuples (target, object, ..., probability); ``worlds`` has the name of the world of each."""

    worlds: List[str]

    def __init__(self, rows: Iterable[Tuple[Any, ...]] = (), worlds: Iterable[str] = ()) -> None:
        super().__init__(rows)
        self.worlds = list(worlds)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns world, target, object_1, ..., probability."""
        import pandas

        most = max((len(row) - 2 for row in self), default=0)
        columns = ["world", "target", *["object_%d" % (k + 1) for k in range(most)], "probability"]
        rows = [(world, row[0], *row[1:-1], *[None] * (most - len(row) + 2), row[-1])
                for world, row in zip(self.worlds, self)]
        return pandas.DataFrame(rows, columns=columns)

    def _repr_html_(self) -> str:
        rows = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % escape(
            "%.2f" % value if isinstance(value, float) else str(value)) for value in row) for row in self[:50])
        more = "<p>and %d more</p>" % (len(self) - 50) if len(self) > 50 else ""
        return "<table>%s</table>%s" % (rows, more)


class Rules(str):
    """The program of a model, as a text."""

    def _repr_html_(self) -> str:
        return "<pre>%s</pre>" % escape(self)

    def __repr__(self) -> str:
        return str(self)


class Proof(NamedTuple):
    """Whether a model computes its rules in every world.  True as a condition if that is proved."""

    verdict: str  # "proved", "soft", "refuted", "undecided"
    definitions: str  # what the machine computes
    reason: str  # of "soft": why
    counterexample: str  # of "refuted": the smallest world that was found
    margin: float

    def __bool__(self) -> bool:
        return self.verdict == "proved"


class Gradients(NamedTuple):
    """Gradients of a sum of logits, each multiplied by a number of yours."""

    weights: Dict[str, numpy.ndarray]
    inputs: Dict[int, numpy.ndarray]


class Model:
    """What was learned.  Made by :func:`nlm.learn`, :func:`nlm.train` and :func:`nlm.load`.

    A model can be copied and pickled.  It serves one thread at a time; different models may be used by
    different threads, which run at the same time in long calls.
    """

    history: List[Point]

    def __init__(self, pointer: c.c_void_p, history: Iterable[Point] = (), task: Any = None) -> None:
        self._pointer = pointer
        self._inference = c.c_void_p()
        self._evaluators: Dict[Tuple[bool, bool], c.c_void_p] = {}
        self._last: Any = None  # the data that was asked about last
        self._task = task  # a task or game in Python, for tests
        self.history = list(history)

    def __del__(self) -> None:
        for evaluator in getattr(self, "_evaluators", {}).values():
            lib.nlm_evaluator_free(evaluator)
        if getattr(self, "_inference", None):
            lib.nlm_inference_free(self._inference)
        if getattr(self, "_pointer", None):
            lib.nlm_model_free(self._pointer)
            self._pointer = None

    # ---- files, copies ----

    @property
    def bytes(self) -> bytes:
        """The model file, as bytes."""
        size = c.c_size_t()
        return c.string_at(lib.nlm_model_bytes(self._pointer, c.byref(size)), size.value)

    def save(self, path: Any) -> None:
        """Write the model file: whole, or not at all."""
        call("nlm_model_save", self._pointer, os.fsencode(path))

    def __reduce__(self) -> Any:
        return _restore, (self.bytes, self.history)

    def __copy__(self) -> "Model":
        return _restore(self.bytes, self.history)

    def __deepcopy__(self, _memo: Any) -> "Model":
        return _restore(self.bytes, self.history)

    # ---- what it is ----

    @property
    def _machine(self) -> c.c_void_p:
        return lib.nlm_model_machine(self._pointer)

    @property
    def graduated(self) -> bool:
        """Whether the last exam of the run found no error."""
        return bool(lib.nlm_model_graduated(self._pointer))

    def metadata(self, key: str) -> Optional[str]:
        """A text of the model file, such as "seed", "depth" or "version"; None if it has none of that key."""
        text = lib.nlm_machine_metadata(self._machine, key.encode())
        return None if text is None else text.decode()

    def _signature(self) -> c.c_void_p:
        signature = c.c_void_p()
        call("nlm_model_signature", self._pointer, c.byref(signature))
        return signature

    def _predicates(self, side: str) -> List[_.Predicate]:
        signature = self._signature()
        count = getattr(lib, "nlm_signature_%ss" % side)(signature)
        return [getattr(lib, "nlm_signature_" + side)(signature, number).contents for number in range(count)]

    @property
    def inputs(self) -> List[str]:
        """The predicates that it reads, as name/arity."""
        return ["%s/%d" % (p.name.decode(), p.objects) for p in self._predicates("input")]

    @property
    def targets(self) -> List[str]:
        """The predicates that it concludes, as name/arity."""
        return ["%s/%d" % (p.name.decode(), p.arity) for p in self._predicates("target")]

    def __repr__(self) -> str:
        spec = lib.nlm_machine_spec(self._machine).contents
        try:
            what = ", ".join(self.targets)
        except _.Error:
            what = self.metadata("task") or "an agent"
        return "<nlm.Model: %s; depth %d, breadth %d, %d weights, %sgraduated>" % (
            what, spec.depth, spec.breadth, lib.nlm_machine_parameters(self._machine),
            "" if self.graduated else "not ")

    def _repr_html_(self) -> str:
        try:
            rules = "<pre>%s</pre>" % escape(self.rules())
        except _.Error as error:
            rules = "<p>%s</p>" % escape(str(error))
        return "<p>%s</p>%s%s" % (escape(repr(self)[1:-1]), rules, curve_svg(self.history))

    # ---- asking ----

    def _read(self, data: Data) -> _Problem:
        return _Problem(data, _.Reading(signature=self._signature()))

    def _worlds(self, data: Data) -> Iterable[Tuple[_Problem, int, str]]:
        """Ask about each world of the data in turn."""
        problem = self._read(data)
        if not self._inference:
            call("nlm_inference_new", self._machine, b"the model", None, c.byref(self._inference))
        for number in range(lib.nlm_problem_worlds(problem.pointer)):
            name = lib.nlm_problem_world_name(problem.pointer, number)
            call("nlm_inference_ask", self._inference, lib.nlm_problem_world(problem.pointer, number), name,
                 name or b"the world")
            yield problem, number, name.decode()
        self._last = data

    def _atoms(self, problem: _Problem, number: int) -> List[str]:
        signature, world = lib.nlm_problem_signature(problem.pointer), lib.nlm_problem_world(problem.pointer, number)
        return [lib.nlm_signature_atom(signature, world, o).decode() for o in range(lib.nlm_world_objects(world))]

    def _values(self, target: int, objects: int, count: int) -> numpy.ndarray:
        values = numpy.empty((count,) * objects, numpy.float32)
        call("nlm_inference_probabilities", self._inference, target, values.ctypes.data_as(c.POINTER(c.c_float)))
        return values

    def conclude(self, data: Data, *, least: float = 0.5) -> Conclusions:
        """What follows from the facts: tuples (target, object, ..., probability) of all that is more probable
        than ``least``.

        >>> model.conclude(family)
        [('grandparent', 'abe', 'bart', 1.0), ...]

        ``data``: a World, a list of them, or the path of a file or folder of facts.
        """
        found = Conclusions()
        for problem, number, name in self._worlds(data):
            atoms = numpy.array(self._atoms(problem, number), dtype=object)
            for target, predicate in enumerate(self._predicates("target")):
                values = self._values(target, predicate.objects, len(atoms))
                above = numpy.argwhere(values > least)
                places = list(predicate.place[: predicate.arity])
                columns = [atoms[above[:, place]].tolist() for place in places]
                chances = values[tuple(above.T)].astype(float).tolist() if len(above) else []
                title = predicate.name.decode()
                title = title.split("(")[0] if "(" in title else title
                found.extend(zip([title] * len(chances), *columns, chances))
                found.worlds.extend([name] * len(chances))
        return found

    def probabilities(self, data: Data, target: Optional[str] = None) -> Tuple[numpy.ndarray, List[str]]:
        """The probability of every tuple of a target (the first, unless it is named) in one world: an array with
        an axis for each object, and the names of the objects.  Tuples that repeat an object are 0."""
        predicates = self._predicates("target")
        number = 0 if target is None else self._number_of(target)
        for problem, world, _name in self._worlds(data):
            atoms = self._atoms(problem, world)
            return self._values(number, predicates[number].objects, len(atoms)), atoms
        raise ArgumentError("there is no world")

    def _number_of(self, target: str) -> int:
        for number, full in enumerate(self.targets):
            if target in (full, full.split("/")[0]):
                return number
        raise ArgumentError("the model concludes %s, not %s" % (", ".join(self.targets), target))

    # ---- explaining ----

    def rules(self, language: str = "clauses") -> Rules:
        """The program that the model is: "clauses", "prolog", "asp", "datalog", "sql", "english" or "json"."""
        if language not in _LANGUAGES:
            raise ArgumentError("rules are printed as %s, not as %r" % (", ".join(_LANGUAGES), language))
        text = c.c_void_p()
        call("nlm_model_rules", self._pointer, _LANGUAGES.index(language), c.byref(text))
        return Rules(_.text_of(text))

    def prove(self) -> Proof:
        """Whether the machine computes its rules in every world, of any size."""
        proof = c.POINTER(_.CProof)()
        call("nlm_model_prove", self._pointer, c.byref(proof))
        try:
            made = proof.contents
            return Proof(_VERDICTS[made.verdict], (made.definitions or b"").decode(), (made.reason or b"").decode(),
                         (made.world or b"").decode(), made.margin)
        finally:
            lib.nlm_proof_free(proof)

    def why(self, target: str, *objects: Any, data: Optional[Data] = None) -> Rules:
        """Why a conclusion follows, or why not: a derivation, with facts at its leaves.

        >>> print(model.why("grandparent", "abe", "bart", data=family))

        ``data``: the worlds; those that were asked about last, if it is left out.
        """
        data = self._last if data is None else data
        if data is None:
            raise ArgumentError("name the world: why(%r, ..., data=world)" % target)
        problem = self._read(data)
        text = c.c_void_p()
        inside = ", ".join(atom(o, target) for o in objects)
        call("nlm_model_why_problem", self._pointer, problem.pointer,
             (atom(target) + ("(%s)" % inside if objects else "")).encode(), c.byref(text))
        return Rules(_.text_of(text))

    # ---- tests ----

    def test(self, objects: int, count: int = 1000, *, seed: int = 1, threads: int = 1) -> Dict[str, float]:
        """Test on ``count`` fresh worlds or instances of so many objects, of the task or game that it learned."""
        test = c.c_void_p()
        options = _.Options(threads=threads)
        name = (self.metadata("task") or "").encode()
        own = self._task
        task = own.pointer if own is not None and own.kind == "task" else lib.nlm_task_find(name)
        game = own.pointer if own is not None and own.kind == "game" else lib.nlm_game_find(name)
        caught = own.caught if own is not None else Caught()
        if task:
            call("nlm_test_of_task", self._machine, task, 0, objects, seed, c.byref(options), c.byref(test),
                 caught=caught)
        elif game:
            call("nlm_test_of_game", self._machine, game, objects, seed, c.byref(options), c.byref(test),
                 caught=caught)
        else:
            raise ArgumentError("the model has learned from facts, or from a task that is not here")
        try:
            call("nlm_test_run", test, count, None, None, caught=caught)
            score = lib.nlm_test_score(test)
            return {field: getattr(score, field) for field, _type in _.Score._fields_}
        finally:
            lib.nlm_test_free(test)

    # ---- numbers ----

    def _heads(self) -> List[_.HeadSpec]:
        return [lib.nlm_machine_head(self._machine, h).contents for h in range(lib.nlm_machine_heads(self._machine))]

    def _run(self, tensors: Any, training: bool, all_values: bool) -> Tuple[c.c_void_p, int]:
        """An evaluator with the numbers of one world, after a forward pass, and the number of objects."""
        key = (training, all_values)
        if key not in self._evaluators:
            options = _.Options(threads=1, lifting=2 if all_values else 0, input_gradients=training)
            made = c.c_void_p()
            call("nlm_evaluator_new", self._machine, c.byref(options), c.byref(made))
            self._evaluators[key] = made
        evaluator = self._evaluators[key]
        spec = lib.nlm_machine_spec(self._machine).contents
        given = dict(tensors) if isinstance(tensors, Mapping) else dict(enumerate(tensors))
        rows = (c.POINTER(c.c_float) * (_.MAX_BREADTH + 1))()
        kept, objects = [], None
        for arity in range(spec.breadth + 1):
            if spec.inputs[arity] == 0:
                if given.get(arity) is not None and numpy.size(given[arity]) > 0:
                    raise ArgumentError("the machine reads no predicates of arity %d" % arity)
                continue
            if given.get(arity) is None:
                raise ArgumentError("the tensor of arity %d is missing: [objects]*%d + [%d]"
                                    % (arity, arity, spec.inputs[arity]))
            array = numpy.asarray(given[arity])
            if array.dtype.kind not in "fiub":
                raise ArgumentError("the tensor of arity %d has the type %s, not numbers" % (arity, array.dtype))
            array = numpy.ascontiguousarray(array, numpy.float32)
            if array.ndim != arity + 1 or array.shape[-1] != spec.inputs[arity] or len(set(array.shape[:-1])) > 1:
                raise ArgumentError("the tensor of arity %d has the shape %s, not [objects]*%d + [%d]"
                                    % (arity, list(array.shape), arity, spec.inputs[arity]))
            if arity > 0:
                if objects not in (None, array.shape[0]):
                    raise ArgumentError("tensors of %d and of %d objects" % (objects, array.shape[0]))
                objects = array.shape[0]
            kept.append(array)
            rows[arity] = array.ctypes.data_as(c.POINTER(c.c_float))
        if not objects:
            raise ArgumentError("a world has at least one object")
        lib.nlm_evaluator_clear(evaluator)
        call("nlm_batch_add_tensors", lib.nlm_evaluator_batch(evaluator), objects, rows)
        call("nlm_evaluator_run", evaluator, training)
        return lib.nlm_evaluator_pass(evaluator), objects

    def _logits(self, run: c.c_void_p, objects: int) -> List[numpy.ndarray]:
        found = []
        for number, head in enumerate(self._heads()):
            logits = numpy.empty((objects,) * head.arity + (head.outputs,), numpy.float32)
            call("nlm_pass_logits", run, 0, number, logits.ctypes.data_as(c.POINTER(c.c_float)))
            found.append(logits[..., 0] if head.outputs == 1 else logits)
        return found

    def forward(self, tensors: Any) -> List[numpy.ndarray]:
        """The logits of a world given as numbers: one array for each target, with an axis for each object.

        ``tensors[r]`` is the array of the input predicates of arity r, [objects] * r + [predicates], in the
        order of :attr:`inputs`; a list or a dict.  A probability is 1 / (1 + exp(-logit)).
        """
        run, objects = self._run(tensors, False, False)
        return self._logits(run, objects)

    def values(self, tensors: Any, layer: int, arity: int) -> numpy.ndarray:
        """The values of one unit of the machine, [objects] * arity + [predicates]; layer 0 are the inputs."""
        run, objects = self._run(tensors, False, True)
        width = lib.nlm_unit_width(self._machine, layer, arity)
        if width <= 0:
            raise ArgumentError("there is no unit of layer %d and arity %d" % (layer, arity))
        values = numpy.empty((objects,) * arity + (width,), numpy.float32)
        call("nlm_pass_values", run, 0, layer, arity, values.ctypes.data_as(c.POINTER(c.c_float)))
        return values

    def gradients(self, tensors: Any, logit_gradients: Sequence[Any]) -> Gradients:
        """Gradients of sum(logit_gradients[t] * logits[t]) with respect to weights and inputs."""
        run, objects = self._run(tensors, True, False)
        heads = self._heads()
        if len(logit_gradients) != len(heads):
            raise ArgumentError("gradients of %d targets, and there are %d" % (len(logit_gradients), len(heads)))
        lib.nlm_machine_zero_gradients(self._machine)
        for number, (head, given) in enumerate(zip(heads, logit_gradients)):
            shape = (objects,) * head.arity + (head.outputs,)
            array = numpy.ascontiguousarray(given, numpy.float32).reshape(-1)
            if array.size != int(numpy.prod(shape)):
                raise ArgumentError("the gradient of target %d has %d numbers, not %s" % (number, array.size, shape))
            call("nlm_pass_add_logit_gradient", run, 0, number, array.ctypes.data_as(c.POINTER(c.c_float)))
        call("nlm_pass_backward", run)
        spec = lib.nlm_machine_spec(self._machine).contents
        inputs = {}
        for arity in range(spec.breadth + 1):
            if spec.inputs[arity] > 0:
                inputs[arity] = numpy.empty((objects,) * arity + (spec.inputs[arity],), numpy.float32)
                call("nlm_pass_input_gradient", run, 0, arity, inputs[arity].ctypes.data_as(c.POINTER(c.c_float)))
        return Gradients({name: numpy.array(gradients) for name, _values, gradients in self._tensors()}, inputs)

    def _tensors(self) -> Iterable[Tuple[str, numpy.ndarray, numpy.ndarray]]:
        for number in range(lib.nlm_machine_tensors(self._machine)):
            tensor = lib.nlm_machine_tensor(self._machine, number)
            shape = tuple(tensor.shape[: tensor.dimensions])
            yield (tensor.name.decode(), numpy.ctypeslib.as_array(tensor.values, shape),
                   numpy.ctypeslib.as_array(tensor.gradients, shape))

    def weights(self) -> Dict[str, numpy.ndarray]:
        """Copies of all weights, by name: ``{n: torch.from_numpy(w) for n, w in model.weights().items()}``."""
        return {name: numpy.array(values) for name, values, _gradients in self._tensors()}

    def with_weights(self, weights: Mapping[str, Any]) -> "Model":
        """A copy of the model that has other weights; those that are not named stay."""
        made = self.__copy__()
        found = {name: values for name, values, _gradients in made._tensors()}
        for name, given in weights.items():
            array = numpy.asarray(given, numpy.float32)
            if name not in found:
                raise ArgumentError("there is no tensor %r" % name)
            if array.shape != found[name].shape:
                raise ArgumentError("%s has the shape %s, not %s" % (name, list(array.shape), list(found[name].shape)))
            if not numpy.isfinite(array).all():
                raise ArgumentError("%s: NaN or infinity" % name)
            found[name][...] = array
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.nlm")
            call("nlm_machine_save", made._machine, os.fsencode(path), None, 0)
            return load(path)


# ---- learning ----


def _restore(content: bytes, history: List[Point]) -> Model:
    pointer = c.c_void_p()
    call("nlm_model_parse", content, len(content), c.byref(pointer))
    return Model(pointer, history)


def load(path: Any) -> Model:
    """The model of a file."""
    pointer = c.c_void_p()
    call("nlm_model_load", os.fsencode(path), c.byref(pointer))
    return Model(pointer)


class _Watch:
    """What the library calls while it learns: shows progress, lets Ctrl-C through, and asks a function of the
    user's whether to go on."""

    def __init__(self, progress: Optional[bool], watcher: Optional[Watcher], caught: Caught) -> None:
        self.caught = caught
        self.watcher = watcher
        self.history: List[Point] = []
        self.display = display_of(progress)
        self.drawn = 0.0
        self.function = _.WATCH(self.guarded)

    def guarded(self, _context: Any, progress: Any, line: bytes) -> bool:
        return bool(self.caught.guard(self.look, False)(progress, line))

    def look(self, progress: Any, line: bytes) -> bool:
        now = progress.contents
        last = now.exam if now.exam.exam > 0 else now.epoch
        score = now.exam.success if now.exam.exam > 0 else now.epoch.accuracy
        if now.rounds > (self.history[-1].round if self.history else 0):
            self.history.append(Point(now.rounds, last.loss, score))
        seen = Progress(line.decode("utf-8", "replace"), now.fraction, now.rounds, now.elapsed, last.loss, score)
        if self.display is not None and time.monotonic() - self.drawn > _DRAW_SECONDS:
            self.drawn = time.monotonic()
            self.display.show(seen, self.history)
        return self.watcher is None or self.watcher(seen) is not False

    def end(self) -> None:
        if self.display is not None:
            self.display.end()


def _setting_text(settings: Mapping[str, Any]) -> bytes:
    pairs = []
    for name, value in settings.items():
        if isinstance(value, bool):
            value = int(value)
        elif isinstance(value, (list, tuple)):
            value = ",".join(str(v) for v in value) or "0"
        pairs.append("%s=%s" % (name, value))
    return " ".join(pairs).encode()


def _learning(settings: Mapping[str, Any], watch: _Watch, protocol: Optional[str], model: Optional[str], threads: int,
              output: Any, log: Any, resume: bool, replace: bool, rules: bool) -> _.Learning:
    return _.Learning(size=c.sizeof(_.Learning), settings=_setting_text(settings),
                      protocol=protocol.encode() if protocol else None, model=model.encode() if model else None,
                      threads=threads, output=os.fsencode(output) if output is not None else None,
                      log=os.fsencode(log) if log is not None else None, resume=resume, replace=replace,
                      without_rules=not rules, watch=watch.function)


def _finish(name: str, subject: Any, learning: _.Learning, watch: _Watch, task: Any = None) -> Model:
    pointer = c.c_void_p()
    try:
        call(name, subject, c.byref(learning), c.byref(pointer), caught=watch.caught)
    except BaseException:
        if pointer:
            lib.nlm_model_free(pointer)
        raise
    finally:
        watch.end()
    return Model(pointer, watch.history, task)


def learn(data: Data, targets: Optional[Mapping[str, Any]] = None, *, false: Optional[Mapping[str, Any]] = None,
          closed_world: Optional[bool] = None, protocol: Optional[str] = None, model: Optional[str] = None,
          threads: int = 1, output: Any = None, log: Any = None, resume: bool = False, replace: bool = False,
          rules: bool = True, progress: Optional[bool] = None, watch: Optional[Watcher] = None,
          **settings: Any) -> Model:
    """Learn when targets hold, from facts and examples.

    >>> model = nlm.learn(family, targets={"grandparent": [("abe", "bart"), ...]})
    >>> model = nlm.learn("examples/family/learn")

    ``data``: a World, a list of them, or the path of a file or folder of facts.
    ``targets``: what is true, by target; of several worlds a list with an entry for each.  Of a path the names
    of the targets, where they are not clear.  What is not listed is false, unless ``false`` lists what is.
    ``output``: path of the model file; after each round a checkpoint is written beside it, from which
    ``resume=True`` goes on, after Ctrl-C too.  ``replace=True`` begins anew where there is one.
    ``rules=False``: do not look for the program of the machine.
    ``progress``: True or False; None shows it at a terminal and in a notebook.
    ``watch``: called with a :class:`nlm.progress.Progress` about ten times a second; False stops the run.
    ``settings``: as ``nlm train --help`` has them: ``seed=3, epochs=50, depth=4``.

    A run that finds errors in the examples it holds out is no failure: see :attr:`Model.graduated`.
    """
    caught = Caught()
    watcher = _Watch(progress, watch, caught)
    learning = _learning(settings, watcher, protocol, model, threads, output, log, resume, replace, rules)
    reading = _.Reading()
    if isinstance(data, (str, os.PathLike)):
        if isinstance(targets, Mapping) or false is not None:
            raise ArgumentError("of a path, targets are a list of names; labels are in its files")
        texts, reading.target_count = _.names(targets or [])
        reading.closed_world = bool(closed_world)
        problem = _Problem(data, reading if targets or closed_world else None)
    else:
        if not isinstance(data, World):
            data = list(data)
        true_labels, false_labels = _labels_of(data, targets, "labels"), _labels_of(data, false, "false")
        wanted = sorted({name for labels in [*true_labels, *false_labels] for name in labels})
        if not wanted:
            raise ArgumentError("nothing is to be learned: name it in targets={NAME: [TUPLE, ...]}")
        texts, reading.target_count = _.names(wanted)
        reading.closed_world = not any(false_labels) if closed_world is None else closed_world
        reading.targets = texts
        problem = _Problem(data, reading, true_labels, false_labels)
    return _finish("nlm_learn_problem", problem.pointer, learning, watcher)


def train(what: Any, *, protocol: Optional[str] = None, model: Optional[str] = None, threads: int = 1,
          output: Any = None, log: Any = None, resume: bool = False, replace: bool = False, rules: bool = True,
          progress: Optional[bool] = None, watch: Optional[Watcher] = None, **settings: Any) -> Model:
    """Learn a task or a game: one of the library's by name (:func:`nlm.tasks`), or one of yours, made by
    :func:`nlm.task` or :class:`nlm.Game`.

    >>> model = nlm.train("uncle", seed=3)

    The other arguments are those of :func:`nlm.learn`.
    """
    own = what if hasattr(what, "pointer") and hasattr(what, "caught") else None
    caught = own.caught if own is not None else Caught()
    watcher = _Watch(progress, watch, caught)
    learning = _learning(settings, watcher, protocol, model, threads, output, log, resume, replace, rules)
    if own is not None:
        return _finish("nlm_learn_%s" % own.kind, own.pointer, learning, watcher, own)
    if not isinstance(what, str):
        raise ArgumentError("the name of a task or game is needed, or a task or game, not %r" % type(what).__name__)
    task, game = lib.nlm_task_find(what.encode()), lib.nlm_game_find(what.encode())
    if not task and not game:
        raise ArgumentError("there is no task or game %r; nlm.tasks() and nlm.games() list them" % what)
    return _finish("nlm_learn_task" if task else "nlm_learn_game", task or game, learning, watcher)


def tasks() -> Dict[str, str]:
    """The library's tasks, and what each asks."""
    found = (lib.nlm_task_at(number).contents for number in range(lib.nlm_tasks()))
    return {task.name.decode(): task.description.decode() for task in found}


def games() -> Dict[str, str]:
    """The library's games, and what has to be done in each."""
    found = (lib.nlm_game_at(number).contents for number in range(lib.nlm_games()))
    return {game.name.decode(): game.description.decode() for game in found}
