"""The C library: its functions, structs and constants, as include/anax/ declares them."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32
from ctypes import c_uint64, c_uint, c_void_p
from pathlib import Path
from typing import Any, Optional

OK, USAGE, INPUT, RUN, MEMORY, SYSTEM, EXISTS, STATE, STOPPED = range(9)
SCOPE_ALL = 0
INTEGER, TRUTH, NUMBER, SUM, TEXT = range(5)
#: The absent value of integers and truths.
NONE = -(2**63)

#: The shared library's name has the version of the interface that this package knows.
LIBRARY_NAME = "libanax.so.0.2"


class Error(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("code", c_int), ("text", c_char_p)]


class Sum(ctypes.Structure):
    _fields_ = [("high", c_uint64), ("low", c_uint64)]


class Progress(ctypes.Structure):
    _fields_ = [
        ("phase", c_char_p),
        ("done", c_uint64),
        ("total", c_uint64),
        ("time_ps", c_int64),
        ("events", c_uint64),
    ]


PROGRESS = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(Progress))


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_uint),
        ("points_at_once", c_uint),
        ("progress", PROGRESS),
        ("progress_context", c_void_p),
        ("processes", c_void_p),
        ("replace", c_bool),
        ("ascii_only", c_bool),
        ("timeline", c_bool),
        ("advise", c_bool),
        ("explain", c_bool),
    ]


class Column(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("description", c_char_p),
        ("type", c_int),
        ("integers", POINTER(c_int64)),
        ("numbers", POINTER(c_double)),
        ("sums", POINTER(Sum)),
        ("texts", POINTER(c_char_p)),
    ]


class ComparePlan(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("machines", POINTER(c_void_p)),
        ("machine_count", c_size_t),
        ("factors", POINTER(c_char_p)),
        ("factor_count", c_size_t),
        ("traces", POINTER(c_void_p)),
        ("trace_count", c_size_t),
        ("paths", POINTER(c_char_p)),
        ("seeds", c_uint64),
        ("points_folder", c_char_p),
        ("negligible", c_char_p),
    ]


class PlacePlan(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("config", c_void_p),
        ("trace", c_void_p),
        ("points_folder", c_char_p),
    ]


class TrafficPlan(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("machines", POINTER(c_void_p)),
        ("machine_count", c_size_t),
        ("factors", POINTER(c_char_p)),
        ("factor_count", c_size_t),
        ("routings", c_char_p),
        ("loads", c_char_p),
        ("saturation_width", c_char_p),
        ("seeds", c_uint64),
        ("points_folder", c_char_p),
    ]


class Choice(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p)]


VISIT_CHOICE = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(Choice))

# A text that the caller frees is a c_void_p: ctypes would lose the address of a c_char_p.
_ERROR = POINTER(Error)
_NEW = POINTER(c_void_p)
_OPTIONS = POINTER(Options)
_FUNCTIONS = {
    "anax_version": (c_char_p, []),
    "anax_error_clear": (None, [_ERROR]),
    "anax_text_free": (None, [c_void_p]),
    "anax_list": (c_int, [c_char_p, c_char_p, VISIT_CHOICE, c_void_p, _ERROR]),
    "anax_config_new": (c_int, [_NEW, _ERROR]),
    "anax_config_free": (None, [c_void_p]),
    "anax_config_machine": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_config_has_machine": (c_bool, [c_void_p]),
    "anax_config_load": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_config_set": (c_int, [c_void_p, c_char_p, c_char_p, _ERROR]),
    "anax_trace_open": (c_int, [_NEW, c_char_p, c_void_p, _OPTIONS, _ERROR]),
    "anax_trace_generate": (c_int, [_NEW, c_char_p, c_void_p, _ERROR]),
    "anax_trace_free": (None, [c_void_p]),
    "anax_trace_write_program": (c_int, [c_void_p, c_char_p, _OPTIONS, _ERROR]),
    "anax_trace_text": (c_void_p, [c_void_p]),
    "anax_trace_json": (c_void_p, [c_void_p]),
    "anax_trace_warnings": (c_void_p, [c_void_p]),
    "anax_trace_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_table_row_count": (c_size_t, [c_void_p]),
    "anax_table_column_count": (c_size_t, [c_void_p]),
    "anax_table_column": (POINTER(Column), [c_void_p, c_size_t]),
    "anax_table_free": (None, [c_void_p]),
    "anax_replay": (c_int, [_NEW, c_void_p, c_void_p, _OPTIONS, _ERROR]),
    "anax_traffic_sweep": (c_int, [_NEW, POINTER(TrafficPlan), _OPTIONS, _ERROR]),
    "anax_replay_result_free": (None, [c_void_p]),
    "anax_replay_result_completed": (c_bool, [c_void_p]),
    "anax_replay_result_digest": (c_int, [POINTER(c_uint64), c_void_p, _ERROR]),
    "anax_replay_result_text": (c_void_p, [c_void_p]),
    "anax_replay_result_json": (c_void_p, [c_void_p]),
    "anax_replay_result_warnings": (c_void_p, [c_void_p]),
    "anax_replay_result_time_ps": (c_int, [POINTER(c_int64), c_void_p, _ERROR]),
    "anax_replay_result_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_replay_result_write_tables": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_replay_result_write_timeline": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_replay_result_write_perfetto": (
        c_int,
        [c_void_p, c_char_p, c_uint32, c_uint32, _OPTIONS, _ERROR],
    ),
    "anax_traffic_result_free": (None, [c_void_p]),
    "anax_traffic_result_completed": (c_bool, [c_void_p]),
    "anax_traffic_result_digest": (c_int, [POINTER(c_uint64), c_void_p, _ERROR]),
    "anax_traffic_result_text": (c_void_p, [c_void_p]),
    "anax_traffic_result_json": (c_void_p, [c_void_p]),
    "anax_traffic_result_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_traffic_result_write_tables": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_report_new": (c_int, [_NEW, c_char_p, _ERROR]),
    "anax_report_free": (None, [c_void_p]),
    "anax_report_html": (c_char_p, [c_void_p]),
    "anax_report_heading": (c_char_p, [c_void_p]),
    "anax_report_figure_count": (c_size_t, [c_void_p]),
    "anax_report_figure_name": (c_char_p, [c_void_p, c_size_t]),
    "anax_report_figure_caption": (c_char_p, [c_void_p, c_size_t]),
    "anax_report_figure_svg": (c_char_p, [c_void_p, c_size_t]),
    "anax_report_write_figures": (c_int, [c_void_p, c_char_p, _ERROR]),
    "anax_text_write": (c_int, [c_char_p, c_char_p, _OPTIONS, _ERROR]),
    "anax_compare": (c_int, [_NEW, POINTER(ComparePlan), _OPTIONS, _ERROR]),
    "anax_comparison_free": (None, [c_void_p]),
    "anax_comparison_text": (c_void_p, [c_void_p]),
    "anax_comparison_json": (c_void_p, [c_void_p]),
    "anax_comparison_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_place": (c_int, [_NEW, POINTER(PlacePlan), _OPTIONS, _ERROR]),
    "anax_placement_free": (None, [c_void_p]),
    "anax_placement_text": (c_void_p, [c_void_p]),
    "anax_placement_json": (c_void_p, [c_void_p]),
    "anax_placement_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_diff_texts": (c_int, [_NEW, c_char_p, c_char_p, c_char_p, c_char_p, _ERROR]),
    "anax_diff_free": (None, [c_void_p]),
    "anax_diff_text": (c_void_p, [c_void_p]),
    "anax_diff_json": (c_void_p, [c_void_p]),
    "anax_diff_table": (c_int, [_NEW, c_void_p, c_char_p, _ERROR]),
    "anax_topology_new": (c_int, [_NEW, c_void_p, _ERROR]),
    "anax_topology_free": (None, [c_void_p]),
    "anax_topology_text": (c_void_p, [POINTER(c_void_p), c_size_t]),
    "anax_topology_json": (c_void_p, [POINTER(c_void_p), c_size_t]),
    "anax_topology_table": (c_int, [_NEW, POINTER(c_void_p), c_size_t, c_char_p, _ERROR]),
}


class AnaxError(Exception):
    """A function of the library failed. The text says where the fault is and how to mend it."""


class UsageError(AnaxError, ValueError):
    """The call or its settings are wrong."""


class InputError(AnaxError, OSError):
    """A file is missing, damaged or of the wrong kind."""


class RunError(AnaxError, RuntimeError):
    """The simulation could not finish. `result` has the state in which it stopped, if there is one."""

    result: Any = None


class SystemFault(AnaxError, OSError):
    """The operating system refused a request."""


class OutOfMemory(AnaxError, MemoryError):
    """There is not enough memory."""


class OutputExists(AnaxError, FileExistsError):
    """The output exists, and the call may not replace it."""


class StateError(AnaxError, RuntimeError):
    """The object has not what the call needs: its run did not finish, or kept no such data."""


class Stopped(AnaxError):
    """The caller stopped the run. `result` has the state in which it stopped, if there is one."""

    result: Any = None


_CLASSES = {
    USAGE: UsageError,
    INPUT: InputError,
    RUN: RunError,
    MEMORY: OutOfMemory,
    SYSTEM: SystemFault,
    EXISTS: OutputExists,
    STATE: StateError,
    STOPPED: Stopped,
}


def _find() -> str:
    """The path of the library: ANAX_LIBRARY, beside this package (wheel), or the system's."""
    chosen = os.environ.get("ANAX_LIBRARY")
    if chosen:
        return chosen
    here = Path(__file__).resolve().parent
    if (here / LIBRARY_NAME).exists():
        os.environ.setdefault("ANAX_MACHINES", str(here / "machines"))
        return str(here / LIBRARY_NAME)
    for folder in list(here.parents)[:4]:  # installed under the same prefix: PREFIX/lib/python3/...
        if (folder / LIBRARY_NAME).exists():
            return str(folder / LIBRARY_NAME)
    return LIBRARY_NAME


def _load() -> ctypes.CDLL:
    path = _find()
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"the library of anax cannot be loaded: {error}; install it, or set ANAX_LIBRARY to its path"
        ) from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name, None)
        if function is None:
            raise ImportError(f"{path} has no {name}: it is of another version than this package")
        function.restype = result
        function.argtypes = arguments
    return loaded


library = _load()


def text_of(address: Optional[int]) -> str:
    """A text of the library, which is freed."""
    if not address:
        raise OutOfMemory("out of memory for a text")
    try:
        value = ctypes.cast(address, c_char_p).value or b""
        return value.decode("utf-8", "surrogateescape")
    finally:
        library.anax_text_free(address)


def path_of(path: Any) -> bytes:
    """A path for the library."""
    return os.fsencode(path)


def call(name: str, *arguments: Any) -> None:
    """Calls a function that can fail, with an error as its last argument, and raises that error."""
    error = Error(ctypes.sizeof(Error), OK, None)
    code = getattr(library, name)(*arguments, ctypes.byref(error))
    if code == OK:
        return
    text = (error.text or b"out of memory").decode("utf-8", "replace")
    # The library names members of structs in C, which are keyword arguments here.
    text = re.sub(r"\b(?:anax_options|plan)\.(\w+)", r"the argument \1", text)
    library.anax_error_clear(ctypes.byref(error))
    raise _CLASSES.get(code, AnaxError)(text)


class Handle:
    """An object of the library, freed with this one. Keeps alive what it uses."""

    def __init__(self, address: int, free: str, *uses: Any) -> None:
        self.address = c_void_p(address)
        self._free = getattr(library, free)
        self._uses = uses

    def __del__(self) -> None:
        if getattr(self, "address", None) and not sys.is_finalizing():
            self._free(self.address)
            self.address = None


def new(function: str, free: str, *arguments: Any, uses: tuple = ()) -> Handle:
    """Creates an object by a function whose first argument is where to put it."""
    address = c_void_p()
    try:
        call(function, ctypes.byref(address), *arguments)
    except (RunError, Stopped) as error:
        if address.value:
            error.result = Handle(address.value, free, *uses)
        raise
    assert address.value is not None
    return Handle(address.value, free, *uses)


def handles(objects: list) -> Any:
    """An array of the addresses of handles."""
    return (c_void_p * len(objects))(*[handle.address.value for handle in objects])


def texts(words: list) -> Any:
    """An array of texts."""
    return (c_char_p * len(words))(*[os.fsencode(word) for word in words])
