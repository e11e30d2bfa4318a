"""What `pj fleet` tells of many journals, computed by Apache Spark on many machines.

The job sends pj to the executors, lets them examine the journals, and counts with Spark SQL. Spark writes tables of JSON Lines
below ADDRESS, which may be in any file system that it knows. Their records are those of `pj fleet -j`, with three kinds more:

  journals     a row for each journal; healthy has those of --against
  groups       how many journals and findings an outcome, a family, a version or a policy has
  causes       problems of one family that one type of event decided
  versions     problems of one family, by the version of the app and the day of the deciding event
  regressions  a family that a version of the app shows and the version before it does not, with its first event
  cohorts      with --against: how many journals of each cohort have problems of a family

What journals and healthy hold already is not examined again.

Usage: spark-submit [OPTION OF SPARK...] fleet.py --pj PJ --output ADDRESS [--against PATH]... PATH...

A PATH is a folder, journal, export or archive that every executor sees under this name, or the address of a folder of any
Hadoop file system, such as hdfs://host/exports, whose packed journals Spark reads.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

# pj's exit codes behind which its output is whole: done, different, incomplete or damaged, unreadable, needs a newer tool.
ANSWERS = {0, 1, 3, 4, 5}
# What one row is of: the root and the place below it as they are shown, and which of those that are shown alike.
UNIT = ["folder", "place", "twin"]


def records(pj, words, folder, timeout=None):
    """The records of `pj fleet -j`, or the reason why there are none."""
    try:
        ended = subprocess.run([pj, "fleet", "-j", *words], cwd=folder, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, f"pj was stopped after {timeout} seconds"
    found = [json.loads(line) for line in ended.stdout.splitlines()] if ended.returncode in ANSWERS else []
    if found and found[-1]["kind"] == "end":
        return found, None
    last = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return None, f"pj ended with {ended.returncode}" + "".join(f": {line}" for line in last)


def joined(root, place):
    """The path of what lies at a place below a root."""
    return root if place == "." else os.path.join(root, place)


# MARK: On the executors


def examine(unit, path, folder, timeout):
    """The rows of one file or folder, as texts."""
    pj = SparkFiles.get("pj")
    # Not every file system of Spark keeps it executable.
    os.chmod(pj, 0o755)
    found, reason = records(pj, ["--threads", "1", path], folder, timeout)
    if found is None:
        # At a missing file, pj shows what the row of one looks like that cannot be read.
        found, failure = records(pj, ["--threads", "1", "/missing"], folder, timeout)
        if found is None:
            raise RuntimeError(f"pj does not run on this executor: {failure}")
        for row in found:
            row.update(path=".", error=f"{joined(unit.folder, unit.place)}: {reason}")
    for number, row in enumerate(row for row in found if row["kind"] == "journal"):
        places = [place for place in (unit.place, row["path"]) if place != "."]
        if unit.remote and row["error"] and row["error"].startswith(unit.place):
            row["error"] = joined(unit.folder, row["error"])
        row.update(folder=unit.folder, path="/".join(places) or ".", place=unit.place, twin=unit.twin, number=number)
        yield json.dumps(row, ensure_ascii=False)


def examine_bytes(unit, content, timeout):
    """The rows of a file that Spark read. pj sees that file alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, unit.opened)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        yield from examine(unit, unit.opened, folder, timeout)


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


def listed(pj, root, folder):
    """What `pj fleet` examines below a root: each the root and the place below it as they are shown, and the path to open."""
    (shown, reason), (real, _) = (records(pj, ["--list", *more, root], folder) for more in ([], ["--reveal"]))
    if shown is None or not shown[-1]["complete"] or real is None or len(shown) != len(real):
        raise SystemExit(reason or shown[-1].get("error") or f"{folder}: the journals changed while they were listed")
    for one, other in zip(shown, real):
        if one["kind"] == "unit":
            yield one["folder"], one["path"], joined(other["folder"], other["path"])


def remote_files(spark, root):
    """The addresses of the files in a folder of a Hadoop file system, by their places below it."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(root).select("path")
    # Spark writes file:/x for file:///x, and a file system may add its name.
    base = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(root)
    base = base.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).makeQualified(base).toString().rstrip("/") + "/"
    return {row.path[len(base) :]: row.path for row in files.collect()}


def remote_units(spark, pj, root):
    """The packed journals of a Hadoop file system: pj is shown empty files of their names."""
    files = remote_files(spark, root)
    with tempfile.TemporaryDirectory() as mirror:
        for place in files:
            path = os.path.join(mirror, place)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").close()
        for _, place, opened in listed(pj, ".", mirror) if files else ():
            opened = os.path.normpath(opened)
            if opened not in files:
                raise SystemExit(f"{root}/{place}: a journal's folder cannot be read from there; pack it: pj export, zip or tar")
            yield root, place, opened, files[opened]


def units(spark, pj, paths):
    """Every file and folder to examine, in the order of `pj fleet`."""
    twins = collections.Counter()
    for root in paths:
        remote = "://" in root
        found = remote_units(spark, pj, root) if remote else ((*unit, None) for unit in listed(pj, root, os.getcwd()))
        for folder, place, opened, address in found:
            yield folder, place, twins[folder, place], remote, opened, address
            # Names of people are withheld, so that two places may be shown alike.
            twins[folder, place] += 1


def escaped(address):
    """An address without meaning as a pattern."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", address)


def examined(spark, name, paths, arguments, row):
    """The table of the rows of journals. What it does not hold yet is examined, and kept a part at a time."""
    context, folder, timeout = spark.sparkContext, os.getcwd(), arguments.timeout
    table = f"{arguments.output}/{name}"
    schema = T.StructType([*row.fields, T.StructField("place", T.StringType())]).add("twin", "long").add("number", "long")
    # An address without a table is one without rows.
    spark.createDataFrame([], schema).write.mode("append").json(table)
    found = list(units(spark, arguments.pj, paths))
    if not found:
        raise SystemExit(f"{', '.join(paths)}: no journal, export or archive is there")
    fields = "i long, folder string, place string, twin long, remote boolean, opened string, address string"
    everything = spark.createDataFrame([(i, *unit) for i, unit in enumerate(found)], fields)
    left = everything.join(spark.read.schema(schema).json(table), UNIT, "left_anti").collect()
    for start in range(0, len(left), arguments.part):
        part = left[start : start + arguments.part]
        local = [unit for unit in part if not unit.remote]
        tasks = max(1, min(len(local), 8 * context.defaultParallelism))
        rows = context.parallelize(local, tasks).flatMap(lambda unit: examine(unit, unit.opened, folder, timeout))
        packed = {unit.address: unit for unit in part if unit.remote}
        if packed:
            files = spark.read.format("binaryFile").load([escaped(address) for address in packed]).select("path", "content")
            rows = rows.union(files.rdd.flatMap(lambda file: examine_bytes(packed[file.path], bytes(file.content), timeout)))
        lines = spark.createDataFrame(rows.map(lambda line: (line,)), "line string")
        read = lines.select(F.from_json("line", schema, {"mode": "FAILFAST"}).alias("row")).select("row.*")
        read.write.mode("append").option("ignoreNullFields", "false").json(table)
    # Where a row stands among those of pj fleet.
    places = everything.select("i", *UNIT)
    return spark.read.schema(schema).json(table).join(places, UNIT).withColumn("at", F.struct("i", "number"))


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
        SELECT at, folder, path, affected, nth, finding.*, {worse("finding.severity", SEVERITIES)} AS rank,
          -- Which of several versions it was, the row does not say.
          if(size(app) = 1, app[0], NULL) AS app
        FROM journals LATERAL VIEW posexplode(findings) AS nth, finding"""
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
    )


def causes(spark):
    """The records that pj calls causes: problems that no other one led to, with the first of the worst."""
    return spark.sql(
        """SELECT family, type, example.severity, journals, findings, example.folder, example.path, example.event, example.time,
          example.sentence
        FROM (SELECT family, type, count(DISTINCT at) AS journals, count(*) AS findings, max(rank) AS rank,
            min_by(struct(severity, folder, path, event, time, sentence), struct(-rank, at, nth)) AS example
          FROM problems WHERE explainedBy IS NULL GROUP BY family, type)
        ORDER BY journals DESC, rank DESC, family, coalesce(type, '')"""
    )


def versions(spark):
    """Problems by version and day."""
    return spark.sql(
        """SELECT app, substr(time, 1, 10) AS day, family, count(DISTINCT at) AS journals, count(*) AS findings
        FROM problems WHERE time IS NOT NULL GROUP BY app, day, family ORDER BY day, app, family"""
    )


def regressions(spark):
    """Families that a version shows and the one before it does not. Versions follow one another as they were first seen."""
    return spark.sql(
        """WITH seen AS (SELECT app, min(time) AS since FROM
            (SELECT app, time FROM problems WHERE time IS NOT NULL
             UNION ALL SELECT app[0], firstTime FROM journals WHERE size(app) > 0)
          WHERE app IS NOT NULL GROUP BY app),
        numbered AS (SELECT app, row_number() OVER (ORDER BY since, app) AS n FROM seen),
        shown AS (SELECT family, app, count(DISTINCT at) AS journals,
            min_by(struct(folder, path, event, time), struct(time, at, nth)) AS first
          FROM problems WHERE app IS NOT NULL AND time IS NOT NULL GROUP BY family, app)
        SELECT shown.family, shown.app, before.app AS previous, shown.journals, first.folder, first.path, first.event, first.time
        FROM shown JOIN numbered USING (app) JOIN numbered AS before ON before.n = numbered.n - 1
        LEFT ANTI JOIN shown AS earlier ON earlier.family = shown.family AND earlier.app = before.app
        ORDER BY first.time, shown.family"""
    )


def cohorts(spark):
    """How often each family occurs here and in the healthy cohort."""
    return spark.sql(
        """WITH here AS (SELECT family, count(DISTINCT at) AS n FROM problems GROUP BY family),
        there AS (SELECT family, count(DISTINCT at) AS n FROM healthyProblems GROUP BY family),
        sizes AS (SELECT (SELECT count(*) FROM journals) AS ofHere, (SELECT count(*) FROM healthyJournals) AS ofThere)
        SELECT coalesce(here.family, there.family) AS family, coalesce(here.n, 0) AS here, ofHere, coalesce(there.n, 0) AS there,
          ofThere
        FROM here FULL JOIN there ON here.family = there.family CROSS JOIN sizes
        ORDER BY coalesce(here.n, 0) * ofThere - coalesce(there.n, 0) * ofHere DESC, family"""
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--pj", required=True, help="the program for the executors, as tools/static-pj builds it")
    parser.add_argument("--output", required=True, metavar="ADDRESS", help="the folder for the tables, in any file system of Spark")
    parser.add_argument("--against", action="append", default=[], metavar="PATH", help="a healthy cohort to compare with")
    parser.add_argument("--fail-from", metavar="OUTCOME", help="end with 1 if a journal has this outcome or a worse one: damaged, for instance")
    parser.add_argument("--part", type=int, default=10_000, help="the files after which what was found is kept (default: 10000)")
    parser.add_argument("--timeout", type=int, default=600, help="seconds that one file may take (default: 600)")
    arguments = parser.parse_args()
    arguments.pj = os.path.abspath(arguments.pj)

    kinds = published(arguments.pj)
    row = spark_type(kinds["journal"])
    outcomes = kinds["journal"]["properties"]["outcome"]["enum"]
    by = kinds["group"]["properties"]["by"]["enum"]
    if arguments.fail_from and arguments.fail_from not in outcomes:
        parser.error(f"--fail-from is one of {', '.join(outcomes)}, not '{arguments.fail_from}'")

    spark = SparkSession.builder.appName("pj fleet").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.sparkContext.addFile(arguments.pj)
    if arguments.against:
        prepare(spark, examined(spark, "healthy", arguments.against, arguments, row), outcomes)
        for view in ("journals", "problems"):
            spark.table(view).createOrReplaceTempView("healthy" + view.capitalize())
    prepare(spark, examined(spark, "journals", arguments.paths, arguments, row), outcomes)
    results = {"groups": groups(spark, by), "causes": causes(spark), "versions": versions(spark), "regressions": regressions(spark)}
    if arguments.against:
        results["cohorts"] = cohorts(spark)
    for name, result in results.items():
        result.coalesce(1).write.mode("overwrite").option("ignoreNullFields", "false").json(f"{arguments.output}/{name}")
    worst = spark.sql(f"SELECT max({worse('outcome', outcomes)}) FROM journals").first()[0]
    spark.stop()
    if arguments.fail_from and worst >= outcomes.index(arguments.fail_from):
        raise SystemExit(f"the worst outcome is {outcomes[worst]}")


if __name__ == "__main__":
    main()
