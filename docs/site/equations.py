"""Sets the equations of the documents, for Sphinx.

Documents write equations as indented blocks of plain text, which read well as they are:

    e' = max(s' + ser(S, B'), e + λ)      output buffers

Each line has one or more columns, which two or more blanks separate. This module turns them into
HTML: letters in italics, subscripts (B_max, s_{j−1}), powers (10^12), quotients as fractions, floor(x)
and ceil(x) as brackets. Text of a document that has equations, and of all chapters of the model, gets
its subscripts and powers, too. The pages need neither scripts nor fonts for mathematics. A block that
cannot be read is a warning.
"""

import html
import re

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)

LETTER = "A-Za-zα-ωΑ-Ω"
TOKEN = re.compile(
    r"`[^`]*`"
    r"|\d+(?:[.,]\d+)*"
    r"|[A-Za-z]{2,}'s\b"
    rf"|[{LETTER}]+\d*(?:_(?:\{{[^}}]*\}}|\([^)]*\)|[A-Za-z0-9]+))*'*(?:[.-][a-z]\w*)*"
    r"|<=|>=|\s+|."
)
SIGNS = {"<=": "≤", ">=": "≥", "-": "−"}
CLOSING = {"(": ")", "[": "])", "{": "}"}  # [a, b) is an interval
ROUNDED = {"floor": "⌊⌋", "ceil": "⌈⌉"}
PRODUCTS = ("·", "×", "÷", "mod", "div")


class Unreadable(Exception):
    """The text is no equation."""


def is_name(token):
    return bool(re.match(f"[{LETTER}]", token))


def is_symbol(token):
    """A letter, or a name with a subscript, and not a word of a sentence."""
    base = re.split("[_']", token)[0]
    return is_name(token) and "'s" not in token and (len(base) == 1 or "_" in token and "." not in token)


def is_word(token):
    return is_name(token) and not is_symbol(token) and token not in PRODUCTS


def name(token):
    """A name with its subscripts and primes; long names, as of functions, are upright."""
    letters = token.rstrip("'")
    primes = "′" * (len(token) - len(letters))
    base, *subscripts = letters.split("_")
    if len(base) > 3:
        return letters  # the name of a setting
    result = f"<i>{base}</i>" if len(base) == 1 and base != "Σ" else base
    for subscript in subscripts:
        result += f"<sub>{typeset(subscript.strip('{}()'))}</sub>"
    return result + primes


def without_brackets(text):
    """A numerator or denominator, which needs no brackets of its own."""
    match = re.fullmatch(r'<span class="group">\((.*)\)</span>', text)
    return match[1] if match and '<span class="group">' not in match[1] else text


def enclosed(opening, inside, closing):
    """Brackets, as tall as what they enclose."""
    if 'class="fraction"' in inside:
        opening, closing = (f'<span class="tall">{bracket}</span>' for bracket in (opening, closing))
    return opening + inside + closing


class Reader:
    """Reads one column of an equation and writes it as HTML."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def skip_blank(self):
        if self.peek().isspace():
            self.at += 1

    def starts_operand(self):
        token = self.peek()
        if is_name(token):
            return token not in PRODUCTS and (is_symbol(token) or self.peek(1) == "(")
        return token[:1].isdigit() or token[:1] == "`" or token in CLOSING or token in ("√", "…")

    def group(self):
        """What brackets enclose, with them."""
        opening = self.next()
        inside = self.items(CLOSING[opening])
        if not self.peek():
            raise Unreadable(f"{opening} is not closed")
        return opening, inside, self.next()

    def operand(self):
        token = self.peek()
        if token in CLOSING:
            opening, inside, closing = self.group()
            result = f'<span class="group">{enclosed(opening, inside, closing)}</span>'
        else:
            token = self.next()
            if token == "√":
                result = f'√<span class="root">{self.operand()}</span>'
            elif token[0] == "`":
                result = f"<code>{html.escape(token.strip('`'))}</code>"
            elif token in ROUNDED and self.peek() == "(":
                _, inside, _ = self.group()
                result = enclosed(ROUNDED[token][0], inside, ROUNDED[token][1])
            else:
                result = name(token) if is_name(token) else token
                while is_name(token) and self.peek() in ("(", "["):
                    result += enclosed(*self.group())
        if self.peek() == "^":
            self.next()
            result += f"<sup>{self.operand()}</sup>"
        return result

    def product(self):
        """Operands joined by products and quotients; a quotient has all before it as its numerator."""
        result = self.operand()
        while True:
            before = self.at
            self.skip_blank()
            sign = self.peek()
            if sign != "/" and sign not in PRODUCTS:
                self.at = before
                return result
            self.next()
            self.skip_blank()
            if not self.starts_operand():
                self.at = before
                return result
            operand = self.operand()
            if sign == "/":
                above, below = without_brackets(result), without_brackets(operand)
                result = (f'<span class="fraction"><span>{above}</span><span class="slash"> / </span>'
                          f"<span>{below}</span></span>")
            else:
                result += f" {sign} {operand}"

    def items(self, closings=""):
        result = ""
        while self.peek() and self.peek() not in list(closings):
            token = self.peek()
            if token == "a" and is_word(self.peek(2)):  # the article
                result += self.next()
            elif self.starts_operand():
                result += self.product()
            elif token in list(")]}^_"):
                raise Unreadable(f"{token} has no beginning")
            else:
                token = self.next()
                result += " " if token.isspace() else html.escape(SIGNS.get(token, token))
        return result


def typeset(text):
    reader = Reader(text)
    result = reader.items()
    if reader.peek():
        raise Unreadable(f"{reader.peek()} is not understood")
    return result


def columns_of(line):
    """The columns of a line, as pairs of their place and text. Two blanks divide them, but not within
    brackets, nor before a sign that stands below others."""
    columns = []
    for match in re.finditer(r"\S+(?: \S+)*", line):
        text = columns[-1][1] if columns else ""
        is_open = sum(map(text.count, "([")) > sum(map(text.count, ")]"))
        if columns and (is_open or match.group().startswith("= ")):
            columns[-1] = (columns[-1][0], f"{text} {match.group()}")
        else:
            columns.append((match.start(), match.group()))
    return columns


def table(block):
    """A block of equations as an HTML table. Raises Unreadable."""
    rows = [columns_of(line) for line in block.rstrip().split("\n") if line.strip()]
    longest = max(rows, key=len)
    result = ""
    for row in rows:
        # A line that is indented goes on in the column above it.
        above = [place for place, _ in longest if place <= row[0][0]]
        cells = "<td></td>" * (len(above) - 1)
        indent = row[0][0] - above[-1] if above else 0
        for place, text in row:
            style = f' style="padding-left: {indent / 2}em"' if indent and place == row[0][0] else ""
            cells += f"<td{style}>{typeset(text)}</td>"
        result += f"<tr>{cells}</tr>\n"
    return f'<table class="equations">{result}</table>\n'


INLINE = re.compile(
    rf"(?<![\w.`])([{LETTER}])_(\{{[^}}]*\}}|[A-Za-z0-9]+)('*)|(?<=\d)\^(\d+|\([^)]*\)|[a-z]\b)"
)


def inline(text):
    """The nodes of a text with its subscripts and powers, or None if it has none."""
    result = []
    place = 0
    for match in INLINE.finditer(text):
        result.append(nodes.Text(text[place : match.start()]))
        letter, subscript, primes, power = match.groups()
        if letter:
            subscript = subscript.strip("{}")
            result += [nodes.emphasis(letter, letter, classes=["symbol"]), nodes.subscript(subscript, subscript)]
            result.append(nodes.Text("′" * len(primes)))
        else:
            result.append(nodes.superscript(power, power.strip("()")))
        place = match.end()
    return [*result, nodes.Text(text[place:])] if result else None


def set_equations(_, document):
    """Replaces the indented blocks of a document by tables of formulas."""
    found = False
    for block in list(document.findall(nodes.literal_block)):
        if block.get("language") != "none":  # MyST gives fenced blocks another one
            continue
        try:
            block.replace_self(nodes.raw("", table(block.astext()), format="html"))
            found = True
        except Unreadable as reason:
            LOGGER.warning("this block is no equation: %s", reason, location=block)
    if not found and not document.settings.env.docname.startswith("docs/model/"):
        return
    for text in list(document.findall(nodes.Text)):
        if isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.raw, nodes.title)):
            continue
        parts = inline(text.astext())
        if parts:
            text.parent.replace(text, parts)


def setup(app):
    app.connect("doctree-read", set_equations)
    return {"parallel_read_safe": True}
