# The form of documents: a paragraph, a list item and a quotation are one line each.
#
# awk -f paragraphs.awk FILES names each line that goes on with the paragraph of the line before it. With
# -v most=N it also names each line of more than N bytes that is not in a table.
# With -v join=1 it prints the one file that it is given, with such lines joined.

function is_start(line) {
    return line ~ /^ *([-*+]|[0-9]+\.) / || line ~ /^ *[|#>]/ || line ~ /^ *```/ || line ~ /^ *</ || line ~ /^    / ||
        line ~ /^\[[^]]*\]: /
}

function flush() {
    if (join && held != "") print held
    held = ""
}

FNR == 1 { fenced = 0; text = 0 }
/^ *```/ { flush(); fenced = !fenced; text = 0; if (join) print; next }
fenced { if (join) print; next }
/^ *$/ { flush(); text = 0; item = 0; if (join) print; next }
most && length($0) > most && $0 !~ /^ *\|/ {
    print FILENAME ":" FNR ": a paragraph of " length($0) " bytes: at most " most " are read with ease; divide it"
}
{
    # Four spaces are an equation after an empty line, and the text of an item below the item.
    if (text && !(is_start($0) && !(item && $0 ~ /^    / && $0 !~ /^ *([-*+]|[0-9]+\.) /))) {
        if (!join) print FILENAME ":" FNR ": a paragraph goes on in a second line"
        sub(/^ +/, "")
        held = held " " $0
        next
    }
    flush()
    if (join) held = $0
    text = $0 ~ /^ *([-*+]|[0-9]+\.) / || !is_start($0)
    item = $0 ~ /^ *([-*+]|[0-9]+\.) /
}
END { flush() }
