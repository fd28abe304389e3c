"""Genealogies as people keep them, simulated year by year: births, marriages, deaths, remarriage; then gaps and mistakes.

Models learn from src/task/family_tree.c, which grows a family by drawing parents for one person after the other.  Here
villages live through the years: people marry at an age, within their village, sometimes a cousin, often somebody from
outside of whom no parents are recorded; the widowed and the separated marry again and have more children; some couples
have none; some children have no recorded father.  What is recorded then has gaps: fathers and mothers unknown, siblings
left out, sex missing, and now and then two records of different people merged into one, who so has two fathers, two
mothers, or both.

Facts are those of the tasks: father(x, y) says that y is x's father, son(x, y) that y is x's son.  A child without a
recorded sex is nobody's son or daughter; a parent without one is a father or mother by place in the family's record.

Labels follow the definitions of the tasks on recorded facts alone, as src/task/family.c does in rich worlds: an unknown
parent leads nowhere, a person with two fathers has grandparents by both, "son" is a recorded son, an uncle is none of
x's recorded fathers, and nobody is his own uncle.
"""
import random

TARGETS = ["grandparent", "uncle", "mg_uncle"]


class Person:
    def __init__(self, number, man, born, village, father=None, mother=None):
        self.name, self.man, self.born, self.village = f"i{number}", man, born, village
        self.died = self.spouse = None
        self.fathers = [father] if father else []
        self.mothers = [mother] if mother else []
        self.childless = False  # as a couple; of its wife
        self.sex_known = True

    def parents(self):
        return self.fathers + self.mothers

    def grandparents(self):
        return {grandparent for parent in self.parents() for grandparent in parent.parents()}


class Village:
    """People who live together; one of a genealogy's branches, which have no relatives in common."""

    def __init__(self, rng, number, people, most):
        self.rng, self.number, self.people, self.most = rng, number, people, most
        self.cousins = rng.random() < 0.4  # may marry
        self.outsiders = rng.uniform(0.2, 0.8)  # share of marriages
        self.partings = rng.choice([0.0, 0.002, 0.01])  # a year
        self.out_of_wedlock = rng.choice([0.0, 0.01, 0.03])  # births a year of a single woman
        self.year = rng.randint(1650, 1780)
        self.living = []
        for _ in range(rng.randint(1, 4)):
            self.marry(self.person(True, self.year - rng.randint(20, 30)), self.person(False, self.year - rng.randint(18, 28)))

    def person(self, man, born, father=None, mother=None):
        person = Person(len(self.people) + 1, man, born, self.number, father, mother)
        self.people.append(person)
        self.living.append(person)
        return person

    def marry(self, man, woman):
        man.spouse, woman.spouse = woman, man
        woman.childless = self.rng.random() < 0.12

    def part(self, one):
        one.spouse.spouse = None
        one.spouse = None

    def full(self):
        return len(self.people) >= self.most

    def may_marry(self, one, other):
        near = {one, *one.parents()}
        if other in near or one in other.parents() or near & set(other.parents()):
            return False
        return self.cousins or not one.grandparents() & other.grandparents()

    def seek_spouse(self, one):
        age = self.year - one.born
        if one.spouse or not 18 <= age <= 55 or self.rng.random() > (0.12 if age < 35 else 0.05):
            return
        if self.rng.random() < self.outsiders:
            self.marry_outsider(one)
            return
        fitting = [other for other in self.living if other.man != one.man and not other.spouse and
                   18 <= self.year - other.born <= 60 and abs(other.born - one.born) <= 15 and self.may_marry(one, other)]
        if fitting:
            kin = [other for other in fitting if self.cousins and one.grandparents() & other.grandparents()]
            other = self.rng.choice(kin if kin and self.rng.random() < 0.4 else fitting)
            self.marry(one, other) if one.man else self.marry(other, one)

    def marry_outsider(self, one):
        """Somebody from elsewhere; of one in four the parents are recorded too."""
        born, known = one.born + self.rng.randint(-6, 6), [None, None]
        if self.rng.random() < 0.25:
            for man in (True, False):
                if self.rng.random() < 0.75:
                    known[not man] = self.person(man, born - self.rng.randint(20, 40))
        other = self.person(not one.man, born, *known)
        self.marry(one, other) if one.man else self.marry(other, one)

    def bear(self, mother):
        age, father = self.year - mother.born, mother.spouse
        if mother.man or not 17 <= age <= 45 or mother.childless:
            return
        if father is None:
            if self.rng.random() >= self.out_of_wedlock:
                return
            men = [man for man in self.living if man.man and 16 <= self.year - man.born <= 60 and
                   self.may_marry(man, mother)]
            father = self.rng.choice(men) if men and self.rng.random() < 0.5 else None
        elif self.rng.random() > 0.28:
            return
        self.person(self.rng.random() < 0.51, self.year, father, mother)

    def die(self, one):
        age = self.year - one.born
        hazard = 0.05 if age < 4 else 0.006 if age < 45 else 0.02 if age < 60 else 0.08
        if self.rng.random() < hazard or age > 95:
            one.died = self.year
            if one.spouse:
                self.part(one)

    def live_a_year(self):
        self.year += 1
        for one in self.rng.sample(self.living, len(self.living)):
            if self.full():
                return
            if one.died is None:
                self.seek_spouse(one)
                self.bear(one)
                if one.spouse and self.rng.random() < self.partings:
                    self.part(one)
                self.die(one)
        self.living = [one for one in self.living if one.died is None]


def left_out(rng, people, size):
    """Genealogists leave out children who had none, until `size` people are left."""
    parents = {parent for one in people for parent in one.parents()}
    leaves = [one for one in people if one not in parents]
    gone = set(rng.sample(leaves, min(len(leaves), len(people) - size)))
    return [one for one in people if one not in gone]


def forget(rng, people):
    """Unknown fathers, mothers and sex, at rates of this genealogy."""
    no_father, no_mother = rng.uniform(0, 0.15), rng.uniform(0, 0.25)
    no_sex, parent_without_sex = rng.choice([0, 0.02, 0.08]), rng.choice([0, 0, 0.01])
    for one in people:
        if rng.random() < no_father:
            one.fathers = []
        if rng.random() < no_mother:
            one.mothers = []
    parents = {parent for one in people for parent in one.parents()}
    for one in people:
        one.sex_known = rng.random() >= (parent_without_sex if one in parents else no_sex)


def merge_by_mistake(rng, people):
    """Somebody has the parents of somebody else too: a second father, a second mother or both."""
    children = [one for one in people if one.parents()]
    one = rng.choice(children)
    others = [other for other in children if abs(other.born - one.born) <= 40 and not set(other.parents()) & set(one.parents())
              and all(parent.born <= one.born - 15 for parent in other.parents())]
    if not others:
        return
    other, kind = rng.choice(others), rng.randrange(4)
    if kind != 1:
        one.fathers = one.fathers + other.fathers
    if kind != 2:
        one.mothers = one.mothers + other.mothers


def genealogy(seed, least=200, most=1100):
    """People with their recorded parents.  The same seed gives the same genealogy."""
    rng = random.Random(seed)
    size = rng.randint(least, most)
    people, drawn, branches = [], int(size * rng.uniform(1.0, 1.4)), rng.randint(1, 5)
    number = 0
    while len(people) < drawn:
        share = max(12, (drawn - len(people)) // max(1, branches - number))
        village = Village(rng, number, people, min(drawn, len(people) + share))
        while village.living and not village.full() and village.year < 2020:
            village.live_a_year()
        number += 1
    people = left_out(rng, people[:drawn], size)
    kept = set(people)
    for one in people:
        one.fathers = [father for father in one.fathers if father in kept]
        one.mothers = [mother for mother in one.mothers if mother in kept]
    forget(rng, people)
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        merge_by_mistake(rng, people)
    return people


def facts_of(people):
    """(predicate, x, y) of all recorded facts; and who is named by none of them."""
    facts = []
    for one in people:
        facts += [("father", one.name, father.name) for father in one.fathers]
        facts += [("mother", one.name, mother.name) for mother in one.mothers]
        if one.sex_known:
            facts += [("son" if one.man else "daughter", parent.name, one.name) for parent in one.parents()]
    named = {name for _, x, y in facts for name in (x, y)}
    return facts, [one.name for one in people if one.name not in named]


def truth_of(facts):
    """The true pairs of each target, from the facts alone."""
    father, mother, son = {}, {}, {}
    for predicate, x, y in facts:
        relation = {"father": father, "mother": mother, "son": son}.get(predicate)
        if relation is not None:
            relation.setdefault(x, set()).add(y)
    parents = {x: father.get(x, set()) | mother.get(x, set()) for x in father.keys() | mother.keys()}

    def follow(start, *relations):
        reached = start
        for relation in relations:
            reached = set().union(*(relation.get(x, set()) for x in reached))
        return reached

    true = {target: set() for target in TARGETS}
    for x in parents:
        true["grandparent"] |= {(x, y) for y in follow({x}, parents, parents)}
        true["uncle"] |= {(x, y) for y in follow({x}, parents, parents, son) - father.get(x, set())}
        true["mg_uncle"] |= {(x, y) for y in follow({x}, parents, mother, mother, son)}
    return {target: {(x, y) for x, y in pairs if x != y} for target, pairs in true.items()}


def gedcom_of(people):
    """The same as GEDCOM 5.5: a family record for each pair of recorded parents."""
    families = {}
    for one in people:
        pairs = [(one.fathers[i] if i < len(one.fathers) else None, one.mothers[i] if i < len(one.mothers) else None)
                 for i in range(max(len(one.fathers), len(one.mothers)))]
        for pair in pairs:
            families.setdefault(pair, []).append(one)
    number = {pair: f"@F{at + 1}@" for at, pair in enumerate(families)}
    lines = ["0 HEAD", "1 SOUR nlm", "1 GEDC", "2 VERS 5.5", "1 CHAR UTF-8"]
    for one in people:
        lines += [f"0 @{one.name.upper()}@ INDI", f"1 NAME {one.name.upper()} //"]
        lines += [f"1 SEX {'M' if one.man else 'F'}"] * one.sex_known
        lines += ["1 BIRT", f"2 DATE {one.born}"]
        lines += [f"1 FAMC {number[pair]}" for pair, children in families.items() if one in children]
        lines += [f"1 FAMS {number[pair]}" for pair in families if one in pair]
    for pair, children in families.items():
        lines += [f"0 {number[pair]} FAM"]
        lines += [f"1 {place} @{one.name.upper()}@" for place, one in zip(("HUSB", "WIFE"), pair) if one]
        lines += [f"1 CHIL @{child.name.upper()}@" for child in children]
    return "\n".join(lines + ["0 TRLR", ""])


def features_of(people):
    """How often what real genealogies have occurs: counts by name, for a line at the head of the file."""
    families, children = {}, {}
    for one in people:
        for parent in one.parents():
            children.setdefault(parent, []).append(one)
        if len(one.fathers) == 1 and len(one.mothers) == 1:
            families.setdefault((one.fathers[0], one.mothers[0]), []).append(one)
    with_children = list(children)
    partners = {one: {p for child in children[one] for p in child.parents() if p is not one} for one in with_children}
    cousins = sum(any(father.grandparents() & mother.grandparents() for father in one.fathers for mother in one.mothers)
                  for one in people)
    return {"people": len(people),
            "one parent unknown": sum(bool(one.fathers) != bool(one.mothers) for one in people),
            "sex unknown": sum(not one.sex_known for one in people),
            "parents of unknown sex": sum(not one.sex_known for one in with_children),
            "with children by two": sum(len(p) > 1 for p in partners.values()),
            "children of cousins": cousins,
            "two fathers or mothers": sum(len(one.fathers) > 1 or len(one.mothers) > 1 for one in people),
            "branches": len({one.village for one in people})}
