#!/bin/sh
# Every command that the documentation shows runs: lines "$ anax ..." of README.md, docs/*.md, docs/model and
# docs/studies (in ```console blocks, with the output that is shown), of the manual pages, and of
# `anax help COMMAND`. test_shell_blocks.sh looks at the other blocks.
. "$ANAX_SOURCE/tests/support/script/command.sh"
needs_manual_pages
. "$ANAX_SOURCE/tests/support/script/console.sh"

# The comparison with what is shown can fail.
printf 'a\nb\nc\nb\n' >printed
for pattern in 'a\nb\nc\nb' '...\nc\nb' 'a\n...\nb' 'a\n...' '...\nb\nc\n...'; do
    printf "$pattern\n" >pattern
    code=0 last=$pattern
    expect "these lines are printed" prints pattern printed
done
for pattern in 'a\nb\nc' 'b\nc\nb' 'a\nc\nb' '...\nc' 'a\n...\nc' 'a\n...\nd\n...' '...\nb\nb\n...' 'a\nb\nc\nb\nb'; do
    printf "$pattern\n" >pattern
    last=$pattern
    prints pattern printed >out
    code=$?
    expect "these lines are not printed" [ "$code" -eq 1 ]
done

# One file of command lines per source. Tutorials are run by test_tutorials.sh.
page_lines() { sed -n 's/^\$ //p' "$1" | sed -e 's/\\-/-/g' -e 's/\\e/\\/g'; }

for file in "$ANAX_SOURCE"/*.md "$ANAX_SOURCE"/docs/*.md "$ANAX_SOURCE"/docs/model/*.md "$ANAX_SOURCE"/docs/studies/*.md; do
    console_lines "$file" "$(echo "${file#"$ANAX_SOURCE"/}" | tr / -)"
done
for page in "$ANAX_BINARY"/man/*; do page_lines "$page" >"lines/$(basename "$page")"; done
# Manual pages and help have the same examples: those run once.
cat lines/*.1 >page-lines
for command in $("$ANAX" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    "$ANAX" help $command | sed -n 's/^  \$ //p' >help-lines
    code=$? last="anax help $command"
    expect "it has an example" [ -s help-lines ]
    grep -vxFf page-lines help-lines >"lines/help-$command"
done
for file in lines/*; do run_lines "$(basename "$file")"; done
for file in "$ANAX_SOURCE"/*.md "$ANAX_SOURCE"/docs/*.md "$ANAX_SOURCE"/docs/model/*.md "$ANAX_SOURCE"/docs/studies/*.md; do
    renew "$file" "$(echo "${file#"$ANAX_SOURCE"/}" | tr / -)"
done
echo "$count commands"
code=0 last="all files"
expect "commands of all kinds were found" [ "$count" -ge 20 ]

# Every key that the JSON results have is documented.
page=$ANAX_BINARY/man/anax-json.5
anax replay examples/gromacs --machine kim-72 --json >json
anax replay examples/gromacs --machine kim-72 --set trace.user_regions=on --json >>json
anax traffic --machine kim-72 --load 0.1 --json >>json
anax info examples/gromacs --json >>json
anax place examples/gromacs --machine kim-72 --json >>json
anax list routing --json >>json
anax topology kim-72 --arrangement random --json >>json
anax topology --rivals --json >>json
anax calibrate examples/calibration/osu_latency.txt --machine slingshot --json >>json 2>err
anax export examples/gromacs --format json | head -c 100000 | tr '{,' '\n' >>json
anax compare examples/gromacs --machine kim-72 --seeds 2 --vary network.groups=9,99 --json >>json
anax search examples/gromacs --machine kim-72 --seeds 2 --vary network.groups=9,99 --limit nodes=100 --json >>json
anax bisection -a 2 -h 1 --json >>json
anax bisection -a 2 -h 1 --arrangement helix,relative --json >>json
sed -e '/"configuration":/,/}/d' json | sed -n 's/^ *"\([a-z0-9_]*\)":.*/\1/p' | sort -u >keys
last="keys of results"
expect "at least 100 keys of results are found" [ "$(wc -l <keys)" -ge 100 ]
tr -cs 'A-Za-z0-9_' '\n' <"$page" | sort -u >words
expect "anax-json(5) documents all of these: $(comm -23 keys words | tr '\n' ' ')" [ -z "$(comm -23 keys words)" ]
for table in ranks calls regions links groups points candidates; do
    expect "anax-json(5) documents $table.csv" grep -q "$table.csv" "$page"
done

# anax-replay(1) and anax-traffic(1) name every file that -o can write, and those that runs write are among them.
anax replay examples/gromacs --machine kim-72 --explain --time-bins 4 --matrix rank --links hottest:1 -o replay-files
anax traffic --machine kim-72 --load 0.1 -o traffic-files
for kind in replay traffic; do
    anax list tables | sed -n "s/^$kind\\..*; \([a-z_]*\.csv\).*/\1/p" | sort -u >files
    sed -n 's/^\.B \([a-z_]*\.csv\)$/\1/p' "$ANAX_BINARY/man/anax-$kind.1" | sort -u >named
    last="files of $kind"
    expect "the page names the files of all tables: $(comm -3 files named | tr '\n' ' ')" [ -z "$(comm -3 files named)" ]
    ls "$kind-files" >written
    expect "files are written" [ "$(wc -l <written)" -ge 5 ]
    expect "the page names the written files: $(comm -23 written named | tr '\n' ' ')" [ -z "$(comm -23 written named)" ]
done

# Settings are called by their whole names: `a.b`, or `a.b = 1`, but for names of files.
anax list settings | awk '{ print $1 }' >settings
find "$ANAX_SOURCE"/*.md "$ANAX_SOURCE/docs" -name '*.md' -exec cat {} + |
    sed 's/`[^`]*`/\n&\n/g' | sed -n 's/^`\([a-z_]\{1,\}\(\.[a-z_][a-z0-9_]*\)\{1,\}\)[^a-z0-9_.*][^`]*`*$/\1/p' |
    grep -vE '\.(awk|c|csv|h|html|md|sh|so|yaml)$|^[a-z]+\.test_|^mpicc\.|^cpu\.|^critical_path\.' | sort -u >named
last="settings in the documentation"
expect "at least 50 settings are found in documents" [ "$(wc -l <named)" -ge 50 ]
sort -u settings >known
expect "there are settings of these names: $(comm -23 named known | tr '\n' ' ')" [ -z "$(comm -23 named known)" ]

# In comments of sources, a.b is a setting, the first words of some, or a table, if settings begin with a; members
# are a->b. network.latnecy is an example of a wrong name.
families=$(sed -n 's/\..*//p' settings | sort -u | paste -sd '|')
{
    awk -F. '{ name = $1; print name; for (i = 2; i <= NF; i++) { name = name "." $i; print name } }' settings
    anax list tables | awk '{ print $1 }'
} | sort -u >known
named_in_comments() {
    awk -v form='[a-z_]+([.][a-z_][a-z0-9_]*)+' -f "$ANAX_SOURCE/tests/style/words.awk" "$@" |
        sed -n -E "s/^comment (($families)\..*)/\1/p" |
        grep -vE '\.([chy]|def|md|yaml)$|^network\.lat(nec|enc)y$' | sort -u
}
(cd "$ANAX_SOURCE" && find core traces mapping network replay api cli plugins include tests bench -name '*.[chy]' -o -name '*.def') |
    sed "s|^|$ANAX_SOURCE/|" >sources
# shellcheck disable=SC2046 # a list
named_in_comments $(cat sources) >named
last="settings in comments"
expect "at least 50 settings are found in comments" [ "$(wc -l <named)" -ge 50 ]
expect "there are settings of these names: $(comm -23 named known | tr '\n' ' ')" [ -z "$(comm -23 named known)" ]
printf '/* network.release and network.router.release */ int x = network.nics.y;\n' >named.c
expect "a wrong name is found" [ "$(named_in_comments named.c | comm -23 - known)" = network.release ]

# Manual pages are clean, where there is a checker.
if has_program mandoc; then
    for page in "$ANAX_BINARY"/man/*; do
        last="mandoc -T lint $page"
        mandoc -T lint -W warning "$page" >out 2>&1
        expect "mandoc finds nothing in the manual page" empty out
    done
fi
finish
