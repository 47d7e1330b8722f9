"""Tables of results: columns of numbers and texts."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator, List, Mapping, Optional

from . import _library as lib


class Table(Mapping[str, Any]):
    """A table of a result, as a mapping from the name of a column to its values.

    Numbers are memoryviews of the library's own arrays, without a copy; absent integers are
    ``anax.NONE``, absent numbers NaN. Sums over ranks, which may need more than 64 bits, and texts are
    lists; an absent text is None. `frame()` makes a pandas DataFrame.
    """

    def __init__(self, handle: lib.Handle, name: str) -> None:
        self.name = name
        self._handle = handle
        self._columns = {}
        self._rows = lib.library.anax_table_row_count(handle.address)
        for i in range(lib.library.anax_table_column_count(handle.address)):
            column = lib.library.anax_table_column(handle.address, i).contents
            self._columns[column.name.decode()] = column

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._rows

    def unit(self, column: str) -> str:
        """The unit of a column, "" for counts, names and shares."""
        return self._columns[column].unit.decode()

    def description(self, column: str) -> str:
        """What a column holds."""
        return self._columns[column].description.decode()

    def _view(self, values: Any, kind: Any) -> memoryview:
        if self._rows == 0:
            return memoryview((kind * 0)()).cast("B").cast("q" if kind is ctypes.c_int64 else "d")
        array = ctypes.cast(values, ctypes.POINTER(kind * self._rows)).contents
        array._table = self._handle  # the memory lives as long as the view
        return memoryview(array).cast("B").cast("q" if kind is ctypes.c_int64 else "d")

    def __getitem__(self, column: str) -> Any:
        c = self._columns[column]
        if c.type in (lib.INTEGER, lib.TRUTH):
            return self._view(c.integers, ctypes.c_int64)
        if c.type == lib.NUMBER:
            return self._view(c.numbers, ctypes.c_double)
        if c.type == lib.SUM:
            return [(c.sums[i].high << 64) + c.sums[i].low for i in range(self._rows)]
        return [_text(c.texts[i]) for i in range(self._rows)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<anax table {self.name}: {self._rows} rows, columns {', '.join(self._columns)}>"

    def records(self) -> List[dict]:
        """The rows as dictionaries; absent values are None, truths are bool."""
        values = {}
        for name, column in self._columns.items():
            cells = self[name]
            if column.type == lib.TRUTH:
                values[name] = [None if v == lib.NONE else bool(v) for v in cells]
            elif column.type == lib.INTEGER:
                values[name] = [None if v == lib.NONE else v for v in cells]
            elif column.type == lib.NUMBER:
                values[name] = [None if v != v else v for v in cells]
            else:
                values[name] = cells
        return [dict(zip(values, row)) for row in zip(*values.values())]

    def frame(self) -> Any:
        """The table as a pandas DataFrame.

        Columns of numbers use the library's arrays without a copy where pandas allows it: integers of
        which none is absent, and numbers. Integers of which some are absent become Int64.
        """
        import numpy
        import pandas

        data = {}
        for name, column in self._columns.items():
            cells = self[name]
            if column.type in (lib.INTEGER, lib.TRUTH):
                array = numpy.frombuffer(cells, dtype=numpy.int64)
                absent = array == lib.NONE
                kind = "boolean" if column.type == lib.TRUTH else "Int64"
                if absent.any() or column.type == lib.TRUTH:
                    series = pandas.array(numpy.where(absent, 0, array), dtype="Int64")
                    series[absent] = pandas.NA
                    data[name] = series.astype(kind)
                else:
                    data[name] = array
            elif column.type == lib.NUMBER:
                data[name] = numpy.frombuffer(cells, dtype=numpy.float64)
            elif column.type == lib.SUM and all(value < 2**63 for value in cells):
                data[name] = numpy.array(cells, dtype=numpy.int64)
            else:
                data[name] = pandas.Series(cells, dtype=object)
        frame = pandas.DataFrame(data, copy=False)
        frame.attrs["units"] = {name: self.unit(name) for name in self}
        return frame

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "surrogateescape")
