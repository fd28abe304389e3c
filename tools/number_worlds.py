#!/usr/bin/env python3
"""Worlds whose labels follow from numbers, in one file each, half of them true.

    number_worlds.py interval|halfplane|zendo|nearer WORLDS SEED FOLDER

interval    some piece has a value between two bounds
halfplane   some point (x, y) has x + y, or in odd seeds x - y, of at least a bound
zendo       some red piece of at least a size touches a blue one
nearer      some red piece is larger than a blue one of the same world

The bounds depend on the seed's last digit, worlds on all of it: seeds 11 and 21 have the same rule.
"""
import os
import random
import sys

COLOURS = ["red", "blue", "green"]


def interval(rule, draw):
    low = rule.uniform(0, 6)
    high = low + rule.uniform(1, 3)
    values = [round(draw.uniform(0, 10), 3) for _ in range(draw.randint(1, 5))]
    facts = [("value", f"p{i}", v) for i, v in enumerate(values)]
    return facts, len(values), any(low <= v < high for v in values)


def halfplane(rule, draw):
    sign = rule.choice([1, -1])
    bound = rule.uniform(6, 14) if sign > 0 else rule.uniform(-2, 6)
    points = [(round(draw.uniform(0, 10), 3), round(draw.uniform(0, 10), 3)) for _ in range(draw.randint(1, 3))]
    facts = [("x", f"p{i}", p[0]) for i, p in enumerate(points)]
    facts += [("y", f"p{i}", p[1]) for i, p in enumerate(points)]
    return facts, len(points), any(x + sign * y >= bound for x, y in points)


def pieces(draw, most):
    made = [(draw.choice(COLOURS), round(draw.uniform(0, 10), 2)) for _ in range(draw.randint(2, most))]
    facts = [("colour", f"p{i}", c) for i, (c, _) in enumerate(made)]
    facts += [("size", f"p{i}", s) for i, (_, s) in enumerate(made)]
    return made, facts


def zendo(rule, draw):
    bound = rule.uniform(2, 7)
    made, facts = pieces(draw, 5)
    touching = [(i, j) for i in range(len(made)) for j in range(i) if draw.random() < 0.4]
    facts += [("contact", f"p{i}", f"p{j}") for i, j in touching] + [("contact", f"p{j}", f"p{i}") for i, j in touching]
    both = touching + [(j, i) for i, j in touching]
    return facts, len(made), any(made[i][0] == "red" and made[i][1] >= bound and made[j][0] == "blue" for i, j in both)


def nearer(_, draw):
    made, facts = pieces(draw, 4)
    return facts, len(made), any(a[0] == "red" and b[0] == "blue" and a[1] > b[1] for a in made for b in made)


def text(w, fact):
    name, *arguments = fact
    if name == "colour":
        return f"{arguments[1]}(w{w}_{arguments[0]})."
    return f"{name}({', '.join(f'w{w}_{a}' if isinstance(a, str) else str(a) for a in arguments)})."


def main():
    kind, worlds, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    draw = random.Random(seed)
    background, examples, left = [], [], [worlds // 2, worlds - worlds // 2]
    while sum(left) > 0:
        facts, count, label = globals()[kind](random.Random(f"{kind}{seed % 10}"), draw)
        if left[label] == 0:
            continue
        left[label] -= 1
        w = len(examples)
        background += [f"piece(w{w}, w{w}_p{i})." for i in range(count)]
        background += [text(w, fact) for fact in facts]
        examples.append(f"{'pos' if label else 'neg'}(good(w{w})).")
    os.makedirs(folder, exist_ok=True)
    for name, lines in ("bk.pl", background), ("exs.pl", examples):
        with open(os.path.join(folder, name), "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
