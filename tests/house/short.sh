#!/usr/bin/env bash
# The short way stays short: examples/learn.c has at most 30 lines, and the four examples of it call at most 25 public functions.
set -eu
examples=(examples/learn.c examples/own_task.c examples/own_game.c examples/uncle.cc)
lines=$(wc -l <examples/learn.c)
called=$(grep -ohE '\bnlm_[a-z_]+\(' "${examples[@]}" | sort -u)
count=$(wc -l <<<"$called")
echo "examples/learn.c has $lines lines; the examples call $count functions"
[ "$lines" -le 30 ] && [ "$count" -le 25 ] || {
    echo "$called"
    exit 1
}
