#!/bin/sh
# The words of tests/support/script/command.sh fail where what they expect does not hold, and say what
# was expected, what was tested, and after which command.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# says EXIT TEXT: the script of the standard input ends with EXIT and prints TEXT.
says() {
    printf '. "$ANAX_SOURCE/tests/support/script/command.sh"\ncode=3 last="anax ways"\n' >"$work/script"
    printf '%s\n' 'printf "three ways\n" >out' 'printf "{\n  \"time_ps\":7,\n  \"name\":\"a b\"\n}\n" >json' ': >err' >>"$work/script"
    cat >>"$work/script"
    echo finish >>"$work/script"
    code=0
    sh "$work/script" >"$work/said" 2>&1 || code=$?
    if [ "$code" -ne "$1" ] || { [ -n "$2" ] && ! grep -qF -- "$2" "$work/said"; }; then
        echo "exit code $code and not $1, or no \`$2\` in:"
        cat "$work/said"
        status=1
    fi
}
holds() { # WORDS...: they hold in the folder that says makes
    echo "$*" >"$work/words"
    says 0 "" <"$work/words"
}

holds expect '"what is true"' true
holds expect_code 3
holds expect_in out '"three ways"'
holds expect_not_in out '"four ways"'
holds expect_key json time_ps 7
holds expect_key json name '"a b"'
holds 'printf "\"a, b\",10,9\nc,9,\n" | { echo name,most,least; cat; } >table.csv
expect "cells by name" [ "$(cells table.csv least name | tr "\n" ";")" = "9,a, b;,c;" ]
expect "numbers are compared as numbers" [ "$(rows "@most > 9 { print @least }" table.csv)" = 9 ]
expect "values are given" [ "$(rows "@most == wanted { print NR }" wanted=9 table.csv)" = 3 ]
expect "the header is no row" [ "$(rows "{ n++ } END { print n }" table.csv)" = 2 ]
expect "other columns in the next file" [ "$(echo "most,x
1,2" | rows "{ s += @most } END { print s }" table.csv -)" = 20 ]'
says 0 "table.csv has no column nowhere" <<'SH'
printf 'name,most\na,1\n' >table.csv
code=0
rows '{ print @nowhere } END { exit 0 }' table.csv || code=$?
expect_code 2
SH
says 1 "FAILED: a column that is not there" <<'SH'
printf 'name,most\na,1\n' >table.csv
expect "a column that is not there" rows '@nowhere > 0 { exit 1 } END { exit 0 }' table.csv
SH
says 1 "FAILED: what is false" <<'SH'
expect "what is false" false
SH
says 1 "test: [ 3 -eq 2 ]" <<'SH'
expect_code 2
SH
says 1 "after: anax ways (exit code 3)" <<'SH'
expect_code 2
SH
says 1 "FAILED: out has: four ways" <<'SH'
expect_in out "four ways"
SH
says 1 "  out: three ways" <<'SH'
expect_in out "four ways"
SH
says 1 "FAILED: out has not: three" <<'SH'
expect_not_in out "three"
SH
says 1 "test: [ 7 = 8 ]" <<'SH'
expect_key json time_ps 8
SH
says 1 "FAILED: other in json is 8" <<'SH'
expect_key json other 8
SH
says 1 "FAILED: there is no key other in json, after: anax ways" <<'SH'
expect "two values that are missing are not equal" [ "$(value json other)" = "$(value json other)" ]
SH
says 1 "2 failed" <<'SH'
expect "one" false
expect "two" false
SH
exit $status
