"""Checks the structure of a report without a browser: check_page.py MOST_BYTES FILE.

The page is well-formed, asks for nothing outside itself, has one script, whose hash its policy has, and each picture has a
title, a sentence, and numbers: in a table below it, or in that of an earlier picture of the section
to which a sentence points. Prints what does not hold; the exit code is then 1.
"""

import base64
import hashlib
import re
import sys
import xml.etree.ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'"
LOADS = {"src", "srcset", "data", "action", "formaction", "poster", "background", "ping"}

faults = []


def must(holds, what):
    if not holds:
        faults.append(what)


def words(element):
    return "".join(element.itertext()).strip()


def check_references(page, text):
    ids = {element.get("id") for element in page.iter() if element.get("id")}
    must(len(ids) == len(re.findall(r"<[a-z][^>]*\sid=[\"']", text)), "an id stands twice")
    for element in page.iter():
        for name, value in element.attrib.items():
            plain = name.split("}")[-1]
            if plain in LOADS or (plain == "href" and element.tag == f"{SVG}image"):
                must(value.startswith("data:image/png;base64,"), f"{element.tag} loads {value}")
            elif plain == "href":
                must(value[:1] == "#" and value[1:] in ids, f"{element.tag} leads to {value}")
            for target in re.findall(r"url\((.*?)\)", value):
                must(target[:1] == "#" and target[1:] in ids, f"{element.tag} uses {target}")
            if plain == "aria-labelledby":
                must(value in ids, f"{element.tag} is labelled by {value}")
            must(not plain.startswith("on"), f"{element.tag} has the handler {name}")
            must(plain != "style", f"{element.tag} has a style of its own")
        must(element.tag.split("}")[-1] not in ("iframe", "object", "link", "foreignObject", "base", "form"),
             f"there is a {element.tag}")
    style = words(page.find(f"{HTML}head/{HTML}style"))
    must("url(" not in style and "@import" not in style, "the style sheet loads something")


def check_script(page, text, policies):
    """There is one script, the page's own, at the end; the policy allows no other, nor what names load."""
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
    must(len(scripts) == 1 and len(re.findall("(?i)<script", text)) == 1, f"{len(scripts)} scripts")
    attributes, script = scripts[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    must(policies == [POLICY.format(digest)], f"the policy is {policies}, the script's hash is {digest}")
    must(attributes == "" and text.endswith("</script>\n</body>\n</html>\n"), "the script is not at the end")
    rest = script.replace("http://www.w3.org/2000/svg", "")
    for word in ("http", "eval(", "Function(", "fetch(", "XMLHttp", "WebSocket", "import(", "Storage", "cookie", "indexedDB",
                 "innerHTML", "outerHTML", "insertAdjacent", "document.write", ".src", "postMessage", "setTimeout"):
        must(word not in rest, f"the script has {word}")


DIGITS = [chr(code) for code in range(33, 125) if chr(code) not in "\"&'<>"]


def codes_of(text, digits):
    """The codes of a grid, as api/chart/tooltips.h has them; -1: none."""
    codes, at = [], 0
    while at < len(text):
        if text[at] == "}":
            codes += codes[-1:] * (DIGITS.index(text[at + 1]) + 1)
            at += 2
        elif text[at] == "~":
            codes.append(-1)
            at += 1
        else:
            code = 0
            for digit in text[at:at + digits]:
                code = code * len(DIGITS) + DIGITS.index(digit)
            codes.append(code)
            at += digits
    return codes


def check_grids(page):
    """Dense pictures have a value for each part of each cell, and labels for what it is about."""
    for grid in page.iter(f"{SVG}g"):
        if grid.get("data-values") is None:
            continue
        numbers = grid.get("data-grid").split(" ")
        title, rows, columns, digits = grid.get("data-title"), *map(int, numbers[4:7])
        parts = len(grid.get("data-parts").split("|"))
        codes = codes_of(grid.get("data-values"), digits)
        must(len(codes) == rows * columns * parts, f"{title}: {len(codes)} values for {rows} x {columns} cells of {parts}")
        must(title and grid.get("data-x") and grid.get("data-x-range"), f"{title}: a grid without labels")
        must(float(numbers[7]) == 0 or max(codes) == len(DIGITS) ** digits - 1 or parts > 1 or max(codes) == -1,
             f"{title}: the largest value is not the largest")


def check_pictures(page):
    figures = page.findall(f".//{HTML}figure")
    for section in page.findall(f".//{HTML}section"):
        must(section[0].tag == f"{HTML}h2" and words(section[0]), "a section without a heading")
        children = list(section)
        for place, child in enumerate(children):
            if child.tag != f"{HTML}figure":
                continue
            caption = child.find(f"{HTML}figcaption")
            name = words(caption)[:40] if caption is not None else "?"
            must(caption is not None and words(caption).endswith("."), f"{name}: no sentence")
            must(not re.search(r"\b(nan|inf|null)\b", words(caption)), f"{words(caption)}: not a number")
            must(re.search(r"\d", words(caption) or ""), f"{name}: no number in the sentence")
            numbers = children[place + 1] if place + 1 < len(children) else None
            if (numbers is not None and numbers.tag == f"{HTML}p"
                    and words(numbers) == "The numbers are those of the picture above."):
                numbers = children[place - 1]
            must(numbers is not None and numbers.tag == f"{HTML}details"
                 and numbers.find(f".//{HTML}tbody/{HTML}tr") is not None, f"{name}: no numbers")
            svg = child.find(f".//{SVG}svg")
            must(svg is not None and svg.get("role") == "img" and words(svg.find(f"{SVG}title")),
                 f"{name}: no title")
            for text in svg.iter(f"{SVG}text"):
                must(words(text) != "nan" and "inf" not in words(text).split(), f"{name}: not a number")
    for table in page.iter(f"{HTML}table"):
        heads = table.findall(f".//{HTML}th")
        must(heads and all(head.get("scope") for head in heads), "a table without heads")
        for row in table.findall(f"{HTML}tbody/{HTML}tr"):
            must(len(row) == len(heads), "a row with another number of cells")
    return len(figures)


def brightness(colour):
    """The relative luminance of WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def drawn(group):
    """What a picture has, in the order of drawing, without groups that have other coordinates."""
    for element in group:
        if element.tag == f"{SVG}g" and element.get("transform") is None:
            yield from drawn(element)
        elif element.tag != f"{SVG}g":
            yield element


def check_contrast(page):
    """Texts have a contrast of 4.5:1 with what they stand on, also in pictures."""
    style = words(page.find(f"{HTML}head/{HTML}style"))
    for colour in re.findall(r"[{;]color:(#[0-9a-f]+)", style):
        must(contrast(colour, "#ffffff") >= 4.5, f"text in {colour} is too light")
    for svg in page.iter(f"{SVG}svg"):
        boxes = []
        for element in drawn(svg):
            at = [float(element.get(key, "0").rstrip("%")) for key in ("x", "y", "width", "height")]
            if element.tag == f"{SVG}rect" and element.get("fill", "").startswith("#"):
                boxes.append(([0, 0, 1e9, 1e9] if "%" in element.get("width") else at, element.get("fill")))
            if element.tag != f"{SVG}text":
                continue
            below = [fill for (x, y, width, height), fill in boxes
                     if x <= at[0] <= x + width and y <= at[1] - 4 <= y + height]
            ink = element.get("fill", svg.get("fill", "#000000"))
            must(contrast(ink, below[-1]) >= 4.5, f"{words(element)}: {ink} on {below[-1]}")


def check_order(page):
    """What readers of the screen and keyboards meet: headings in order, names, reachable areas."""
    level = 0
    for element in page.iter():
        heading = re.fullmatch(r"h([1-6])", element.tag.split("}")[-1])
        if heading:
            must(int(heading[1]) <= level + 1 and words(element), f"heading {words(element)} out of order")
            level = int(heading[1])
        if element.tag == f"{HTML}details":
            must(element[0].tag == f"{HTML}summary" and words(element[0]), "details without a summary")
        if element.get("tabindex") == "0" and element.get("role") == "group":
            must(element.get("aria-labelledby"), "a group without a name")
    for svg in page.iter(f"{SVG}svg"):
        title = svg[0]
        must(title.tag == f"{SVG}title" and svg.get("aria-labelledby") == title.get("id")
             or svg.get("aria-labelledby") is None and title.tag == f"{SVG}title", "a picture without a name")
    parents = {child: parent for parent in page.iter() for child in parent}
    for wide, holder in ((f"{HTML}table", "scroll"), (f"{SVG}svg", "picture")):
        for element in page.iter(wide):
            must(parents[element].get("class") == holder and parents[element].get("tabindex") == "0",
                 f"{wide} that cannot scroll by itself")
    style = words(page.find(f"{HTML}head/{HTML}style"))
    for rule in (".picture,.scroll{overflow-x:auto}", "@media print{", ":focus-visible", "overflow-wrap:anywhere"):
        must(rule in style, f"the style sheet has no {rule}")


def main():
    most, path = int(sys.argv[1]), sys.argv[2]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    must(len(text.encode()) <= most, f"{len(text.encode())} bytes")
    must(text.startswith("<!DOCTYPE html>\n"), "no document type")
    page = xml.etree.ElementTree.fromstring(text)
    must(page.get("lang") == "en", "no language")
    must(page.find(f"{HTML}head/{HTML}title") is not None, "no title")
    must(len(page.findall(f".//{HTML}main")) == 1, "not one main part")
    must(len(page.findall(f".//{HTML}h1")) == 1, "not one main heading")
    policies = [meta.get("content") for meta in page.iter(f"{HTML}meta")
                if meta.get("http-equiv") == "Content-Security-Policy"]
    check_script(page, text, policies)
    check_references(page, text)
    check_contrast(page)
    check_order(page)
    check_grids(page)
    pictures = check_pictures(page)
    for fault in faults:
        print(fault)
    print(f"{pictures} pictures")
    return 1 if faults else 0


sys.exit(main())
