"""Rules of games, to be learned from positions and what became of them: inductive general game playing.

Every example is a position, a move and what holds after it.  The games are those of the GDL collection: rock, paper,
scissors; buttons and lights; coins; minimal decay.
"""
from problem import Problem, bias_text


def labels(name, world, all_arguments, true_arguments):
    """Every tuple is an example."""
    return [(a in true_arguments, "%s(%s)" % (name, ",".join([str(world)] + [str(x) for x in a]))) for a in all_arguments]


# ---- rock, paper, scissors: who beats the other gets a point ----

BEATS = {"stone": "scissors", "scissors": "paper", "paper": "stone"}
RPS = bias_text(("next_score", ["ex", "player", "int"]), [
    ("my_true_score", ["ex", "player", "int"]), ("my_succ", ["int", "int"]), ("does", ["ex", "player", "action"]),
    ("beats", ["action", "action"]), ("player", ["player"]), ("different", ["player", "player"])],
    "max_vars(7).\nmax_body(6).\n")


def draw_rps(stream, count):
    players, scores = ["p1", "p2"], range(4)
    facts = ["my_succ(%d,%d)" % (i, i + 1) for i in range(3)] + ["beats(%s,%s)" % pair for pair in BEATS.items()]
    facts += ["player(p1)", "player(p2)", "different(p1,p2)", "different(p2,p1)"]
    examples = []
    for w in range(1, count + 1):
        score = {p: stream.randint(0, 2) for p in players}
        action = {p: stream.choice(sorted(BEATS)) for p in players}
        facts += ["my_true_score(%d,%s,%d)" % (w, p, score[p]) for p in players]
        facts += ["does(%d,%s,%s)" % (w, p, action[p]) for p in players]
        after = {(p, score[p] + (BEATS[action[p]] == action[q])) for p, q in (("p1", "p2"), ("p2", "p1"))}
        examples += labels("next_score", w, [(p, s) for p in players for s in scores], after)
    return facts, examples


# ---- buttons: a turns p on or off, b exchanges p and q, c exchanges q and r; a counter goes on ----

STEPS = range(1, 8)
BUTTONS = bias_text(("next", ["ex", "prop"]), [
    ("does", ["ex", "agent", "action"]), ("my_input", ["agent", "action"]), ("my_true", ["ex", "prop"]),
    ("my_succ", ["prop", "prop"]), ("role", ["agent"]), ("c_p", ["prop"]), ("c_q", ["prop"]), ("c_r", ["prop"]),
    ("c_a", ["action"]), ("c_b", ["action"]), ("c_c", ["action"]), ("not_my_true", ["ex", "prop"])],
    "max_vars(6).\nmax_body(6).\n")


def draw_buttons(stream, count):
    lights, buttons = ["p", "q", "r"], ["a", "b", "c"]
    propositions = lights + list(STEPS)
    facts = ["my_succ(%d,%d)" % (i, i + 1) for i in STEPS[:-1]] + ["role(robot)"]
    facts += ["my_input(robot,%s)" % b for b in buttons] + ["c_%s(%s)" % (x, x) for x in lights + buttons]
    examples = []
    for w in range(1, count + 1):
        p, q, r = (stream.random() < 0.5 for _ in lights)
        step, button = stream.choice(STEPS[:-1]), stream.choice(buttons)
        holds = {x for x, on in zip(lights, (p, q, r)) if on} | {step}
        p, q, r = {"a": (not p, q, r), "b": (q, p, r), "c": (p, r, q)}[button]
        after = {(x,) for x, on in zip(lights, (p, q, r)) if on} | {(step + 1,)}
        facts.append("does(%d,robot,%s)" % (w, button))
        facts += ["%s(%d,%s)" % ("my_true" if x in holds else "not_my_true", w, x) for x in propositions]
        examples += labels("next", w, [(x,) for x in propositions], after)
    return facts, examples


# ---- coins: a single coin jumps over two coins onto a single one ----

COINS = bias_text(("next_cell", ["ex", "pos", "cell_value"]), [
    ("does_jump", ["ex", "agent", "pos", "pos"]), ("my_succ", ["pos", "pos"]),
    ("my_true_cell", ["ex", "pos", "cell_value"]), ("role", ["agent"]), ("my_pos", ["pos"]), ("different", ["pos", "pos"]),
    ("c_zerocoins", ["cell_value"]), ("c_onecoin", ["cell_value"]), ("c_twocoins", ["cell_value"])],
    "max_vars(6).\nmax_body(6).\n")
COUNTS = ["zerocoins", "onecoin", "twocoins"]


def jumps(cells):
    """From where to where a coin may jump."""
    for start, coins in enumerate(cells):
        for step in (-1, 1):
            over, end = 0, start + step
            while 0 <= end < len(cells) and over < 2:
                over += cells[end]
                end += step
            while 0 <= end < len(cells) and cells[end] == 0 and over == 2:
                end += step
            if coins == 1 and over == 2 and 0 <= end < len(cells) and cells[end] == 1:
                yield start, end


def draw_position(stream):
    """Some moves after the beginning, with a move left."""
    while True:
        cells = [1] * 8
        for _ in range(stream.randint(0, 3)):
            moves = list(jumps(cells))
            if moves:
                start, end = stream.choice(moves)
                cells[start], cells[end] = 0, 2
        if list(jumps(cells)):
            return cells


def draw_coins(stream, count):
    places = range(1, 9)
    facts = ["my_succ(%d,%d)" % (i, i + 1) for i in places[:-1]] + ["my_pos(%d)" % i for i in places]
    facts += ["different(%d,%d)" % (i, j) for i in places for j in places if i != j]
    facts += ["role(robot)"] + ["c_%s(%s)" % (c, c) for c in COUNTS]
    examples = []
    for w in range(1, count + 1):
        cells = draw_position(stream)
        start, end = stream.choice(list(jumps(cells)))
        facts += ["my_true_cell(%d,%d,%s)" % (w, i, COUNTS[cells[i - 1]]) for i in places]
        facts.append("does_jump(%d,robot,%d,%d)" % (w, start + 1, end + 1))
        cells[start], cells[end] = 0, 2
        after = {(i, COUNTS[cells[i - 1]]) for i in places}
        examples += labels("next_cell", w, [(i, c) for i in places for c in COUNTS], after)
    return facts, examples


# ---- minimal decay: the button sets the value to 5, otherwise it falls by one ----

DECAY = bias_text(("next_value", ["ex", "int"]), [
    ("does", ["ex", "agent", "action"]), ("true_value", ["ex", "int"]), ("my_succ", ["int", "int"]),
    ("pressButton", ["action"]), ("noop", ["action"]), ("player", ["agent"])]
    + [("c%d" % i, ["int"]) for i in range(1, 6)])


def draw_decay(stream, count):
    """As published, a third of the positions are those where nothing is done, with different values, 0 among them."""
    facts = ["my_succ(%d,%d)" % (i, i + 1) for i in range(5)] + ["c%d(%d)" % (i, i) for i in range(1, 6)]
    facts += ["pressButton(pressButton)", "noop(noop)", "player(player)"]
    still = [0] + stream.sample(range(1, 6), 2)
    moves = [("noop", value) for value in still[:max(1, count // 3)]]
    while len(moves) < count:
        moves.append((stream.choice(["pressButton", "pressButton", "noop"]) if count > 9 else "pressButton",
                      stream.randint(0, 5)))
    stream.shuffle(moves)
    examples = []
    for w, (action, value) in enumerate(moves, 1):
        facts += ["does(%d,player,%s)" % (w, action), "true_value(%d,%d)" % (w, value)]
        after = {(5,)} if action == "pressButton" else {(value - 1,)} if value else set()
        examples += labels("next_value", w, [(i,) for i in range(6)], after)
    return facts, examples


PROBLEMS = {problem.name: problem for problem in (
    Problem("iggp-rps", RPS, draw_rps, 30, 100),
    Problem("iggp-buttons", BUTTONS, draw_buttons, 60, 100),
    Problem("iggp-coins", COINS, draw_coins, 30, 60),
    Problem("iggp-minimal-decay", DECAY, draw_decay, 9, 36),
)}
