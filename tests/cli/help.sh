# Help, version, and commands called wrongly.
show nlm --help
show nlm --version
show nlm
show nlm bnech
show nlm xylophone
show nlm help bnech
show nlm --verbose

# The help of a command is the same by either way, and goes to standard output.
nlm help bench 2>error >one
nlm bench --help 2>>error >two
test ! -s error
cmp one two
head -n 1 one
test "$(nlm help)" = "$(nlm --help)"

# Mistakes go to standard error.
test -z "$(nlm 2>/dev/null || true)"
test -z "$(nlm bnech 2>/dev/null || true)"

# Output that cannot be written is a failure.
help_to_full_device() { nlm --help >/dev/full; }
show help_to_full_device
