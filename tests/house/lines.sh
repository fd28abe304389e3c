#!/usr/bin/env bash
# The code stays small: lines of src, cli and report that are neither blank nor comment.  Run in the root of the sources.
set -eu

# 41,500 were enough before programs of logic; src/logic and what finds, proves and shows programs came on top, then real
# data: tables, numbers, constants, labels that are wrong, large worlds, plans; joins and databases, many machines, the short
# interface.
most=90000

# Lines of code in the files given.
code_lines() {
    cat "$@" | perl -0pe 's{/\*.*?\*/}{my $c = $&; $c =~ tr/\n//cd; $c}gse' | grep -cvE '^[[:space:]]*$'
}

# The count itself is checked.
sample=$(mktemp)
trap 'rm -f "$sample"' EXIT
printf '/* A comment\n * of two lines. */\n\nint a; /* one */\nint b;\n' >"$sample"
if [ "$(code_lines "$sample")" != 2 ]; then
    echo "this check is broken: it counts $(code_lines "$sample") lines of code in a sample of 2"
    exit 1
fi

lines=$(find src cli report -name '*.[ch]' -print0 | sort -z | xargs -0 cat | code_lines -)
if [ "$lines" -gt "$most" ]; then
    echo "src, cli and report have $lines lines of code; $most are allowed"
    exit 1
fi
echo "$lines lines of code, of at most $most"
