% Another family, to apply what was learned to.
father(dirk, liz).
father(dirk, matt).
father(dirk, hope).
father(ulrich, oliver).
father(ulrich, sam).
father(ulrich, molly).
father(cliff, fiona).
father(sam, ann).
father(sam, aaron).
father(sam, victor).
father(oliver, queenie).
father(oliver, polly).
father(matt, ursula).
father(matt, tina).
father(matt, faye).
father(pete, daisy).
father(pete, caleb).
father(pete, olive).
father(caleb, isaac).
father(caleb, jenny).
father(aaron, elisa).
father(aaron, chloe).
father(victor, nick).
father(glen, ralph).
father(jim, bob).

mother(dawn, liz).
mother(dawn, matt).
mother(dawn, hope).
mother(kim, oliver).
mother(kim, sam).
mother(kim, molly).
mother(enid, fiona).
mother(hope, ann).
mother(hope, aaron).
mother(hope, victor).
mother(fiona, queenie).
mother(fiona, polly).
mother(molly, ursula).
mother(molly, tina).
mother(molly, faye).
mother(liz, daisy).
mother(liz, caleb).
mother(liz, olive).
mother(faye, isaac).
mother(faye, jenny).
mother(tina, elisa).
mother(tina, chloe).
mother(olive, nick).
mother(ann, ralph).
mother(ursula, bob).

female(dawn).
female(kim).
female(enid).
female(liz).
female(hope).
female(molly).
female(fiona).
female(ann).
female(queenie).
female(polly).
female(ursula).
female(tina).
female(faye).
female(daisy).
female(olive).
female(jenny).
female(elisa).
female(chloe).
female(ruby).
