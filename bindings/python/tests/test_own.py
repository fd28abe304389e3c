"""Tasks and games in Python."""
import pytest

import nlm


@nlm.task(predicates={"next": 2}, target=("two_more", 2), objects=5)
def two_more(random, n):
    """y is two more than x."""
    order = list(range(n))
    random.shuffle(order)
    return {"next": list(zip(order, order[1:])), "two_more": list(zip(order, order[2:]))}


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


def test_worlds_follow_from_seed_and_number():
    assert two_more.generate(6, seed=3) == two_more.generate(6, seed=3) != two_more.generate(6, seed=4)


def test_a_task_is_learned():
    model = nlm.train(two_more, batches=50, exam=100, progress=False)
    assert model.graduated and model.test(10, 20)["failed"] == 0
    assert model.conclude(nlm.World(next=[("a", "b"), ("b", "c")])) == [("two_more", "a", "c", 1.0)]


def test_a_game_is_learned():
    agent = nlm.train(Lamps(), episodes=2000, depth=2, final_exam=100, exam=50, last_lesson=6, progress=False)
    assert agent.graduated and agent.test(20, 20)["failed"] == 0
    with pytest.raises(nlm.Error):
        agent.conclude(nlm.World(on=["a"]))


@pytest.mark.parametrize("result", [None, {"next": [(0, 9)]}, {"next": [(0,)]}, {"next": [("a", "b")]}, {"far": []},
                                    {"next": [(0, 0)]}])
def test_wrong_worlds_are_refused(result):
    task = nlm.Task(lambda random, n: result, {"next": 2}, ("t", 2), 5, name="wrong")
    with pytest.raises(nlm.ArgumentError):
        nlm.train(task, progress=False)


@pytest.mark.parametrize("method", ["draw", "move", "solved", "see", "legal", "limit", "optimum", "state_size"])
def test_exceptions_come_back(method):
    class Broken(Lamps):
        pass

    def fail(self, *_arguments):
        raise ZeroDivisionError(method)

    setattr(Broken, method, fail)
    with pytest.raises(ZeroDivisionError, match=method):
        nlm.train(Broken(), episodes=500, progress=False)


def test_an_exception_of_a_task_comes_back():
    def fail(random, n):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        nlm.train(nlm.Task(fail, {"next": 2}, ("t", 2), 5), progress=False)


def test_names_of_the_library_are_taken():
    with pytest.raises(nlm.ArgumentError, match="uncle"):
        nlm.train(nlm.Task(lambda random, n: {}, {"next": 2}, ("t", 2), 5, name="uncle"), progress=False)
    with pytest.raises(nlm.ArgumentError):
        nlm.Task(lambda random, n: {}, {"next": "two"}, ("t", 2), 5)
