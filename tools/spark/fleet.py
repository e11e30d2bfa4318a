"""What `pj fleet` tells of many journals, computed by Apache Spark on many machines.

The job sends pj to the executors, lets them examine the journals, and counts with Spark SQL. Its records are those of
`pj fleet -j`, in the same order; behind the causes it adds three kinds of its own:

  version     problems of one family, by the version of the app and the day of the deciding event
  regression  a family that a version of the app shows and the version before it does not, with its first event
  cohort      with --against: how many journals of each cohort have problems of a family

Usage: spark-submit [OPTION OF SPARK...] fleet.py --pj PJ [--against PATH]... [--output FILE] PATH...

A PATH is a folder, journal, export or archive that every executor sees under this name, or the address of a folder of any
Hadoop file system, such as hdfs://host/exports, whose packed journals Spark reads.
"""

import argparse
import json
import os
import posixpath
import subprocess
import sys
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

# pj's exit codes behind which its output is whole: done, different, incomplete or damaged, unreadable, needs a newer tool.
ANSWERS = {0, 1, 3, 4, 5}
OUTCOME_CODES = {"clean": 0, "notes": 1, "problems": 1, "differs": 1, "damaged": 3, "otherDomain": 5, "newer": 5, "unreadable": 4}
# What is read of a Hadoop file system: journals are packed there, as whole objects, and are known by their names alone.
ENDINGS = (".pjx", ".jsonl", ".zip", ".tar", ".tgz", ".gz", ".xz", ".zst")
PER_RUN = 64


# MARK: On the executors


def run(pj, paths, folder, timeout):
    """The records of `pj fleet -j` on paths in a folder; None where pj did not end as it should, with the reason."""
    command = [pj, "fleet", "-j", "--threads", "1", *paths]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout * len(paths))
    except subprocess.TimeoutExpired:
        return None, f"pj was stopped after {timeout} seconds"
    except OSError as error:
        # Most likely it was built for another processor; trying again cannot help.
        raise SystemExit(f"pj does not run on this executor: {error}") from error
    if ended.returncode in ANSWERS:
        records = [json.loads(line) for line in ended.stdout.splitlines()]
        if records and records[-1]["kind"] == "end":
            return [record for record in records if record["kind"] == "journal"], None
    last = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return None, f"pj ended with {ended.returncode}" + "".join(f": {line}" for line in last)


def listed(pj, paths, folder=None, revealing=False):
    """What `pj fleet` examines below paths, in its order: each root and the place below it."""
    command = [pj, "fleet", "--list", "-j", *(["--reveal"] if revealing else []), *paths]
    ended = subprocess.run(command, cwd=folder, capture_output=True)
    records = [json.loads(line) for line in ended.stdout.splitlines()]
    if ended.returncode != 0 or records[-1]["kind"] != "end":
        raise SystemExit(ended.stderr.decode(errors="replace").strip())
    return [(record["folder"], record["path"]) for record in records if record["kind"] == "unit"]


def unreadable(path, reason):
    """The row of a journal at which pj itself failed."""
    return {
        "kind": "journal", "folder": path, "path": ".", "outcome": "unreadable", "error": f"{path}: {reason}", "bytes": "unread",
        "states": "unknown", "id": None, "events": 0, "firstEvent": None, "firstTime": None, "lastEvent": None, "lastTime": None,
        "judgedUpTo": 0, "damagedPlaces": 0, "lostEvents": 0, "app": [], "engine": [], "system": [], "model": [], "policies": [],
        "findings": [], "leftOut": 0,
    }


def joined(root, place):
    """The path of what lies at a place below a root."""
    return root if place == "." else os.path.join(root, place)


def rows(pj, units, folder, timeout):
    """The rows of units, each an (index, root, place, path): the path is opened from a folder, root and place are shown. Names of
    people in them may be withheld, and no two of the units are shown alike."""
    found, reason = run(pj, [path for _, _, _, path in units], folder, timeout)
    if found is None and len(units) > 1:
        # One of them is to blame.
        for unit in units:
            yield from rows(pj, [unit], folder, timeout)
        return
    by_path = {joined(root, place): [] for _, root, place, _ in units}
    for row in found if found is not None else [unreadable(joined(*units[0][1:3]), reason)]:
        by_path[row["folder"]].append(row)
    for index, root, place, _ in units:
        for number, row in enumerate(by_path[joined(root, place)]):
            inner = row["path"]
            row["folder"] = root
            row["path"] = inner if place == "." else place if inner == "." else f"{place}/{inner}"
            yield index, number, json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def examine(units, folder, timeout):
    """Examines the units of one task."""
    pj = SparkFiles.get("pj")
    # Spark fetches it executable, and not all of its file systems do.
    os.chmod(pj, 0o755)
    runs = []
    for unit in units:
        name = joined(unit[1], unit[2])
        if not runs or len(runs[-1]) == PER_RUN or name in runs[-1]:
            runs.append({})
        runs[-1][name] = unit
    for run_units in runs:
        yield from rows(pj, list(run_units.values()), folder, timeout)


def examine_bytes(files, timeout):
    """Examines files that Spark read: (index, root, place, bytes)."""
    pj = SparkFiles.get("pj")
    os.chmod(pj, 0o755)
    for index, root, place, content in files:
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, posixpath.dirname(place)), exist_ok=True)
            with open(os.path.join(folder, place), "wb") as file:
                file.write(content)
            found, reason = run(pj, [place], folder, timeout)
            if found is None:
                ((shown, _),) = listed(pj, [place], folder)
                found = [unreadable(shown, reason)]
            for number, row in enumerate(found):
                # The place as it is shown, without names of people.
                shown = row["folder"]
                row["folder"] = root
                row["path"] = shown if row["path"] == "." else f"{shown}/{row['path']}"
                if row["error"] and row["error"].startswith(shown):
                    row["error"] = f"{root}/{row['error']}"
                yield index, number, json.dumps(row, ensure_ascii=False, separators=(",", ":"))


# MARK: On the driver


def spark_type(schema):
    """A type of a published JSON Schema as one of Spark's. Times stay texts, because they have nanoseconds."""
    if "anyOf" in schema:
        (schema,) = [choice for choice in schema["anyOf"] if choice.get("type") != "null"]
    kind = schema["type"]
    if kind == "object":
        return T.StructType([T.StructField(name, spark_type(inner)) for name, inner in schema["properties"].items()])
    if kind == "array":
        return T.ArrayType(spark_type(schema["items"]))
    return {"string": T.StringType, "integer": T.LongType, "boolean": T.BooleanType}[kind]()


def published(pj):
    """The schemas of the records of `pj fleet -j`, by kind."""
    text = subprocess.run([pj, "schema", "--json-output", "fleet"], capture_output=True, check=True).stdout
    kinds = {}
    for record in json.loads(text)["oneOf"]:
        kind = record["properties"].pop("kind")["const"]
        kinds[kind] = record
    return kinds


def size(path):
    """The bytes of a file, or of the files in a folder."""
    if not os.path.isdir(path):
        return os.path.getsize(path) if os.path.exists(path) else 0
    return sum(entry.stat().st_size for entry in os.scandir(path) if entry.is_file())


def local_rows(spark, paths, arguments):
    """The rows of files that every executor sees, as an RDD of (index, number, line)."""
    names = [joined(root, place) for root, place in listed(arguments.pj, paths, revealing=True)]
    places = listed(arguments.pj, paths)
    if len(names) != len(places):
        raise SystemExit("the journals changed while they were listed")
    units = [(i, root, place, name) for i, ((root, place), name) in enumerate(zip(places, names))]
    # The largest come first, and each task gets its share of them: the last task to end is a short one.
    units.sort(key=lambda unit: -size(unit[3]))
    slices = max(1, min(len(units), arguments.slices))
    tasks = [units[first::slices] for first in range(slices)]
    folder, timeout = os.getcwd(), arguments.timeout
    return spark.sparkContext.parallelize(tasks, slices).flatMap(lambda task: examine(task, folder, timeout))


def remote_rows(spark, root, first, timeout):
    """The rows of the packed journals of a Hadoop file system."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(root)
    # Spark writes file:/x for file:///x, and a file system may add its name.
    base = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(root)
    base = base.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).makeQualified(base).toString().rstrip("/") + "/"
    names = sorted(row.path for row in files.select("path").collect())
    places = {name: name[len(base) :] for name in names}
    known = [name for name in names if places[name].lower().endswith(ENDINGS)]
    segments = [name for name in names if name.endswith(".seg")]
    if segments:
        raise SystemExit(f"{segments[0]}: a journal's folder cannot be read from there; pack it: pj export, zip or tar")
    index = {name: first + number for number, name in enumerate(sorted(known, key=lambda name: places[name].encode()))}
    packed = files.select("path", "content").filter(F.col("path").isin(known))
    return packed.rdd.map(lambda row: (index[row.path], root, places[row.path], bytes(row.content))).mapPartitions(
        lambda part: examine_bytes(part, timeout)
    )


def fleet_rows(spark, paths, arguments, schema):
    """The rows of journals as a table, in the order of `pj fleet`: i and k, the line, and its members."""
    remote = [path for path in paths if "://" in path]
    local = [path for path in paths if "://" not in path]
    parts = [local_rows(spark, local, arguments)] if local else []
    # Behind all that is local.
    parts += [remote_rows(spark, root, (1 + number) << 40, arguments.timeout) for number, root in enumerate(remote)]
    lines = spark.createDataFrame(spark.sparkContext.union(parts), "i long, k long, line string")
    read = F.from_json("line", schema, {"mode": "FAILFAST"})
    # Examined once: what follows counts.
    return lines.withColumn("row", read).select("i", "k", "line", "row.*").persist()


def worse(column, names):
    """SQL that numbers names from the mildest to the worst."""
    return "CASE " + column + "".join(f" WHEN '{name}' THEN {number}" for number, name in enumerate(names)) + " END"


SEVERITIES = ["note", "warning", "critical"]


def prepare(spark, table, outcomes):
    """The views over rows: journals, and findings with what their journals have in common."""
    table.createOrReplaceTempView("rows")
    spark.sql(
        f"""CREATE OR REPLACE TEMP VIEW journals AS
        SELECT *, CAST({worse("outcome", outcomes)} > {outcomes.index("notes")} AS INT) AS affected FROM rows"""
    )
    spark.sql(
        f"""CREATE OR REPLACE TEMP VIEW problems AS
        SELECT i, k, folder, path, affected, place, finding.*, {worse("finding.severity", SEVERITIES)} AS rank,
          -- Which of several versions it was, the row does not say.
          if(size(app) = 1, app[0], NULL) AS app
        FROM journals LATERAL VIEW posexplode(findings) AS place, finding"""
    )


def groups(spark, kinds):
    """The records that pj calls groups."""

    def group(by, name, count="size(findings)", revision="CAST(NULL AS STRING)"):
        return f"named_struct('by', '{by}', 'name', {name}, 'revision', {revision}, 'n', {count})"

    parts = [f"array({group('outcome', 'outcome')})"]
    for by in ("severity", "family"):
        count = f"size(filter(findings, f -> f.{by} = x))"
        parts.append(f"transform(array_distinct(findings.{by}), x -> {group(by, 'x', count)})")
    parts += [f"transform({by}, x -> {group(by, 'x')})" for by in ("app", "engine", "system", "model")]
    parts.append(f"transform(array_distinct(policies.id), x -> {group('policy', 'x')})")
    parts.append(f"transform(policies, x -> {group('revision', 'x.id', revision='x.revision')})")
    return spark.sql(
        f"""SELECT by, name, revision, count(*) AS journals, sum(affected) AS affected, sum(n) AS findings
        FROM (SELECT affected, inline(concat({", ".join(parts)})) FROM journals) GROUP BY by, name, revision
        ORDER BY {worse("by", kinds)}, affected DESC, journals DESC, name, coalesce(revision, '')"""
    ).collect()


def causes(spark):
    """The records that pj calls causes: problems that no other one led to, with the first of the worst."""
    return spark.sql(
        """SELECT family, type, example.severity, journals, findings, example.folder, example.path, example.event, example.time,
          example.sentence
        FROM (SELECT family, type, count(DISTINCT i, k) AS journals, count(*) AS findings, max(rank) AS rank,
            min_by(struct(severity, folder, path, event, time, sentence), struct(-rank, i, k, place)) AS example
          FROM problems WHERE explainedBy IS NULL GROUP BY family, type)
        ORDER BY journals DESC, rank DESC, family, coalesce(type, '')"""
    ).collect()


def versions(spark):
    """Problems by version and day."""
    return spark.sql(
        """SELECT app, substr(time, 1, 10) AS day, family, count(DISTINCT i, k) AS journals, count(*) AS findings
        FROM problems WHERE time IS NOT NULL GROUP BY app, day, family ORDER BY day, app, family"""
    ).collect()


def regressions(spark):
    """Families that a version shows and the one before it does not. Versions follow one another as they were first seen."""
    return spark.sql(
        """WITH seen AS (SELECT app, min(time) AS since FROM
            (SELECT app, time FROM problems WHERE time IS NOT NULL
             UNION ALL SELECT app[0], firstTime FROM journals WHERE size(app) > 0)
          WHERE app IS NOT NULL GROUP BY app),
        numbered AS (SELECT app, row_number() OVER (ORDER BY since, app) AS n FROM seen),
        shown AS (SELECT family, app, count(DISTINCT i, k) AS journals,
            min_by(struct(folder, path, event, time), struct(time, i, k, place)) AS first
          FROM problems WHERE app IS NOT NULL AND time IS NOT NULL GROUP BY family, app)
        SELECT shown.family, shown.app, before.app AS previous, shown.journals, first.folder, first.path, first.event, first.time
        FROM shown JOIN numbered USING (app) JOIN numbered AS before ON before.n = numbered.n - 1
        LEFT ANTI JOIN shown AS earlier ON earlier.family = shown.family AND earlier.app = before.app
        ORDER BY first.time, shown.family"""
    ).collect()


def cohorts(spark):
    """How often each family occurs here and in the healthy cohort."""
    return spark.sql(
        """WITH here AS (SELECT family, count(DISTINCT i, k) AS n FROM problems GROUP BY family),
        there AS (SELECT family, count(DISTINCT i, k) AS n FROM healthyProblems GROUP BY family),
        sizes AS (SELECT (SELECT count(*) FROM journals) AS ofHere, (SELECT count(*) FROM healthyJournals) AS ofThere)
        SELECT coalesce(here.family, there.family) AS family, coalesce(here.n, 0) AS here, ofHere, coalesce(there.n, 0) AS there,
          ofThere
        FROM here FULL JOIN there ON here.family = there.family CROSS JOIN sizes
        ORDER BY coalesce(here.n, 0) * ofThere - coalesce(there.n, 0) * ofHere DESC, family"""
    ).collect()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--pj", required=True, help="the program for the executors: swift build -c release --static-swift-stdlib")
    parser.add_argument("--against", action="append", default=[], metavar="PATH", help="a healthy cohort to compare with")
    parser.add_argument("--output", help="the file to write; default: standard output")
    parser.add_argument("--slices", type=int, default=64, help="the number of tasks (default: 64)")
    parser.add_argument("--timeout", type=int, default=600, help="seconds that one journal may take (default: 600)")
    arguments = parser.parse_args()
    arguments.pj = os.path.abspath(arguments.pj)

    spark = SparkSession.builder.appName("pj fleet").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.sparkContext.addFile(arguments.pj)
    kinds = published(arguments.pj)
    schema = spark_type(kinds["journal"])
    outcomes = kinds["journal"]["properties"]["outcome"]["enum"]
    by = kinds["group"]["properties"]["by"]["enum"]

    if arguments.against:
        prepare(spark, fleet_rows(spark, arguments.against, arguments, schema), outcomes)
        for view in ("journals", "problems"):
            spark.table(view).createOrReplaceTempView("healthy" + view.capitalize())
    table = fleet_rows(spark, arguments.paths, arguments, schema)
    prepare(spark, table, outcomes)

    part = arguments.output and arguments.output + ".part"
    with open(part, "w", encoding="utf-8") if part else sys.stdout as output:

        def write(record):
            output.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")

        version = subprocess.run([arguments.pj, "version", "-j"], capture_output=True, check=True).stdout.splitlines()[0]
        write({"kind": "start", "schema": "pj.fleet", "version": 1, "tool": json.loads(version)["tool"]})
        for row in table.select("line").orderBy("i", "k").toLocalIterator():
            output.write(row.line + "\n")
        records = [("group", groups(spark, by)), ("cause", causes(spark)), ("version", versions(spark))]
        records.append(("regression", regressions(spark)))
        if arguments.against:
            records.append(("cohort", cohorts(spark)))
        for kind, found in records:
            for row in found:
                write({"kind": kind, **row.asDict()})
        journals, findings, worst = spark.sql(
            f"SELECT count(*), coalesce(sum(size(findings)), 0), coalesce(max({worse('outcome', outcomes)}), 0) FROM journals"
        ).first()
        if not journals:
            raise SystemExit("no journal, export or archive is there")
        code = OUTCOME_CODES[outcomes[worst]]
        write({"kind": "end", "complete": code < 2, "exit": code, "journals": journals, "findings": findings, "leftOut": 0})
        output.flush()
        if part:
            os.fsync(output.fileno())
    if part:
        os.replace(part, arguments.output)
    spark.stop()


if __name__ == "__main__":
    main()
