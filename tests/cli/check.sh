# nlm check: what is in facts, what looks wrong, and what a machine needs.
show nlm check
show nlm check missing
show nlm check missing --target a,,b
echo 'father(a' >broken.pl
show nlm check broken.pl

# All is well: grandparent from parent, in a family of one line.
cat >fine.pl <<'END'
parent(ann, bob). parent(bob, cid). parent(cid, dan). parent(bob, eve).
grandparent(ann, cid). grandparent(ann, eve). grandparent(bob, dan).
END
show nlm check fine.pl --target grandparent
show nlm check fine.pl --target grandparent --json
check_input() { nlm check - --target grandparent <fine.pl; }
show check_input
show nlm check fine.pl
show nlm check fine.pl --target grandfather
show nlm check fine.pl --target parent --closed-world
show nlm check fine.pl --target parent,grandparent

# Several worlds, generated.
nlm generate has-father --objects 5 --worlds 12 -o worlds >/dev/null
show nlm check worlds

# Templates beside them.
echo 'template(has_father, 1, 1, given).' >worlds/templates.pl
nlm check worlds | tail -n 1
nlm check worlds --json | grep -o '"templates": .*'
echo 'template(has_father, 1, 1, defined).' >worlds/templates.pl
nlm check worlds | tail -n 1
nlm check worlds --json | grep -o '"templates": .*'
echo 'template(has_father' >worlds/templates.pl
nlm check worlds | tail -n 1
cp worlds/templates.pl . # of a single file, in its folder
nlm check fine.pl --target grandparent | tail -n 1
rm templates.pl

# Everything that looks wrong.
mkdir bad
cat >bad/bias.pl <<'END'
head_pred(friend, 2). head_pred(foe, 2).
body_pred(likes, 2). body_pred(like_s, 2). body_pred(knows, 2). body_pred(tall, 1). body_pred(tall, 2).
END
cat >bad/bk.pl <<'END'
likes(maria, john). likes(marie, john). like_s(john, 'John'). likes(block_a, block_b). likes(n1, n2).
tall(maria). tall(john, maria).
object(nobody). object(block1). object(block2).
sees(maria, john).
END
echo 'pos(friend(maria, john)). neg(friend(maria, john)). pos(friend(marie, john)). pos(friend(john, maria)).' >bad/exs.pl
show nlm check bad
show nlm check bad --json
show nlm check bad --target sees
show nlm check bad --target knows

# Labels that nothing tells apart: a and b are alike, and in a circle only the breadth tells.
cat >alike.pl <<'END'
parent(a, x). parent(b, x). male(a). male(b). parent(x, y).
chosen(a).
END
show nlm check alike.pl --target chosen
show nlm check alike.pl --target chosen --json

# Names that need quotes: in Prolog, in JSON, on a terminal.
mkdir quotes quotes/two $'quotes/on\te'
cat >quotes/bias.pl <<'END'
head_pred('he"llo', 1). body_pred('sa\\ys "so"', 1). body_pred('it''s', 1). body_pred(big, 1).
type('he"llo', (person,)). type('sa\\ys "so"', (person,)). type('it''s', (person,)). type(big, (thing,)).
END
cat >quotes/two/bk.pl <<'END'
'sa\\ys "so"'('a\n"b\\'). 'it''s'('a\n"b\\'). 'sa\\ys "so"'('B\tc'). 'it''s'('B\tc').
big(x). object('no\none', person).
END
cat >quotes/two/exs.pl <<'END'
pos('he"llo'('a\n"b\\')). neg('he"llo'('a\n"b\\')).
END
cp quotes/two/*.pl $'quotes/on\te'
echo "neg('he\"llo'('B\\tc'))." >>quotes/two/exs.pl
show nlm check quotes
show nlm check quotes --json

# Nothing is said twice, and no line is wider than it needs to be.
if nlm check bad | grep -E ' $'; then exit 1; fi

# The log of a run beside the facts is no facts; JSON Lines are.
mkdir logged
echo 'p(a, b). p(b, c).' >logged/bk.pl
echo 'pos(q(a)). neg(q(b)).' >logged/exs.pl
echo '{"epoch": 1, "loss": 0.5}' >logged/run.jsonl
echo '{"predicate": "p", "arguments": ["c", "d"]}' >logged/more.jsonl
show nlm check logged
