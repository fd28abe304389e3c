/* Every setting of a run, one row each: the only place that names them.  A row makes a field of nlm_settings
 * and, in the library, an nlm_setting: an option of `nlm train` with its help, a text in model files, a part
 * of a line of `nlm show`, and a check of its range.
 *
 *     NLM_ROW(type, name, least, most, runs that have it, argument, help, other fields of nlm_setting ...)
 *
 * NLM_SPEC_ROW is one of the machine's size, which is a field of nlm_spec and has its own form in files.  The
 * order is that of the lines of `nlm show`, and within its group that of the help. */
#ifdef NLM_ROW

/* Of the initial weights, and of the worlds, or of the instances and the moves. */
NLM_ROW(uint64_t, seed, 0, 0, NLM_OF_ALL, "N", "random seed of weights and of worlds or instances (1)",
        .shown = {"protocol: seed #"})

/* ---- the machine ---- */

NLM_SPEC_ROW(NLM_WHOLE, depth, 1, NLM_MAX_DEPTH, NLM_OF_ALL, "N", "layers; of memnn rounds, of dilp steps")
NLM_SPEC_ROW(NLM_WHOLE, breadth, 1, NLM_MAX_BREADTH, NLM_OF_ALL, "N", "largest arity", .models = "nlm")
NLM_SPEC_ROW(NLM_WHOLE, width, 0, NLM_MAX_WIDTH, NLM_OF_ALL, "N", "predicates per layer and arity (8)",
             .models = "nlm memnn")
NLM_SPEC_ROW(NLM_LIST, hidden, 1, NLM_MAX_WIDTH, NLM_OF_ALL, "LIST",
             "sizes of hidden layers in every unit (none; 0: none)", .models = "nlm memnn")
NLM_SPEC_ROW(NLM_FLAG, residual, 0, 1, NLM_OF_ALL, NULL, "each layer also passes on its inputs",
             .models = "nlm")

/* ---- worlds and instances ---- */

/* Objects of every world; of a problem: the most of any. */
NLM_ROW(int, objects, 1, INT32_MAX, NLM_OF_EXAMPLES, "N", "objects per training world", .fixed = NLM_OF_FACTS,
        .instead = "first_lesson and last_lesson", .shown = {"worlds: # objects", "worlds: up to # objects"})
/* Worlds to learn from are drawn from one large world, of up to so many objects; 0: it is one itself. */
NLM_ROW(int, neighbourhood, 0, 1000, NLM_OF_FACTS, "N",
        "objects of a neighbourhood in one large world (0: all at once)",
        .shown = {NULL, "worlds: neighbourhoods of up to #"}, .unshown = "0", .absent = "0", .seldom = true)
/* Objects so many steps away from a labelled tuple, by facts, are in its neighbourhood if they fit. */
NLM_ROW(int, radius, 0, 100, NLM_OF_FACTS, "N", "steps from a label's objects to those of its neighbourhood",
        .shown = {NULL, "worlds: within # steps"}, .unshown = "0", .absent = "0", .seldom = true)
NLM_ROW(nlm_world_kind, kind, 0, NLM_WORLD_KINDS - 1, NLM_OF_TASKS, "paper|rich",
        "worlds to learn from: the paper's, or richer ones (best: rich)",
        .words = (const char *const[]){NLM_WORLD_KIND_NAMES, NULL}, .shown = {"worlds: #"},
        .unshown = "paper", .absent = "paper")
NLM_ROW(int, first_lesson, 2, 1000, NLM_OF_GAMES, "N", "objects of the first lesson", .instead = "objects",
        .shown = {"lessons: from #"})
NLM_ROW(int, last_lesson, 2, 1000, NLM_OF_GAMES, "N", "objects of the last lesson", .instead = "objects",
        .shown = {"lessons: up to # objects"})
/* Half of the instances are each the deepest of this many, with the tallest towers; 0: none. */
NLM_ROW(int, deepest, 0, 1000, NLM_OF_GAMES, "N", "half of the instances are the deepest of N (0: none)",
        .shown = {"lessons: half of the instances the deepest of #"}, .unshown = "0")

/* ---- batches ---- */

/* Worlds of a step, or episodes of an update, at most NLM_MAX_EPISODES of these. */
NLM_ROW(int, batch, 1, NLM_MAX_BATCH, NLM_OF_ALL, "N", "worlds per step (4), or episodes per update",
        .shown = {"worlds: batches of # worlds", NULL, "batches: of # episodes"})
/* Worlds of a batch that are drawn until they have a true tuple. */
NLM_ROW(int, positives, 0, NLM_MAX_BATCH, NLM_OF_EXAMPLES, "N",
        "worlds of a batch that must have a true tuple (best: 3; 0: none)",
        .shown = {"chosen: # of a batch with a true tuple"}, .unshown = "0")
/* Worlds that are each the deepest of 16: with the most generations, the longest paths. */
NLM_ROW(int, deep, 0, NLM_MAX_BATCH, NLM_OF_EXAMPLES, "N",
        "worlds of a batch that are the deepest of 16 (best: 2; 0: none)", .fixed = NLM_OF_FACTS,
        .shown = {"chosen: # the deepest of 16"}, .unshown = "0")
/* Worlds of a batch that had errors before. */
NLM_ROW(int, replay, 0, NLM_MAX_BATCH, NLM_OF_EXAMPLES, "N",
        "worlds of a batch that had errors before (best: 1; 0: none)",
        .shown = {"chosen: # that had errors before"}, .unshown = "0")
/* Pictures to learn from are moved by up to this many pixels each way. */
NLM_ROW(int, shift, 0, NLM_IMAGE_SIDE / 2, NLM_OF_EXAMPLES, "N",
        "training images are shifted by up to N pixels each way (best: 1)", .fixed = NLM_OF_FACTS,
        .shown = {"chosen: pictures moved by up to # pixels"}, .unshown = "0", .absent = "0")
/* Episodes of a batch that share an instance; the mean of their returns is the baseline; 0: there is none. */
NLM_ROW(int, rollouts, 0, NLM_MAX_EPISODES, NLM_OF_GAMES, "N",
        "episodes of a batch with the same instance, and a baseline (0: none)",
        .shown = {"batches: # of each instance"}, .unshown = "0")
/* Rollouts that make their most probable moves, as in tests. */
NLM_ROW(int, greedy_rollouts, 0, NLM_MAX_EPISODES, NLM_OF_GAMES, "N",
        "rollouts that make the most probable moves", .shown = {"batches: # of them greedy"}, .unshown = "0")
/* Updates from each batch, the later ones weighted by how probable the moves still are. */
NLM_ROW(int, passes, 1, 1000, NLM_OF_GAMES, "N", "updates from each batch",
        .shown = {"batches: updates from each: #"})

/* ---- pools of instances ---- */

NLM_ROW(int, pool, 1, NLM_MAX_POOL, NLM_OF_GAMES, "N", "instances kept of an exam, solved and failed each",
        .shown = {"pools: of # instances"})
/* Fraction of episodes with instances from the pool of solved ones. */
NLM_ROW(double, solved_share, 0, 1, NLM_OF_GAMES, "SHARE",
        "of episodes with instances that the last exam saw solved",
        .shown = {"pools: % of episodes from the solved ones"}, .unshown = "0")
/* 1: failures of earlier exams stay in the pool while there is room, not only those that still fail; a final
 * exam then ends with its first failure, once the pool of solved instances is full. */
NLM_ROW(int, keep_failures, 0, 1, NLM_OF_GAMES, "0|1",
        "keep failures that are solved later (best: 1 for path, blocks)",
        .shown = {"pools: failures kept: ?"})

/* ---- steps ---- */

NLM_ROW(int, batches, 1, 1000000, NLM_OF_EXAMPLES, "N", "steps per epoch (250)", .instead = "interval",
        .shown = {"steps: # per epoch"})
/* Factor of the initial weights, relative to nlm_machine_initialise. */
NLM_ROW(double, gain, 0, 1000, NLM_OF_ALL, "G",
        "scale of initial weights (best: families, facts 10, graphs 3, path 5)", .models = "nlm memnn",
        .shown = {"steps: initial weights times #"})
/* Fraction of the labels, drawn at random, used in a step; 0: all. */
NLM_ROW(double, labels, 0, 1, NLM_OF_EXAMPLES, "SHARE",
        "fraction of the labels used in a step (0: all; dilp: 0.5)", .shown = {"steps: on % of the labels"},
        .unshown = "0", .absent = "0")
NLM_ROW(double, lr, 0, 1000, NLM_OF_ALL, "RATE",
        "learning rate of Adam (0.005; best: facts 0.001, sort 0.01)", .shown = {"steps: learning rate #"})
NLM_ROW(double, lr_decay, 0, 1, NLM_OF_ALL, "D",
        "factor of it after each epoch (1; of pictures 0.97) or lesson (0.9)",
        .shown = {"steps: times # after each epoch", NULL, "steps: times # per lesson"}, .unshown = "1",
        .absent = "1")
/* Of Adam, whose beta1 is 0.9. */
NLM_ROW(double, beta2, 0, 0.9999999, NLM_OF_ALL, "B",
        "memory of Adam for gradients (best: 0.99, paper: 0.999)", .models = "nlm memnn",
        .shown = {"steps: beta2 #"})
/* Exams see a running average of the weights, whose memory this is; 0: the weights. */
NLM_ROW(double, average, 0, 0.999999, NLM_OF_GAMES, "A",
        "memory of the averaged weights that exams see (0: none)",
        .shown = {"weights: averaged for exams with memory #"}, .unshown = "0")
/* Of the rate, after each final exam that was not passed; 1: none. */
NLM_ROW(double, final_decay, 0, 1, NLM_OF_GAMES, "D", "factor of the rate after each final exam not passed",
        .shown = {"weights: rate times # per final exam failed"}, .unshown = "1")

/* ---- the objective of games ---- */

NLM_ROW(double, discount, 0, 1, NLM_OF_GAMES, "D", "of rewards, for each move (0.99)",
        .shown = {"objective: discount #"})
NLM_ROW(double, entropy, 0, 1000, NLM_OF_GAMES, "WEIGHT", "of the entropy of moves, at the beginning",
        .shown = {"objective: entropy #"})
NLM_ROW(double, entropy_decay, 0, 1, NLM_OF_GAMES, "D", "factor of that weight after each lesson (0.8)",
        .shown = {"objective: times # per lesson"})
/* Weight of the cross-entropy of predicting which moves are legal, by a head of its own. */
NLM_ROW(double, validity, 0, 1000, NLM_OF_GAMES, "WEIGHT",
        "of predicting which moves are legal (blocks only)", .shown = {"objective: legal moves #"},
        .unshown = "0")

/* After graduation: the advantage of an episode is then how many moves fewer it took than the others of its
 * instance, and the agent is replaced only by one that passes the final exam in fewer moves; 0: none of this.
 * A run that an older version began goes on to do so. */
NLM_ROW(int, polish, 0, 1000000000, NLM_OF_GAMES, "N",
        "episodes after graduation for fewer moves (blocks: 25600; 0: none)",
        .shown = {"polish: # episodes for fewer moves"}, .unshown = "0", .absent = "0")
NLM_ROW(int, polish_objects, 0, 1000, NLM_OF_GAMES, "N", "objects of their largest instances (blocks: 20)",
        .shown = {"polish: up to # objects"}, .unshown = "0", .absent = "0")
NLM_ROW(double, polish_lr, 0, 1000, NLM_OF_GAMES, "RATE", "learning rate of these episodes (0.003)",
        .shown = {"polish: learning rate #"}, .unshown = "0.003", .absent = "0.003")

/* ---- exams and graduation ---- */

/* Graduation needs an epoch's mean loss below this; 0: the budget is always used. */
NLM_ROW(double, threshold, 0, 1000, NLM_OF_EXAMPLES, "LOSS", "graduate below this mean loss of an epoch",
        .shown = {"graduation: at a loss below #"}, .unshown = "0")
NLM_ROW(int, interval, 1, 1000000000, NLM_OF_GAMES, "N", "episodes between exams", .instead = "batches",
        .shown = {"exams: every # episodes"})
/* A task: graduation needs no error on this many fresh worlds; 0: no exam.  A game: instances of each exam.
 */
NLM_ROW(int, exam, 0, 100000000, NLM_OF_ALL, "N",
        "worlds of the exam (best: 10000; 0: no exam), or episodes of each exam",
        .shown = {"graduation: no error in an exam of # worlds", NULL, "exams: of # instances"},
        .unshown = "0")
/* An exam may fail this fraction of its instances for each lesson before the last. */
NLM_ROW(double, slack, 0, 1, NLM_OF_GAMES, "SHARE",
        "tolerated failure rate for each remaining lesson (0.005)",
        .shown = {"exams: % may fail per lesson to come"}, .unshown = "0")
/* 1: all exams make the most probable moves, as tests do; 0: only the final one. */
NLM_ROW(int, greedy_exams, 0, 1, NLM_OF_GAMES, "0|1",
        "exams make the most probable moves, as tests do (best: 1)", .shown = {"moves: greedy in exams: ?"})
/* 1: an instance counts as solved in the least number of moves only, where that is known. */
NLM_ROW(int, optimal_exams, 0, 1, NLM_OF_GAMES, "0|1",
        "solved only if in the least number of moves (best: 1 for sort)",
        .shown = {"moves: least number needed: ?"})
/* 1: an agent at work, and in our protocol in the final exam, makes no move twice in the same position. */
NLM_ROW(int, no_repeat, 0, 1, NLM_OF_GAMES, "0|1", "at work no move is made twice in a position (1)",
        .at_work = true, .shown = {"at work: no move twice in a position: ?"}, .absent = "1")
/* Factor of a move's probability for each time that an agent at work has made it before in the episode; 1:
 * none.  Few plans need the same move again, but memory networks sort in many small steps, and do. */
NLM_ROW(double, repeat_penalty, 0, 1, NLM_OF_GAMES, "P",
        "at work, factor of a probability for each time a move was made (0.25)", .at_work = true,
        .shown = {"at work: # as probable each time it was made"}, .unshown = "1", .absent = "0.25")
/* Fraction of a problem that is held out. */
NLM_ROW(double, held_out, 0, 0.999999, NLM_OF_FACTS, "SHARE",
        "share of worlds, or of one world's labels, held out (0.1; 0: none)",
        .shown = {NULL, "graduation: no error on the % held out"}, .unshown = "0")
NLM_ROW(int, final_exam, 1, 100000000, NLM_OF_GAMES, "N", "episodes of the final exam",
        .shown = {"graduation: no failure in an exam of # instances"})
/* Objects in one of every eight instances of a final exam, which are not learned from; 0: all are as in other
 * exams. */
NLM_ROW(int, final_objects, 0, 1000, NLM_OF_GAMES, "N",
        "objects in one of every eight of its instances (0: as others)",
        .shown = {"graduation: one of eight with # objects"}, .unshown = "0")

/* ---- the budget ---- */

NLM_ROW(int, epochs, 1, 1000000, NLM_OF_EXAMPLES, "N", "budget", .may_change = true, .instead = "episodes",
        .shown = {"budget: # epochs"})
NLM_ROW(int, episodes, 1, 1000000000, NLM_OF_GAMES, "N", "budget", .may_change = true, .instead = "epochs",
        .shown = {"budget: # episodes"})
/* Examples: after this many epochs in a row with errors (of pictures, and with a threshold of 0: near
 * chance), begin again with new weights.  A game: the run is dropped when it has used more than this many
 * episodes per lesson passed plus one.  0: never. */
NLM_ROW(int, patience, 0, 1000000000, NLM_OF_ALL, "N",
        "epochs with errors, or episodes a lesson, before a restart",
        .shown = {"budget: new weights when stuck for # epochs",
                  "budget: new weights when errors last # epochs",
                  "budget: dropped when lessons take more than # each"},
        .unshown = "0")
/* Begin again with new weights after this many episodes; 0: never. */
NLM_ROW(int, restart, 0, 1000000000, NLM_OF_GAMES, "N",
        "new weights after this many episodes without success (0: never)",
        .shown = {"budget: new weights after #"}, .unshown = "0")

#else
#include "nlm/settings.h" /* who needs the rows: nlm_setting_at */
#endif
