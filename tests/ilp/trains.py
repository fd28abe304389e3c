"""East-bound trains: which of 1,000 trains go east depends on their cars and what these carry.

trains1, 2 and 4 have the published rules of Popper's experiments.  The rule of trains3 is of the same kind.
"""
from problem import Problem, bias_text

SHAPES = {
    2: ["circle", "triangle", "rectangle"],
    4: ["circle", "triangle", "rectangle", "diamond", "hexagon", "inverted_triangle"],
}
COUNTS = ["zero_load", "one_load", "two_load", "three_load"]


class Load:
    """So many things of one shape; a load of none has no shape."""

    def __init__(self, stream, name, car, shapes):
        self.name = name
        self.count = COUNTS[stream.choices([0, 1, 2, 3], [1, 5, 3, 2])[0]]
        # long cars carry no triangles, and triangles never come in threes
        fitting = [shape for shape in shapes
                   if shape != "triangle" or (not car.is_long and self.count != "three_load")]
        self.shape = None if self.count == "zero_load" else stream.choice(fitting)


class Car:
    def __init__(self, stream, name, shapes, has_flat):
        self.name = name
        self.is_long = stream.random() < 0.4
        self.wheels = 3 if self.is_long and stream.random() < 0.5 else 2  # short cars have two
        self.roof = stream.choice(["open", "flat", "other"]) if has_flat else stream.choice(["open", "other"])
        loads = stream.choices([1, 2, 3], [6, 3, 1])[0] if has_flat else stream.choices([1, 2], [4, 1])[0]
        self.loads = [Load(stream, "%s_l%d" % (name, i + 1), self, shapes) for i in range(loads)]

    def is_closed(self):
        return self.roof != "open"

    def has(self, shape):
        return any(load.shape == shape for load in self.loads)


class Train:
    def __init__(self, stream, number, shapes, has_flat):
        self.name = "t%d" % number
        cars = stream.choice([2, 3, 4])
        self.cars = [Car(stream, "%s_c%d" % (self.name, i + 1), shapes, has_flat) for i in range(cars)]

    def any(self, test):
        return any(test(car) for car in self.cars)

    def facts(self, has_flat):
        for car in self.cars:
            yield "has_car(%s,%s)" % (self.name, car.name)
            yield "%s(%s)" % ("long" if car.is_long else "short", car.name)
            yield "%s(%s)" % ("three_wheels" if car.wheels == 3 else "two_wheels", car.name)
            yield "%s(%s)" % ("roof_closed" if car.is_closed() else "roof_open", car.name)
            if has_flat and car.roof == "flat":
                yield "roof_flat(%s)" % car.name
            for load in car.loads:
                yield "has_load(%s,%s)" % (car.name, load.name)
                yield "%s(%s)" % (load.count, load.name)
                if load.shape:
                    yield "%s(%s)" % (load.shape, load.name)


def is_east1(train):
    """f(A) :- has_car(A,C), long(C), roof_closed(C), has_car(A,B), three_wheels(B)."""
    return train.any(lambda c: c.is_long and c.is_closed()) and train.any(lambda b: b.wheels == 3)


def is_east2(train):
    """f(A) :- has_car(A,B), has_car(A,C), roof_closed(C), two_wheels(B), roof_open(B).
    f(A) :- has_car(A,B), has_load(B,C), triangle(C), roof_open(B)."""
    return (train.any(lambda c: c.is_closed()) and train.any(lambda b: b.wheels == 2 and b.roof == "open")) \
        or train.any(lambda b: b.roof == "open" and b.has("triangle"))


def is_east3(train):
    """f(A) :- has_car(A,B), long(B), roof_flat(B), has_car(A,C), has_load(C,D), three_load(D)."""
    return train.any(lambda b: b.is_long and b.roof == "flat") and \
        train.any(lambda c: any(load.count == "three_load" for load in c.loads))


def is_east4(train):
    """f(A) :- has_car(A,C), has_load(C,B), diamond(B), has_load(C,D), rectangle(D).
    f(A) :- has_car(A,B), has_load(B,D), hexagon(D), has_car(A,C), has_load(C,E), triangle(E).
    f(A) :- has_car(A,B), roof_open(B), has_load(B,C), hexagon(C), three_load(C).
    f(A) :- has_car(A,B), roof_open(B), short(B), has_car(A,C), long(C), roof_flat(C)."""
    return train.any(lambda c: c.has("diamond") and c.has("rectangle")) \
        or (train.any(lambda b: b.has("hexagon")) and train.any(lambda c: c.has("triangle"))) \
        or train.any(lambda b: b.roof == "open" and any(
            load.shape == "hexagon" and load.count == "three_load" for load in b.loads)) \
        or (train.any(lambda b: b.roof == "open" and not b.is_long)
            and train.any(lambda c: c.is_long and c.roof == "flat"))


def make(number, is_east, limits):
    shapes, has_flat = SHAPES[4 if number > 2 else 2], number > 2

    def draw(stream, count):
        facts, examples = [], []
        for t in range(count):
            train = Train(stream, t + 1, shapes, has_flat)
            facts += train.facts(has_flat)
            examples.append((is_east(train), "f(%s)" % train.name))
        return facts, examples

    of_cars = ["short", "long", "two_wheels", "three_wheels", "roof_open"] + ["roof_flat"] * has_flat + ["roof_closed"]
    body = [("has_car", ["train", "car"]), ("has_load", ["car", "load"])]
    body += [(name, ["car"]) for name in of_cars] + [(name, ["load"]) for name in COUNTS + shapes]
    return Problem("trains%d" % number, bias_text(("f", ["train"]), body, limits), draw, 1000, 1000)


PROBLEMS = {problem.name: problem for problem in (
    make(1, is_east1, "max_vars(3).\nmax_body(5).\n"),
    make(2, is_east2, "max_vars(6).\nmax_body(6).\n"),
    make(3, is_east3, "max_vars(6).\nmax_body(6).\n"),
    make(4, is_east4, "max_vars(6).\nmax_body(6).\n"),
)}
