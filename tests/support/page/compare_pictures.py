"""Compares a screenshot with what it looked like: compare_pictures.py SHOT.png REFERENCE [--update].

Fonts and the smoothing of edges differ between computers, and what differs by a few pixels is no
fault. The screenshot is therefore reduced to the mean colour of cells of 40 x 40 pixels, in 16 levels,
which the reference has as text. Cells differ if a mean is more than two levels away. More than one
in 200 is a fault: text alone moves a mean by less, and a bar, an axis or a legend that is missing or has
another colour by more.
"""

import itertools
import struct
import sys
import zlib

CELL, LEVELS_APART, SHARE = 40, 2, 1 / 200


def paeth(line, before, step):
    for i in range(len(line)):
        left, corner = (line[i - step], before[i - step]) if i >= step else (0, 0)
        up = before[i]
        by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        if by_left <= by_up and by_left <= by_corner:
            line[i] = (line[i] + left) & 255
        else:
            line[i] = (line[i] + (up if by_up <= by_corner else corner)) & 255


def average(line, before, step):
    for i in range(len(line)):
        line[i] = (line[i] + (before[i] + (line[i - step] if i >= step else 0)) // 2) & 255


def unfilter(kind, line, before, step):
    """The row behind a filter of PNG, from its differences and the row before it."""
    if kind == 1:
        for colour in range(step):
            line[colour::step] = bytes(value & 255 for value in itertools.accumulate(line[colour::step]))
    elif kind == 2:
        if not any(line):
            return before
        # All bytes at once: their low bits are added without a carry to the next byte.
        one, other = int.from_bytes(line, "big"), int.from_bytes(before, "big")
        low = int.from_bytes(b"\x7f" * len(line), "big")
        return bytearray(((one & low) + (other & low) ^ (one ^ other) & ~low).to_bytes(len(line), "big"))
    elif kind == 3:
        average(line, before, step)
    elif kind == 4:
        paeth(line, before, step)
    return line


def rows_of(path):
    """The rows of a PNG of 8 bits for each colour, and the bytes of a pixel."""
    with open(path, "rb") as file:
        png = file.read()
    at, packed = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colours = struct.unpack(">IIBB", data[:10])
            assert bits == 8
            step = {2: 3, 6: 4}[colours]
        if kind == b"IDAT":
            packed += data
        at += 12 + size
    raw, size = zlib.decompress(packed), width * step + 1
    before = bytearray(width * step)
    for y in range(height):
        line = bytearray(raw[y * size + 1:(y + 1) * size])
        line = unfilter(raw[y * size], line, before, step)
        yield line, step, line is before
        before = line


def cells_of(path):
    """Three hexadecimal digits for each whole cell, a line for each row of them."""
    lines, sums, count = [], [], 0
    for row, step, is_same in rows_of(path):
        if not is_same:
            colours = [row[colour::step] for colour in range(3)]
            of_row = [sum(colour[at:at + CELL]) for at in range(0, len(colours[0]) - CELL + 1, CELL) for colour in colours]
        sums = [a + b for a, b in zip(sums, of_row)] if sums else of_row
        count += 1
        if count % CELL == 0:
            lines.append("".join(f"{min(15, value * 16 // (255 * CELL * CELL)):x}" for value in sums))
            sums = []
    return lines


def main():
    seen = cells_of(sys.argv[1])
    if sys.argv[3:] == ["--update"]:
        with open(sys.argv[2], "w", encoding="ascii") as file:
            file.write("\n".join(seen) + "\n")
        return 0
    with open(sys.argv[2], encoding="ascii") as file:
        known = file.read().split()
    if [len(line) for line in seen] != [len(line) for line in known]:
        print(f"{len(seen)} rows of cells, {len(known)} in {sys.argv[2]}")
        return 1
    different = [(row, cell) for row, (one, other) in enumerate(zip(seen, known)) for cell in range(len(one) // 3)
                 if any(abs(int(one[i], 16) - int(other[i], 16)) > LEVELS_APART for i in range(3 * cell, 3 * cell + 3))]
    all_cells = sum(len(line) // 3 for line in seen)
    print(f"{len(different)} of {all_cells} cells differ")
    for row, cell in different[:10]:
        print(f"  at {cell * CELL}, {row * CELL}: {seen[row][3 * cell:3 * cell + 3]}, not {known[row][3 * cell:3 * cell + 3]}")
    return 1 if len(different) > SHARE * all_cells else 0


sys.exit(main())
