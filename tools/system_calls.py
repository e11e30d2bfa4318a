"""Lets calls to the file system fail in pj's commands that write, for tools/system-calls.

Usage: system_calls.py PJ LIBRARY [--share N [COMMAND]]

An interrupted call (EINTR) must change nothing: the output, the exit code and the files are the same. Where a call that writes
fails, a command that says that it succeeded has written everything; after any other end, a journal that pj verify calls sound
has all events, and what is said of a property list is true.
"""

import concurrent.futures
import errno
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SCENARIO = """{"scenario": 1, "title": "short", "journal": {"segmentSize": 4096},
 "accounts": {"alice": {"upn": "alice@contoso.com"}},
 "policies": {"p": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true}}},
 "start": "2026-03-02T08:00:00Z", "steps": [{"service": {"alice": [{"policy": "p"}, "unchanged"]}}, {"launch": {}},
 {"registerAndEnroll": "alice"}, {"restart": {}}]}
"""
LONG = SCENARIO.replace('{"restart": {}}', '{"restart": {}}, {"wait": "P1D"}')
LIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>IntuneMAMSettings</key><dict/></dict></plist>
"""
# The command lines, in a folder with what they read; "out" is what they write. The others write into what is there.
COMMANDS = [
    ["salvage", "j", "-o", "out"],
    ["import", "a.pjx", "-o", "out"],
    ["import", "--format", "intune-log", "log.txt", "-o", "out"],
    ["whatif", "j", "--drop", "3", "-o", "out"],
    ["fork", "j", "5", "out"],
    ["fork", "redacted", "5", "out"],
    ["simulate", "s.json", "-o", "out"],
    ["retire", "long", "70", "--yes"],
    ["tables", "j", "-o", "out", "--key", "00112233445566778899aabbccddeeff"],
    ["export", "j", "-o", "out", "--key", "00112233445566778899aabbccddeeff"],
    ["timeline", "j", "-o", "out"],
    ["timeline", "j", "-o", "out", "--format", "chrome-trace"],
    ["settings", "fix", "Info.plist", "--write"],
    ["fleet", "j", "redacted", "--resume", "out"],
    ["help", "--man-pages", "out"],
]
# Random numbers.
RANDOM = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
# The most calls of one command that are tried in one way.
MAXIMUM = 600
# Of the modes in which calls that write fail: the error, and whether later calls fail too.
FAILURES = [(errno.EIO, False), (errno.EIO, True), (errno.ENOSPC, True)]


class Campaign:
    def __init__(self, pj, library, share):
        self.pj, self.library, self.share = pj, library, share
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.fixture = self.work / "fixture"
        self.runs = 0
        self.breaches = []

    def make_fixture(self):
        folder = self.fixture
        folder.mkdir()
        shutil.copytree("journals/first-enrollment/journal", folder / "j")
        shutil.copy("Tests/pj/IntuneLogs/IntuneMAMDiagnostics.txt", folder / "log.txt")
        (folder / "s.json").write_text(SCENARIO, encoding="utf-8")
        (folder / "long.json").write_text(LONG, encoding="utf-8")
        (folder / "Info.plist").write_text(LIST, encoding="utf-8")
        for words in [
            ["export", "j", "-o", "a.pjx"], ["import", "a.pjx", "-o", "redacted"], ["simulate", "long.json", "-o", "long"]
        ]:
            subprocess.run([self.pj, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def run(self, words, name, **environment):
        """Runs a command in a folder of its own; what came of it, and the folder."""
        folder = self.work / name
        shutil.copytree(self.fixture, folder)
        # Nothing but the command itself meets the library.
        variables = {**os.environ, "LD_PRELOAD": self.library, **{key: str(value) for key, value in environment.items()}}
        done = subprocess.run(
            [self.pj, *words], cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        output, notes = (RANDOM.sub("ID", text.decode(errors="replace")) for text in (done.stdout, done.stderr))
        return (done.returncode, output, notes), folder

    @staticmethod
    def files(folder):
        """The files in a folder, with their sizes: times and random numbers are in their bytes."""
        return {str(path.relative_to(folder)): path.stat().st_size if path.is_file() else None
                for path in folder.rglob("*") if path.name != "LOCK"}

    def events(self, journal):
        """The number of events in a journal that pj verify calls sound; nothing in any other."""
        done = subprocess.run([self.pj, "verify", journal, "-j"], capture_output=True, check=False)
        end = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
        return end.get("events")

    def contents(self, folder):
        """The files that a command wrote; of a journal, whose writer may go on in another segment after a failure, its events."""
        journals = {path.parent.relative_to(folder).as_posix() for path in folder.glob("out/**/JOURNAL")}
        files = {path: size for path, size in self.files(folder).items()
                 if path.startswith("out") and not any(path.startswith(f"{journal}/") for journal in journals)}
        return {**files, **{journal: self.events(folder / journal) for journal in journals}}

    def try_all(self, words, pool):
        name = "-".join(word for word in words if word.isalnum())
        name = re.sub(r"\W", "", name) + str(COMMANDS.index(words))
        jobs = []
        for writing in [False, True]:
            kind = {"FAIL_WRITING": 1} if writing else {}
            count = self.work / f"{name}-count"
            expected, folder = self.run(words, f"{name}-{writing}", FAIL_COUNT=count, **kind)
            total = int(count.read_text())
            # Where nothing is counted, the library was not loaded.
            assert expected[0] in (0, 1) and total > 5, (words, expected, total)
            whole = self.contents(folder) if writing else self.files(folder)
            modes = FAILURES if writing else [(errno.EINTR, False)]
            for error, onwards in modes:
                step = self.share * (1 + total // MAXIMUM)
                # Not always the same ones.
                for at in range(1 + len(jobs) % step, total + 1, step):
                    environment = {"FAIL_AT": at, "FAIL_ERROR": error, **kind, **({"FAIL_ONWARDS": 1} if onwards else {})}
                    check = self.check_failure if writing else self.check_interruption
                    place = f"{name}-{error}-{onwards}-{at}"
                    jobs.append(pool.submit(self.try_one, words, place, environment, check, expected, whole))
        for job in jobs:
            for line in job.result():
                self.breaches.append(line)
                print(line, flush=True)
        self.runs += len(jobs)
        print(f"{' '.join(words)}: {len(jobs)} runs", flush=True)

    def try_one(self, words, place, environment, check, expected, whole):
        try:
            found, folder = self.run(words, place, **environment)
        except subprocess.TimeoutExpired:
            return [f"{words} {environment}: it does not end"]
        breaches = [f"{words} {environment}: {breach}" for breach in check(words, found, folder, expected, whole)]
        shutil.rmtree(folder)
        return breaches

    def check_interruption(self, _, found, folder, expected, whole):
        if found != expected:
            yield f"{found} instead of {expected}"
        elif self.files(folder) != whole:
            yield f"other files: {set(self.files(folder).items()) ^ set(whole.items())}"

    def check_failure(self, words, found, folder, expected, whole):
        code, output, notes = found
        contents = self.contents(folder)
        if code < 0 or code > 5:
            yield f"it ends with {code}: {notes}"
        if code == expected[0] and contents != whole:
            yield f"it says that it is done: {contents} instead of {whole}"
        if code != expected[0] and not notes:
            yield f"it ends with {code} and says nothing"
        for journal in folder.rglob("JOURNAL"):
            place = journal.parent.relative_to(folder).as_posix()
            if not place.startswith("out"):
                if self.events(journal.parent) is None:
                    yield f"{place} is not sound any more"
            # A simulation writes as an app does, whose journal may end anywhere.
            elif words[0] != "simulate" and contents[place] not in (None, whole.get(place)):
                yield f"{place} is called sound, with {contents[place]} of {whole.get(place)} events"
        if words[0] == "settings":
            isOld = (folder / "Info.plist").read_text(encoding="utf-8") == LIST
            if isOld != ("as it was" in notes):
                yield f"old file: {isOld}, and it says {output}{notes}"


def main(pj, library, share="1", only=""):
    campaign = Campaign(os.path.abspath(pj), os.path.abspath(library), int(share))
    try:
        campaign.make_fixture()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for words in COMMANDS:
                if only in " ".join(words):
                    campaign.try_all(words, pool)
    finally:
        shutil.rmtree(campaign.work)
    print(f"{campaign.runs} runs of {len(COMMANDS)} commands, {len(campaign.breaches)} breaches")
    sys.exit(1 if campaign.breaches else 0)


if __name__ == "__main__":
    main(*(word for word in sys.argv[1:] if word != "--share"))
