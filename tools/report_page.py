#!/usr/bin/env python3
"""Opens reports of pj policy, and pages of cases, in headless Chromium and uses them as a reader would. tools/report-check
calls it."""
import argparse
import base64
import pathlib
import re
import sys
import zlib

from timeline_page import Browser, Failed, check

SIZES = {"desk": (1440, 900), "phone": (400, 800)}
# The room of a sheet of A4 in landscape, within its margins.
SHEET = (1032, 703)
LEAST_COLUMN = 75

SHOWN = "rows.filter(row => row.checkVisibility()).length"
# Every text in sight on the color behind it (WCAG 2.2, 1.4.3).
CONTRAST = """(() => {
  const numbers = color => color.match(/[\\d.]+/g).map(Number);
  const light = color => {
    const [r, g, b] = numbers(color).slice(0, 3).map(value => {
      value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      const [, , , alpha = 1] = numbers(color);
      if (alpha > 0) return color; }
    return 'rgb(255, 255, 255)'; };
  const weak = new Set();
  for (const element of document.querySelectorAll('h1, h2, h3, th, td, bdi, small, p, b, time, dt, dd, code, button, output, input')) {
    if (!element.checkVisibility() || !element.textContent.trim()) continue;
    const [low, high] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) weak.add(`${element.localName} ${element.closest('td, th')?.className}: ${contrast.toFixed(2)}`); }
  return [...weak]; })()"""


def uses(browser, page):
    """The switch for differences, the search, and the structure of the tables."""
    browser.open(page, SIZES["desk"])
    count, different = browser.run("rows.length"), browser.run("rows.filter(row => row.matches('.different')).length")
    check(count > 0 and browser.run(SHOWN) == count, f"{page.name} does not show its {count} rows")
    check(browser.run("[...document.querySelectorAll('main table')].every(table => [...table.querySelectorAll('tr:not(.section)')]"
                      ".every(row => row.children.length === table.rows[0].children.length))"), f"{page.name} has ragged rows")
    check(browser.run("[...document.querySelectorAll('th')].every(cell => cell.scope)"), "a heading has no scope")
    nameless = browser.run("[...document.querySelectorAll('button, input, select, main')].filter(e =>"
                           " !(e.textContent.trim() && e.localName === 'button' || e.ariaLabel || e.labels?.length)).map(e => e.id)")
    check(not nameless, f"controls without a name: {nameless}")
    # Keys reach the switch, and it says how it stands.
    if 0 < different < count:
        browser.run("byId('different').focus()")
        browser.key("Enter")
        check(browser.run(SHOWN) == different, f"{page.name}: differences only shows {browser.run(SHOWN)} of {different}")
        check(browser.run("byId('different').getAttribute('aria-pressed')") == "true", "the switch does not say how it stands")
        check(browser.run("[...document.querySelectorAll('main tbody')].every(body => body.hidden === !body.querySelector('.row:not([hidden])'))"),
              "a section without rows is shown")
        browser.key("Enter")
        check(browser.run(SHOWN) == count, "the switch does not go back")
    else:
        check(browser.run("byId('different').hidden"), f"{page.name} has a switch that changes nothing")
    # The search.
    word = browser.run("rows[0].children[0].textContent")
    browser.run("byId('query').focus()")
    browser.send("Input.insertText", text=word.upper())
    browser.frame()
    check(0 < browser.run(SHOWN) <= count and browser.run("rows[0].checkVisibility()"), f"the search finds no {word}")
    browser.send("Input.insertText", text="no such word anywhere")
    browser.frame()
    check(browser.run(SHOWN) == 0 and browser.run("byId('none').checkVisibility()"), "an empty result says nothing")
    browser.run("byId('query').value = ''; view.query = ''; show()")
    # Texts of documents become no elements.
    check(browser.run("document.querySelectorAll('main img, main b, main i, main script, [onclick]').length") == 0,
          f"{page.name}: a text of a document became an element")
    browser.end(page.name)


def headings(browser, page):
    """Headings of at most three lines, which stay in sight with the first column; no column without a word; a legend."""
    browser.open(page, SIZES["desk"])
    high = browser.run("Math.max(...[...document.querySelectorAll('thead th')].map(cell => cell.clientHeight))")
    check(high <= 3 * 21 + 12, f"{page.name}: a heading is {high} high")
    check(browser.run("[...document.querySelectorAll('thead th')].slice(1).every(cell => cell.title || cell.cellIndex === 0)"),
          f"{page.name}: a heading has no tooltip")
    empty = browser.run("[...document.querySelectorAll('main table')].flatMap(table => [...table.rows[0].cells].filter(cell =>"
                        " [...table.querySelectorAll('tr.row')].every(row => ['', '\u2013'].includes(row.cells[cell.cellIndex].textContent)))"
                        ".map(cell => cell.textContent))")
    check(not empty, f"{page.name}: columns say nothing: {empty}")
    if browser.run("document.querySelector('td.marked, td.unset') !== null"):
        check(browser.run("document.querySelectorAll('.legend li').length") > 0, f"{page.name} does not explain its colors")
    browser.run("document.querySelector('main').scrollTo(400, 400)")
    browser.frame()
    where = browser.run("""(() => {
      const main = document.querySelector('main').getBoundingClientRect();
      const found = [...document.querySelectorAll('main table')].find(table => {
        const box = table.getBoundingClientRect(); return box.top <= main.top && box.bottom > main.top + 200; });
      if (!found) return null;
      const head = found.rows[0].cells[0].getBoundingClientRect();
      return [head.top - main.top, head.left - main.left, found.querySelector('tr.row').cells[0].getBoundingClientRect().left]; })()""")
    check(where is None or max(map(abs, where)) < 1, f"{page.name}: the headings scroll away: {where}")
    browser.end(page.name)


def phone(browser, page):
    """One document at a time beside the settings, with a switch; all of them again where there is room."""
    browser.open(page, SIZES["phone"])
    check(browser.run("document.querySelector('main').scrollWidth") <= 400, f"{page.name} is wider than a phone")
    shown = "[...section.querySelectorAll('thead th')].filter(cell => cell.checkVisibility()).map(cell => cell.cellIndex)"
    for number in range(browser.run("document.querySelectorAll('main section').length")):
        within = f"(section => %s)(document.querySelectorAll('main section')[{number}])"
        count = browser.run(within % "section.querySelectorAll('thead th').length")
        check(len(browser.run(within % shown)) == min(2, count), f"{page.name}: a phone shows several documents")
        check(browser.run(within % "[...section.querySelectorAll('tr.row')].filter(row => row.checkVisibility())"
                          ".every(row => [...row.cells].slice(1).some(cell => !cell.hidden && cell.textContent))"),
              f"{page.name}: a phone shows rows that say nothing")
        if count <= 2:
            check(browser.run(within % "!section.querySelector('.switch')"), "one document has a switch")
            continue
        before = browser.run(within % shown)[1]
        browser.run(within % "section.querySelector('.switch button:last-child').focus()")
        browser.key("Enter")
        after = browser.run(within % shown)[1]
        check(after == (before + 1 if before + 1 < count else 1), f"{page.name}: next goes from {before} to {after}")
        browser.run(within % "section.querySelector('.switch button').click()")
        check(browser.run(within % shown)[1] == before, f"{page.name}: previous does not go back")
        check(browser.run(within % f"section.querySelector('select').value === '{before}'"), "the choice is not shown")
        browser.run(within % "(select => { select.selectedIndex = select.options.length - 1;"
                    " select.dispatchEvent(new Event('change')); })(section.querySelector('select'))")
        check(browser.run(within % shown)[1] == count - 1, f"{page.name}: the last document cannot be chosen")
    browser.send("Emulation.setDeviceMetricsOverride", width=1440, height=900, deviceScaleFactor=1, mobile=False)
    browser.frame()
    check(browser.run("[...document.querySelectorAll('main th, main td')].every(cell => !cell.hidden)"),
          f"{page.name}: documents stay hidden where there is room")
    browser.end(page.name)


def sheets(pdf):
    """How many texts each page of a document has."""
    objects = {int(found[1]): found[2] for found in re.finditer(rb"(?s)(\d+) 0 obj\n(.*?)\nendobj", pdf)}
    counts = []
    for content in objects.values():
        if re.search(rb"/Type\s*/Page\b", content):
            body = objects[int(re.search(rb"/Contents (\d+) 0 R", content)[1])]
            stream = re.search(rb"(?s)stream\r?\n(.*)\r?\nendstream", body)[1]
            text = zlib.decompress(stream) if b"FlateDecode" in body else stream
            counts.append(len(re.findall(rb"\bT[jJ]\b", text)))
    return counts


def paper(browser, page, most):
    """No controls, no empty sheet, every document in a column of a readable width, and all as before afterwards."""
    browser.open(page, SIZES["phone"])
    documents = browser.run("[...document.querySelectorAll('main thead th')].filter(cell => cell.cellIndex && !cell.className).length")
    counts = sheets(base64.b64decode(browser.send("Page.printToPDF", preferCSSPageSize=True)["data"]))
    check(counts and min(counts) > 1, f"{page.name}: a sheet is empty: {counts}")
    check(len(counts) <= most, f"{page.name} takes {len(counts)} sheets")
    check(browser.run("!byId('paper') && document.querySelector('main').checkVisibility()"), "printing changes the page")
    browser.open(page, SHEET)
    browser.send("Emulation.setEmulatedMedia", media="print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.frame()
    check(not browser.run("document.querySelector('.tools').checkVisibility()"), "controls are printed")
    printed = browser.run("[...document.querySelectorAll('#paper thead th')].filter(cell => cell.cellIndex && !cell.className).length")
    check(printed == documents, f"{page.name} prints {printed} of {documents} documents")
    narrow = browser.run("Math.min(...[...document.querySelectorAll('#paper thead th')].map(cell => cell.clientWidth))")
    check(narrow >= LEAST_COLUMN, f"{page.name}: a column is {narrow} wide on paper")
    check(browser.run("[...document.querySelectorAll('#paper table')].every(table => table.tHead"
                      " && getComputedStyle(table.tHead).display === 'table-header-group')"), "a heading is not repeated")
    check(browser.run("[...document.querySelectorAll('#paper tr.row')].every(row =>"
                      " [...row.cells].slice(1).some(cell => !cell.className.match(/reference|result/) && cell.textContent))"),
          f"{page.name} prints rows that say nothing")
    check(browser.run("document.documentElement.scrollHeight > innerHeight || rows.length < 20"), "only a part is printed")
    browser.send("Emulation.setEmulatedMedia", media="")
    browser.end(page.name)
    return len(counts)


def themes(browser, page):
    """Both themes by the system's setting and by the switch, each with enough contrast."""
    backs = []
    for theme in ("light", "dark"):
        browser.open(page, SIZES["desk"], theme)
        backs.append(browser.run("getComputedStyle(document.body).backgroundColor"))
        for _ in range(2):
            weak = browser.run(CONTRAST)
            check(not weak, f"{page.name}: too little contrast ({theme}): {weak}")
            browser.run("byId('theme').click()")
        browser.run("byId('theme').click()")
        check(browser.run("getComputedStyle(document.body).backgroundColor") != backs[-1], "the switch changes nothing")
    check(backs[0] != backs[1], "the page does not follow the system's theme")
    browser.end(page.name)


def case(browser, page):
    """A page of a case: it fits both screens in both themes, its links lead somewhere, and it prints on two sheets."""
    for size in SIZES.values():
        for theme in ("light", "dark"):
            browser.open(page, size, theme)
            check(browser.run("document.documentElement.scrollWidth <= innerWidth"), f"{page.name} is wider than {size[0]}")
            weak = browser.run(CONTRAST)
            check(not weak, f"{page.name}: too little contrast ({theme}): {weak}")
    dead = browser.run("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))"
                       ".filter(target => !target.startsWith('#') || !document.getElementById(target.slice(1)))")
    check(not dead, f"{page.name}: links lead nowhere: {dead}")
    check(browser.run("document.querySelectorAll('img, script, [onclick]').length") == 0,
          f"{page.name}: a text of a history became an element")
    counts = sheets(base64.b64decode(browser.send("Page.printToPDF", preferCSSPageSize=True)["data"]))
    check(1 <= len(counts) <= 2 and min(counts) > 1, f"{page.name} takes {len(counts)} sheets: {counts}")
    browser.end(page.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--case", action="append", default=[], type=pathlib.Path, help="a page of a case")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--sheets", type=int, default=160, help="the most sheets of paper that a report may take")
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder for pictures of both screens, both themes and paper")
    arguments = parser.parse_args()
    browser = Browser(arguments.browser)
    taken = 0
    try:
        for page in arguments.pages:
            for part in (uses, headings, phone, themes):
                part(browser, page)
            taken += paper(browser, page, arguments.sheets)
        for page in arguments.case:
            case(browser, page)
        for page in arguments.pages + arguments.case if arguments.pictures else []:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            for size in SIZES:
                for theme in ("light", "dark"):
                    browser.open(page, SIZES[size], theme)
                    browser.picture(arguments.pictures / f"{page.stem}-{size}-{theme}.png")
            browser.open(page, SHEET)
            browser.send("Emulation.setEmulatedMedia", media="print")
            browser.run("dispatchEvent(new Event('beforeprint')), 0")
            browser.picture(arguments.pictures / f"{page.stem}-paper.png")
            browser.send("Emulation.setEmulatedMedia", media="")
    except Failed as error:
        print(f"tools/report-check: {error}", file=sys.stderr)
        return 1
    finally:
        browser.close()
    print(f"{len(arguments.pages)} reports work: no error, nothing loaded, differences, search, headings, a phone's switch,"
          f" both themes, {taken} sheets of paper; and {len(arguments.case)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
