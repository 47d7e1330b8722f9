"""Compares a screenshot with what it looked like: compare_pictures.py SHOT.png REFERENCE [--update].

Fonts and the smoothing of edges differ between computers, and what differs by a few pixels is no
fault. The screenshot is therefore reduced to the mean colour of cells of 40 x 40 pixels, in 16 levels,
which the reference has as text. Cells differ if a mean is more than two levels away. More than one
in 200 is a fault: text alone moves a mean by less, and a bar, an axis or a legend that is missing or has
another colour by more.
"""

import struct
import sys
import zlib

CELL, LEVELS_APART, SHARE = 40, 2, 1 / 200


def unfilter(kind, line, before, step):
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up, corner = before[i], before[i - step] if i >= step else 0
        if kind == 1:
            more = left
        elif kind == 2:
            more = up
        elif kind == 3:
            more = (left + up) // 2
        else:
            guess = left + up - corner
            more = min((left, up, corner), key=lambda value: abs(guess - value))
        line[i] = (line[i] + more) & 255


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
        if raw[y * size]:
            unfilter(raw[y * size], line, before, step)
        before = line
        yield line, step


def cells_of(path):
    """Three hexadecimal digits for each whole cell, a line for each row of them."""
    lines, sums, count = [], [], 0
    for row, step in rows_of(path):
        across = len(row) // step // CELL
        if not sums:
            sums = [[0, 0, 0] for _ in range(across)]
        for cell in range(across):
            part = row[cell * CELL * step:(cell + 1) * CELL * step]
            for colour in range(3):
                sums[cell][colour] += sum(part[colour::step])
        count += 1
        if count % CELL == 0:
            lines.append("".join(f"{min(15, value * 16 // (255 * CELL * CELL)):x}" for cell in sums for value in cell))
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
