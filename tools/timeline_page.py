#!/usr/bin/env python3
"""Opens the pages of pj timeline in headless Chromium and uses them as a reader would. tools/timeline-check calls it.

It speaks the DevTools protocol through a pair of pipes, which needs nothing besides Python and the browser."""
import argparse
import base64
import fcntl
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

SIZES = {"wide": (1600, 900), "laptop": (1180, 720), "phone": (390, 844)}
# The limits are generous: a machine that runs other work must not fail the check.
READY_MILLISECONDS = 6000
FRAME_MILLISECONDS = 150


class Failed(Exception):
    """Something a reader would stumble over."""


def check(condition, message):
    if not condition:
        raise Failed(message)


class Browser:
    """A browser with one page."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Above the numbers that the browser expects its pipes at.
        ours = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for pair in (os.pipe(), os.pipe()) for end in pair]
        reads, self.out, self.into, writes = ours

        def place_pipes():
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
             "--force-device-scale-factor=1", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(3, 4), preexec_fn=place_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.troubles = []
        self.requests = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)

    def close(self):
        """Ends the browser by its own way, so that its processes leave the profile alone."""
        os.write(self.out, b'{"id": 0, "method": "Browser.close"}\0')
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def read(self, seconds):
        """The next message."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(end - time.monotonic(), 0))
            check(ready, "the browser does not answer")
            part = os.read(self.into, 1 << 20)
            check(part, "the browser ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(60)
            if answer.get("id") == self.number:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            self.note(answer)

    def note(self, message):
        """Keeps what a page must not do."""
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.troubles.append(json.dumps(parameters["exceptionDetails"])[:600])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.troubles.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.troubles.append(json.dumps(parameters["args"])[:600])
        elif method == "Page.javascriptDialogOpening":
            self.troubles.append("a dialog opened: " + parameters["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def run(self, script):
        """The value of an expression in the page."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        check("exceptionDetails" not in result, f"{script}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def open(self, path, size=SIZES["laptop"], theme="light"):
        width, height = size
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.requests.clear()
        self.send("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + 60
        while not self.run("document.documentElement?.dataset.ready || (document.readyState === 'complete' && !document.scripts.length)"):
            check(time.monotonic() < end and not self.troubles, f"{path.name} does not open: {self.troubles}")
            time.sleep(0.02)
        self.frame()

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, left, top, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=left, y=top, **more)

    def click(self, left, top):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, left, top, button="left", buttons=1, clickCount=1)
        self.frame()

    def key(self, key, code=None, shift=False, text=None):
        named = {"Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, None), "Tab": ("Tab", 9, None)}
        code, number, typed = named.get(key, (code or key, ord(key) if len(key) == 1 else 0, text))
        if len(key) == 1:
            typed = key
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        down = dict(event, type="keyDown" if typed else "rawKeyDown", **({"text": typed} if typed else {}))
        self.send("Input.dispatchKeyEvent", **down)
        self.send("Input.dispatchKeyEvent", **dict(event, type="keyUp"))
        self.frame()

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def end(self, name, requests=1):
        """No page may have reported a mistake, or asked for anything but itself."""
        check(not self.troubles, f"{name}: {self.troubles}")
        check(len(self.requests) == requests, f"{name} asks for more than itself: {self.requests}")


CENTER = """(event => {
  reveal(place(event), data.lane[event]); draw();
  const box = surfaces.plot.canvas.getBoundingClientRect();
  return [box.left + x(place(event)), box.top + lanes[data.lane[event]].top - byId('rows').scrollTop + dots(data.lane[event])];
})"""
HEADING = "byId('heading').textContent"


def middle(browser, event):
    return browser.run(f"{CENTER}({event})")


def uses(browser, page):
    """A click, the keys, the wheel, dragging and the search."""
    browser.open(page)
    count = browser.run("count")
    check(count > 0, "the page has no event")
    # A click on an event shows it; every event can be reached where events stand side by side.
    browser.run("setAxis(false)")
    for event in sorted({0, count // 3, count - 1}):
        browser.run(f"show({event} - 6, {event} + 6)")
        browser.click(*middle(browser, event))
        expected = browser.run(f"'#' + sequence[{event}] + ' ' + kindOf({event})")
        check(browser.run(HEADING) == expected, f"a click shows {browser.run(HEADING)!r} and not {expected!r}")
        check(browser.run("byId('live').textContent").startswith("Event "), "the selection is not announced")
    # Keys.
    browser.run("setAxis(true); fitAll(); clear(); surfaces.plot.canvas.focus()")
    browser.key("ArrowDown")
    check(browser.run("view.lane") == browser.run("laneOrder[0]"), "ArrowDown does not choose a lane")
    browser.key("Home")
    check(browser.run("view.event") == 0, "Home does not select the first event")
    browser.key("n")
    check(browser.run("view.event") == min(1, count - 1), "n does not select the next event")
    before = browser.run("view.event")
    browser.key("ArrowRight", shift=True)
    check(browser.run("data.lane[view.event]") == browser.run(f"data.lane[{before}]"), "Shift ArrowRight leaves the lane")
    browser.key("Enter")
    check(browser.run("document.activeElement.id") == "heading", "Enter does not go to the details")
    browser.key("Escape")
    check(browser.run("document.activeElement.id") == "plot" and browser.run("view.event") == -1, "Escape does not return")
    check(browser.run("surfaces.plot.canvas.matches(':focus-visible')"), "the focus does not show")
    browser.run("fitAll()")
    size = browser.run("view.to - view.from")
    browser.key("+", "Equal")
    check(abs(browser.run("view.to - view.from") - size / 2) < size * 0.01, "+ does not zoom")
    left = browser.run("view.from")
    browser.key("ArrowRight")
    check(browser.run("view.from") > left, "ArrowRight does not move")
    browser.key("?", "Slash", shift=True)
    check(browser.run("byId('keys').open"), "? does not show the keys")
    browser.key("Escape")
    check(not browser.run("byId('keys').open"), "Escape does not close the keys")
    # Wheel and dragging.
    size, left = browser.run("view.to - view.from"), browser.run("view.from")
    x, y = browser.run("(box => [box.left + box.width / 2, box.top + box.height / 2])(byId('plot').getBoundingClientRect())")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    browser.frame()
    check(browser.run("view.to - view.from") < size, "the wheel does not zoom")
    left = browser.run("view.from")
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", x - 120, y, button="left", buttons=1)
    browser.mouse("mouseReleased", x - 120, y, button="left", buttons=1, clickCount=1)
    browser.frame()
    check(browser.run("view.from") > left, "dragging does not move")
    # Search.
    browser.run("fitAll(); clear(); byId('rows').focus()")
    browser.key("/", "Slash")
    check(browser.run("document.activeElement.id") == "query", "/ does not go to the search")
    word = browser.run(f"kindOf({count // 2})")
    browser.send("Input.insertText", text=word)
    browser.key("Enter")
    check(browser.run("view.hits.length") > 0, f"the search finds no {word}")
    check(word in browser.run(HEADING), f"the search for {word} shows {browser.run(HEADING)!r}")
    browser.run("byId('query').value = 'no such word anywhere'; find(byId('query').value)")
    check(browser.run("view.hits.length") == 0, "the search finds what is not there")
    browser.run("byId('query').value = ''; find('')")
    # Texts of the journal become no elements.
    strangers = browser.run("[...document.querySelectorAll('img, b[onclick], body script:not([type]) ~ script, iframe')].length")
    check(strangers == 0, "a text of the journal became an element")
    # Every control has a name, and marks and links lead somewhere.
    nameless = browser.run("[...document.querySelectorAll('button, input, canvas:not([aria-hidden])')].filter(e =>"
                           " !(e.textContent || e.ariaLabel || e.labels?.length)).map(e => e.id)")
    check(not nameless, f"controls without a name: {nameless}")
    if browser.run("marks.length"):
        browser.run("selectMark(0)")
        check(browser.run(HEADING) == browser.run("marks[0].title"), "a mark does not show")
    browser.end(page.name)


CONTRAST = """(() => {
  const light = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(Number).map(value => {
      value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (one, other) => {
    const [low, high] = [light(colors[one]), light(colors[other])].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05); };
  const pairs = [['text', 'back', 4.5], ['faint', 'back', 4.5], ['text', 'soft', 4.5], ['accent', 'back', 4.5],
    ['dot', 'back', 3], ['hit', 'back', 3]];
  for (const name of Object.keys(colors)) {
    if (name.endsWith('-fill')) pairs.push(['text', name, 4.5]);
    if (name.endsWith('-edge') && name !== 'idle-edge') pairs.push([name, 'back', 3]);
  }
  return pairs.filter(([one, other, least]) => contrast(one, other) < least).map(([one, other]) =>
    `${one} on ${other}: ${contrast(one, other).toFixed(2)}`); })()"""


def themes(browser, page):
    """Both themes by the system's setting and by the switch, each with enough contrast."""
    backs = []
    for theme in ("light", "dark"):
        browser.open(page, theme=theme)
        backs.append(browser.run("getComputedStyle(document.body).backgroundColor"))
        weak = browser.run(CONTRAST)
        check(not weak, f"too little contrast ({theme}): {weak}")
        browser.run("byId('theme').click()")
        check(browser.run("getComputedStyle(document.body).backgroundColor") != backs[-1], "the switch changes nothing")
    check(backs[0] != backs[1], "the page does not follow the system's theme")
    browser.end(page.name)


def measures(browser, page):
    """How long a page takes to open and to draw a frame while it is zoomed."""
    browser.open(page)
    ready = int(browser.run("document.documentElement.dataset.ready"))
    frames = browser.run("""(() => {
      const times = [];
      fitAll();
      for (const byTime of [true, false]) {
        setAxis(byTime);
        fitAll();
        for (let turn = 0; turn < 24; turn++) {
          const start = performance.now();
          zoom(turn < 12 ? 0.5 : 2); draw();
          times.push(performance.now() - start);
        }
      }
      return times.sort((a, b) => a - b); })()""")
    search = browser.run("(start => { find('a1'); return performance.now() - start; })(performance.now())")
    count = browser.run("count")
    print(f"{page.name}: {count:,} events, {page.stat().st_size / (1 << 20):.1f} MiB, ready after {ready} ms, "
          f"a frame takes {frames[len(frames) // 2]:.1f} ms (at most {frames[-1]:.1f}), a search {search:.0f} ms")
    check(ready < READY_MILLISECONDS, f"{page.name} is ready only after {ready} ms")
    check(frames[-1] < FRAME_MILLISECONDS, f"a frame of {page.name} takes {frames[-1]:.0f} ms")
    browser.end(page.name)


def pictures(browser, pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        for size in SIZES:
            for theme in ("light", "dark"):
                browser.open(page, SIZES[size], theme)
                browser.picture(folder / f"{page.stem}-{size}-{theme}.png")
                browser.run("select(Math.floor(count * 0.6), true)")
                browser.frame()
                browser.picture(folder / f"{page.stem}-{size}-{theme}-event.png")


def scenario(kind, turns=13_000):
    """A scenario of some 100,000 events, in which an account comes and goes, with a thread of its own, and the app starts
    anew; or one of a few events with texts that would leave their place."""
    is_long = kind == "long"
    steps = [{"service": {"alice": {"policy": "standard"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}]
    for turn in range(turns if is_long else 1):
        thread = f"upload{turn % 7}"
        steps += [{"setUI": "alice"}, {"setThread": {"thread": thread, "identity": "alice"}}, {"wait": "PT11M"},
                  {"setUI": ""}, {"closeThread": thread}, {"wait": "PT30M"}]
        if turn % 40 == 0:
            steps.append({"restart": {}})
    documents = pathlib.Path(__file__).resolve().parent.parent / "journals/documents"
    policy = "icf_2020-04-22_97686e8_level-2-enterprise-enhanced-data-protection-iOS.json"
    return {
        "scenario": 1, "title": "Many events, or hostile texts", "teaches": "How such a history looks",
        "app": {"version": "2.0" if is_long else "<b onclick=alert(1)>2.0</b>", "multiIdentity": True},
        "device": {"os": "17.0", "sdk": "19.2.0",
                   "model": "iPhone15,2" if is_long else "</script><script>alert(1)</script>\u2028\u202e<!--"},
        "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01",
                               "upn": ("alice" if is_long else "<img src=x onerror=alert(1)>'\"`${1}") + "@contoso.com"}},
        "policies": {"standard": {"path": str(documents / policy)}}, "start": "2026-10-06T08:00:00Z", "steps": steps,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    parser.add_argument("--scenario", choices=["long", "hostile"], help="only print the scenario of such a history")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--long", type=pathlib.Path, help="a page with many events, which is only measured")
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder for pictures in three sizes and two themes")
    arguments = parser.parse_args()
    if arguments.scenario:
        print(json.dumps(scenario(arguments.scenario)))
        return 0
    if not arguments.pages:
        parser.error("name a page")
    browser = Browser(arguments.browser)
    try:
        for page in arguments.pages:
            uses(browser, page)
        themes(browser, arguments.pages[0])
        for page in [arguments.pages[0]] + ([arguments.long] if arguments.long else []):
            measures(browser, page)
        if arguments.pictures:
            pictures(browser, arguments.pages, arguments.pictures)
    except Failed as error:
        print(f"tools/timeline-check: {error}", file=sys.stderr)
        return 1
    finally:
        browser.close()
    print(f"{len(arguments.pages)} pages work: no error, nothing loaded, click, keys, wheel, drag, search, both themes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
