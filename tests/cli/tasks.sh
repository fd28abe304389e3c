# nlm tasks: the registry, for people and as JSON.
show nlm tasks
show nlm tasks --json
show nlm tasks grandparent
show nlm tasks --jsno

# No line is wider than 100 columns.
if nlm tasks | grep -E '.{101}'; then exit 1; fi
