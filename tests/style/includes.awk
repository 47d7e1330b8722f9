# The include law. Reads lines, one kind after the other:
#
#     allowed ROOM ROOM...       headers of which rooms a room may include
#     public ROOM HEADER...      headers of a room, or their beginnings, that other rooms may include
#     library HEADER FILE...     the files, or their beginnings, that may include a library's header
#     include FILE HEADER        what a file includes
function begins_one(word, list,    item, count, i) {
    count = split(list, item, " ")
    for (i = 1; i <= count; i++)
        if (item[i] == substr(word, 1, length(item[i]))) return 1
    return 0
}
function rest_after(fields,    line, i) {
    line = $0
    for (i = 1; i <= fields; i++) sub(/^[^ ]+ */, "", line)
    return line
}
$1 == "allowed" { allowed[$2] = " " rest_after(2) " "; next }
$1 == "public" { public[$2] = rest_after(2); next }
$1 == "library" { owners[$2] = rest_after(2); libraries[++library_count] = $2; next }
$1 == "include" {
    file = $2; header = $3
    room = file; sub("/.*", "", room)
    if (file == "api/command_support.h") room = "support" # the command sees what this header includes
    first = header; sub("/.*", "", first)
    if (first != header && (first in allowed || first == "anax") && first != "support" && first != "include") {
        if (index(allowed[room], " " first " ") == 0)
            print file ": includes " header ", which " room " may not know"
        if (first != room && first != "anax" && !begins_one(header, public[first]))
            print file ": includes " header ", which is private to " first
    }
    for (i = 1; i <= library_count; i++) {
        library = libraries[i]
        if (library == substr(header, 1, length(library)) && !begins_one(file, owners[library]))
            print file ": includes " header "; " (owners[library] == "" ? "no file" : "only " owners[library]) " may"
    }
}
