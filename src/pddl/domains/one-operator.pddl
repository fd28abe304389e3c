; Blocks world with one operator and without a hand; the table is an object on which there is always room.
(define (domain blocks)
  (:requirements :strips :equality :conditional-effects)
  (:constants table)
  (:predicates (on ?x ?y) (clear ?x))
  (:action move
    :parameters (?b ?from ?to)
    :precondition (and (on ?b ?from) (clear ?b) (clear ?to)
                       (not (= ?b table)) (not (= ?b ?to)) (not (= ?from ?to)))
    :effect (and (on ?b ?to) (not (on ?b ?from)) (clear ?from)
                 (when (not (= ?to table)) (not (clear ?to))))))
