"""Zendo: which structures of one to six pieces follow a secret rule.  The rules are those of Popper's experiments.

A piece has a place, a size from 0 to 10, a colour and an orientation; pieces are in contact if their places are equal
or next to each other.  Half of the structures follow the rule: into each of those a pair of pieces is built that one
clause, chosen at random, asks for.  The others are drawn until they follow no clause.
"""
from problem import Problem, bias_text

MOST = 10  # of coordinates and sizes
COLOURS = ["blue", "green", "red"]
ORIENTATIONS = ["upright", "lhs", "rhs", "strange"]


class Piece:
    def __init__(self, stream):
        self.x, self.y = stream.randint(0, MOST), stream.randint(0, MOST)
        self.size = stream.randint(0, MOST)
        self.colour, self.way = stream.choice(COLOURS), stream.choice(ORIENTATIONS)
        self.touches = set()  # pieces that were made to touch it stay so wherever it is moved

    def is_near(self, other):
        return other in self.touches or (self.x - other.x) ** 2 + (self.y - other.y) ** 2 <= 1

    def size_name(self):
        return "small" if self.size <= MOST // 3 else "medium" if self.size <= 2 * MOST // 3 else "large"


def set_size(stream, piece, name):
    ends = {"small": (0, MOST // 3), "medium": (MOST // 3 + 1, 2 * MOST // 3), "large": (2 * MOST // 3 + 1, MOST)}
    piece.size = stream.randint(*ends[name])


def join(stream, piece, other):
    """The second moves beside the first."""
    step = stream.choice([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    other.x, other.y = piece.x + step[0], piece.y + step[1]
    if not (0 <= other.x <= MOST and 0 <= other.y <= MOST):
        other.x, other.y = piece.x, piece.y
    piece.touches.add(other)
    other.touches.add(piece)


# Each clause: (what holds of a pair of pieces, what makes it hold).  The pair of one piece twice counts where a clause
# does not ask for contact.

def small_blue_touches_red(a, b):
    """zendo(A) :- piece(A,C), size(C,B), blue(C), small(B), contact(C,D), red(D)."""
    return a.colour == "blue" and a.size_name() == "small" and a.is_near(b) and b.colour == "red"


def make_small_blue_touch_red(stream, a, b):
    join(stream, a, b)
    set_size(stream, a, "small")
    a.colour, b.colour = "blue", "red"


def green_in_line_with_lhs(a, b):
    """zendo(A) :- piece(A,D), green(D), coord1(D,C), piece(A,B), lhs(B), coord1(B,C)."""
    return a.colour == "green" and b.way == "lhs" and a.x == b.x


def make_green_in_line_with_lhs(stream, a, b):
    a.colour, b.way, b.x = "green", "lhs", a.x


def red_in_line_with_blue(a, b):
    """zendo(A) :- piece(A,D), blue(D), coord1(D,B), piece(A,C), coord1(C,B), red(C)."""
    return a.colour == "red" and b.colour == "blue" and a.x == b.x


def make_red_in_line_with_blue(stream, a, b):
    a.colour, b.colour, b.x = "red", "blue", a.x


def rhs_touches_large(a, b):
    """zendo(A) :- piece(A,D), contact(D,C), rhs(D), size(C,B), large(B)."""
    return a.way == "rhs" and a.is_near(b) and b.size_name() == "large"


def make_rhs_touch_large(stream, a, b):
    join(stream, a, b)
    a.way = "rhs"
    set_size(stream, b, "large")


def upright_touches_large_blue(a, b):
    """zendo(A) :- piece(A,B), upright(B), contact(B,D), blue(D), size(D,C), large(C)."""
    return a.way == "upright" and a.is_near(b) and b.colour == "blue" and b.size_name() == "large"


def make_upright_touch_large_blue(stream, a, b):
    join(stream, a, b)
    a.way, b.colour = "upright", "blue"
    set_size(stream, b, "large")


def upright_touches_strange(a, b):
    """zendo(A) :- piece(A,C), contact(C,B), strange(B), upright(C)."""
    return a.way == "upright" and a.is_near(b) and b.way == "strange"


def make_upright_touch_strange(stream, a, b):
    join(stream, a, b)
    a.way, b.way = "upright", "strange"


def touches_in_line(a, b):
    """zendo(A) :- piece(A,D), contact(D,C), coord2(C,B), coord2(D,B)."""
    return a.is_near(b) and a.y == b.y


def make_touch_in_line(stream, a, b):
    join(stream, a, b)
    b.y = a.y


def red_touches_medium(a, b):
    """zendo(A) :- piece(A,D), red(D), contact(D,C), size(C,B), medium(B)."""
    return a.colour == "red" and a.is_near(b) and b.size_name() == "medium"


def make_red_touch_medium(stream, a, b):
    join(stream, a, b)
    a.colour = "red"
    set_size(stream, b, "medium")


def blue_lhs_and_small(a, b):
    """zendo(A) :- piece(A,D), blue(D), lhs(D), piece(A,C), size(C,B), small(B)."""
    return a.colour == "blue" and a.way == "lhs" and b.size_name() == "small"


def make_blue_lhs_and_small(stream, a, b):
    a.colour, a.way = "blue", "lhs"
    set_size(stream, b, "small")


ALL_COLOURS = "all colours"  # zendo(A) :- piece(A,B), red(B), piece(A,C), blue(C), piece(A,D), green(D).

CLAUSES = {
    1: [(small_blue_touches_red, make_small_blue_touch_red)],
    2: [(green_in_line_with_lhs, make_green_in_line_with_lhs), ALL_COLOURS],
    3: [(red_in_line_with_blue, make_red_in_line_with_blue), (rhs_touches_large, make_rhs_touch_large),
        (upright_touches_large_blue, make_upright_touch_large_blue)],
    4: [(upright_touches_strange, make_upright_touch_strange), (touches_in_line, make_touch_in_line),
        (red_touches_medium, make_red_touch_medium), (blue_lhs_and_small, make_blue_lhs_and_small)],
}
OF_ONE = {green_in_line_with_lhs, red_in_line_with_blue, blue_lhs_and_small}  # both pieces may be the same one


def has_all_colours(pieces):
    return {piece.colour for piece in pieces} == set(COLOURS)


def follows(number, pieces):
    for clause in CLAUSES[number]:
        if clause == ALL_COLOURS:
            if has_all_colours(pieces):
                return True
        elif any(clause[0](a, b) for a in pieces for b in pieces if a is not b or clause[0] in OF_ONE):
            return True
    return False


def draw_pieces(stream, number):
    least = 3 if number == 2 else 2
    return [Piece(stream) for _ in range(stream.randint(least, 6))]


def draw_structure(stream, number, wanted):
    while True:
        pieces = draw_pieces(stream, number)
        if wanted:
            clause = stream.choice(CLAUSES[number])
            if clause == ALL_COLOURS:
                for piece, colour in zip(stream.sample(pieces, 3), COLOURS):
                    piece.colour = colour
            else:
                clause[1](stream, *stream.sample(pieces, 2))
        if follows(number, pieces) == wanted:
            return pieces


def facts_of(number, pieces):
    names = {piece: "p%d_%d" % (number, i) for i, piece in enumerate(pieces)}
    for piece in pieces:
        name = names[piece]
        yield "piece(%d,%s)" % (number, name)
        yield "coord1(%s,%d)" % (name, piece.x)
        yield "coord2(%s,%d)" % (name, piece.y)
        yield "size(%s,%d)" % (name, piece.size)
        yield "%s(%s)" % (piece.colour, name)
        yield "%s(%s)" % (piece.way, name)
        for other in pieces:
            if other is not piece and piece.is_near(other):
                yield "contact(%s,%s)" % (name, names[other])


BIAS = bias_text(
    ("zendo", ["state"]),
    [("piece", ["state", "piece"]), ("contact", ["piece", "piece"]), ("coord1", ["piece", "real"]),
     ("coord2", ["piece", "real"]), ("size", ["piece", "real"])]
    + [(name, ["piece"]) for name in COLOURS] + [(name, ["real"]) for name in ("small", "medium", "large")]
    + [(name, ["piece"]) for name in ORIENTATIONS],
    "max_vars(6).\nmax_body(6).\n")


def make(number):
    def draw(stream, count):
        facts, examples = [], []
        for size in range(MOST + 1):
            name = "small" if size <= MOST // 3 else "medium" if size <= 2 * MOST // 3 else "large"
            facts.append("%s(%d)" % (name, size))
        for s in range(count):
            wanted = s < count // 2
            facts += facts_of(s, draw_structure(stream, number, wanted))
            examples.append((wanted, "zendo(%d)" % s))
        return facts, examples

    return Problem("zendo%d" % number, BIAS, draw, 200, 1000)


PROBLEMS = {problem.name: problem for problem in map(make, (1, 2, 3, 4))}
