# nlm show: machines of several forms, how they were trained, and files that are anything but a model.
corpus=$SOURCES/tests/fuzz/corpus/model
for name in valid_bare_head valid_hidden valid_own_widths valid_residual_true; do
    cp "$corpus/$name" .
    show nlm show $name
done
cp "$SOURCES/tests/golden/family.safetensors" .
show nlm show family.safetensors

# A model file of one unit with these pairs of metadata: model FILE '"key":"text",...'
model() {
    local header length
    header='{"__metadata__":{"depth":"1","breadth":"1","inputs":"[0,1]","width":"1","hidden":"[]","residual":"0","outputs":"[1]"'
    header+=",$2},"
    header+='"layer.0.arity.1.mlp.0.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},'
    header+='"layer.0.arity.1.mlp.0.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}'
    length=${#header}
    {
        printf '%b' "$(printf '\\x%02x\\x%02x' $((length % 256)) $((length / 256)))"
        head -c 6 /dev/zero
        printf '%s' "$header"
        head -c 8 /dev/zero
    } >"$1"
}
trained='"task":"uncle","protocol":"best","seed":"18446744073709551615","objects":"20","batch":"4","batches":"250"'
trained+=',"epochs":"100","lr":"0.0050000000000000001","threshold":"1e-08","exam":"10000","positives":"3"'
trained+=',"deep":"2","replay":"1","gain":"10","beta2":"0.99","patience":"25","examples":"37000","version":"0.1.0","kernel":"avx2"'
model graduated.nlm "$trained,"'"epoch":"37","restarts":"1","loss":"9.8765432109876543e-09","graduated":"yes"'
show nlm show graduated.nlm
model failed.nlm "$trained,"'"epoch":"100","restarts":"3","loss":"0.25","graduated":"no"'
nlm show failed.nlm | tail -n 3
model stopped.nlm "$trained,"'"epoch":"1","restarts":"0","loss":"0.25","graduated":"no","state":"checkpoint 1"'
nlm show stopped.nlm | grep -E 'checkpoint  |result'
model paper.nlm '"task":"uncle","exam":"0","positives":"0","deep":"0","replay":"0","gain":"1","beta2":"0.999","patience":"0","threshold":"1e-8"'
nlm show paper.nlm | sed -n '/^training/,$p'

# Games: a head on pairs of twins, and how they were trained.
source "$SOURCES/tests/cli/games.bash"
show nlm show blocks.nlm
course='"task":"blocks","protocol":"paper","seed":"1","first_lesson":"2","last_lesson":"12","episodes":"50000"'
course+=',"interval":"1000","exam":"3000","final_exam":"6000","pool":"300","batch":"1","rollouts":"0","patience":"0"'
course+=',"gain":"1","lr":"0.0050000000000000001","lr_decay":"0.90000000000000002","beta2":"0.999","entropy":"0.2"'
course+=',"entropy_decay":"0.80000000000000004","discount":"0.98999999999999999","solved_share":"0.59999999999999998"'
course+=',"slack":"0.0050000000000000001","validity":"0.10000000000000001","exams":"41","lesson":"12","success":"1"'
course+=',"learned_episodes":"34000","drawn":"160000","restarts":"1","moves":"14.5","version":"0.1.0","kernel":"avx2"'
model course.nlm "$course,"'"graduated":"yes","nobody_knows":"this"'
nlm show course.nlm | sed -n '1,2p; /^training/,$p'
model begun.nlm "$course,"'"graduated":"no","state":"course 1","stage":"learning"'
nlm show begun.nlm | grep -E 'checkpoint  |result'
model odd.nlm '"task":"path","success":"1.5","slack":"much","solved_share":"0","batch":"4","rollouts":"2","patience":"1000"'
nlm show odd.nlm | sed -n '/^training/,$p'
exams='"task":"path","first_lesson":"3","last_lesson":"10","deepest":"16","pool":"50","keep_failures":"1","average":"0.998"'
exams+=',"final_decay":"0.97","greedy_exams":"1","optimal_exams":"0","final_exam":"20000","final_objects":"24"'
model exams.nlm "$exams"
nlm show exams.nlm | sed -n '/^training/,$p'

# Facts: what is read and concluded, with types and repeats; a run that has ended, and one that has not.
cat >company.pl <<'END'
works(ann, atlas, lead).  works(bob, atlas, writer).  works(cid, comet, lead).  works(dan, comet, writer).
likes(ann, bob).  likes(ann, ann).  senior(lead).  'due soon'.
signs(ann, atlas).  signs(cid, comet).
END
mkdir company
cp company.pl company/bk.pl
cat >company/bias.pl <<'END'
head_pred(signs, 2).  body_pred(works, 3).  body_pred(likes, 2).  body_pred(senior, 1).  body_pred('due soon', 0).
type(signs, (person, project)).  type(works, (person, project, role)).  type(likes, (person, person)).
type(senior, (role,)).
END
learn company.pl --target signs --quiet --epochs 1 --depth 1 -o plain.nlm
nlm show plain.nlm | sed '/^  result/s/loss [^,]*/loss X/; s/kernel .*/kernel X/'
learn company --quiet --epochs 2 --batches 1 --depth 1 --held-out 0 -o typed.nlm
nlm show typed.nlm | sed -n '1,/inputs/p; /^  graduation/p'
model checkpoint.nlm '"signature":"?","state":"checkpoint 1","stage":"learning","epoch":"3","best_epoch":"2","graduated":"no"'
nlm show checkpoint.nlm | sed -n '1,/inputs/p; /^training/,$p'
model other.nlm '"signature":"{\"inputs\": [{\"name\": \"far\u001b[31m\", \"arity\": 1}], \"targets\": []}"'
nlm show other.nlm | head -n 4
model unlike.nlm '"signature":"{\"inputs\": [{\"name\": \"far\", \"arity\": 2}], \"targets\": []}"'
nlm show unlike.nlm | head -n 4

# A sense.
nlm train adjacent-to-zero --images drawn --objects 5 --batches 2 --epochs 1 --threads 1 --quiet -o digits.nlm >/dev/null 2>&1
nlm show digits.nlm | sed '/^training/,$d'
if nlm show digits.nlm | grep -E '.{101}'; then exit 1; fi

# Texts of strangers do not reach the terminal as they are, and do not break the lines.
long=$(printf '%01000d' 7)
model hostile.nlm '"task":"\u001b[31m\n\u0007\u009b\u202e","loss":"\u001b]0;x\u0007","epochs":"-1","lr":"'$long'",
"seed":"'$long'","protocol":"'$long'","epoch":"'$long'","kernel":"\u007f","state":"\r","restarts":"","batch":"1e9"'
show nlm show hostile.nlm
if nlm show hostile.nlm | grep -E '.{101}'; then exit 1; fi
if nlm show hostile.nlm | tr -d '\n' | LC_ALL=C grep '[^ -~]'; then exit 1; fi

# No model.
show nlm show missing.nlm
show nlm show .
echo hello >text.nlm
show nlm show text.nlm
cp "$corpus/bad_nan" .
show nlm show bad_nan
show nlm show one.nlm two.nlm

# A model of our own can be verified; a flipped bit is noticed.
nlm train has-father --epochs 1 --batches 2 --exam 0 --quiet -o own.nlm
nlm show --verify own.nlm | sed 's/crc32c:[0-9a-f]\{8\}$/CHECKSUM/'
show nlm show --verify family.safetensors
printf '\x01' | dd of=own.nlm bs=1 seek=$(($(stat -c %s own.nlm) - 2)) conv=notrunc status=none
show nlm show --verify own.nlm 2>&1 | sed 's/crc32c:[0-9a-f]\{8\}/CHECKSUM/'
