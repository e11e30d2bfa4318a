"""Types command lines into shells that complete them, for tools/completions."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

JOURNAL = "journals/interrupted-wipe/journal"
READY = "<ready>"

# What is typed before Tab, what behind it, and what the command then prints.
CASES = [
    ("pj vers", "", "journal format"),
    (f"pj log {JOURNAL} --oneline --type wipe.req", "", "15 wipe.requested a1"),
    (f"pj log {JOURNAL} --oneline wipe.compl", "", "19 wipe.completed a1"),
    (f"pj log {JOURNAL} --oneline wipe.requested#", "", "15 wipe.requested a1"),
    (f"pj log {JOURNAL} --oneline --type wipe.completed --account ", "", "19 wipe.completed a1"),
    (f"pj blame {JOURNAL} /accounts/a1/enrollment/stat", "", "/accounts/a1/enrollment/status  removed"),
    (f"pj state {JOURNAL} --at yest", "--path /process", "the first event is 1"),
    (f"pj fields {JOURNAL} /accounts/a1/enrollment/lastCo", "", "lastCode"),
    (f"pj diagnose {JOURNAL} --at wipe.req", "", "wipe-unfinished"),
    (f"pj export {JOURNAL} wipe.compl", "--preview", "1 event would leave"),
    (f"pj whatif {JOURNAL} --drop wipe.requested --at wipe.filesRem", "", "imagined from event 15 on"),
]


class Terminal:
    """An interactive shell."""

    def __init__(self, words, setup):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="dumb", PS1=READY, PROMPT=READY, HOME=sys.argv[1], LC_ALL="C.UTF-8")
            os.execvp(words[0], words)
        self.waiting = b""
        self.until(READY)
        for line in setup:
            self.run(line)

    def until(self, text):
        """What is printed up to the given text; what follows it waits for the next call."""
        text = text.encode()
        limit = time.monotonic() + 60
        while text not in self.waiting:
            left = limit - time.monotonic()
            if left <= 0 or not select.select([self.descriptor], [], [], left)[0]:
                sys.exit(f"tools/completions: no {text!r} within a minute, but {self.waiting!r}")
            self.waiting += os.read(self.descriptor, 65536)
        found, _, self.waiting = self.waiting.partition(text)
        return found.decode(errors="replace")

    def run(self, line, tab=None):
        """What a line prints; with `tab`, Tab is pressed behind that much of it."""
        if tab is not None:
            os.write(self.descriptor, (tab + "\t").encode())
            # The shell answers before it reads on: what follows cannot overtake it.
        os.write(self.descriptor, (line + "; echo end-of-'line'\r").encode())
        printed = self.until("end-of-line")
        self.until(READY)
        return printed

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


def check_terminal(name, words, setup):
    terminal = Terminal(words, setup)
    failures = 0
    for typed, rest, expected in CASES:
        printed = terminal.run(rest, tab=typed)
        if expected not in printed:
            failures += 1
            print(f"{name}: after {typed!r} and Tab, {expected!r} is missing in {printed!r}")
    terminal.end()
    return failures


def check_fish(folder, share):
    failures = 0
    for typed, rest, expected in CASES:
        quoted = typed.replace("'", "\\'")
        program = f"source {share}/fish/vendor_completions.d/pj.fish; complete -C '{quoted}'"
        environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
        found = subprocess.run(["fish", "--no-config", "-c", program], env=environment, capture_output=True, text=True)
        words = [line.split("\t")[0] for line in found.stdout.splitlines()]
        if not words:
            failures += 1
            print(f"fish: nothing completes {typed!r}: {found.stderr}")
            continue
        line = typed[: len(typed) - len(re.search(r"\S*$", typed).group())] + words[0] + " " + rest
        run = subprocess.run(line.split(), capture_output=True, text=True)
        if expected not in run.stdout + run.stderr:
            failures += 1
            print(f"fish: {line!r} does not print {expected!r}, but {run.stdout + run.stderr!r}")
    return failures


def main():
    folder, share = sys.argv[1:]
    failures = check_terminal(
        "bash", ["bash", "--norc", "--noprofile", "-i"], [f"source {share}/bash-completion/completions/pj"]
    )
    failures += check_terminal(
        "zsh",
        ["zsh", "-f", "-i"],
        [f"fpath=({share}/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D", "zstyle ':completion:*' menu no"],
    )
    failures += check_fish(folder, share)
    print(f"{3 * len(CASES) - failures} of {3 * len(CASES)} lines were completed as they should be", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
