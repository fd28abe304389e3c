"""Films, in the form of the IMDB problems of Popper's experiments: one world of some 380 objects.

Films have people, who are actors or directors; people have a gender and directors genres, which are objects.  The
rules are of the same kind as the published ones, not theirs:

imdb1: an actor works under the director of a film.  imdb2: two actors play in one film.  imdb3: an actor works
under a director, or two directors share a genre.
"""
from problem import Problem, bias_text

FILMS, ACTORS, DIRECTORS = 170, 150, 50
GENRES = ["action", "comedy", "crime", "drama", "family", "horror", "romance", "war"]


class Films:
    def __init__(self, stream):
        self.actors = ["a%d" % i for i in range(ACTORS)]
        self.directors = ["d%d" % i for i in range(DIRECTORS)]
        self.gender = {person: stream.choice(["female", "male"]) for person in self.actors + self.directors}
        self.genres = {d: set(stream.sample(GENRES, stream.choice([1, 1, 2]))) for d in self.directors}
        self.director = {"m%d" % i: stream.choice(self.directors) for i in range(FILMS)}
        self.cast = {film: set(stream.sample(self.actors, stream.randint(1, 3))) for film in self.director}

    def facts(self):
        facts = ["actor(%s)" % a for a in self.actors] + ["director(%s)" % d for d in self.directors]
        facts += ["gender(%s,%s)" % pair for pair in self.gender.items()]
        facts += ["genre(%s,%s)" % (d, genre) for d in self.directors for genre in sorted(self.genres[d])]
        for film in self.director:
            facts += ["movie(%s,%s)" % (film, person) for person in sorted(self.cast[film]) + [self.director[film]]]
        return facts


def works_under(films):
    """f(A,B):- movie(C,A), movie(C,B), actor(A), director(B)."""
    return {(a, d) for film, d in films.director.items() for a in films.cast[film]}


def plays_with(films):
    """f(A,B):- movie(C,A), movie(C,B), actor(A), actor(B).  Of different people."""
    return {(a, b) for cast in films.cast.values() for a in cast for b in cast if a != b}


def shares_genre_or_works_under(films):
    """f(A,B):- movie(C,A), movie(C,B), actor(A), director(B).
    f(A,B):- genre(A,C), genre(B,C).  Of different people."""
    return works_under(films) | {(a, b) for a in films.directors for b in films.directors
                                 if a != b and films.genres[a] & films.genres[b]}


RULES = {1: works_under, 2: plays_with, 3: shares_genre_or_works_under}
BIAS = bias_text(("f", ["person", "person"]), [
    ("movie", ["film", "person"]), ("actor", ["person"]), ("director", ["person"]), ("gender", ["person", "gender"]),
    ("genre", ["person", "genre"])], "max_vars(6).\nmax_body(6).\n")


def make(number):
    def draw(stream, count):
        """At most `count` true pairs, and as many false ones, half of them of people who have something in common."""
        films = Films(stream)
        true = RULES[number](films)
        near = sorted(({(a, b) for cast in map(sorted, films.cast.values()) for a in cast for b in cast}
                       | works_under(films) | {(b, a) for a, b in works_under(films)}) - true)
        near = [pair for pair in near if pair[0] != pair[1]]
        people = films.actors + films.directors
        wanted = stream.sample(sorted(true), min(count, len(true)))
        false = set(stream.sample(near, min(len(near), len(wanted) // 2)))
        while len(false) < len(wanted):
            pair = tuple(stream.sample(people, 2))
            if pair not in true:
                false.add(pair)
        examples = [(is_true, "f(%s,%s)" % pair) for is_true, pairs in ((True, wanted), (False, sorted(false)))
                    for pair in pairs]
        return films.facts(), examples

    return Problem("imdb%d" % number, BIAS, draw, 400, 1000)


PROBLEMS = {problem.name: problem for problem in map(make, (1, 2, 3))}
