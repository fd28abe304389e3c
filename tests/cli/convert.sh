# nlm convert: between the forms and back, and what cannot be carried over.

# Called wrongly.
show nlm convert
show nlm convert missing.pl
show nlm convert missing.pl -o out
show nlm convert missing.pl --form pdf -o out
show nlm convert missing.pl --target uncle, -o out
test ! -e out

# A file of facts whose targets are facts too; the order of the objects is that of the file.
cat >family.pl <<'END'
% a family
father(homer, bart). father(homer, lisa).
mother(marge, bart).
child('Bart S.', homer).
likes(lisa, lisa). likes(lisa, bart).
parent(homer, bart). parent(homer, lisa). parent(marge, bart).
END
show nlm convert family.pl --target parent -o folder
show cat folder/bias.pl folder/bk.pl folder/exs.pl
show nlm convert folder --form csv -o tables
show tail -n +1 tables/*
show nlm convert tables --form tsv -o tabs
show nlm convert tabs -o back
cmp folder/bk.pl back/bk.pl
cmp folder/exs.pl back/exs.pl
show nlm convert family.pl --target uncle -o no

# Standard input; what is there stays.
from_input() { nlm convert - "$@" <family.pl; }
show from_input --target parent/2 -o again
cmp folder/bk.pl again/bk.pl
show from_input --target parent/2 -o again
show from_input --target parent/2 -o again --force

# Labels that are false, contradictions, and objects that are in nothing.
cat >open.pl <<'END'
edge(a, b). edge(b, c).
object(d).
END
mkdir open
cp open.pl open/bk.pl
echo 'pos(near(a, b)). neg(near(a, c)). neg(near(a, b)).' >open/exs.pl
show nlm convert open -o open-folder
show nlm convert open --form csv -o open-tables
show tail -n +1 open-tables/*
show nlm convert open --closed-world --form csv -o closed-tables

# A target that nothing labels: tables leave it so; in a closed world exs.pl would be about it.
echo 'body_pred(edge, 2). body_pred(far, 2).' >open/bias.pl
show nlm convert open --target near,far -o far-open
echo 'pos(near(a, b)).' >open/exs.pl
show nlm convert open --target near,far --form csv -o far-tables
show nlm convert open --target near,far -o far-folder
cat far-folder/bias.pl
show nlm convert open --target near,far --closed-world -o far-closed

# Several worlds.
nlm generate uncle --worlds 3 --objects 6 -o worlds >/dev/null
show nlm convert worlds --form csv -o worlds-tables
nlm convert worlds-tables -o worlds-again >/dev/null
diff -r worlds worlds-again
