"""Writes results whose numbers are known, as anax prints them with --json: results.py NAME... writes the
files of each name into the present folder.

    huge     65,536 ranks on 262,656 nodes in 513 groups: huge.json
    rows     130 groups: rows.json; the same with rows of three groups, long names of flows, one iteration, and
             numbers of ranks that reach the label of their axis: shared.json
    over     a replay over time: rank 0 computes throughout, ranks 1 to 3 wait for late senders from bin 2 to bin 4,
             and the channels of group 1 are busy for half of bin 3: over.json
    parts    sensitivity, user regions, iterations, flows and waits: parts.json
    differs  a diff of two runs: differs.json
    sorts    a diff with times of all units, equal ones, one that there is not, and names that are scripts: sorts.json
    many     more candidates than a picture holds, the slowest one as the baseline, so that the fastest is the last of
             them: many.json; candidates with costs: priced.json and wide.json; two curves, of which the first has no
             latency at the least load: curves.json; curves without a stable load: none.json
    single   curves of one load: single.json; a search with equal members of the front: same.json; candidates that
             hardly differ: near.json
"""

import json
import sys


def save(content, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)


def huge():
    RANKS, GROUPS, NODES, TIME = 65536, 513, 512, 50000000
    ranks = [dict(rank=i, node=i * 4099 % (GROUPS * NODES), time_ps=TIME - i * 97 % 9000000, compute_ps=20000000 + i * 31 % 7000000,
                  send_overhead_ps=i * 13 % 3000000, wait_late_sender_ps=i * 7 % 5000000, collective_ps=4000000) for i in range(RANKS)]
    bins = [dict(bin=i, from_ps=i * 1000000, to_ps=(i + 1) * 1000000) for i in range(50)]
    states = [dict(row, ranks=RANKS, compute_ps=RANKS * 400000, wait_late_sender_ps=RANKS * 600000) for row in bins]
    rows = [dict(row, first_rank=first, ranks=1024, compute_ps=1024 * (first % 5 + 1) * 100000, wait_transit_ps=1024 * 300000)
            for first in range(0, RANKS, 1024) for row in bins]
    pairs = [dict(source_group=i, destination_group=j, links=1, bytes=i * j, busy_ps=(i * 31 + j * 17) % 997 * 1000, stalled_ps=i % 7 * 1000)
             for i in range(GROUPS) for j in range(GROUPS) if i != j]
    channels = [dict(group=i, kind=kind, links=512, busy_ps=512 * (i + 1) * 1000, stalled_ps=i)
                for i in range(GROUPS) for kind in ("injection", "ejection", "local", "global")]
    loads = [dict(row, group=i, kind=kind, channels=512, busy_ps=(i * 13 + row["bin"]) % 400 * 100000, stalled_ps=i % 5)
             for row in bins for i in range(GROUPS) for kind in ("local", "global")]
    save({"schema": "anax.replay/2", "completed": True, "time_ps": TIME, "machine": {"name": "m", "groups": GROUPS, "nodes": GROUPS * NODES},
               "ranks": ranks, "state_bins": states, "rank_bins": rows, "channel_bins": loads, "group_pairs": pairs,
               "group_channels": channels}, "huge.json")


def rows():
    pairs = [dict(source_group=i, destination_group=j, links=2, bytes=1, busy_ps=1000000 if (i, j) == (1, 5) else 0, stalled_ps=0)
             for i in range(3) for j in range(3, 6)]
    channels = [dict(group=i, kind="global", links=4, busy_ps=2000000 if i == 4 else 0, stalled_ps=0) for i in range(130)]
    save({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "machine": {"groups": 130, "nodes": 260},
               "group_pairs": pairs, "group_channels": channels}, "rows.json")
    rows = dict(groups=3, links=18, bytes=1, busy_ps=9000000)
    wait = dict(kind="global", source=5, destination=9, source_rank=41171, destination_rank=43219, behind_source_rank=45513,
                behind_destination_rank=45514, waited_ps=40000)
    save({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "machine": {"groups": 130, "nodes": 260},
               "group_pairs": [dict(rows, source_group=3, destination_group=126)], "group_channels": [dict(rows, group=126, kind="global")],
               "link_flows": [dict(wait, busy_ps=1)], "longest_link_waits": [wait],
               "efficiency_iterations": [dict(iteration=7, parallel=0.5)],
               "matrix": [dict(by="rank", source=i, sources=10000, destination=0, destinations=10000, messages=1, bytes=1024)
                          for i in range(0, 40000, 10000)]}, "shared.json")


def over():
    def bin_of(number, **more):
        return dict(bin=number, from_ps=number * 1000000, to_ps=(number + 1) * 1000000, **more)
    def is_late(rank, number):
        return rank > 0 and 2 <= number < 5
    ranks = [bin_of(i, first_rank=rank, ranks=1,
                    **{"wait_late_sender_ps" if is_late(rank, i) else "compute_ps": 1000000})
             for rank in range(4) for i in range(8)]
    sums = [bin_of(i, ranks=4, compute_ps=4000000 - late, wait_late_sender_ps=late)
            for i in range(8) for late in [sum(is_late(rank, i) for rank in range(4)) * 1000000]]
    loads = [bin_of(3, group=1, kind="global", channels=2, busy_ps=1000000, stalled_ps=500000),
             bin_of(4, group=0, kind="global", channels=2, busy_ps=200000, stalled_ps=0)]
    links = [{"group": group, "kind": "global", "links": 2, "busy_ps": 1000000 * group} for group in range(2)]
    steps = [{"rank": 0, "name": "MPI_Init", "from_ps": 0, "to_ps": 500000, "cause": "send", "from_rank": None},
             {"rank": 3, "name": "MPI_Recv", "from_ps": 500000, "to_ps": 2000000, "cause": "message", "from_rank": 0,
              "bytes": 2048, "queueing_ps": 70000, "route": "5>9"}]
    path = {"rank": 3, "time_ps": 2000000, "messages": 1, "steps": steps,
            "parts": [{"kind": "routers", "name": None, "time_ps": 2000000}]}
    matrix = [{"by": "rank", "source": 0, "sources": 1, "destination": 3, "destinations": 1, "messages": 2, "bytes": 3072},
              {"by": "rank", "source": 3, "sources": 1, "destination": 0, "destinations": 1, "messages": 5, "bytes": 1024}]
    save({"schema": "anax.replay/2", "completed": True, "time_ps": 8000000, "critical_path": path, "matrix": matrix, "machine": {"groups": 2, "nodes": 4},
               "state_bins": sums, "rank_bins": ranks, "channel_bins": loads, "group_channels": links}, "over.json")


def parts():
    link = dict(kind="global", source=5, destination=9, call="MPI_Send", region=None, minimal=True)
    flows = [dict(link, source_rank=i, destination_rank=7, bytes=1000, busy_ps=100000 * i, waited_ps=5, caused_ps=6) for i in (1, 3, 2)]
    waits = [dict(link, source_rank=1, destination_rank=7, behind_source_rank=3, behind_destination_rank=7, waited_ps=40000,
                  behind_call="MPI_<B>", behind_region="r"),
             dict(link, source_node=4, destination_node=7, waited_ps=30000)]
    factors = dict(load_balance=1, serialisation=1)
    regions = [dict(name=name, ranks=4, time_ps=time, parallel=parallel, transfer=parallel, **factors)
               for name, time, parallel in (("solve", 8000000, 0.9), ("<io>", 2000000, 0.25))]
    times = [dict(name=row["name"], count=3, time_ps=4 * row["time_ps"], mpi_ps=row["time_ps"], most_ps=row["time_ps"], most_rank=2)
             for row in reversed(regions)]
    iterations = [dict(iteration=i, ranks=4, time_ps=1000000, parallel=0.5 + 0.25 * (i != 3), transfer=0.5, **factors) for i in range(1, 6)]
    settings = [dict(setting=name, elasticity=share, derivative=1000 * (share or 0), unit="percent")
                for name, share in (("a.small", 0.01), ("b.bandwidth", -0.5), ("c.latency", 0.25), ("d.none", 0), ("e.unknown", None))]
    save({"schema": "anax.replay/2", "completed": True, "time_ps": 1000000, "link_flows": flows, "longest_link_waits": waits,
               "regions": times, "efficiency_regions": regions, "efficiency_iterations": iterations, "sensitivity": settings}, "parts.json")


def differs():
    save(json.loads(r"""{"schema":"anax.diff/1","results":[{"path":"a","trace":"t","ranks":2,"time_ps":5000000},{"path":"b","trace":"t","ranks":2,"time_ps":4000000}],
"changes":[{"by":"cause","name":"computation","first_ps":4000000,"second_ps":4000000},
{"by":"cause","name":"reductions","first_ps":0,"second_ps":0},
{"by":"cause","name":"late senders","first_ps":6000000,"second_ps":3000000},{"by":"cause","name":"network queueing","first_ps":0,"second_ps":1000000},
{"by":"rank","name":"0","first_ps":5000000,"second_ps":4000000},{"by":"rank","name":"1","first_ps":5000000,"second_ps":4500000},
{"by":"call","name":"MPI_<Recv>","first_ps":6000000,"second_ps":4500000},
{"by":"link kind","name":"local","first_ps":null,"second_ps":1000000}]}"""), "differs.json")


def sorts():
    save(json.loads(r"""{"schema":"anax.diff/1","results":[{"path":"a","trace":"t","ranks":2,"time_ps":5000000},{"path":"b","trace":"t","ranks":2,"time_ps":4000000}],
"changes":[{"by":"call","name":"c10","first_ps":5000000000,"second_ps":999000000},{"by":"call","name":"c9","first_ps":4000000000,"second_ps":1000000000},
{"by":"call","name":"c2","first_ps":3000000000,"second_ps":5000},{"by":"call","name":"c1","first_ps":2000000000,"second_ps":5000},
{"by":"call","name":"</script><script>alert(1)</script>","first_ps":1000000000,"second_ps":2}]}"""), "sorts.json")


def many():
    priced = [dict(trace="t", machine="m", a=f"a{i}", mean_ps=time, cost_dollars=cost, low_ps=time - 5, high_ps=time + 5)
              for i, (cost, time) in enumerate(((100, 900000), (100, 800000), (300, 850000), (200, 700000)))]
    save({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": priced,
               "factors": [{"setting": "a", "value": row["a"]} for row in priced]}, "priced.json")
    wide = [dict(row, cost_dollars=cost * 1000) for row, cost in zip(priced, (150, 2500, 3000, 90000))]
    save({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": wide,
               "factors": [{"setting": "a", "value": row["a"]} for row in wide]}, "wide.json")
    candidates = [{"trace": "t", "machine": "m", "a": f"a-value-with-a-name-that-is-long-{i // 4}", "b": f"b{i % 4}",
                   "mean_ps": 9000000 - 1000 * i, "rank": 60 - i, "baseline": i == 0, "significant": i > 0,
                   "difference_share": -0.001 * i, "compute_ps": 5} for i in range(60)]
    points = [dict(row, seed=seed, time_ps=row["mean_ps"] + seed) for row in candidates for seed in (71, 72)]
    factors = [{"setting": key, "value": value} for key in "ab" for value in sorted({row[key] for row in candidates})]
    save({"schema": "anax.compare/2", "traces": [{"name": "t"}], "factors": factors, "candidates": candidates,
               "points": points, "seeds": 2}, "many.json")
    loads = [{"routing": routing, "offered_load": load, "accepted_load": load, "stable": routing == "second",
              "mean_latency_ps": 1000 * load, "p99_latency_ps": 2000} for routing in ("first", "second")
             for load in (0.25, 0.5)]
    curves = [{"routing": "first"}, {"routing": "second", "throughput": 0.5, "stable_load": 0.25}]
    save({"schema": "anax.traffic/2", "curves": curves, "points": loads}, "curves.json")
    loads[2]["stable"] = False
    curves = [{"routing": routing} for routing in ("first", "second")]
    save({"schema": "anax.traffic/2", "curves": curves, "points": loads}, "none.json")


def single():
    loads = [{"routing": routing, "offered_load": 0.5, "accepted_load": load, "stable": load == 0.5, "mean_latency_ps": 1000000,
              "p99_latency_ps": 3000000} for routing, load in (("first", 0.25), ("second", 0.5))]
    curves = [{"routing": row["routing"], "throughput": row["accepted_load"]} for row in loads]
    save({"schema": "anax.traffic/2", "curves": curves, "points": loads}, "single.json")
    same = [dict(trace="t", machine="m", a=f"a{i}", mean_ps=800000 + (i == 2) * 9, cost_dollars=100, front=i < 2) for i in range(3)]
    save({"schema": "anax.search/1", "candidates": same, "factors": [{"setting": "a", "value": row["a"]} for row in same],
               "candidate_count": 3, "left_out": 0, "point_count": 3,
               "stages": [{"stage": 1, "share": 1, "seeds": 1, "candidates": 3, "kept": 3, "points": 3}]}, "same.json")
    near = [dict(trace="t", machine="m", a=f"a{i}", b="b", mean_ps=1000000 - 40 * i, rank=3 - i, baseline=i == 0, significant=False,
                 difference_share=-0.00004 * i) for i in range(3)]
    save({"schema": "anax.compare/2", "traces": [{"name": "t"}], "seeds": 1, "candidates": near,
               "factors": [{"setting": key, "value": row[key]} for key in "ab" for row in near]}, "near.json")


def main():
    makers = {maker.__name__: maker for maker in (huge, rows, over, parts, differs, sorts, many, single)}
    for name in sys.argv[1:]:
        makers[name]()


main()
