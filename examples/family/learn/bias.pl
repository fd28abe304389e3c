% What is to be learned, and from what.
head_pred(niece, 2).
body_pred(father, 2).
body_pred(mother, 2).
body_pred(female, 1).
