# For tests of reports, to be sourced after command.sh: reads pages. Ends the script where there is no python3.
#
#     page MOST_BYTES LEAST_PICTURES FILE   expects a good page, by check_page.py
#     results NAME...                       writes results whose numbers are known, by results.py
#     holds FILE TEXT                       as in command.sh; blanks that keep a number and its unit together count
#                                           as blanks
# shellcheck shell=sh
check=$ANAX_SOURCE/tests/support/page/check_page.py
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3, which reads pages"
    exit 0
fi
# Where python3 is a script that looks for an interpreter, starting it takes ten times as long.
python=$(command -v "$(python3 -c 'import sys; print(sys.executable)')")
python3() { "$python" "$@"; }

holds() { sed 's/&#160;/ /g' "$1" | grep -qF -- "$2"; }

page() { # MOST_BYTES LEAST_PICTURES FILE
    [ "$ANAX_COVERAGE" != ON ] || return 0 # it executes no line of anax
    last="check_page.py $1 $3" code=0
    python3 "$check" "$1" "$3" >out 2>err || code=$?
    expect "a good page" [ "$code" -eq 0 ]
    expect "pictures" [ "$(sed -n 's/ pictures$//p' out)" -ge "$2" ]
}

results() { # NAME...
    python3 "$ANAX_SOURCE/tests/support/page/results.py" "$@"
}
