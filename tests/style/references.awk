# Names in comments of C files that nothing there has: what stands in backquotes, and members behind an arrow or a dot.
#
#     awk -f references.awk FILE...     prints "FILE:LINE: NAME"; reads all files that the files include, too
#
# A comment belongs to the paragraph of code around it or below it: to the next blank line outside of braces. A name
# in backquotes (`count`) is there if the paragraph has it, or if it is a name that other functions see, too: of a
# type, a member, a constant, a macro, a function or a variable of the file, of the file of the same name with the
# other ending, or of a header that one of the two includes, or that such a header includes. Parameters and variables
# of other functions are not there. A whole text of the two files is there, too ("auto"), and in comments of public
# headers one of any file: names of settings and tables.
#
# The member y of x->y or of x.y is one of a struct that these files have: of one whose name has the word x, if there
# is one, here or in the room, and of any struct otherwise. A dot is looked at only behind the name of a struct; names
# with dots that stand in a text are settings, columns or schemas.
#
# In a line of code in a comment (four blanks more than other lines), the type in front of a variable that is set is
# there.
BEGIN {
    identifier = "[A-Za-z_][A-Za-z0-9_]*"
    token_form = identifier "|[{}()*=;,]|->|[.]"
}
function begin_file() {
    inside_comment = inside_macro = depth = parentheses = 0
    before = before_that = ""
    paragraph = 0
    is_type = 0
}
FNR == 1 {
    file = FILENAME
    sub(/^\.\//, "", file)
    begin_file()
    is_read[file] = 1
}
function note_comment(text,    rest, name, is_example) {
    # Lines of code in a comment begin with four more blanks.
    is_example = text ~ /^ \*     /
    if (is_example && match(text, identifier " " identifier " = ")) {
        name = substr(text, RSTART)
        sub(/ .*/, "", name)
        refer("word", name)
    }
    rest = text
    while (match(rest, "`" identifier "`")) {
        name = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        if (name != "const") refer("word", name)
    }
    rest = is_example ? "" : text
    while (match(rest, identifier "((\\[[^]]*\\])?(->|[.])" identifier ")+")) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (rest !~ /^=/) note_chain(name) # not a setting with its value
    }
}
# Notes each link of a chain such as `x->y.z`.
function note_chain(chain,    whole, name, is_dot) {
    whole = chain ~ /^[a-z_0-9.]+$/ ? chain : ""
    match(chain, "^" identifier)
    name = substr(chain, 1, RLENGTH)
    chain = substr(chain, RLENGTH + 1)
    while (match(chain, "(->|[.])" identifier)) {
        is_dot = substr(chain, RSTART, 1) == "."
        chain = substr(chain, RSTART + (is_dot ? 1 : 2))
        match(chain, "^" identifier)
        refer(is_dot ? "dot" : "arrow", name SUBSEP substr(chain, 1, RLENGTH) SUBSEP whole)
        name = substr(chain, 1, RLENGTH)
        chain = substr(chain, RLENGTH + 1)
    }
}
function refer(kind, name) {
    references++
    reference_kind[references] = kind
    reference_name[references] = name
    reference_file[references] = file
    reference_line[references] = FNR
    reference_paragraph[references] = paragraph
}
function note_global(name) {
    is_global[file, name] = 1
    if (file ~ /^include/) is_public[name] = 1
}
function note_local(name) { is_local[file, paragraph, name] = 1 }
function note_member(name,    d) {
    note_global(name)
    is_member[file, name] = 1
    for (d = 1; d <= depth; d++)
        if (tag_at[d] != "") {
            if (!((file, tag_at[d]) in tag_members)) tags[file] = tags[file] " " tag_at[d]
            tag_members[file, tag_at[d]] = tag_members[file, tag_at[d]] " " name " "
        }
}
function note_code(text,    token) {
    while (match(text, token_form)) {
        token = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        take(token)
        before_that = before
        before = token
    }
}
function take(token) {
    if (token == "{" && before == "extern") return # of C++
    if (token == "{") {
        depth++
        if (depth > 1 && kind_at[depth - 1] == "body") kind_at[depth] = "body"
        else if (before == "=" || (depth > 1 && kind_at[depth - 1] == "values")) kind_at[depth] = "values"
        else kind_at[depth] = is_type ? "type" : "body"
        tag_at[depth] = kind_at[depth] == "type" && before ~ "^" identifier "$" && before !~ /^(struct|union|enum)$/ ? before : ""
        parentheses_at[depth] = parentheses
        parentheses = 0
        is_type = 0
        return
    }
    if (token == "}") {
        if (depth > 0) { parentheses = parentheses_at[depth]; depth-- }
        is_type = 0
        return
    }
    if (token == "(") { parentheses++; return }
    if (token == ")") { if (parentheses > 0) parentheses--; return }
    if (token == ";") { if (parentheses == 0) is_type = 0; return }
    if (token == "=") { is_type = 0; return }
    if (token !~ "^" identifier "$") return
    if (token ~ /^(struct|union|enum)$/ && parentheses == 0) { is_type = 1; return }
    if (depth == 0) {
        if (parentheses == 0 || is_macro_call) note_global(token)
        else note_local(token)
        if (parentheses == 0) is_macro_call = token ~ /^[A-Z][A-Z0-9_]*$/ && token !~ /^(HINT|ANAX)_/
        if (parentheses > 0 && before == "*" && before_that == "(" && parentheses == 1) note_global(token)
    } else if (kind_at[depth] == "type") {
        if (parentheses == 0 || (before == "*" && before_that == "(")) note_member(token)
        else note_local(token)
    } else {
        note_local(token)
    }
}
function note_include(line,    name) {
    name = line
    sub(/^[^"<]*["<]/, "", name)
    sub(/[">].*/, "", name)
    if (name ~ /^anax\//) name = "include/" name
    includes[file] = includes[file] " " name
}
{
    line = $0
    if (line ~ /^[ \t]*#[ \t]*include/) { note_include(line); next }
    if (!inside_comment && depth == 0 && line ~ /^[ \t]*$/) { paragraph++; next }
    is_directive = inside_macro || (!inside_comment && line ~ /^[ \t]*#/)
    inside_macro = is_directive && line ~ /\\$/
    while (line != "") {
        if (inside_comment) {
            end = index(line, "*/")
            note_comment(end ? substr(line, 1, end - 1) : line)
            if (!end) next
            line = substr(line, end + 2)
            inside_comment = 0
        } else {
            if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
                code = substr(line, 1, RSTART - 1)
                token = substr(line, RSTART, 2)
                rest = substr(line, RSTART + (token == "/*" || token == "//" ? 2 : RLENGTH))
            } else {
                code = line
                token = rest = ""
            }
            if (token ~ /^"/) note_text(substr(line, length(code) + 1, length(line) - length(code) - length(rest)))
            if (is_directive || file !~ /\.[ch]$/)
                while (match(code, identifier)) {
                    note_global(substr(code, RSTART, RLENGTH))
                    code = substr(code, RSTART + RLENGTH)
                }
            else
                note_code(code)
            line = rest
            if (token == "/*") inside_comment = 1
            if (token == "//") { note_comment(rest); line = "" }
        }
    }
}
# Settings, columns and schemas have names with dots, which stand in texts.
function note_text(text) {
    is_text[file, substr(text, 2, length(text) - 2)] = is_any_text[substr(text, 2, length(text) - 2)] = 1
    while (match(text, /[a-z_0-9]+([.][a-z_0-9]+)+/)) {
        in_text[substr(text, RSTART, RLENGTH)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}
# Collects in `seen` the file, its partner, and what they include, in two steps.
function collect(name, steps,    list, count, i) {
    if (!(name in is_read) || (name in seen && seen[name] <= steps)) return
    seen[name] = steps
    count = split(includes[name], list, " ")
    for (i = 1; steps < 2 && i <= count; i++) collect(list[i], steps + 1)
}
function partner_of(name) {
    if (sub(/\.c$/, ".h", name)) return name
    sub(/\.h$/, ".c", name)
    return name
}
function is_known(name,    f) {
    if (name == "anax" || (seen_of, name) in is_text || (partner_of(seen_of), name) in is_text) return 1
    if (seen_of ~ /^include/ && (name in is_any_text || name in is_public)) return 1
    for (f in seen) if ((f, name) in is_global) return 1
    return 0
}
function any_member(name,    f) {
    for (f in seen) if ((f, name) in is_member) return 1
    return 0
}
# Returns 1 if a struct whose name has the word has the member, 0 if none of these structs has, -1 if there is none.
function member_of(word, name, where,    f, list, count, i, found) {
    found = -1
    for (f in where) {
        if (index(f, room "/") != 1 && !(f in seen)) continue
        count = split(tags[f], list, " ")
        for (i = 1; i <= count; i++)
            if (index("_" list[i] "_", "_" word "_")) {
                if (index(tag_members[f, list[i]], " " name " ")) return 1
                found = 0
            }
    }
    return found
}
END {
    for (r = 1; r <= references; r++) {
        f = reference_file[r]
        if (f !~ /\.[ch]$/) continue
        if (f != seen_of) {
            for (s in seen) delete seen[s]
            collect(f, 0)
            collect(partner_of(f), 0)
            seen_of = f
            room = f
            sub(/\/.*/, "", room)
        }
        where = f ":" reference_line[r] ": "
        if (reference_kind[r] == "word") {
            name = reference_name[r]
            if (!((f, reference_paragraph[r], name) in is_local) && !is_known(name)) print where name
            continue
        }
        split(reference_name[r], part, SUBSEP)
        if (part[3] in in_text || part[3] ~ /[.](dev|org|com)$/) continue
        if (reference_kind[r] == "dot" && part[2] ~ /^([chy]|css|csv|def|json|md|o|py|sh|so|yaml|txt|evt|html)$/) continue
        if (part[2] ~ /^[A-Z]+$/) continue # "search.NAME" stands for several
        found = member_of(part[1], part[2], seen)
        if (found == 0 && member_of(part[1], part[2], is_read) == 1) continue # in its room
        if (found == 0 || (found < 0 && reference_kind[r] == "arrow" && !any_member(part[2])))
            print where part[1] (reference_kind[r] == "dot" ? "." : "->") part[2]
    }
}
