"""Structs that are written down twice: their sizes and the places of their fields are those of the headers."""
import ctypes
import pathlib
import shutil
import subprocess

import pytest

from nlm import _library

INCLUDE = pathlib.Path(__file__).resolve().parents[3] / "include"
STRUCTS = {"nlm_error": _library.CError, "nlm_epoch": _library.Epoch, "nlm_exam": _library.Exam,
           "nlm_progress": _library.CProgress, "nlm_reading": _library.Reading, "nlm_learning": _library.Learning,
           "nlm_world_text": _library.WorldText, "nlm_comparison": _library.Comparison,
           "nlm_predicate": _library.Predicate, "nlm_tensor": _library.Tensor, "nlm_options": _library.Options,
           "nlm_proof": _library.CProof, "nlm_score": _library.Score,
           "nlm_head_spec": _library.HeadSpec, "nlm_declaration": _library.Declaration, "nlm_task": _library.CTask,
           "nlm_game": _library.CGame}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_structs_are_those_of_the_headers(tmp_path):
    lines = []
    for name, struct in STRUCTS.items():
        lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
        for field, *_ in struct._fields_:
            lines.append('printf("%s.%s %%zu\\n", offsetof(%s, %s));' % (name, field, name, field))
    for field, *_ in _library.SpecBegin._fields_:
        lines.append('printf("nlm_spec.%s %%zu\\n", offsetof(nlm_spec, %s));' % (field, field))
    source = tmp_path / "layout.c"
    source.write_text("#include <stddef.h>\n#include <stdio.h>\n#include <nlm/nlm.h>\nint main(void)\n{\n%s\n}\n"
                      % "\n".join(lines))
    subprocess.run(["gcc", "-I", str(INCLUDE), str(source), "-o", str(tmp_path / "layout")], check=True)
    found = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout.split("\n")
    theirs = dict(line.rsplit(" ", 1) for line in found if line)
    ours = {}
    for name, struct in [*STRUCTS.items(), ("nlm_spec", _library.SpecBegin)]:
        if name != "nlm_spec":
            ours[name] = str(ctypes.sizeof(struct))
        for field, *_ in struct._fields_:
            ours["%s.%s" % (name, field)] = str(getattr(struct, field).offset)
    assert ours == theirs
