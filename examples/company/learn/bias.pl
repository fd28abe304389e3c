% Who may sign for a project?  One rule book for all branches of the company.
head_pred(signs, 2).
body_pred(manages, 2).
body_pred(works, 3).
body_pred(budget, 1).
body_pred(senior, 1).
type(signs, (person, project)).
type(manages, (person, person)).
type(works, (person, project, role)).
type(budget, (project,)).
type(senior, (role,)).
