# The public headers of the rooms, which stand in docs/layers.md.
#
#     awk -f public_headers.awk docs/layers.md     prints a line "public ROOM/ HEADER" for each of them
#
# The table after the heading "## Public headers" has a row for each header. Its columns: the room; the header, or
# a folder, as seen from the room ("all": every header of the room); and what it declares. A row without a room is
# of the room above.
/^#/ { inside = $0 == "## Public headers" }
inside && /^\| *(`|\|)/ {
    split($0, cell, "|")
    if (split(cell[2], part, "`") > 1) room = part[2]
    count = split(cell[3], part, "`")
    if (count == 1) print "public", room, room
    for (i = 2; i <= count; i += 2) print "public", room, room part[i]
}
