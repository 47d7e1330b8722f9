# Filter for doxygen: the comments of the public headers as documentation.
#
# A comment before a declaration describes it; declarations that follow it directly refer to it. A
# comment behind a member describes the member. "/* ---- Title ---- */" begins a section.
function close_section() {
    if (in_section) print "/** @} */"
    in_section = 0
}

/^\/\* ---- / {
    close_section()
    sub(/^\/\* -+ /, "")
    sub(/ -+ \*\/$/, "")
    print "/** @name " $0
    print " * @{ */"
    in_section = 1
    described = ""
    next
}
FNR == 1 { print "/** @file"; sub(/^\/\*/, " *"); inside = 1 }
inside {
    gsub(/[a-z_]+\.h/, "%&") # no link
    print
    if (/\*\//) inside = 0
    next
}
/^ *\/\*/ {
    sub(/\/\*/, "/**")
    gsub(/[a-z_]+\.h/, "%&")
    print
    inside = !/\*\//
    fresh = 1
    next
}
/^ANAX_API/ {
    if (described != "" && !fresh) print "/** See " described "(). */"
    else if (fresh && match($0, /anax_[a-z0-9_]+\(/)) described = substr($0, RSTART, RLENGTH - 1)
}
/^$/ { described = "" }
{
    fresh = 0
    # The comment behind a member may go on in the next lines.
    if (!/^#/ && match($0, /[^ ] *\/\*/)) {
        sub(/\/\*/, "/**<")
        inside = !/\*\//
    }
    print
}
END { close_section() }
