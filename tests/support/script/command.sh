# For tests of the command, to be sourced: runs anax in a folder of its own and compares.
#
#     run ARGUMENTS        runs anax; then $code, and the files out and err
#     run_ok ARGUMENTS     and expects exit code 0
#     expect WHAT TEST...  counts a failure, with the test and the output, when the test fails
#     expect_code N        the same, that the exit code is N,
#     expect_in FILE TEXT            that a file has a text,
#     expect_not_in FILE TEXT        that it has it not,
#     expect_key FILE KEY VALUE      that the first value of a key in JSON is this one
#     expect_checked WHAT ARGUMENTS...  that results keep the rules (tests/support/tools/check_json.c)
#     rows PROGRAM [NAME=VALUE]... FILE...
#                          runs awk's PROGRAM for the rows of CSV files, without their headers; @NAME
#                          is the cell of this column. Ends with 2 where a file lacks the column
#     cells FILE NAME...   prints these columns of a CSV file, with commas between, without the header
#     value FILE KEY       prints this value; a key that is not there fails the script at its end
#     has_program NAME     whether a program is installed; if not, says that a part is left out
#     needs_manual_pages   ends the script at once when they are not built
#     finish               ends the script
# shellcheck shell=sh
set -u
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$ANAX_SOURCE/examples" examples

run() {
    "$ANAX" "$@" >out 2>err
    code=$?
    last="anax $*"
}

run_ok() {
    run "$@"
    expect_code 0
}

expect() {
    what=$1
    shift
    if ! "$@" >/dev/null 2>&1; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  test: %s\n  after: %s (exit code %s)\n' "$what" "$*" "$last" "$code"
        sed 's/^/  out: /' out | head -20
        sed 's/^/  err: /' err | head -20
    fi
}

expect_code() { expect "exit code $1" [ "$code" -eq "$1" ]; }
expect_in() { expect "$1 has: $2" holds "$1" "$2"; }
expect_not_in() { expect "$1 has not: $2" holds_not "$1" "$2"; }
expect_key() { expect "$2 in $1 is $3" [ "$(value "$1" "$2")" = "$3" ]; }

expect_checked() {
    checked_for=$1
    shift
    last="check_json $*"
    "$ANAX_BINARY/tests/check_json" "$@" >checked 2>&1
    code=$?
    expect "$checked_for" [ "$code" -eq 0 ]
    [ "$code" -eq 0 ] || sed 's/^/  checked: /' checked | head -20
}

has_program() {
    command -v "$1" >/dev/null || { echo "left out: $1 is not installed"; return 1; }
}

# Says FILE holds the text. Starting a process takes longer than reading the few lines of err.
holds() {
    [ "$1" = err ] || { grep -qF -- "$2" "$1"; return; }
    while IFS= read -r held || [ -n "$held" ]; do
        case $held in *"$2"*) return 0 ;; esac
    done <err
    return 1
}
holds_not() { ! holds "$@"; }
empty() { [ ! -s "$1" ]; }

# Prints the first value of a key in the JSON of FILE. A key that is not there fails the script at its
# end: two values that are both missing would be equal.
value() {
    value_found=$(sed -n "/^ *\"$2\":\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/{s//=\1/p;q;}" "$1")
    case $value_found in
    =*) printf '%s\n' "${value_found#=}" ;;
    *) echo "$2 in $1, after: $last" >>"$work/absent" ;;
    esac
}

# A comma inside quotes is no end of a cell: it becomes a byte that no text has, and a comma again when
# the cell is printed. The cells are fields of awk, so those that look like numbers are compared as such.
rows_awk='
    function at(name) {
        if (name in column) return column[name]
        printf "%s has no column %s\n", FILENAME, name >"/dev/stderr"
        missing = 1
        exit 2
    }
    function plain(row,    parts, count, i, text) {
        count = split(row, parts, "\"")
        for (i = 2; i <= count; i += 2) gsub(",", "\001", parts[i])
        for (i = 1; i <= count; i++) text = text parts[i]
        return text
    }
    END { if (missing) exit 2 }
    FNR == 1 { split("", column); for (i = 1; i <= NF; i++) column[$i] = i; next }
    /"/ { $0 = plain($0) }
'
rows() {
    program=$(printf '%s\n' "$1" | sed 's/@\([a-z_][a-z0-9_]*\(\.[a-z0-9_]*\)*\)/$(at("\1"))/g')
    shift
    awk -F, "$rows_awk$program" "$@"
}

cells() {
    file=$1 printed=
    shift
    for name in "$@"; do printed="$printed${printed:+ \",\" }@$name"; done
    rows "{ print $printed }" "$file" | tr '\001' ,
}

needs_manual_pages() {
    [ -e "$ANAX_BINARY/man/anax.1" ] && return
    echo "FAILED: the manual pages are not built: build all targets first"
    exit 1
}

finish() {
    if [ -s "$work/absent" ]; then
        failures=$((failures + 1))
        sed 's/^/FAILED: there is no key /' "$work/absent"
    fi
    if [ "$failures" -gt 0 ]; then
        echo "$failures failed"
        exit 1
    fi
    exit 0
}
