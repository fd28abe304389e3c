/* Memory network (Sukhbaatar et al. 2015, as the Neural Logic Machines' paper compares with it, appendix B).
 *
 * Objects have names, random bits that are drawn anew each time a world is presented.  The memory has a slot
 * for each ordered pair of different objects, and one for each object where there are unary predicates:
 *
 *     (name of x, name of y, 0, relations of x and y)      (name of x, 0, properties of x, 0)
 *
 * MLPs make a key and a value of each.  A question is (name of x, 0) or (name of x, name of y); an MLP makes
 * the first query of it.  In every round a query reads the memory, an LSTM takes what was read, and a linear
 * layer of its state is the next query.  Heads are linear layers of the last state.
 *
 * The objects of worlds with twins (nlm_head_spec) come in two halves: twins share their name, and one more
 * bit says which half an object is of.  Twin heads ask about pairs of the first half.
 *
 *     memnn.c           shape, tensors, the table of functions that machines use
 *     memnn_world.c     names, slots, questions of a world
 *     memnn_layers.c    MLPs, LSTM cell, attention
 *     memnn_pass.c      forward;   memnn_back.c   backward
 *     smooth.c          the inner loops, once for each instruction set
 *
 *     memnn.key.L.weight, .bias        layers L = 0.. of the MLPs: hidden layers and the last
 *     memnn.value.L...., memnn.question.L....
 *     memnn.lstm.weight_input [4 width, 32]    weight_hidden [4 width, width]    bias [4 width]
 *     memnn.query.weight [16, width], .bias    if there is more than one round
 *     HEAD.weight [outputs, width], .bias */
#ifndef BASELINE_MEMNN_H
#define BASELINE_MEMNN_H

#include "baseline/baseline.h"
#include "baseline/memnn_layers.h"

/* Names of 8 bits without 0; things are objects, or pairs of twins, which share a name. */
enum { MEMNN_BITS = 8, MEMNN_MOST_THINGS = (1 << MEMNN_BITS) - 1, MEMNN_MOST_BITS = MEMNN_BITS + 1 };

/* Kinds of questions: about each object, each pair, each pair of the first half. */
enum memnn_kind { MEMNN_UNARY, MEMNN_BINARY, MEMNN_TWINS, MEMNN_KINDS };

/* A head: the kind of its questions, and the places of its tensors among the parameters. */
struct memnn_head {
    char *name;
    enum memnn_kind kind;
    int outputs;
    size_t weight, bias;
};

/* Weight and bias of each layer of three MLPs, of the LSTM (three), of the query and of all heads. */
enum {
    MEMNN_MLPS = 3,
    MEMNN_MOST_TENSORS = 2 * MEMNN_MLPS * (NLM_MAX_HIDDEN + 1) + 3 + 2 + 2 * NLM_MAX_HEADS
};

/* The shape of a network.  `tensor` lists all tensors in the order of the parameters. */
struct memnn {
    int rounds, width;
    int bits; /* of a name */
    int properties, relations;
    bool twins;              /* objects come in two halves */
    bool asked[MEMNN_KINDS]; /* some head has questions of the kind */
    /* heads in the order of the machine */
    int heads;
    struct memnn_head head[NLM_MAX_HEADS];

    /* parts of the network, as places of tensors */
    struct mlp key, value, question;
    struct lstm lstm;
    size_t query_weight, query_bias; /* places of the layer that gives the next query */
    size_t parameters;
    int tensors;
    struct baseline_tensor tensor[MEMNN_MOST_TENSORS];
};

/* Whether there are names for all objects. */
nlm_status memnn_admit(const void *model, int objects, nlm_error *error);
int memnn_slots(const struct memnn *model, int objects);
int memnn_questions(const struct memnn *model, enum memnn_kind kind, int objects);

/* The objects of a question; y is -1 where there is only one. */
struct memnn_pair {
    int x, y;
};
struct memnn_pair memnn_question(enum memnn_kind kind, int objects, int number);

/* Names 1..MEMNN_MOST_THINGS in the order in which things get them: a function of the seed. */
void memnn_draw_names(uint64_t seed, int names[MEMNN_MOST_THINGS]);

/* Rows of slots, [count, key.size[0]], and of questions, [count, question.size[0]]. */
void memnn_put_slots(const struct memnn *model, const struct baseline_world *world, const int *names,
                     int first, int count, float *rows);
void memnn_put_questions(const struct memnn *model, const struct baseline_world *world, const int *names,
                         enum memnn_kind kind, int first, int count, float *rows);

/* Floats that one thread needs for a forward pass. */
size_t memnn_forward_scratch(const struct memnn *model);

nlm_status memnn_open(const void *model, void **work, nlm_error *error);
void memnn_close(void *work);
/* The names of the things of each world may be given; NULL: they are drawn. */
nlm_status memnn_forward(void *work, struct team *team, const float *values,
                         const struct baseline_world *worlds, int count, const int *const *names,
                         bool training, nlm_error *error);
nlm_status memnn_backward(void *work, struct team *team, const float *values,
                          const struct baseline_world *worlds, int count, float *gradients, nlm_error *error);

#endif
