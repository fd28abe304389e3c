"""The C library: where it is, its structs, and calls that raise exceptions.

Structs are written down once more here; tests/test_layout.py compares them with the headers.
"""
from __future__ import annotations

import ctypes as c
import ctypes.util
import os
import pathlib
from typing import Any, Callable, List, Optional

ABI = "0.1"  # the soname's version: minor versions before 1 may change the interface


class Error(Exception):
    """What the library refused, with its text; ``status`` is its short name."""

    status = "error"


class ArgumentError(Error, ValueError):
    """A value that is not accepted, or sizes that do not fit together."""

    status = "bad argument"


class FormatError(Error, ValueError):
    """A file or text whose content is broken."""

    status = "bad file"


class FileError(Error, OSError):
    """The operating system refused to read or write."""

    status = "input/output error"


class MemoryShortage(Error, MemoryError):
    """Memory ran out, or would."""

    status = "out of memory"


OK, BAD_ARGUMENT, BAD_SHAPE, BAD_FILE, IO_ERROR, NO_MEMORY = range(6)
_EXCEPTIONS = {BAD_ARGUMENT: ArgumentError, BAD_SHAPE: ArgumentError, BAD_FILE: FormatError,
               IO_ERROR: FileError, NO_MEMORY: MemoryShortage}


def _candidates() -> List[str]:
    name = "libnlm.so." + ABI
    found = [os.environ["NLM_LIBRARY"]] if os.environ.get("NLM_LIBRARY") else []
    here = pathlib.Path(__file__).resolve().parent
    found.append(str(here / name))  # in a wheel
    for above in here.parents:  # installed: PREFIX/lib/python3.11/dist-packages/nlm
        found += [str(path) for path in (above / name, *above.glob("*/" + name)) if above.name.startswith("lib")]
    return found + [name]


def _load() -> c.CDLL:
    tried = []
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            return c.CDLL(path)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libnlm.so.%s cannot be loaded; name it in NLM_LIBRARY (%s)"
                      % (ABI, "; ".join(tried) or "not found"))


MAX_BREADTH, MAX_FACT_ARITY, MAX_MOVE, MAX_DIMENSIONS = 5, 4, 2, 4


class CError(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 512)]


class Epoch(c.Structure):
    _fields_ = [("epoch", c.c_int), ("examples", c.c_long), ("drawn", c.c_long), ("restarts", c.c_int),
                ("failures", c.c_int), ("asked", c.c_size_t), ("failed", c.c_size_t), ("loss", c.c_double),
                ("tuples", c.c_size_t), ("wrong", c.c_size_t), ("accuracy", c.c_double),
                ("balanced_accuracy", c.c_double), ("gradient_norm", c.c_double), ("seconds", c.c_double),
                ("elapsed", c.c_double)]


class Exam(c.Structure):
    _fields_ = [("exam", c.c_int), ("lesson", c.c_int), ("candidate", c.c_bool), ("passed", c.c_bool),
                ("episodes", c.c_long), ("drawn", c.c_long), ("restarts", c.c_int), ("asked", c.c_int),
                ("solved", c.c_int), ("success", c.c_double), ("threshold", c.c_double), ("moves", c.c_double),
                ("train_success", c.c_double), ("loss", c.c_double), ("entropy", c.c_double),
                ("seconds", c.c_double), ("elapsed", c.c_double)]


class CProgress(c.Structure):
    _fields_ = [("stage", c.c_int), ("rounds", c.c_int), ("fraction", c.c_double), ("elapsed", c.c_double),
                ("epoch", Epoch), ("exam", Exam), ("kept", c.c_int), ("was_done", c.c_bool), ("steps", c.c_int),
                ("asked", c.c_int), ("lesson", c.c_int), ("candidate", c.c_bool), ("episodes", c.c_long),
                ("finding_rules", c.c_bool), ("literals", c.c_int)]


class Reading(c.Structure):
    _fields_ = [("targets", c.POINTER(c.c_char_p)), ("target_count", c.c_int), ("closed_world", c.c_bool),
                ("numbers", c.POINTER(c.c_char_p)), ("number_count", c.c_int),
                ("constants", c.POINTER(c.c_char_p)), ("constant_count", c.c_int),
                ("columns", c.POINTER(c.c_char_p)), ("column_count", c.c_int), ("signature", c.c_void_p),
                ("worlds_by", c.c_char_p)]


WATCH = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(CProgress), c.c_char_p)


class Learning(c.Structure):
    _fields_ = [("size", c.c_size_t), ("settings", c.c_char_p), ("protocol", c.c_char_p), ("model", c.c_char_p),
                ("reading", c.POINTER(Reading)), ("threads", c.c_int), ("output", c.c_char_p), ("log", c.c_char_p),
                ("resume", c.c_bool), ("replace", c.c_bool), ("without_rules", c.c_bool), ("watch", WATCH),
                ("context", c.c_void_p)]


class WorldText(c.Structure):
    _fields_ = [("name", c.c_char_p), ("facts", c.c_char_p), ("examples", c.c_char_p)]


class Comparison(c.Structure):
    _fields_ = [("terms", c.c_int), ("attribute", c.c_int * 2), ("object", (c.c_int * MAX_FACT_ARITY) * 2),
                ("minus", c.c_bool), ("order", c.c_int), ("number", c.c_double)]


class Predicate(c.Structure):
    _fields_ = [("name", c.c_char_p), ("arity", c.c_int), ("objects", c.c_int),
                ("place", c.c_int * MAX_FACT_ARITY), ("type", c.c_char_p * MAX_FACT_ARITY), ("is_type", c.c_bool),
                ("share", c.c_int * MAX_FACT_ARITY), ("comparison", Comparison)]


class Tensor(c.Structure):
    _fields_ = [("name", c.c_char_p), ("dimensions", c.c_int), ("shape", c.c_int * MAX_DIMENSIONS),
                ("count", c.c_size_t), ("values", c.POINTER(c.c_float)), ("gradients", c.POINTER(c.c_float))]


class Options(c.Structure):
    _fields_ = [("threads", c.c_int), ("kernel", c.c_int), ("lifting", c.c_int), ("input_gradients", c.c_bool)]


class CProof(c.Structure):
    _fields_ = [("verdict", c.c_int), ("units", c.c_int), ("soft", c.c_int), ("margin", c.c_double),
                ("objects", c.c_int), ("definitions", c.c_char_p), ("reason", c.c_char_p), ("world", c.c_char_p),
                ("atom", c.c_char_p), ("machine_concludes", c.c_bool)]


class Score(c.Structure):
    _fields_ = [("objects", c.c_int), ("asked", c.c_int), ("failed", c.c_int), ("first_failure", c.c_int),
                ("right", c.c_double), ("seconds", c.c_double), ("tuples", c.c_size_t), ("wrong", c.c_size_t),
                ("positives", c.c_size_t), ("wrong_positives", c.c_size_t), ("balanced", c.c_double),
                ("macro", c.c_double), ("squared_error", c.c_double), ("moves", c.c_double),
                ("optimal_moves", c.c_double), ("baseline_moves", c.c_double), ("below_baseline", c.c_int),
                ("returned", c.c_int)]


class HeadSpec(c.Structure):
    _fields_ = [("name", c.c_char_p), ("arity", c.c_int), ("outputs", c.c_int), ("twins", c.c_bool)]


class SpecBegin(c.Structure):
    """The first fields of nlm_spec, which is only read."""
    _fields_ = [("depth", c.c_int), ("breadth", c.c_int), ("inputs", c.c_int * (MAX_BREADTH + 1)),
                ("width", c.c_int)]


class Declaration(c.Structure):
    _fields_ = [("name", c.c_char_p), ("arity", c.c_int)]


class CTask(c.Structure):
    pass


GENERATE = c.CFUNCTYPE(c.c_int, c.POINTER(CTask), c.c_void_p, c.c_int, c.c_void_p, c.POINTER(CError))
DEPTH = c.CFUNCTYPE(c.c_int, c.POINTER(CTask), c.c_void_p)
CTask._fields_ = [
    ("name", c.c_char_p), ("description", c.c_char_p), ("target", c.c_char_p), ("arity", c.c_int),
    ("inputs", c.c_int * (MAX_BREADTH + 1)), ("train_objects", c.c_int), ("test_objects", c.c_int),
    ("depth", c.c_int), ("breadth", c.c_int), ("residual", c.c_bool), ("threshold", c.c_double),
    ("examples", c.c_int), ("graduation", c.c_double), ("gain", c.c_double), ("width", c.c_int),
    ("sense", c.c_char_p), ("gallery", c.c_void_p), ("shift", c.c_int), ("origin", c.c_char_p),
    ("solved", c.c_double), ("recipes", c.c_void_p), ("predicates", c.POINTER(Declaration)),
    ("generate", GENERATE), ("depth_of", DEPTH), ("context", c.c_void_p)]


class CGame(c.Structure):
    pass


_STATE = c.POINTER(c.c_int)
STATE_SIZE = c.CFUNCTYPE(c.c_int, c.POINTER(CGame), c.c_int)
DRAW = c.CFUNCTYPE(c.c_bool, c.POINTER(CGame), _STATE, c.c_int, c.c_void_p, c.c_bool)
LEGAL = c.CFUNCTYPE(c.c_bool, c.POINTER(CGame), _STATE, c.c_int, _STATE)
MOVE = c.CFUNCTYPE(None, c.POINTER(CGame), _STATE, c.c_int, _STATE)
SOLVED = c.CFUNCTYPE(c.c_bool, c.POINTER(CGame), _STATE, c.c_int)
COUNT = c.CFUNCTYPE(c.c_int, c.POINTER(CGame), _STATE, c.c_int)
SEE = c.CFUNCTYPE(None, c.POINTER(CGame), _STATE, c.c_int, c.POINTER(c.POINTER(c.c_float)))
CGame._fields_ = [
    ("name", c.c_char_p), ("description", c.c_char_p), ("arity", c.c_int), ("twins", c.c_bool),
    ("inputs", c.c_int * (MAX_BREADTH + 1)), ("predicates", c.POINTER(c.c_char_p)), ("least_objects", c.c_int),
    ("tells_legal", c.c_bool), ("recipes", c.c_void_p), ("baseline", c.c_char_p), ("baseline_text", c.c_char_p),
    ("moves_of_models", c.c_int), ("test_objects", c.c_int * 2), ("test_moves", c.c_double * 2),
    ("graduation", c.c_double), ("state_size", STATE_SIZE), ("draw", DRAW), ("legal", LEGAL), ("move", MOVE),
    ("solved", SOLVED), ("limit", COUNT), ("optimum", COUNT), ("see", SEE), ("context", c.c_void_p)]

lib = _load()
_free = c.CDLL(None).free
_free.argtypes = [c.c_void_p]
_P, _E = c.c_void_p, c.POINTER(CError)

# Functions that return a status, whose last argument is the error.
_CHECKED = {
    "nlm_learn": [c.c_char_p, c.POINTER(Learning), c.POINTER(_P)],
    "nlm_learn_problem": [_P, c.POINTER(Learning), c.POINTER(_P)],
    "nlm_learn_task": [_P, c.POINTER(Learning), c.POINTER(_P)],
    "nlm_learn_game": [_P, c.POINTER(Learning), c.POINTER(_P)],
    "nlm_model_load": [c.c_char_p, c.POINTER(_P)],
    "nlm_model_save": [_P, c.c_char_p],
    "nlm_model_parse": [c.c_char_p, c.c_size_t, c.POINTER(_P)],
    "nlm_model_signature": [_P, c.POINTER(_P)],
    "nlm_model_rules": [_P, c.c_int, c.POINTER(_P)],
    "nlm_model_why_problem": [_P, _P, c.c_char_p, c.POINTER(_P)],
    "nlm_model_prove": [_P, c.POINTER(c.POINTER(CProof))],
    "nlm_problem_read": [c.c_char_p, c.POINTER(Reading), c.POINTER(_P)],
    "nlm_problem_parse": [c.POINTER(WorldText), c.c_int, c.POINTER(Reading), c.POINTER(_P)],
    "nlm_inference_new": [_P, c.c_char_p, _P, c.POINTER(_P)],
    "nlm_inference_ask": [_P, _P, c.c_char_p, c.c_char_p],
    "nlm_inference_probabilities": [_P, c.c_int, c.POINTER(c.c_float)],
    "nlm_evaluator_new": [_P, c.POINTER(Options), c.POINTER(_P)],
    "nlm_evaluator_run": [_P, c.c_bool],
    "nlm_batch_add_tensors": [_P, c.c_int, c.POINTER(c.POINTER(c.c_float))],
    "nlm_pass_logits": [_P, c.c_int, c.c_int, c.POINTER(c.c_float)],
    "nlm_pass_values": [_P, c.c_int, c.c_int, c.c_int, c.POINTER(c.c_float)],
    "nlm_pass_add_logit_gradient": [_P, c.c_int, c.c_int, c.POINTER(c.c_float)],
    "nlm_pass_backward": [_P],
    "nlm_pass_input_gradient": [_P, c.c_int, c.c_int, c.POINTER(c.c_float)],
    "nlm_machine_save": [_P, c.c_char_p, _P, c.c_int],
    "nlm_world_new": [c.POINTER(_P)],
    "nlm_world_add_fact": [_P, c.c_int, c.POINTER(c.c_int), c.c_float],
    "nlm_world_add_label": [_P, c.c_int, c.POINTER(c.c_int), c.c_int],
    "nlm_task_generate": [_P, c.c_int, c.c_uint64, c.c_uint64, c.c_int, _P],
    "nlm_test_of_task": [_P, _P, c.c_int, c.c_int, c.c_uint64, c.POINTER(Options), c.POINTER(_P)],
    "nlm_test_of_game": [_P, _P, c.c_int, c.c_uint64, c.POINTER(Options), c.POINTER(_P)],
    "nlm_test_run": [_P, c.c_int, _P, _P],
}
for _name, _arguments in _CHECKED.items():
    getattr(lib, _name).argtypes = [*_arguments, _E]
    getattr(lib, _name).restype = c.c_int

# Others: result, arguments.
_PLAIN = {
    "nlm_version": (c.c_char_p, []),
    "nlm_model_free": (None, [_P]),
    "nlm_model_bytes": (_P, [_P, c.POINTER(c.c_size_t)]),
    "nlm_model_graduated": (c.c_bool, [_P]),
    "nlm_model_line": (c.c_char_p, [_P]),
    "nlm_model_machine": (_P, [_P]),
    "nlm_proof_free": (None, [c.POINTER(CProof)]),
    "nlm_problem_free": (None, [_P]),
    "nlm_problem_signature": (_P, [_P]),
    "nlm_problem_worlds": (c.c_int, [_P]),
    "nlm_problem_world": (_P, [_P, c.c_int]),
    "nlm_problem_world_name": (c.c_char_p, [_P, c.c_int]),
    "nlm_problem_notes": (c.c_int, [_P]),
    "nlm_problem_note": (c.c_char_p, [_P, c.c_int]),
    "nlm_signature_inputs": (c.c_int, [_P]),
    "nlm_signature_targets": (c.c_int, [_P]),
    "nlm_signature_input": (c.POINTER(Predicate), [_P, c.c_int]),
    "nlm_signature_target": (c.POINTER(Predicate), [_P, c.c_int]),
    "nlm_signature_atom": (c.c_char_p, [_P, _P, c.c_int]),
    "nlm_inference_free": (None, [_P]),
    "nlm_world_objects": (c.c_int, [_P]),
    "nlm_world_free": (None, [_P]),
    "nlm_world_facts": (c.c_size_t, [_P, c.c_int, c.POINTER(c.POINTER(c.c_int)), c.POINTER(c.POINTER(c.c_float))]),
    "nlm_world_labels": (c.c_size_t, [_P, c.c_int, c.POINTER(c.POINTER(c.c_int)),
                                      c.POINTER(c.POINTER(c.c_byte)), _P]),
    "nlm_evaluator_free": (None, [_P]),
    "nlm_evaluator_clear": (None, [_P]),
    "nlm_evaluator_batch": (_P, [_P]),
    "nlm_evaluator_pass": (_P, [_P]),
    "nlm_machine_spec": (c.POINTER(SpecBegin), [_P]),
    "nlm_machine_heads": (c.c_int, [_P]),
    "nlm_machine_head": (c.POINTER(HeadSpec), [_P, c.c_int]),
    "nlm_machine_tensors": (c.c_int, [_P]),
    "nlm_machine_tensor": (Tensor, [_P, c.c_int]),
    "nlm_machine_metadata": (c.c_char_p, [_P, c.c_char_p]),
    "nlm_machine_zero_gradients": (None, [_P]),
    "nlm_machine_parameters": (c.c_size_t, [_P]),
    "nlm_unit_width": (c.c_int, [_P, c.c_int, c.c_int]),
    "nlm_task_find": (_P, [c.c_char_p]),
    "nlm_tasks": (c.c_int, []),
    "nlm_task_at": (c.POINTER(CTask), [c.c_int]),
    "nlm_game_find": (_P, [c.c_char_p]),
    "nlm_games": (c.c_int, []),
    "nlm_game_at": (c.POINTER(CGame), [c.c_int]),
    "nlm_random_below": (c.c_uint32, [_P, c.c_uint32]),
    "nlm_random_unit": (c.c_double, [_P]),
    "nlm_test_free": (None, [_P]),
    "nlm_test_score": (Score, [_P]),
}
for _name, (_result, _arguments) in _PLAIN.items():
    getattr(lib, _name).argtypes = _arguments
    getattr(lib, _name).restype = _result


class Caught:
    """Exceptions that Python functions raised while the library called them: the first one is raised again
    when the call has returned."""

    def __init__(self) -> None:
        self.exception: Optional[BaseException] = None

    def guard(self, function: Callable[..., Any], otherwise: Any) -> Callable[..., Any]:
        """The function, with a result of its own after an exception, and no more calls after that."""

        def guarded(*arguments: Any) -> Any:
            if self.exception is not None:
                return otherwise
            try:
                return function(*arguments)
            except BaseException as exception:  # also KeyboardInterrupt: it must not pass through C
                self.exception = exception
                return otherwise

        return guarded

    def raise_again(self) -> None:
        exception, self.exception = self.exception, None
        if exception is not None:
            raise exception


def call(name: str, *arguments: Any, caught: Optional[Caught] = None) -> None:
    """Call a function that returns a status; failures are raised."""
    error = CError()
    status = getattr(lib, name)(*arguments, c.byref(error))
    if caught is not None:
        caught.raise_again()
    if status != OK:
        kind = _EXCEPTIONS.get(status, Error)
        raise kind(error.message.decode("utf-8", "replace") or kind.status)


def text_of(pointer: c.c_void_p) -> str:
    """A text that the library allocated, which is freed."""
    try:
        return c.cast(pointer, c.c_char_p).value.decode("utf-8")
    finally:
        _free(pointer)


def names(texts: Any) -> Any:
    """An array of C texts."""
    encoded = [text.encode() for text in texts]
    return (c.c_char_p * max(len(encoded), 1))(*encoded), len(encoded)
