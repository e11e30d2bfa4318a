"""Runs fleet.py on a cluster of two executors, kills one of them and later the job, resumes it, and compares with `pj fleet`.

Usage: check.py --pj PJ --journals FOLDER --work FOLDER

The cluster is a standalone master and two workers, each a process with a Java machine of its own, on this machine.
"""

import argparse
import collections
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile

import pyspark

HOME = os.path.dirname(pyspark.__file__)
COPIES = 8


def fail(message):
    sys.exit(f"spark-check: {message}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A master and two workers with one core each."""

    def __init__(self, work):
        self.work = work
        self.address = f"spark://127.0.0.1:{free_port()}"
        self.processes = []

    def __enter__(self):
        port = self.address.rsplit(":", 1)[1]
        self.start("master", "master.Master", "-h", "127.0.0.1", "-p", port, "--webui-port", "0")
        for number in (1, 2):
            self.start(
                f"worker{number}", "worker.Worker", "-h", "127.0.0.1", "-c", "1", "-m", "1g", "--webui-port", "0",
                "-d", os.path.join(self.work, f"worker{number}"), self.address,
            )
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, name, main, *words):
        # The script replaces itself by Java, so that the process is the one to end.
        with open(os.path.join(self.work, f"{name}.log"), "wb") as log:
            command = [os.path.join(HOME, "bin/spark-class"), f"org.apache.spark.deploy.{main}", *words]
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def executors(self):
        """The processes of the executors: the workers' children."""
        workers = {process.pid for process in self.processes[1:]}
        return {pid for pid, (parent, name) in processes().items() if parent in workers and name == "java"}


def processes():
    """Every process: its parent and its name."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            found[int(name)] = (int(text.rsplit(")", 1)[1].split()[1]), text[text.index("(") + 1 : text.rindex(")")])
    return found


class Killer(threading.Thread):
    """Kills one executor as soon as pj runs in it."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.killed = None
        self.survivors = set()

    def run(self):
        while self.killed is None:
            executors = self.cluster.executors()
            all_processes = processes()
            for pid, (_, name) in all_processes.items():
                above = pid
                while name == "pj" and above in all_processes and above not in executors:
                    above = all_processes[above][0]
                if name == "pj" and above in executors and len(executors) == 2:
                    os.kill(above, signal.SIGKILL)
                    self.killed = above
                    self.survivors = executors - {above}
                    return
            time.sleep(0.01)


def make_fleet(pj, journals, work):
    """Folders of journals, exports and archives, of which some are broken, and a healthy cohort."""
    names = sorted(name for name in os.listdir(journals) if os.path.isdir(f"{journals}/{name}/journal"))
    for number in range(COPIES):
        for name in names:
            shutil.copytree(f"{journals}/{name}/journal", f"{work}/fleet/{number:02}/{name}")
    os.makedirs(f"{work}/packed/deep")
    for name in names:
        command = [pj, "export", f"{journals}/{name}/journal", "-o", f"{work}/packed/{name}.pjx", "--key", "0" * 32]
        subprocess.run(command, capture_output=True, check=name != "damaged-frame")
    with open(f"{work}/packed/first-enrollment.pjx", "rb") as file:
        content = file.read()
    with open(f"{work}/packed/deep/cut short.pjx", "wb") as file:
        file.write(content[: len(content) // 2])
    with open(f"{work}/packed/ä nothing.zip", "wb") as file:
        file.write(b"nothing of the kind")
    with zipfile.ZipFile(f"{work}/packed/two.zip", "w") as archive:
        for name in names[:2]:
            for part in sorted(os.listdir(f"{journals}/{name}/journal")):
                archive.write(f"{journals}/{name}/journal/{part}", f"{name}/{part}")
    # Names of people in paths are withheld, and two of them alike.
    for name in ("alice@contoso.com", "bob@contoso.com"):
        shutil.copytree(f"{journals}/torn-tail/journal", f"{work}/fleet/{name}/torn-tail")
        shutil.copyfile(f"{work}/packed/two.zip", f"{work}/packed/{name}.zip")
    with open(f"{work}/fleet/notes.txt", "w", encoding="utf-8") as file:
        file.write("This is not a journal.\n")
    shutil.copytree(f"{journals}/first-enrollment/journal", f"{work}/healthy/one")
    shutil.copytree(f"{journals}/remediation-queue/journal", f"{work}/healthy/two")


def records(lines):
    return [json.loads(line) for line in lines if line.strip()]


def of_kind(found, *kinds):
    return [record for record in found if record["kind"] in kinds]


def compare(what, found, expected):
    """Fails with the first difference."""
    for number, (one, other) in enumerate(zip(found, expected)):
        if one != other:
            fail(f"{what} {number} is\n{json.dumps(one)}\nand pj fleet gives\n{json.dumps(other)}")
    if len(found) != len(expected):
        fail(f"{len(found)} of {what}, and pj fleet gives {len(expected)}")
    if not found:
        fail(f"there is nothing of {what}")


def families(journals):
    """In how many journals each family occurs."""
    return collections.Counter(family for row in journals for family in {finding["family"] for finding in row["findings"]})


def check_own(found, journals, healthy):
    """What the job counts by itself, counted a second time."""
    for row in journals:
        for finding in row["findings"]:
            finding["app"] = row["app"][0] if len(row["app"]) == 1 else None
    days = collections.defaultdict(lambda: [set(), 0])
    for number, row in enumerate(journals):
        for finding in row["findings"]:
            if finding["time"]:
                days[finding["time"][:10], finding["app"] or "", finding["family"]][0].add(number)
                days[finding["time"][:10], finding["app"] or "", finding["family"]][1] += 1
    expected = [
        {"kind": "version", "app": app or None, "day": day, "family": family, "journals": len(numbers), "findings": count}
        for (day, app, family), (numbers, count) in sorted(days.items())
    ]
    compare("version", of_kind(found, "version"), expected)

    since = {}
    shown = collections.defaultdict(dict)
    for number, row in enumerate(journals):
        for app, moment in [(row["app"][0], row["firstTime"])] if row["app"] else []:
            since[app] = min(since.get(app, moment), moment)
        for place, finding in enumerate(row["findings"]):
            if finding["app"] and finding["time"]:
                app, moment = finding["app"], finding["time"]
                since[app] = min(since.get(app, moment), moment)
                first = (moment, number, place, row["folder"], row["path"], finding["event"])
                before = shown[app].setdefault(finding["family"], [first, set()])
                before[0] = min(before[0], first)
                before[1].add(number)
    order = sorted(since, key=lambda app: (since[app], app))
    expected = []
    for previous, app in zip(order, order[1:]):
        for family, (first, numbers) in shown[app].items():
            if family not in shown[previous]:
                expected.append(
                    {
                        "kind": "regression", "family": family, "app": app, "previous": previous, "journals": len(numbers),
                        "folder": first[3], "path": first[4], "event": first[5], "time": first[0],
                    }
                )
    expected.sort(key=lambda record: (record["time"], record["family"]))
    compare("regression", of_kind(found, "regression"), expected)

    here, there = families(journals), families(healthy)
    expected = [
        {"kind": "cohort", "family": family, "here": here[family], "ofHere": len(journals), "there": there[family], "ofThere": len(healthy)}
        for family in here | there
    ]
    expected.sort(key=lambda record: (record["there"] * len(journals) - record["here"] * len(healthy), record["family"]))
    compare("cohort", of_kind(found, "cohort"), expected)


def table(output, name):
    """The rows of a table, in the order of its files."""
    folder = os.path.join(output, name)
    found = []
    for part in sorted(file for file in os.listdir(folder) if file.startswith("part-")):
        with open(os.path.join(folder, part), encoding="utf-8") as file:
            found += records(file)
    return found


def kept(output):
    """The files of rows that are kept already."""
    folder = os.path.join(output, "journals")
    return {name for name in os.listdir(folder) if name.startswith("part-")} if os.path.isdir(folder) else set()


class Job:
    """A run of fleet.py."""

    def __init__(self, work, address, pj, output, *words):
        settings = {
            "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1", "driver.memory": "512m", "executor.memory": "512m",
            "executor.cores": 1, "cores.max": 2, "ui.enabled": "false", "sql.shuffle.partitions": 4,
            # Both executors are there before the first task.
            "scheduler.minRegisteredResourcesRatio": 1.0, "scheduler.maxRegisteredResourcesWaitingTime": "120s",
        }
        options = [word for name, value in settings.items() for word in ("--conf", f"spark.{name}={value}")]
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fleet.py")
        command = [os.path.join(HOME, "bin/spark-submit"), "--master", address, *options, program, "--pj", pj]
        self.path = os.path.join(work, "driver.log")
        with open(self.path, "ab") as log:
            self.process = subprocess.Popen([*command, "--output", f"file://{output}", *words], cwd=work, stdout=log, stderr=log)

    def log(self):
        with open(self.path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self, expected=0):
        """Waits for its end."""
        code = self.process.wait(900)
        if code != expected:
            fail(f"the job ended with {code}:\n{self.log()[-6000:]}")


def check_hanging(work, pj):
    """One journal at which pj hangs costs one timeout, and the others none."""
    names = ["one", "two that hangs", "three"]
    for name in names:
        shutil.copytree(f"{work}/healthy/one", f"{work}/slow/{name}")
    with open(f"{work}/slow.pj", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\ncase "$*" in *--list*) ;; *hangs) exec sleep 600 ;; esac\nexec {pj} "$@"\n')
    os.makedirs(f"{work}/slow pj")
    os.replace(f"{work}/slow.pj", f"{work}/slow pj/pj")
    os.chmod(f"{work}/slow pj/pj", 0o755)
    begun = time.monotonic()
    output = f"{work}/slow tables"
    Job(work, "local[1]", f"{work}/slow pj/pj", output, "--timeout", "8", "--fail-from", "unreadable", "slow").end(1)
    reasons = {row["path"]: row["error"] for row in table(output, "journals")}
    if reasons != {"one": None, "three": None, "two that hangs": "slow/two that hangs: pj was stopped after 8 seconds"}:
        fail(f"with a journal at which pj hangs: {reasons}")
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser()
    for name in ("--pj", "--journals", "--work"):
        parser.add_argument(name, required=True)
    arguments = parser.parse_args()
    pj, work = os.path.abspath(arguments.pj), os.path.abspath(arguments.work)
    make_fleet(pj, os.path.abspath(arguments.journals), work)
    os.environ.update(
        SPARK_HOME=HOME, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, PYTHONDONTWRITEBYTECODE="1",
        SPARK_LOCAL_DIRS=os.path.join(work, "scratch"),
        # The second compiler takes most of the processor time of a run this short.
        JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1",
    )
    output, begun = f"{work}/tables", time.monotonic()
    with Cluster(work) as cluster:
        words = ["--against", "healthy", "--part", "60", "fleet", f"file://{work}/packed"]
        killer = Killer(cluster)
        killer.start()
        job = Job(work, cluster.address, pj, output, *words)
        while job.process.poll() is None and (killer.killed is None or not kept(output)):
            time.sleep(0.01)
        if job.process.poll() is not None:
            fail(f"the job ended before it was to be ended:\n{job.log()[-6000:]}")
        job.process.kill()
        job.process.wait()
        before = kept(output)
        Job(work, cluster.address, pj, output, *words).end()
        after = kept(output)
    took = time.monotonic() - begun
    if killer.killed is None or "Lost executor" not in job.log():
        fail("no executor was killed while pj ran in it")
    if not before < after:
        fail("what was kept when the job was killed was not kept, or was all there is")

    command = [pj, "fleet", "-j", "fleet", f"{work}/packed"]
    expected = records(subprocess.run(command, cwd=work, capture_output=True).stdout.decode().splitlines())
    healthy = of_kind(records(subprocess.run([pj, "fleet", "-j", "healthy"], cwd=work, capture_output=True).stdout.splitlines()), "journal")
    address = json.dumps(f"file://{work}/packed")[1:-1]
    found = {}
    for name in ("journals", "groups", "causes", "versions", "regressions", "cohorts"):
        text = json.dumps(table(output, name)).replace(address, address.removeprefix("file://"))
        found[name] = json.loads(text)
    for row in found["journals"]:
        for name in ("place", "twin", "number"):
            del row[name]
    for name in found:
        found[name] = [{"kind": name.removesuffix("s"), **row} for row in found[name]]
    for name in ("groups", "causes"):
        compare(name, found[name], of_kind(expected, name.removesuffix("s")))
    # The rows stand in the order in which they were found.
    rows = (sorted(rows, key=json.dumps) for rows in (found["journals"], of_kind(expected, "journal")))
    compare("journals", *rows)
    check_own([row for rows in found.values() for row in rows], of_kind(expected, "journal"), healthy)
    hanging = check_hanging(work, pj)
    print(
        f"{len(found['journals'])} journals on two executors, one of them killed (process {killer.killed}), and then the job: "
        f"{sum(map(len, found.values()))} rows as pj fleet gives them; {took:.0f} s, and {hanging:.0f} s with a journal at "
        f"which pj hangs; Spark {pyspark.__version__}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
