# Bash completion for nlm.
#
# Nothing about the command is written down here: commands, options and what they take come from its own help,
# tasks from 'nlm tasks'.  Each is asked for once per shell.

declare -gA _nlm_answers

# _nlm_ask PROGRAM ARGUMENT...: leave what it prints in _nlm_answer.
_nlm_ask() {
    if [[ -z ${_nlm_answers["$*"]-} ]]; then
        _nlm_answers["$*"]=$("$@" 2>/dev/null </dev/null)
    fi
    _nlm_answer=${_nlm_answers["$*"]-}
}

# The words among those of a list that begin like the word being typed.
_nlm_reply() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

# What may stand where the help says TASK, MODEL, FILE, PATH, FOLDER, DIR, COMMAND or red|green, else nothing.
_nlm_reply_for() {
    case $1 in
    TASK)
        _nlm_ask "$program" tasks --json
        _nlm_reply "$(sed -n 's/^{"name": "\([^"]*\)".*/\1/p' <<<"$_nlm_answer")"
        ;;
    TASKS) # with commas between them
        local last=${word##*,}
        local before=${word%"$last"}
        word=$last _nlm_reply_for TASK
        COMPREPLY=("${COMPREPLY[@]/#/$before}")
        ;;
    COMMAND)
        _nlm_ask "$program" --help
        _nlm_reply "$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$_nlm_answer")"
        ;;
    MODEL)
        compopt -o filenames 2>/dev/null || :
        mapfile -t COMPREPLY < <(
            compgen -f -X '!*.nlm' -- "$word"
            compgen -d -- "$word"
        )
        ;;
    TASK\|PATH)
        _nlm_reply_for TASK
        local tasks=("${COMPREPLY[@]}")
        _nlm_reply_for PATH
        COMPREPLY=("${tasks[@]}" "${COMPREPLY[@]}")
        ;;
    FOLDER | DIR)
        compopt -o filenames 2>/dev/null || :
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        ;;
    FILE | PATH | RULES)
        compopt -o filenames 2>/dev/null || :
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        ;;
    *\|*) _nlm_reply "${1//|/ }" ;;
    esac
}

# What the help of the command says after an option ("FILE" after --output or -o); nothing for a flag.
_nlm_argument_of() {
    case $1 in
    *[!a-z0-9-]*) ;;
    --task) echo TASK ;;
    --tasks) echo TASKS ;;
    --*) sed -nE "s/^ +(-[a-z], )?$1 ([^ ]+)  .*/\2/p" <<<"$_nlm_answer" ;;
    -?) sed -nE "s/^ +$1, --[a-z0-9-]+ ([^ ]+)  .*/\1/p" <<<"$_nlm_answer" ;;
    esac
}

# Complete an operand: `given` of them, and options, stand between the command and the word.
_nlm_operand() {
    local given=0 i operands
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        =) i=$((i + 1)) ;;
        -*) [[ ${COMP_WORDS[i + 1]} == = || -z $(_nlm_argument_of "${COMP_WORDS[i]}") ]] || i=$((i + 1)) ;;
        *) given=$((given + 1)) ;;
        esac
    done
    read -ra operands < <(sed -n '1s/.*\[options\]//p' <<<"$_nlm_answer" | tr -d '[]')
    # "PATH..." may be given again and again.
    if ((given >= ${#operands[@]})) && [[ ${operands[*]} == *... ]]; then given=$((${#operands[@]} - 1)); fi
    local operand=${operands[given]-}
    _nlm_reply_for "${operand%...}"
}

_nlm() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        if [[ $word == -* ]]; then _nlm_reply '--help --version'; else _nlm_reply_for COMMAND; fi
        return
    fi
    if [[ $command == help ]]; then
        ((COMP_CWORD > 2)) || _nlm_reply_for COMMAND
        return
    fi
    _nlm_ask "$program" "$command" --help

    # "--option=word" arrives as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local argument
    argument=$(_nlm_argument_of "$before")
    if [[ -n $argument ]]; then
        _nlm_reply_for "$argument"
    elif [[ $word == -* ]]; then
        _nlm_reply "$(sed -nE 's/^ +(-[a-z], )?(--[a-z0-9-]+).*/\2/p' <<<"$_nlm_answer")"
    else
        _nlm_operand
    fi
}

complete -F _nlm nlm
