"""Prints the colour of a pixel of a dense picture: pixel.py FILE.svg X Y.

X and Y are shares of the width and the height of the file's first PNG, from 0 to 1 and from the top.
"""

import base64
import re
import struct
import sys
import zlib


def chunks(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + data)
        yield kind, data
        at += 12 + size


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = re.search(r"href='data:image/png;base64,([^']*)'", file.read())
    parts = {}
    for kind, data in chunks(base64.b64decode(found[1], validate=True)):
        parts[kind] = parts.get(kind, b"") + data
    width, height, bits, kind = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert kind == 3  # numbers of colours
    rows = zlib.decompress(parts[b"IDAT"])
    row_bytes = (width * bits + 7) // 8 + 1
    assert len(rows) == height * row_bytes
    x, y = int(float(sys.argv[2]) * width), int(float(sys.argv[3]) * height)
    row = rows[y * row_bytes:(y + 1) * row_bytes]
    assert row[0] == 0  # no filter
    number = row[1 + x * bits // 8] >> (8 - bits - x * bits % 8) & ((1 << bits) - 1)
    print("#" + parts[b"PLTE"][3 * number:3 * number + 3].hex())


main()
