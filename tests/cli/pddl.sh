# Blocks worlds in PDDL: nlm play writes plans, nlm test plays folders of problems, nlm check says how a problem is
# understood and checks plans; what is refused.  The agent is a small one that was hardly trained.
set -E
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR
cp "$SOURCES"/tests/golden/runs/{blocks,sort}.nlm .

mkdir problems
cat >problems/p1.pddl <<'END'
(define (problem three)
(:domain BLOCKS)
(:objects A B C)
(:INIT (HANDEMPTY) (ONTABLE A) (ON B A) (CLEAR B) (ONTABLE C) (CLEAR C))
(:goal (AND (ON A C)))
)
END
cat >problems/p2.pddl <<'END'
(define (problem two)
 (:domain blocks)
 (:objects a b)
 (:init (clear table) (on a table) (clear a) (on b table) (clear b))
 (:goal (on a b)))
END
cat >done.pddl <<'END'
(define (problem done) (:domain blocks) (:objects a b)
 (:init (ontable a) (on b a) (clear b) (handempty)) (:goal (on b a)))
END

# A problem, its plan, and the check of it.
show nlm check problems/p1.pddl
show nlm play blocks.nlm --pddl problems/p1.pddl --plan one.plan
show cat one.plan
show nlm check problems/p1.pddl --plan one.plan
sed 2d one.plan >short.plan
show nlm check problems/p1.pddl --plan short.plan
show nlm check problems/p2.pddl --plan one.plan
show nlm play blocks.nlm --pddl done.pddl --plan done.plan
show cat done.plan

# Nothing is overwritten unless that is wanted; nothing else is left behind.
cp one.plan kept.plan
show nlm play blocks.nlm --pddl problems/p1.pddl --plan one.plan
cmp one.plan kept.plan
nlm play blocks.nlm --pddl problems/p2.pddl --plan one.plan --force >log
show cat one.plan
show ls
show nlm play blocks.nlm --pddl problems/p1.pddl --plan problems/p1.pddl --force
show nlm play blocks.nlm --pddl problems/p1.pddl --plan problems --force
show nlm play blocks.nlm --pddl problems/p1.pddl --plan missing/one.plan
show nlm play blocks.nlm --pddl problems/p1.pddl --plan=

# Folders.
show nlm test blocks.nlm problems
show nlm test blocks.nlm problems/p2.pddl --json
show nlm test blocks.nlm problems --plan plans
show cat plans/p2.plan
show nlm test blocks.nlm problems --plan plans
nlm test blocks.nlm problems --plan plans --force >log
show nlm check problems/p1.pddl --plan plans/p1.plan

# A domain in a file, beside the problem or by its name.
cat >moves.pddl <<'END'
(define (domain moves) (:requirements :strips :equality :typing) (:types block)
(:predicates (on ?x ?y - block) (on-table ?x - block) (clear ?x - block))
(:action stack :parameters (?x ?y - block)
 :precondition (and (on-table ?x) (clear ?x) (clear ?y) (not (= ?x ?y)))
 :effect (and (on ?x ?y) (not (on-table ?x)) (not (clear ?y)))))
END
mkdir own
cp moves.pddl own/domain.pddl
cat >own/p1.pddl <<'END'
(define (problem one) (:domain moves) (:objects a b - block)
 (:init (on-table a) (on-table b) (clear a) (clear b)) (:goal (on b a)))
END
cp own/p1.pddl alone.pddl
show nlm check own/p1.pddl
show nlm test blocks.nlm own
show nlm check alone.pddl
show nlm check alone.pddl --domain moves.pddl
show nlm check alone.pddl --domain problems/p1.pddl

# What is refused.
sed 's/(AND (ON A C))/\n(forall (?x) (ONTABLE ?x))/' problems/p1.pddl >forall.pddl
sed 's/(HANDEMPTY)/(= (total-cost) 0)/' problems/p1.pddl >cost.pddl
sed 's/(ONTABLE A)/(HOLDING A)/' problems/p1.pddl >held.pddl
sed 's/(ON A C)/(ON A C) (ON B C)/' problems/p1.pddl >two.pddl
for problem in forall cost held two missing; do show nlm check $problem.pddl; done
show nlm test sort.nlm problems
mkdir empty
show nlm test blocks.nlm empty
show nlm test blocks.nlm missing
show nlm test blocks.nlm problems --objects 3
show nlm test blocks.nlm problems --show-errors
show nlm test blocks.nlm --plan plans
show nlm play blocks.nlm --plan one.plan
show nlm play blocks.nlm --pddl problems/p1.pddl --seed 3
show nlm play blocks.nlm --pddl problems/p1.pddl --instance x.json
show nlm play sort.nlm --pddl problems/p1.pddl
show nlm check . --plan one.plan
show nlm check problems/p1.pddl --json
