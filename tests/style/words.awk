# The words of sources: names in code, and those in comments.
#
#     awk -f words.awk FILE...     prints "code WORD" or "comment WORD", once for each word and kind
#
# With -v form=PATTERN, words are what matches that regular expression.
#
# A comment is between /* and */, or after // up to the end of the line. In files that are no C, all
# is code. Texts are code, too.

BEGIN { if (form == "") form = "[A-Za-z_][A-Za-z0-9_]*" }
FNR == 1 { inside = 0; is_c = FILENAME ~ /\.[chy]$|\.def$/ }

function add(kind, text) {
    while (match(text, form)) {
        word = kind " " substr(text, RSTART, RLENGTH)
        if (!(word in seen)) { seen[word] = 1; print word }
        text = substr(text, RSTART + RLENGTH)
    }
}

{
    line = $0
    if (!is_c) { add("code", line); next }
    while (line != "") {
        if (inside) {
            end = index(line, "*/")
            add("comment", end ? substr(line, 1, end - 1) : line)
            if (!end) next
            line = substr(line, end + 2)
            inside = 0
        } else if (!match(line, /\/\*|\/\/|"([^"\\]|\\.)*"/)) {
            add("code", line)
            next
        } else {
            start = RSTART
            after = RSTART + RLENGTH
            token = substr(line, start, 2)
            is_comment = token == "/*" || token == "//"
            add("code", substr(line, 1, (is_comment ? start : after) - 1))
            line = substr(line, after)
            if (token == "//") { add("comment", line); next }
            inside = token == "/*"
        }
    }
}
