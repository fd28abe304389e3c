"""A folder of nlm reproduce, for the scripts beside this file: TASK/seed-N.nlm, and its result TASK/seed-N.json."""
import ctypes
import glob
import json
import os
import re
import signal
import subprocess

TASKS = ["has-father", "has-sister", "grandparent", "uncle", "mg-uncle", "adjacent-to-red", "1-outdegree",
         "2-outdegree", "4-connectivity", "6-connectivity"]
GAMES = ["sort", "path", "blocks"]


def write_whole(path, text):
    """Writes a file whole or not at all."""
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def models_in(folder):
    """(task, seed, path without .nlm) of every model, in the order of the tasks; others are in no order of ours."""
    known = TASKS + GAMES
    found = []
    for path in glob.glob(os.path.join(glob.escape(folder), "*", "seed-*.nlm")):
        match = re.fullmatch(r"seed-(\d+)\.nlm", os.path.basename(path))
        if match:
            found.append((os.path.basename(os.path.dirname(path)), int(match[1]), path[:-4]))
    return sorted(found, key=lambda model: (known.index(model[0]) if model[0] in known else len(known), model))


def read_lines(path):
    """Objects of a file with one JSON object a line; none if there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def end_with_parent():
    """In a child: it ends when its script does, even if that is killed."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def run(*command, **options):
    """Runs a command; its output is text.  Of what it returns, returncode is for the caller to judge."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          preexec_fn=end_with_parent, **options)


def must_run(*command, **options):
    """The output of a command that has to succeed."""
    done = run(*command, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def rules_of(nlm, model):
    """The program of a model as nlm rules --format json prints it, or None."""
    printed = run(nlm, "rules", model, "--format", "json")
    return json.loads(printed.stdout) if printed.returncode == 0 else None
