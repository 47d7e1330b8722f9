"""Traces, results and the functions that make them."""

from __future__ import annotations

import ctypes
import html
import json
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._report import Report
from ._tables import Table

Setting = Union[str, int, float, bool]
Settings = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]
#: Called now and then with what is being done ("replaying"), and how much of it, if known. Returning
#: False stops the run with `Stopped`, except while a trace is opened.
ProgressFunction = Callable[[str, int, int], Optional[bool]]


# ---- settings and options ----


def _value(value: Setting) -> bytes:
    if isinstance(value, bool):
        return b"on" if value else b"off"
    return os.fsencode(str(value))


def _flat(settings: Settings, prefix: str = "") -> Iterable[tuple]:
    """Settings by their whole names; dictionaries may be nested as in a YAML file."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _configure(machine: Optional[Path], settings: Optional[Settings]) -> lib.Handle:
    config = lib.new("anax_config_new", "anax_config_free")
    if machine is not None:
        lib.call("anax_config_machine", config.address, lib.path_of(machine))
    for name, value in _flat(settings or {}):
        lib.call("anax_config_set", config.address, name.encode(), _value(value))
    return config


def _machine(machine: Optional[Path], settings: Optional[Settings]) -> lib.Handle:
    """Makes the configuration of a run, which needs a machine: one with a name, or network.*."""
    config = _configure(machine, settings)
    if not lib.library.anax_config_has_machine(config.address):
        raise lib.UsageError(
            "no machine: give the name of one (anax.choices('machines')), the path of a machine "
            "file, or settings network.*"
        )
    return config


class _Options:
    """Options of a run. Stops the run when Python has an exception to raise, such as Ctrl-C."""

    def __init__(self, progress: Optional[ProgressFunction] = None, **members: Any) -> None:
        self.failure: Optional[BaseException] = None
        self._progress = progress
        self._callback = lib.PROGRESS(self._told)
        self.struct = lib.Options(size=ctypes.sizeof(lib.Options), **members)
        self.struct.progress = self._callback

    def _told(self, _context: Any, state: Any) -> bool:
        try:
            if self._progress is not None:
                now = state.contents
                return self._progress(now.phase.decode(), now.done, now.total) is not False
            return True
        except BaseException as failure:  # passed on by run()
            self.failure = failure
            return False

    def run(self, function: str, free: str, *arguments: Any, uses: tuple = ()) -> lib.Handle:
        try:
            return lib.new(
                function, free, *arguments, ctypes.byref(self.struct), uses=uses + (self,)
            )
        except lib.Stopped:
            if self.failure is not None:
                raise self.failure from None
            raise


def _json(text: str) -> Any:
    return json.loads(text)


class _Result:
    """What all results have: text, JSON and tables."""

    _kind = ""  # of its tables, and its functions are anax_<_name>_...
    _name = ""

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle

    def _text_of(self, what: str) -> str:
        function = getattr(lib.library, f"anax_{self._name}_{what}")
        return lib.text_of(function(self._handle.address))

    @property
    def text(self) -> str:
        """The result for people, as the command prints it."""
        return self._text_of("text")

    @property
    def data(self) -> Dict[str, Any]:
        """The result as its JSON, in dictionaries and lists."""
        return _json(self._text_of("json"))

    @property
    def tables(self) -> List[str]:
        """The names of the tables; a result does not always have all of them."""
        start = self._kind + "."
        return [name[len(start) :] for name in choices("tables") if name.startswith(start)]

    def table(self, name: str) -> Table:
        """A table of the result; `tables` names them, and anax-json(5) describes them."""
        handle = lib.new(
            f"anax_{self._name}_table", "anax_table_free", self._handle.address, name.encode()
        )
        return Table(handle, name)

    def frame(self, name: str) -> Any:
        """A table of the result as a pandas DataFrame."""
        return self.table(name).frame()

    def __str__(self) -> str:
        return self.text

    def report(self) -> Report:
        """The page and the pictures of the result, as --report and --figures write them."""
        return Report(self._text_of("json"))

    def _repr_html_(self) -> str:
        text = self.text.encode("utf-8", "replace").decode()
        folded = f"<details><summary>Text</summary><pre>{html.escape(text)}</pre></details>"
        return f"{self.report()._repr_html_()}\n{folded}"


def _result_of(
    kind: Any, options: _Options, function: str, free: str, *arguments: Any, uses: tuple = ()
) -> Any:
    """A result of a class `kind`. A run that could not finish may have one, too: that of the error."""
    try:
        return kind(options.run(function, free, *arguments, uses=uses))
    except (lib.RunError, lib.Stopped) as error:
        if error.result is not None:
            error.result = kind(error.result)
        raise


# ---- traces ----


class Trace:
    """The operations of every rank of an application. `open_trace` and `generate` make them."""

    def __init__(self, handle: lib.Handle) -> None:
        self._handle = handle

    @property
    def info(self) -> Dict[str, Any]:
        """All about the trace, as `anax info --json` prints it."""
        return _json(lib.text_of(lib.library.anax_trace_json(self._handle.address)))

    def table(self, name: str) -> Table:
        """A table of the trace: choices("tables", "info") names them."""
        handle = lib.new(
            "anax_trace_table", "anax_table_free", self._handle.address, name.encode()
        )
        return Table(handle, name)

    @property
    def warnings(self) -> List[str]:
        """Why predictions from this trace are doubtful; empty if nothing says so."""
        return lib.text_of(lib.library.anax_trace_warnings(self._handle.address)).splitlines()

    def write(self, path: Path, replace: bool = False) -> None:
        """Writes a program file, which opens much faster than an archive."""
        options = _Options(replace=replace)
        lib.call(
            "anax_trace_write_program",
            self._handle.address,
            lib.path_of(path),
            ctypes.byref(options.struct),
        )

    def __str__(self) -> str:
        return lib.text_of(lib.library.anax_trace_text(self._handle.address))


def open_trace(
    path: Path,
    settings: Optional[Settings] = None,
    *,
    threads: int = 0,
    progress: Optional[ProgressFunction] = None,
) -> Trace:
    """Opens an OTF2 archive (its .otf2 file or its folder), the folder of a recording, a program
    file, or a schedule in GOAL.

    settings: those of ``trace.*``. threads: 0 takes as many as help.
    """
    config = _configure(None, settings)
    options = _Options(progress, threads=threads)
    return Trace(
        options.run("anax_trace_open", "anax_trace_free", lib.path_of(path), config.address)
    )


def generate(pattern: str, settings: Optional[Settings] = None, **generate: Setting) -> Trace:
    """Makes a synthetic application: generate("halo3d", ranks=64, size="8KiB").

    Keywords are the settings ``generate.*``; `choices("patterns")` names the patterns.
    """
    merged = dict(settings or {})
    merged.update({f"generate.{name}": value for name, value in generate.items()})
    config = _configure(None, merged)
    return Trace(
        lib.new("anax_trace_generate", "anax_trace_free", pattern.encode(), config.address)
    )


def _trace(trace: Union[Trace, Path], settings: Optional[Settings]) -> Trace:
    if isinstance(trace, Trace):
        return trace
    own = {name: value for name, value in _flat(settings or {}) if name.startswith("trace.")}
    return open_trace(trace, own)


# ---- replay and traffic ----


class _Run(_Result):
    """What the results of replays and of traffic have in common."""

    @property
    def digest(self) -> str:
        """Equal for equal runs, on any computer and with any number of threads. StateError: the run
        did not finish."""
        number = ctypes.c_uint64()
        lib.call(f"anax_{self._name}_digest", ctypes.byref(number), self._handle.address)
        return f"{number.value:016x}"

    def write_tables(self, folder: Path) -> None:
        """Writes CSV tables into a new folder."""
        lib.call(f"anax_{self._name}_write_tables", self._handle.address, lib.path_of(folder))


class Replay(_Run):
    """The predicted run of an application."""

    _kind, _name = "replay", "replay_result"

    @property
    def time_ps(self) -> int:
        """The predicted time, in picoseconds: when the last rank ends."""
        time = ctypes.c_int64()
        lib.call("anax_replay_result_time_ps", ctypes.byref(time), self._handle.address)
        return time.value

    @property
    def time_s(self) -> float:
        """The predicted time in seconds."""
        return self.time_ps / 1e12

    def write_timeline(self, folder: Path) -> None:
        """Writes the predicted run as an OTF2 archive into a new folder (needs timeline=True)."""
        lib.call("anax_replay_result_write_timeline", self._handle.address, lib.path_of(folder))

    def write_perfetto(
        self, path: Path, first: int = 0, count: int = 0, replace: bool = False
    ) -> None:
        """Writes the predicted run for ui.perfetto.dev (needs timeline=True).

        count: ranks from rank `first` on; 0: up to 256.
        """
        options = _Options(replace=replace)
        lib.call(
            "anax_replay_result_write_perfetto",
            self._handle.address,
            lib.path_of(path),
            first,
            count,
            ctypes.byref(options.struct),
        )


class Traffic(_Run):
    """Latency and accepted load of synthetic traffic."""

    _kind, _name = "traffic", "traffic_result"


def replay(
    trace: Union[Trace, Path],
    machine: Optional[Path] = None,
    settings: Optional[Settings] = None,
    *,
    explain: bool = False,
    advise: bool = False,
    timeline: bool = False,
    threads: int = 0,
    progress: Optional[ProgressFunction] = None,
) -> Replay:
    """Predicts how long an application takes on a machine.

    machine: a name (`choices("machines")`) or a machine file. settings: names and values as of
    ``anax list settings``, such as {"network.routing": "ugal-l", "placement.policy": "random"}.
    """
    config = _machine(machine, settings)
    opened = _trace(trace, settings)
    options = _Options(
        progress, explain=explain, advise=advise, timeline=timeline, threads=threads
    )
    return _result_of(
        Replay,
        options,
        "anax_replay",
        "anax_replay_result_free",
        config.address,
        opened._handle.address,
        uses=(opened._handle,),
    )


def _varied(vary: Optional[Mapping[str, Sequence[Setting]]]) -> Any:
    rows = []
    for name, values in (vary or {}).items():
        rows.append(name.encode() + b"=" + b",".join(_value(value) for value in values))
    return (ctypes.c_char_p * len(rows))(*rows), len(rows)


def _machines(machine: Union[Path, Sequence[Path], None], settings: Optional[Settings]) -> list:
    several = isinstance(machine, (list, tuple))
    return [_machine(one, settings) for one in (machine if several else [machine])]


def _optional(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else os.fsencode(text)


def traffic(
    machine: Union[Path, Sequence[Path], None] = None,
    settings: Optional[Settings] = None,
    *,
    loads: Union[str, Sequence[float], None] = None,
    routings: Optional[Sequence[str]] = None,
    vary: Optional[Mapping[str, Sequence[Setting]]] = None,
    seeds: int = 1,
    saturation_width: Optional[float] = None,
    folder: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[ProgressFunction] = None,
) -> Traffic:
    """Runs synthetic traffic through one or several machines.

    loads: "0.1:0.9:0.1" or numbers, shares of the injection bandwidth. vary: settings with several
    values each. saturation_width, such as 0.01: instead of
    loads, search for the saturation load of each curve and seed, until a stable load and a larger
    one that is not stable differ by at most this. folder: keeps finished points for later runs.
    """
    machines = _machines(machine, settings)
    factors, factor_count = _varied(vary)
    if loads is not None and not isinstance(loads, str):
        loads = ",".join(str(load) for load in loads)
    plan = lib.TrafficPlan(
        size=ctypes.sizeof(lib.TrafficPlan),
        machines=lib.handles(machines),
        machine_count=len(machines),
        factors=factors,
        factor_count=factor_count,
        routings=_optional(None if routings is None else ",".join(routings)),
        loads=_optional(loads),
        saturation_width=_optional(None if saturation_width is None else str(saturation_width)),
        points_folder=_optional(None if folder is None else os.fspath(folder)),
        seeds=seeds,
    )
    options = _Options(progress, threads=threads)
    return _result_of(
        Traffic, options, "anax_traffic_sweep", "anax_traffic_result_free", ctypes.byref(plan)
    )


# ---- comparisons, placements, machines ----


class Comparison(_Result):
    """Candidates by rank, with intervals and differences to the baseline."""

    _kind, _name = "compare", "comparison"


def compare(
    traces: Union[Trace, Path, Sequence[Union[Trace, Path]]],
    machine: Union[Path, Sequence[Path], None] = None,
    settings: Optional[Settings] = None,
    *,
    vary: Optional[Mapping[str, Sequence[Setting]]] = None,
    seeds: int = 1,
    negligible: Optional[str] = None,
    folder: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[ProgressFunction] = None,
) -> Comparison:
    """Replays applications on every combination of machines and varied settings, and ranks them.

    vary: {"network.routing": ["minimal", "ugal-l"]}; the first combination is the baseline. folder:
    keeps finished points for later runs.
    """
    several = traces if isinstance(traces, (list, tuple)) else [traces]
    opened = [_trace(trace, settings) for trace in several]
    machines = _machines(machine, settings)
    factors, factor_count = _varied(vary)
    trace_handles = [trace._handle for trace in opened]
    plan = lib.ComparePlan(
        size=ctypes.sizeof(lib.ComparePlan),
        machines=lib.handles(machines),
        machine_count=len(machines),
        factors=factors,
        factor_count=factor_count,
        traces=lib.handles(trace_handles),
        trace_count=len(opened),
        paths=None,
        seeds=seeds,
        points_folder=_optional(None if folder is None else os.fspath(folder)),
        negligible=_optional(negligible),
    )
    options = _Options(progress, threads=threads)
    return _result_of(
        Comparison,
        options,
        "anax_compare",
        "anax_comparison_free",
        ctypes.byref(plan),
        uses=tuple(trace_handles),
    )


class Diff(_Result):
    """Two replays side by side: what takes more or less time in the second one."""

    _kind, _name = "diff", "diff"


def diff(first: Union[Replay, Path], second: Union[Replay, Path]) -> Diff:
    """Compares two replays.

    A path is that of a saved result: what ``anax replay --json`` printed. A `Replay` is named after
    its place: first or second.
    """
    arguments: List[Optional[bytes]] = []
    for name, result in (("first", first), ("second", second)):
        if isinstance(result, Replay):
            text = result._text_of("json").encode("utf-8", "surrogateescape")
            arguments += [name.encode(), text]
        else:
            arguments += [lib.path_of(result), None]
    return Diff(lib.new("anax_diff_texts", "anax_diff_free", *arguments))


class Placement(_Result):
    """The node of each rank, and the distances and links that its messages use."""

    _kind, _name = "place", "placement"


def place(
    trace: Union[Trace, Path],
    machine: Optional[Path] = None,
    settings: Optional[Settings] = None,
) -> Placement:
    """Places the ranks of an application on a machine, and judges that without simulating it."""
    config = _machine(machine, settings)
    opened = _trace(trace, settings)
    plan = lib.PlacePlan(
        size=ctypes.sizeof(lib.PlacePlan),
        config=config.address,
        trace=opened._handle.address,
    )
    return Placement(
        lib.new(
            "anax_place",
            "anax_placement_free",
            ctypes.byref(plan),
            None,
            uses=(opened._handle,),
        )
    )


class Topology(_Result):
    """Sizes, distances, cables and cost of machines side by side."""

    _kind, _name = "topology", "topology"

    def __init__(self, machines: List[lib.Handle]) -> None:
        self._machines = machines
        self._list = lib.handles(machines)

    def _text_of(self, what: str) -> str:
        function = getattr(lib.library, f"anax_topology_{what}")
        return lib.text_of(function(self._list, len(self._machines)))

    def table(self, name: str) -> Table:
        handle = lib.new(
            "anax_topology_table",
            "anax_table_free",
            self._list,
            len(self._machines),
            name.encode(),
        )
        return Table(handle, name)


def topology(
    machine: Union[Path, Sequence[Path]], settings: Optional[Settings] = None
) -> Topology:
    """Builds one or several machines, without simulating anything."""
    configs = _machines(machine, settings)
    return Topology(
        [lib.new("anax_topology_new", "anax_topology_free", c.address) for c in configs]
    )


# ---- what there is to choose from ----


def choices(family: str, word: Optional[str] = None) -> Dict[str, str]:
    """The members of a family and what they are: machines, routing, placement, patterns, settings …"""
    found: Dict[str, str] = {}

    def visit(_context: Any, choice: Any) -> bool:
        found[choice.contents.name.decode()] = choice.contents.help.decode()
        return True

    lib.call(
        "anax_list", family.encode(), _optional(word), lib.VISIT_CHOICE(visit), None
    )
    return found


def version() -> str:
    """The version of the library in use."""
    return lib.library.anax_version().decode()
