#!/usr/bin/env bash
# All C in the tree is laid out as .clang-format says.  `format.sh --fix` lays it out.  Run in the root of the sources.
set -eu
if ! command -v clang-format >/dev/null; then
    echo "clang-format is missing: layout not checked"
    exit 77
fi
mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then
    mode=(-i)
fi
find bench cli examples include report src tests tools -name '*.[ch]' -print0 | xargs -0 clang-format "${mode[@]}"
