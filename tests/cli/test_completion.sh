#!/bin/sh
# `anax __complete`, which the completions of shells call: commands, options, settings and their values.
. "$ANAX_SOURCE/tests/support/script/command.sh"

offers() { # WORDS EXPECTED: WORDS are what stands behind anax; the last one is completed
    last="anax __complete $1" code=0
    # shellcheck disable=SC2086
    eval "\"$ANAX\" __complete $1" >out 2>err || code=$?
    expect_code 0
    for word in $2; do
        expect "the completions include $word" grep -qx -e "$word" out
    done
}
offers gen generate
offers "replay --machine kim-1" "kim-1k kim-1k-paper"
offers "replay --machine=kim-1" "--machine=kim-1k"
offers "traffic --lo" "--load --loads"
offers "traffic -" "--load --machine"
offers "compare x -r minimal,ug" "minimal,ugal-l minimal,ugal-g"
offers "compare x --machine=kim-72,kim-7" ""
expect_not_in out "kim-72,kim-72"
offers "replay x --set network.global.la" "network.global.latency="
offers "replay x --set network.routing=ug" "network.routing=ugal-l"
offers "replay x --set=trace.user_regions=" "--set=trace.user_regions=on --set=trace.user_regions=off"
offers "compare x --vary network.routing=minimal,pa" "network.routing=minimal,par"
offers "traffic --vary traffic.pattern=uniform,ad" "traffic.pattern=uniform,adv+N"
offers "compare x --emit s" "slurm"
offers "replay ''" "@files"
offers "replay x --config=a" "@files"
offers "topology kim-1k k" "kim-72"
offers "nosuch x" ""
expect "nothing for no command" empty out

# What the scripts for bash and fish, where they are, make of these words. zsh completes in a terminal only.
# shellcheck disable=SC2016
by_bash='. "$ANAX_SOURCE/cli/completion/anax.bash"
    COMP_LINE="anax $WORDS" COMP_POINT=$((${#WORDS} + 5))
    _anax
    printf "%s\n" "${COMPREPLY[@]}"'
# shellcheck disable=SC2016
by_fish='source "$ANAX_SOURCE/cli/completion/anax.fish"
    complete -C"anax $WORDS"'
completes() { # SHELL SCRIPT WORDS EXPECTED
    has_program "$1" || return 0
    last="$1: anax $3" code=0
    WORDS=$3 PATH="$(dirname "$ANAX"):$PATH" "$1" -c "$2" >out 2>err || code=$?
    cut -f1 out >words
    expect "the completions include $4" grep -qx -e "$4" words
}
for words in "gen generate" "replay --machine kim-1 kim-1k-paper" "traffic --lo --loads"; do
    completes bash "$by_bash" "${words% *}" "${words##* }"
    completes fish "$by_fish" "${words% *}" "${words##* }"
done
completes bash "$by_bash" "compare x --vary network.routing=minimal,pa" minimal,par
completes fish "$by_fish" "compare x --vary network.routing=minimal,pa" network.routing=minimal,par

finish
