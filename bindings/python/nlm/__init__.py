"""nlm: learns rules from small relational worlds and applies them to large ones.

    import nlm

    family = nlm.World(father=[("homer", "bart"), ...], mother=[("marge", "bart"), ...])
    model = nlm.learn(family, targets={"grandparent": [("abe", "bart"), ...]})
    model.conclude(other_family)          # [("grandparent", "abe", "bart", 1.0), ...]
    print(model.rules())                  # grandparent(X, Y) :- ...
    model.prove()                         # the machine computes these rules, in every world
    model.why("grandparent", "abe", "bart")
    model.save("grandparent.nlm")         # nlm.load, and the command nlm, read it

World       facts about named objects: dicts, tuples, pandas, NetworkX, Prolog's syntax
learn       from facts and examples            train     a task or game, of the library's or yours
load        a model file                       Model     what was learned: ask, explain, test, compute
task, Game  tasks and games in Python          tasks, games   those of the library
ObjectClassifier   in scikit-learn's manners   Error     what the library refuses

docs/python.md goes through all of it.
"""
from ._library import ArgumentError, Error, FileError, FormatError, MemoryShortage, lib as _lib
from .classify import ObjectClassifier
from .model import Conclusions, Model, Proof, Rules, games, learn, load, tasks, train
from .own import Game, Random, Task, task
from .progress import Progress
from .world import World

__version__ = _lib.nlm_version().decode()
__all__ = ["ArgumentError", "Conclusions", "Error", "FileError", "FormatError", "Game", "MemoryShortage", "Model",
           "ObjectClassifier", "Progress", "Proof", "Random", "Rules", "Task", "World", "games", "learn", "load",
           "task", "tasks", "train"]
