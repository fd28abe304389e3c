"""A tour of nlm in Python, ten minutes to read and seconds to run: python3 tutorial.py

A cell begins at each line "# %%": editors show this file as a notebook, and tools/notebook makes one of it.
"""
# %% Facts and examples
# Four small families.  A world has facts; labels say of which pairs the target is true, of all others it is false.
import nlm

families = [
    nlm.World(parent=[("abe", "homer"), ("homer", "bart"), ("homer", "lisa")],
              labels={"grandparent": [("abe", "bart"), ("abe", "lisa")]}, name="simpson"),
    nlm.World(parent=[("ann", "bob"), ("bob", "cid"), ("cid", "dan")],
              labels={"grandparent": [("ann", "cid"), ("bob", "dan")]}, name="line"),
    nlm.World(parent=[("eva", "fay"), ("gus", "fay"), ("fay", "hal")],
              labels={"grandparent": [("eva", "hal"), ("gus", "hal")]}, name="three"),
    nlm.World(parent=[("ida", "jon"), ("kim", "leo"), ("leo", "mia")],
              labels={"grandparent": [("kim", "mia")]}, name="two"),
]

# %% Learn
# With so few examples nothing is held out.  progress=True shows a bar, and in a notebook a curve.
model = nlm.learn(families, held_out=0, epochs=60, seed=1, progress=False)
print(model)

# %% Ask about people who were never seen
village = nlm.World(parent=[("old tom", "ned"), ("ned", "pia"), ("pia", "quin")])
for target, grandparent, grandchild, probability in model.conclude(village):
    print(target, grandparent, grandchild, round(probability, 2))

# %% What it has learned, and that it computes nothing else
print(model.rules())
print(model.rules("english"))
print(model.prove().verdict)
print(model.why("grandparent", "old tom", "pia"))

# %% Numbers in, numbers out
import numpy

parent = numpy.zeros((3, 3, 1))
parent[0, 1] = parent[1, 2] = 1
logits, = model.forward({2: parent})
print(logits > 0)

# %% Save, load, copy
import pickle
import tempfile

with tempfile.NamedTemporaryFile(suffix=".nlm") as file:
    model.save(file.name)
    print(nlm.load(file.name).targets)
print(pickle.loads(pickle.dumps(model)).graduated)


# %% A task of your own: worlds are drawn by a function
@nlm.task(predicates={"next": 2}, target=("two_more", 2), objects=5)
def two_more(random, n):
    """y is two more than x."""
    order = list(range(n))
    random.shuffle(order)
    return {"next": list(zip(order, order[1:])), "two_more": list(zip(order, order[2:]))}


counting = nlm.train(two_more, batches=50, exam=100, progress=False)
print(counting.rules())
print("errors in 20 worlds of 10 numbers:", counting.test(10, 20)["failed"])


# %% A game of your own: an agent learns it from success and failure
class Lamps(nlm.Game):
    """Switch all lamps on."""

    predicates = {"on": 1}

    def draw(self, random, objects, test):
        return [random.below(2) for _ in range(objects)]

    def move(self, state, move):
        state[move[0]] ^= 1

    def solved(self, state):
        return state.all()

    def see(self, state):
        return {"on": state}


agent = nlm.train(Lamps(), episodes=2000, depth=2, exam=50, final_exam=100, last_lesson=6, progress=False)
print("rows of 20 lamps switched on:", agent.test(20, 20)["right"])
