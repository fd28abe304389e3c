# Options called wrongly: one line that says what to do.
show nlm bench --secnods 2
show nlm bench --xylophone
show nlm bench --xylophone=2
show nlm bench --s 2
show nlm bench --json=yes
show nlm bench --help=yes
show nlm bench --seconds
show nlm bench -x
show nlm bench --seconds two
show nlm bench --threads 1.5
show nlm bench something
show nlm show
show nlm train grandparent --protocol fast
show nlm train grandparent --seed -1
show nlm train grandparent --seed 18446744073709551616
show nlm train grandparent --hidden 8,,8
show nlm train grandparent --hidden 8,x
show nlm train grandparent --hidden 1,2,3,4,5,6,7,8,9
show nlm train grandparent -o
show nlm train uncel
show nlm train outdegree
show nlm train x

# The help of every command: no line wider than 100 columns, and texts of options in one column.
for command in tasks generate convert compile check train test infer play show report reproduce bench; do
    nlm "$command" --help >help
    if grep -E '.{101}' help; then exit 1; fi
    sed -n '/^options:/,$p' help | grep -E '^ +(-|--)' >rows
    columns=$(sed -E 's/^(  (-., |    )--[a-z0-9-]+( [^ ]+)? +).*/\1/' rows | awk '{ print length }' | sort -u | wc -l)
    test "$columns" = 1
    test "$(nlm "$command" -h)" = "$(cat help)"
done
