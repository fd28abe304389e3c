"""King, rook and king: three pieces on a board, as in Popper's experiments, with squares in the place of lists.

krk1: the white rook is protected by its king.  krk2: the kings are in opposition.  krk3: the rook attacks the black king.
Ten positions to learn from are published; the clauses are in the functions below.
"""
from problem import Problem, bias_text

BOARD = [(rank, file) for rank in range(1, 9) for file in range(1, 9)]
ROOK, KING, ENEMY = ("w", "r"), ("w", "k"), ("b", "k")


def distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def protects(a, b):
    """f(A) :- cell(A,B,C,D), white(C), cell(A,E,C,F), rook(D), king(F), distance(B,E,G), one(G)."""
    return distance(a, b) == 1


def opposes(a, b):
    """f(A) :- cell(A,B,C,D), white(C), cell(A,E,F,D), king(D), black(F), samerank(B,E), nextfile(B,G), nextfile(G,E).
    And the same with E left of B, and with samefile and nextrank both ways."""
    return sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) == [0, 2]


def attacks(a, b):
    """f(A) :- cell(A,B,C,D), white(C), cell(A,E,F,G), rook(D), king(G), black(F), samerank(B,E).
    And the same with samefile."""
    return a[0] == b[0] or a[1] == b[1]


RULES = {1: (protects, ROOK, KING), 2: (opposes, KING, ENEMY), 3: (attacks, ROOK, ENEMY)}


def is_true(rule, pieces):
    holds, first, second = rule
    return any(a[1] == first and b[1] == second and holds(a[0], b[0]) for a in pieces for b in pieces if a is not b)


def draw_pieces(stream, rule, wanted):
    """True positions have one piece of each of the three kinds; false ones any three pieces."""
    while True:
        squares = stream.sample(BOARD, 3)
        kinds = [ROOK, KING, ENEMY] if wanted else [(stream.choice("wb"), stream.choice("rk")) for _ in squares]
        pieces = list(zip(squares, kinds))
        if is_true(rule, pieces) == wanted:
            return pieces


def square(place):
    return "s%d%d" % place


def board():
    facts = ["one(1)", "white(w)", "black(b)", "king(k)", "rook(r)"]
    for a in BOARD:
        for b in BOARD:
            if a == b:
                continue
            facts.append("distance(%s,%s,%d)" % (square(a), square(b), distance(a, b)))
            if a[0] == b[0]:
                facts.append("samerank(%s,%s)" % (square(a), square(b)))
            if a[1] == b[1]:
                facts.append("samefile(%s,%s)" % (square(a), square(b)))
            if b[0] == a[0] + 1:
                facts.append("nextrank(%s,%s)" % (square(a), square(b)))
            if b[1] == a[1] + 1:
                facts.append("nextfile(%s,%s)" % (square(a), square(b)))
    return facts


BIAS = bias_text(("f", ["state"]), [
    ("distance", ["pos", "pos", "integer"]), ("cell", ["state", "pos", "color", "piecetype"]), ("king", ["piecetype"]),
    ("rook", ["piecetype"]), ("white", ["color"]), ("black", ["color"]), ("one", ["integer"]),
    ("samerank", ["pos", "pos"]), ("samefile", ["pos", "pos"]), ("nextrank", ["pos", "pos"]), ("nextfile", ["pos", "pos"])],
    "max_vars(7).\nmax_body(7).\n")


def make(number):
    def draw(stream, count):
        facts, examples = board(), []
        for w in range(1, count + 1):
            wanted = w <= count // 2
            for place, (colour, kind) in draw_pieces(stream, RULES[number], wanted):
                facts.append("cell(%d,%s,%s,%s)" % (w, square(place), colour, kind))
            examples.append((wanted, "f(%d)" % w))
        return facts, examples

    return Problem("krk%d" % number, BIAS, draw, 20, 1000)


PROBLEMS = {problem.name: problem for problem in map(make, (1, 2, 3))}
