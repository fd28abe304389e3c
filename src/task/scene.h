/* Scenes, inside the library: what drawings of one episode remember. */
#ifndef TASK_SCENE_H
#define TASK_SCENE_H

#include "task/game.h"

struct nlm_scene {
    int objects;
    int count;  /* path: nodes walked; blocks: places of towers */
    int widest; /* blocks: places so far */
    int *notes; /* path: the nodes walked; blocks: the place of the tower on each block, or -1 */
    int *spare; /* three rows of objects + 1 numbers to work with */
};

/* Digits of a number that is not negative. */
int scene_digits(int number);

#endif
