"""The Python package: the same results as the command, errors as exceptions, tables as data."""

import base64
import gc
import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import anax

try:
    import pandas
except ImportError:
    pandas = None

COMMAND = os.environ["ANAX"]
TRACE = os.path.join(os.environ["ANAX_SOURCE"], "examples", "gromacs", "traces.otf2")


def command(*arguments):
    """What the command prints as JSON."""
    done = subprocess.run([COMMAND, *arguments, "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


class SameAsTheCommand(unittest.TestCase):
    def test_replay(self):
        settings = {"network.routing": "ugal-l", "placement": {"policy": "random"}, "seed": 3}
        run = anax.replay(TRACE, "kim-72", settings)
        said = command("replay", TRACE, "-m", "kim-72", "-r", "ugal-l", "-p", "random", "-s", "3")
        self.assertEqual(run.digest, said["digest"])
        self.assertEqual(run.time_ps, said["time_ps"])
        self.assertEqual(run.table("ranks").records(), said["ranks"])
        self.assertEqual(run.data["messages"], said["messages"])
        self.assertAlmostEqual(run.time_s, said["time_ps"] / 1e12)
        self.assertEqual(run.digest, anax.replay(TRACE, "kim-72", settings, threads=3).digest)

    def test_traffic(self):
        run = anax.traffic("kim-72", loads=[0.1, 0.2], routings=["minimal", "valiant"])
        said = command("traffic", "-m", "kim-72", "--loads", "0.1,0.2", "-r", "minimal,valiant")
        self.assertEqual(run.digest, said["digest"])
        self.assertEqual(run.table("points").rows, 4)
        with tempfile.TemporaryDirectory() as folder:
            run.write_tables(os.path.join(folder, "tables"))
            with open(os.path.join(folder, "tables", "points.csv")) as points:
                self.assertEqual(len(points.readlines()), 5)

    def test_compare(self):
        trace = anax.generate("halo3d", ranks=27, size="1KiB", iterations=2)
        with tempfile.TemporaryDirectory() as folder:
            trace.write(os.path.join(folder, "halo.anax"))
            with self.assertRaisesRegex(anax.OutputExists, "replace it with the argument replace"):
                trace.write(os.path.join(folder, "halo.anax"))
            said = command(
                "compare", os.path.join(folder, "halo.anax"), "-m", "kim-72",
                "-r", "minimal,ugal-l", "--seeds", "2", "-q",
            )  # fmt: skip
        vary = {"network.routing": ["minimal", "ugal-l"]}
        result = anax.compare(trace, "kim-72", vary=vary, seeds=2)
        self.assertEqual(
            [row["mean_ps"] for row in result.table("candidates").records()],
            [row["mean_ps"] for row in said["candidates"]],
        )

    def test_diff(self):
        runs = [anax.replay(TRACE, "kim-72", {"placement.policy": p}) for p in ("block", "random")]
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("one.json", "two.json")]
            for path, placement in zip(paths, ("block", "random")):
                with open(path, "w") as file:
                    json.dump(command("replay", TRACE, "-m", "kim-72", "-p", placement), file)
            said = command("diff", *paths)
            self.assertEqual(anax.diff(*paths).data, said)
            mixed = anax.diff(runs[0], paths[1])
        changes = anax.diff(*runs).table("changes").records()
        self.assertEqual(changes, said["changes"])
        self.assertEqual(mixed.data["changes"], said["changes"])
        self.assertEqual(mixed.table("results")["path"][0], "first")
        self.assertEqual(mixed.table("results")["path"][1], paths[1])
        self.assertEqual(mixed.table("results")["time_ps"].tolist(), [r.time_ps for r in runs])
        self.assertIn("Predicted time", str(mixed))
        self.assertIn("<img alt=", mixed._repr_html_())

    def test_place_and_topology(self):
        trace = anax.open_trace(TRACE)
        self.assertEqual(trace.info["ranks"], 8)
        self.assertEqual(trace.table("trace")["ranks"].tolist(), [8])
        placement = anax.place(trace, "kim-72")
        self.assertEqual(placement.data["ranks"], command("place", TRACE, "-m", "kim-72")["ranks"])
        machines = anax.topology(["kim-72", "kim-1k"]).table("machines")
        self.assertEqual(machines["nodes"].tolist(), [72, 1056])


class Data(unittest.TestCase):
    def test_views_outlive_the_result(self):
        times = anax.replay(TRACE, "kim-72").table("ranks")["time_ps"]
        gc.collect()
        self.assertEqual(len(times), 8)
        self.assertGreater(min(times), 0)

    def test_all_tables(self):
        run = anax.replay(TRACE, "kim-72", explain=True)
        for name in run.tables:
            try:
                table = run.table(name)
            except anax.StateError as error:
                self.assertIn(name, str(error))
                continue
            for column in table:
                self.assertEqual(len(table[column]), table.rows)
                self.assertTrue(table.description(column))
            self.assertEqual(len(table.records()), table.rows)
        parts = run.table("critical_path_parts")
        self.assertEqual(sum(parts["time_ps"]), run.time_ps)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames(self):
        run = anax.replay(TRACE, "kim-72", explain=True)
        ranks = run.frame("ranks")
        self.assertEqual(ranks["time_ps"].max(), run.time_ps)
        self.assertEqual(ranks.attrs["units"]["time_ps"], "ps")
        for name in run.tables:
            try:
                table = run.table(name)
            except anax.StateError:
                continue
            frame = table.frame()
            self.assertEqual(frame.shape, (table.rows, len(table)))

    def test_files(self):
        run = anax.replay(TRACE, "kim-72", timeline=True)
        with tempfile.TemporaryDirectory() as folder:
            run.write_tables(os.path.join(folder, "tables"))
            run.write_timeline(os.path.join(folder, "timeline"))
            run.write_perfetto(os.path.join(folder, "run.pftrace"), first=1, count=3)
            self.assertTrue(os.path.exists(os.path.join(folder, "tables", "ranks.csv")))
            again = anax.open_trace(os.path.join(folder, "timeline"))
            self.assertEqual(again.info["ranks"], 8)

    def test_notebook(self):
        settings = {"record.time_bins": 16, "record.rank_rows": 64}
        run = anax.replay(TRACE, "kim-72", settings, explain=True, threads=1)
        again = anax.replay(TRACE, "kim-72", settings, explain=True, threads=3)
        self.assertEqual(run.report()._repr_html_(), again.report()._repr_html_())
        page = run._repr_html_()
        self.assertNotIn("<script", page)
        shown = xml.etree.ElementTree.fromstring(f"<div>{page}</div>")
        self.assertIn("Predicted time", shown.find(".//pre").text)
        self.assertIn(" on kim-72: ", shown.find(".//strong").text)
        pictures = [
            base64.b64decode(image.get("src").partition("base64,")[2])
            for image in shown.iter("img")
        ]
        self.assertEqual(pictures, [figure.svg.encode() for figure in run.report().figures])
        self.assertTrue(all(image.get("alt") for image in shown.iter("img")))
        names = [figure.name for figure in run.report().figures]
        for name in "breakdown", "critical-path", "ranks", "timeline", "links", "placement":
            self.assertIn(name, names)

    def test_reports_are_those_of_the_command(self):
        settings = {"record.time_bins": 64, "record.rank_rows": 64}
        run = anax.replay(TRACE, "kim-72", settings, explain=True)
        with tempfile.TemporaryDirectory() as folder:
            page, figures = os.path.join(folder, "page.html"), os.path.join(folder, "figures")
            run.report().write(page)
            run.report().write_figures(figures)
            with self.assertRaises(anax.OutputExists):
                run.report().write(page)
            command("replay", TRACE, "-m", "kim-72", "--explain", "--figures", figures + "2")
            for name in os.listdir(figures + "2"):
                with open(os.path.join(figures, name)) as one:
                    with open(os.path.join(figures + "2", name)) as other:
                        self.assertEqual(one.read(), other.read())
            self.assertEqual(
                sorted(os.listdir(figures)),
                sorted(figure.name + ".svg" for figure in run.report().figures),
            )

    def test_all_kinds_show_pictures(self):
        trace = anax.generate("alltoall", ranks=8)
        shown = [
            anax.compare(trace, "kim-72", vary={"network.routing": ["minimal", "par"]}),
            anax.traffic("kim-72", {"traffic.measure": "1us"}, loads=[0.1]),
            anax.place(trace, "kim-72"),
            anax.topology("kim-72"),
        ]
        for result in shown:
            self.assertIn("<img alt=", result._repr_html_())


class Failures(unittest.TestCase):
    def test_texts_of_the_library(self):
        with self.assertRaisesRegex(anax.InputError, "nofile: .*No such file"):
            anax.replay("nofile", "kim-72")
        with self.assertRaisesRegex(anax.UsageError, "did you mean `kim-72`"):
            anax.replay(TRACE, "kim-7")
        with self.assertRaisesRegex(anax.UsageError, "no machine: give the name of one"):
            anax.replay(TRACE)
        with self.assertRaisesRegex(anax.UsageError, "no machine"):
            anax.traffic(loads=[0.1])
        with self.assertRaisesRegex(anax.UsageError, "network.routing"):
            anax.replay(TRACE, "kim-72", {"network.rooting": "minimal"})
        with self.assertRaisesRegex(anax.StateError, "timeline"):
            anax.replay(TRACE, "kim-72").write_timeline("never")
        with self.assertRaisesRegex(anax.InputError, "nofile: .*No such file"):
            anax.diff("nofile", "nofile")
        with self.assertRaisesRegex(anax.InputError, "no result of a replay"):
            anax.diff(os.path.join(os.environ["ANAX_SOURCE"], "CMakePresets.json"), TRACE)
        with self.assertRaises(KeyError):
            anax.replay(TRACE, "kim-72").table("ranks")["no_column"]

    def test_an_exception_stops_a_run(self):
        def stop(phase, done, total):
            raise KeyboardInterrupt

        trace = anax.generate("halo3d", ranks=512, iterations=30)
        with self.assertRaises(KeyboardInterrupt):
            anax.replay(trace, "kim-1k", progress=stop)

    def test_false_stops_a_run(self):
        trace = anax.generate("halo3d", ranks=512, iterations=30)
        with self.assertRaises(anax.Stopped) as caught:
            anax.replay(trace, "kim-1k", progress=lambda phase, done, total: False)
        self.assertNotIsInstance(caught.exception, anax.RunError)
        self.assertIsInstance(caught.exception.result, anax.Replay)

    def test_an_exception_stops_advice(self):
        """An exception in a replay with a change; each replay begins anew."""
        seen = [0, 0]

        def stop(phase, done, total):
            if done < seen[1]:
                seen[0] += 1
            seen[1] = done
            if seen[0] > 0:
                raise KeyboardInterrupt

        trace = anax.generate("stream", ranks=32, size="64KiB")
        with self.assertRaises(KeyboardInterrupt):
            anax.replay(trace, "kim-72", {"network.routing": "minimal"}, advise=True, progress=stop)

    def test_progress_is_told(self):
        phases = set()
        trace = anax.generate("halo3d", ranks=512, iterations=10)
        anax.replay(trace, "kim-1k", progress=lambda phase, done, total: phases.add(phase))
        self.assertIn("replaying", phases)

    def test_choices(self):
        self.assertIn("kim-1k", anax.choices("machines"))
        self.assertEqual(list(anax.choices("settings", "network.routing"))[0], "network.routing")
        with self.assertRaises(anax.UsageError):
            anax.choices("nothing")


if __name__ == "__main__":
    unittest.main()
