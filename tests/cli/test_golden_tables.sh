#!/bin/sh
# What channels, pairs of groups and routers counted, to the last packet and picosecond: digests
# (test_golden.sh) cover deliveries only. ANAX_UPDATE_GOLDEN=1 writes the file anew.
#
# The file has a line for each column of each table: the table, the column, how many rows it has, the
# cksum of the column's values in the order of rows, and the command. Only columns of integers count.
# Columns may be added.
. "$ANAX_SOURCE/tests/support/script/command.sh"
golden=$ANAX_SOURCE/tests/data/golden/tables.txt

# columns FILE: "column rows cksum" of each column of integers of a CSV file, in the order of names.
columns() {
    rm -rf columns
    mkdir columns
    awk -F, '
        NR == 1 { count = split($0, name, ","); next }
        {
            if (NF != count) exit 1
            for (i = 1; i <= count; i++) {
                if ($i !~ /^-?[0-9]*$/) other[i] = 1
                if ($i != "") filled[i] = 1
                value[NR - 1, i] = $i
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                if (other[i] || !filled[i]) continue
                for (row = 1; row < NR; row++) print value[row, i] >("columns/" name[i])
            }
            print NR - 1 >"rows"
        }' "$1" || return 1
    cksum columns/* | awk -v rows="$(cat rows)" '{ sub("columns/", "", $3); print $3, rows, $1 }' | LC_ALL=C sort
}

# The command's tables, one line a column.
present() {
    rm -rf tables
    # shellcheck disable=SC2086 # words are arguments
    run_ok $1 --output tables
    for table in links groups routers; do
        [ -e "tables/$table.csv" ] || continue
        columns "tables/$table.csv" | sed "s|^|$table |; s|\$|  $1|"
    done
}

sed 's/^[^ ]* [^ ]* [^ ]* [^ ]*  //' "$golden" | uniq >commands
while read -r arguments; do
    present "$arguments"
done <commands >found
if [ "${ANAX_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp found "$golden"
    echo "written: $golden"
fi

# heads COMMAND...: a line for each CSV table that the command writes: its file, and its columns.
heads() {
    rm -rf tables
    run_ok "$@"
    for table in tables/*.csv; do
        echo "$1/$(basename "$table") $(head -n 1 "$table")"
    done
}

# heads_that_changed: those of heads.txt that do not begin as those of columns.txt do.
heads_that_changed() {
    awk 'FILENAME == ARGV[1] { present[$1] = $2 ","; next }
        index(present[$1], $2 ",") != 1 { print $1 ": " $2 }' heads.txt columns.txt
}
{
    heads replay "$ANAX_SOURCE/examples/gromacs/traces.otf2" --machine kim-72 -o tables
    heads traffic --machine kim-72 --load 0.1 --set traffic.warmup=1us --set traffic.measure=1us -o tables
    heads traffic --machine kim-72 --loads 0.1 --routing minimal,par --set traffic.warmup=1us \
        --set traffic.measure=1us -o tables
    heads compare "$ANAX_SOURCE/examples/gromacs/traces.otf2" --machine kim-72 --routing minimal,par \
        --seeds 1 -o tables
    heads search "$ANAX_SOURCE/examples/gromacs/traces.otf2" --machine kim-72 --routing minimal,par \
        --seeds 1 -o tables
    # the tables that a result has on request only
    "$ANAX" generate halo2d --ranks 8 --iterations 2 -o halo.anax
    heads replay halo.anax --machine kim-72 --set trace.user_regions=on --per-iteration iteration --explain \
        --time-bins 8 --matrix router --links 0-1 --set network.classes=2 -o tables
    heads replay halo.anax halo.anax --machine kim-72 --explain -o tables
    heads traffic --machine kim-72 --load 0.1 --set traffic.warmup=1us --set traffic.measure=1us --time-bins 8 \
        --links 0-1 --set network.classes=2 -o tables
    heads traffic --machine kim-72 --saturation 0.25 --seeds 2 --set traffic.warmup=1us \
        --set traffic.measure=1us -o tables
    run_ok bisection -a 2 -h 1 --csv tables.csv
    echo "bisection/tables.csv $(head -n 1 tables.csv)"
} | sort -u >heads.txt
"$ANAX" list tables | sed -n 's|^\([a-z-]*\)\..*[(; ]\([a-z_]*\.csv\)[;)].*|\1/\2|p' | LC_ALL=C sort >files
cut -d' ' -f1 heads.txt | grep -v '^bisection/' | LC_ALL=C sort >headed
expect "each table that has a file is looked at: $(diff files headed | tr '\n' ' ')" cmp -s files headed
expect "there are at least 35 of these" [ "$(wc -l <files)" -ge 35 ]
[ "${ANAX_UPDATE_GOLDEN:-0}" != 1 ] || cp heads.txt "$ANAX_SOURCE/tests/data/golden/columns.txt"
cp "$ANAX_SOURCE/tests/data/golden/columns.txt" columns.txt
heads_that_changed
expect "columns stay where they are" [ -z "$(heads_that_changed)" ]
sed '1s/$/,new/' heads.txt >longer && cp longer heads.txt
expect "a new one may stand at the end" [ -z "$(heads_that_changed)" ]
sed '2s/ / new,/' longer >heads.txt
expect "but nowhere else" [ -n "$(heads_that_changed)" ]
sed 1d longer >heads.txt
expect "tables stay, too" [ -n "$(heads_that_changed)" ]

# Each line of the file is one of those found.
sort "$golden" >wanted
sort found >sorted
if [ -n "$(comm -23 wanted sorted)" ] || [ ! -s wanted ]; then
    echo "values of columns that no table has now (table, column, rows, cksum, command):"
    comm -23 wanted sorted
    failures=$((failures + 1))
fi

# The comparison finds one packet more, one row less, two values exchanged, and the values of one
# column in another one; it does not mind another order of columns. Two equal columns are two.
printf 'kind,packets,busy_ps,share\na,1,30,0.5\nb,2,40,0.5\n' >table.csv
columns table.csv >before
expect "two columns of integers" [ "$(wc -l <before)" -eq 2 ]
printf 'share,busy_ps,kind,packets,rail\n0.5,30,a,1,0\n0.5,40,b,2,0\n' >table.csv
columns table.csv >after
expect "another order and a new column do not count" [ -z "$(comm -23 before after)" ]
printf 'kind,packets,busy_ps\na,30,30\nb,40,40\n' >table.csv
expect "two equal columns are two" [ "$(columns table.csv | wc -l)" -eq 2 ]
for rows in 'a,1,30\nb,3,40' 'a,1,30' 'a,2,30\nb,1,40' 'a,30,1\nb,40,2'; do
    # shellcheck disable=SC2059 # rows has line ends
    printf "kind,packets,busy_ps\n$rows\n" >table.csv
    columns table.csv >after
    expect "values count: $rows" [ -n "$(comm -23 before after)" ]
done
finish
