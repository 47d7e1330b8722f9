#!/bin/sh
# The commands of the tutorials run and print what is shown, and make the pictures that are shown:
# docs/tutorials/FOLDER/NAME.svg is what a command wrote into its folder FOLDER.
#
# ANAX_UPDATE_SHOWN=1 writes the output and the pictures into the tutorials instead.
. "$ANAX_SOURCE/tests/support/script/command.sh"
. "$ANAX_SOURCE/tests/support/script/console.sh"
tutorials=$ANAX_SOURCE/docs/tutorials

pictures=0
touch out err
for file in "$tutorials"/*.md; do
    name=$(basename "$file" .md)
    console_lines "$file" "$name"
    code=0 last="$name.md"
    expect "the tutorial has at least 5 commands" [ "$(wc -l <"lines/$name")" -ge 5 ]
    expect "it shows what they print" [ "$(ls shown/"$name".* | wc -l)" -ge 2 ]
    run_lines "$name"
    renew "$file" "$name"
    code=0 last="$name.md"
    expect "probabilities in the text are those of an output" awk '
        /^```/ { inside = !inside }
        inside { shown = shown $0 "\n"; next }
        { while (match($0, /\(p [01]\.[0-9]+\)/)) { quoted[substr($0, RSTART, RLENGTH)]
            $0 = substr($0, RSTART + RLENGTH) } }
        END { for (one in quoted) if (!index(shown, one)) exit 1 }' "$file"
    sed -n 's/^!\[[^]]*\](\(.*\.svg\))$/\1/p' "$file" >names
    while read -r picture; do
        pictures=$((pictures + 1))
        if [ -n "${ANAX_UPDATE_SHOWN:-}" ]; then
            mkdir -p "$tutorials/$(dirname "$picture")"
            cp "in-$name/$picture" "$tutorials/$picture"
        fi
        code=0 last="$name.md: $picture"
        expect "it is the picture that a command writes (ANAX_UPDATE_SHOWN=1 writes it again)" \
            cmp "in-$name/$picture" "$tutorials/$picture"
    done <names
done
code=0 last="docs/tutorials"
expect "there are pictures" [ "$pictures" -ge 3 ]
finish
