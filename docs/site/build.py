#!/usr/bin/env python3
"""Builds the documentation site: static files, which a browser opens from disk.

    build.py --manuals FOLDER --output FOLDER

Copies the documents into OUTPUT/source, adds pages for what they refer to (manual pages, the public
headers, machines, examples), and lets Sphinx write OUTPUT/html. docs/README.md gives the order of the
pages. Any warning of Sphinx is an error. Exit code 2: a program is missing, or a page is wrong.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

SITE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(SITE))
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md"]
LINK = re.compile(r"(?<=\]\()([^()\s]+)(?=\))")
LANGUAGES = {".c": "c", ".h": "c", ".yaml": "yaml", ".cff": "yaml", ".py": "python"}
NEEDED = {"doxygen": "doxygen", "mandoc": "mandoc", "awk": "mawk"}
MODULES = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "breathe": "python3-breathe"}


def fail(text):
    sys.exit(f"site: {text}")


def sphinx_command():
    """The command of Sphinx, with an interpreter that has all modules; fails with what to install."""
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    for python in (sys.executable, "/usr/bin/python3"):
        if not os.path.exists(python):
            continue
        lacking = [
            package
            for module, package in MODULES.items()
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode
        ]
        if not lacking:
            break
    missing += lacking
    if missing:
        print(f"site: the documentation site needs these packages of Debian: {' '.join(missing)}", file=sys.stderr)
        print(f"site: apt-get install {' '.join(missing)}", file=sys.stderr)
        sys.exit(2)
    return [python, "-m", "sphinx"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fenced(text, language):
    return f"``````{language}\n{text}\n``````\n"


class Pages:
    """The pages of the site, in a folder for Sphinx."""

    def __init__(self, folder, manuals):
        self.folder = folder
        self.manuals = manuals
        self.added = {}  # path in the source tree: name of the page that shows it

    def page_for(self, path):
        """The page that shows a file or a folder of the source tree that is no document."""
        if path not in self.added:
            manual = re.fullmatch(r"docs/man/(.*)\.in", path)
            name = f"manual/{manual[1]}" if manual else f"source/{path.replace('.', '-')}"
            self.added[path] = name
            if not manual:
                write(os.path.join(self.folder, name + ".md"), self.shown(path))
        return self.added[path]

    def shown(self, path):
        """A page with the text of a file, or of the files of a folder."""
        full = os.path.join(SOURCE, path)
        if os.path.isfile(full):
            return f"# {os.path.basename(path)}\n\n" + self.text_of(full)
        names = sorted(name for name in os.listdir(full) if os.path.isfile(os.path.join(full, name)))
        parts = [f"## {name}\n\n{self.text_of(os.path.join(full, name))}" for name in names]
        return f"# {path}\n\n" + "\n".join(parts)

    @staticmethod
    def text_of(path):
        if path.endswith(".ipynb"):
            cells = json.loads(read(path))["cells"]
            texts = ["".join(cell["source"]) for cell in cells]
            # The first cell's title stands below that of the page.
            shown = [re.sub(r"^#", "##", text) if cell["cell_type"] == "markdown" else fenced(text, "python")
                     for cell, text in zip(cells, texts)]
            return "\n\n".join(shown) + "\n"
        lines = read(path).split("\n")
        if len(lines) > 400:
            lines = lines[:20] + [f"... {len(lines) - 20} more lines"]
            return fenced("\n".join(lines), "text")
        return fenced("\n".join(lines), LANGUAGES.get(os.path.splitext(path)[1], "text"))

    def document(self, path):
        """Copies a document; links to what is no document lead to a page that shows it."""
        folder = os.path.dirname(path)

        def changed(match):
            target = match[1]
            if re.match(r"[a-z]+:|#", target) or re.search(r"\.(md|svg|png)(#.*)?$", target):
                return target
            wanted = os.path.normpath(os.path.join(folder, target))
            return os.path.relpath(self.page_for(wanted) + ".md", folder or ".")

        parts = re.split(r"(^```.*?^```$)", read(os.path.join(SOURCE, path)), flags=re.M | re.S)
        text = "".join(part if part.startswith("```") else LINK.sub(changed, part) for part in parts)
        write(os.path.join(self.folder, path), text)
        return text

    def manual(self, name):
        """A manual page, as mandoc writes it."""
        path = os.path.join(self.manuals, name)
        text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], check=True,
                              capture_output=True, text=True).stdout
        text = text[text.index('<div class="manual-text">'):]
        text = text[:text.rindex("<table")] if "<table" in text else text
        for level in (2, 1):
            text = re.sub(rf"(</?h){level}\b", rf"\g<1>{level + 1}", text)
        text = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", text, flags=re.S)
        text = re.sub(r"(?:<b>)?\b(anax(?:-\w+)?)(?:</b>)?\(([15])\)", r'<a href="\1.\2.html">\1(\2)</a>', text)
        page, section = name.rsplit(".", 1)
        write(os.path.join(self.folder, "manual", name + ".md"),
              f"# {page}({section})\n\n``````{{raw}} html\n<section class=\"manual\">\n{text}</section>\n``````\n")

    def reference(self, header):
        """The functions and types of a public header."""
        write(os.path.join(self.folder, "reference", header.replace(".", "-") + ".md"),
              f"# {header}\n\n```{{doxygenfile}} {header}\n:project: anax\n```\n")


def toctree(caption, pages):
    return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def contents(overview, folder):
    """The pages that docs/README.md names, by its headings."""
    named = {"README"}
    result = ""
    for section in re.split(r"^## ", overview, flags=re.M)[1:]:
        caption, text = section.split("\n", 1)
        pages = []
        for target in LINK.findall(text):
            path = os.path.normpath(os.path.join("docs", target.split("#")[0]))
            page = path[:-len(".md")]
            if path.startswith("docs/model/"):
                continue  # docs/model.md has the chapters
            if path.endswith(".md") and page not in named and os.path.exists(os.path.join(folder, path)):
                named.add(page)
                pages.append("/" + page)
        if pages:
            result += toctree(caption, pages)
    return result, named


def run_doxygen(folder):
    """Describes the public headers in XML, which Breathe reads."""
    settings = {
        "PROJECT_NAME": "anax",
        "INPUT": os.path.join(SOURCE, "include/anax"),
        "OUTPUT_DIRECTORY": folder,
        "GENERATE_HTML": "NO", "GENERATE_LATEX": "NO", "GENERATE_XML": "YES",
        "OPTIMIZE_OUTPUT_FOR_C": "YES", "EXTRACT_ALL": "YES", "QUIET": "YES", "WARNINGS": "YES",
        "WARN_IF_UNDOCUMENTED": "NO", "FILTER_PATTERNS": f'*.h="awk -f {SITE}/header.awk"',
        "MACRO_EXPANSION": "YES", "EXPAND_ONLY_PREDEF": "YES",
        "PREDEFINED": "ANAX_API=", "TYPEDEF_HIDES_STRUCT": "YES", "JAVADOC_AUTOBRIEF": "NO", "HAVE_DOT": "NO",
        "EXCLUDE_SYMBOLS": "ANAX_*_H ANAX_API",
    }
    text = "\n".join(f"{key} = {value}" for key, value in settings.items())
    done = subprocess.run(["doxygen", "-"], input=text, text=True, capture_output=True, check=False)
    if done.returncode or done.stderr:
        fail(f"doxygen, of the headers in include/anax:\n{done.stderr}")
    xml = os.path.join(folder, "xml")
    for name in os.listdir(xml):
        if name.endswith("_8h.xml"):
            sort_sections(os.path.join(xml, name))
    return xml


def sort_sections(path):
    """Puts the sections of a header into the order of its lines, which doxygen does not keep."""
    tree = ElementTree.parse(path)
    for header in tree.getroot():
        sections = header.findall("sectiondef")
        first = {part: min((int(place.get("line")) for place in part.iter("location")), default=0) for part in sections}
        places = [list(header).index(section) for section in sections]
        for place, section in zip(places, sorted(sections, key=first.get)):
            header[place] = section
    tree.write(path, encoding="utf-8", xml_declaration=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manuals", required=True, help="folder with the manual pages that the build wrote")
    parser.add_argument("--output", required=True, help="folder for the site; its folders source and html are replaced")
    arguments = parser.parse_args()
    sphinx = sphinx_command()
    if not os.path.exists(os.path.join(arguments.manuals, "anax.1")):
        fail(f"{arguments.manuals}: there are no manual pages; build anax first")

    folder = os.path.join(os.path.abspath(arguments.output), "source")
    result = os.path.join(os.path.abspath(arguments.output), "html")
    for old in (folder, result):
        shutil.rmtree(old, ignore_errors=True)
    pages = Pages(folder, arguments.manuals)
    documents = list(DOCUMENTS)
    for place, names, files in os.walk(os.path.join(SOURCE, "docs")):
        relative = os.path.relpath(place, SOURCE)
        if relative in ("docs/man", "docs/site"):
            continue
        for name in sorted(files):
            path = os.path.join(relative, name)
            if name.endswith(".md"):
                documents.append(path)
            else:
                os.makedirs(os.path.join(folder, relative), exist_ok=True)
                shutil.copy(os.path.join(SOURCE, path), os.path.join(folder, path))
    texts = {path: pages.document(path) for path in documents}
    chapters = [path for path in documents if path.startswith("docs/model/")]
    model = texts["docs/model.md"] + toctree("Chapters", ["/" + path[:-3] for path in chapters])
    write(os.path.join(folder, "docs/model.md"), model)

    xml = run_doxygen(os.path.join(os.path.abspath(arguments.output), "doxygen"))
    manuals = sorted(os.listdir(arguments.manuals))
    for name in manuals:
        pages.manual(name)
    headers = sorted(os.listdir(os.path.join(SOURCE, "include/anax")), key=lambda name: (name != "anax.h", name))
    for header in headers:
        pages.reference(header)

    listed, named = contents(texts["docs/README.md"], folder)
    rest = ["/" + path[:-3] for path in documents if path[:-3] not in named and path not in chapters]
    shown = sorted("/" + name for path, name in pages.added.items() if name.startswith("source/"))
    start = texts["README.md"] + toctree("Start", ["docs/README"]) + listed
    start += toctree("Manual pages", [f"/manual/{name}" for name in manuals])
    start += toctree("Interface of libanax", [f"/reference/{name.replace('.', '-')}" for name in headers])
    start += toctree("More", [page for page in rest if page != "/docs/README"] + shown)
    write(os.path.join(folder, "README.md"), start)

    done = subprocess.run([*sphinx, "-q", "-W", "--keep-going", "-n", "-j", "2", "-b", "html", "-c", SITE,
                           "-D", f"breathe_projects.anax={xml}", "-d", os.path.join(arguments.output, "doctrees"),
                           folder, result], check=False)
    if done.returncode:
        fail("Sphinx found faults, see above")
    shutil.copy(os.path.join(result, "README.html"), os.path.join(result, "index.html"))
    print(f"{result}/index.html")


if __name__ == "__main__":
    main()
