# For tests of the command, to be sourced: runs anax in a folder of its own and compares.
#
#     run ARGUMENTS        runs anax; then $code, and the files out and err
#     run_ok ARGUMENTS     and expects exit code 0
#     expect WHAT TEST...  counts a failure, with the output, when the test fails
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
    expect "exit code 0" [ "$code" -eq 0 ]
}

expect() {
    what=$1
    shift
    if ! "$@" >/dev/null 2>&1; then
        failures=$((failures + 1))
        printf 'FAILED: %s\n  after: %s (exit code %s)\n' "$what" "$last" "$code"
        sed 's/^/  out: /' out | head -20
        sed 's/^/  err: /' err | head -20
    fi
}

# Says FILE holds the text.
holds() { grep -qF -- "$2" "$1"; }
holds_not() { ! grep -qF -- "$2" "$1"; }
empty() { [ ! -s "$1" ]; }

# The first value of a key in the JSON of FILE.
value() { sed -n "s/^ *\"$2\":\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -1; }

needs_manual_pages() {
    [ -e "$ANAX_BINARY/man/anax.1" ] && return
    echo "FAILED: the manual pages are not built: build all targets first"
    exit 1
}

finish() {
    if [ "$failures" -gt 0 ]; then
        echo "$failures failed"
        exit 1
    fi
    exit 0
}
