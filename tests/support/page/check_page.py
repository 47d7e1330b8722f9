"""Checks the structure of a report without a browser: check_page.py MOST_BYTES FILE.

The page is well-formed, asks for nothing outside itself, has no script, and each picture has a
title, a sentence, and numbers: in a table below it, or in that of an earlier picture of the section
to which a sentence points. Prints what does not hold; the exit code is then 1.
"""

import re
import sys
import xml.etree.ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
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
            if plain in LOADS:
                must(value.startswith("data:image/png;base64,"), f"{element.tag} loads {value}")
            if plain == "href":
                must(value[:1] == "#" and value[1:] in ids, f"{element.tag} leads to {value}")
            for target in re.findall(r"url\((.*?)\)", value):
                must(target[:1] == "#" and target[1:] in ids, f"{element.tag} uses {target}")
            if plain == "aria-labelledby":
                must(value in ids, f"{element.tag} is labelled by {value}")
            must(not plain.startswith("on"), f"{element.tag} has the handler {name}")
            must(plain != "style", f"{element.tag} has a style of its own")
        must(element.tag.split("}")[-1] not in ("script", "iframe", "object", "link", "foreignObject"),
             f"there is a {element.tag}")
    style = words(page.find(f"{HTML}head/{HTML}style"))
    must("url(" not in style and "@import" not in style, "the style sheet loads something")


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
    must(policies == [POLICY], f"the policy is {policies}")
    check_references(page, text)
    pictures = check_pictures(page)
    for fault in faults:
        print(fault)
    print(f"{pictures} pictures")
    return 1 if faults else 0


sys.exit(main())
