"""Reports: a result's page and its pictures, as `--report` and `--figures` of the command write them."""

from __future__ import annotations

import base64
import ctypes
import html
import os
import re
from typing import List, NamedTuple, Union

from . import _library as lib

Path = Union[str, "os.PathLike[str]"]


class Figure(NamedTuple):
    """A picture of a report."""

    name: str
    #: The sentence that says what to see in it.
    caption: str
    #: The picture, as a whole SVG file.
    svg: str

    @property
    def title(self) -> str:
        """What the picture shows."""
        return html.unescape(re.findall("<title[^>]*>([^<]*)", self.svg)[0])

    def _repr_html_(self) -> str:
        # As a file inside an <img>: notebooks take shapes out of outputs that they do not trust, and
        # two pictures on one page may have equal names for their hatches.
        data = base64.b64encode(self.svg.encode()).decode()
        return (
            f"<figure><figcaption>{html.escape(self.caption)}</figcaption>"
            f'<img alt="{html.escape(self.title)}" src="data:image/svg+xml;base64,{data}" '
            'style="max-width: 100%; background: #fff" /></figure>'
        )


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


class Report:
    """The page of a result: one HTML file that needs nothing else. `report()` of a result makes it."""

    def __init__(self, json: str) -> None:
        text = json.encode("utf-8", "surrogateescape")
        self._handle = lib.new("anax_report_new", "anax_report_free", text)

    @property
    def heading(self) -> str:
        """What the result is of, and its main figure."""
        return _text(lib.library.anax_report_heading(self._handle.address))

    @property
    def html(self) -> str:
        """The page."""
        return _text(lib.library.anax_report_html(self._handle.address))

    @property
    def figures(self) -> List[Figure]:
        """The pictures, in the order of the page."""
        address = self._handle.address
        return [
            Figure(
                *(
                    _text(getattr(lib.library, f"anax_report_figure_{part}")(address, number))
                    for part in Figure._fields
                )
            )
            for number in range(lib.library.anax_report_figure_count(address))
        ]

    def write(self, path: Path, replace: bool = False) -> None:
        """Writes the page, as --report does. replace: also over a file that is there."""
        options = lib.Options(size=ctypes.sizeof(lib.Options), replace=replace)
        page = lib.library.anax_report_html(self._handle.address)
        lib.call("anax_text_write", page, lib.path_of(path), ctypes.byref(options))

    def write_figures(self, folder: Path) -> None:
        """Writes the pictures as NAME.svg into a new folder, as --figures does."""
        lib.call("anax_report_write_figures", self._handle.address, lib.path_of(folder))

    def _repr_html_(self) -> str:
        pictures = "\n".join(figure._repr_html_() for figure in self.figures)
        return f"<div><p><strong>{html.escape(self.heading)}</strong></p>\n{pictures}</div>"
