#!/usr/bin/env python3
"""Opens reports of pj policy in headless Chromium and uses them as a reader would. tools/report-check calls it."""
import argparse
import pathlib
import sys

from timeline_page import SIZES, Browser, Failed, check

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
  for (const element of document.querySelectorAll('h1, th, td, bdi, small, p, button, output, input')) {
    if (!element.checkVisibility() || !element.textContent.trim()) continue;
    const [low, high] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) weak.add(`${element.localName} ${element.closest('td, th')?.className}: ${contrast.toFixed(2)}`); }
  return [...weak]; })()"""


def uses(browser, page):
    """The switch for differences, the search, the structure of the table, and printing."""
    browser.open(page)
    count, different = browser.run("rows.length"), browser.run("rows.filter(row => row.matches('.different')).length")
    check(count > 0 and browser.run(SHOWN) == count, f"{page.name} does not show its {count} rows")
    columns = browser.run("document.querySelectorAll('thead th').length")
    check(browser.run(f"rows.every(row => row.children.length === {columns})"), f"{page.name} has ragged rows")
    check(browser.run("[...document.querySelectorAll('th')].every(cell => cell.scope)"), "a heading has no scope")
    nameless = browser.run("[...document.querySelectorAll('button, input, main')].filter(e =>"
                           " !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).map(e => e.id)")
    check(not nameless, f"controls without a name: {nameless}")
    # Keys reach the switch, and it says how it stands.
    browser.run("byId('different').focus()")
    browser.key("Enter")
    check(browser.run(SHOWN) == different, f"{page.name}: differences only shows {browser.run(SHOWN)} of {different}")
    check(browser.run("byId('different').getAttribute('aria-pressed')") == "true", "the switch does not say how it stands")
    check(browser.run("[...document.querySelectorAll('tbody')].every(body => body.hidden === !body.querySelector('.row:not([hidden])'))"),
          "a section without rows is shown")
    browser.key("Enter")
    check(browser.run(SHOWN) == count, "the switch does not go back")
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
    # The first column and the headings stay in sight.
    browser.run("document.querySelector('main').scrollTo(400, 400)")
    browser.frame()
    top = browser.run("document.querySelector('thead th').getBoundingClientRect().top"
                      " - document.querySelector('main').getBoundingClientRect().top")
    check(abs(top) < 1, f"{page.name}: the headings scroll away")
    # Texts of documents become no elements.
    check(browser.run("document.querySelectorAll('main img, main b, main i, main script, [onclick]').length") == 0,
          f"{page.name}: a text of a document became an element")
    # On paper: no controls, the whole table.
    check(browser.send("Page.printToPDF", preferCSSPageSize=True)["data"].startswith("JVBERi"), "the page does not print")
    browser.send("Emulation.setEmulatedMedia", media="print")
    check(not browser.run("document.querySelector('.tools').checkVisibility()"), "controls are printed")
    check(browser.run("document.documentElement.scrollHeight > innerHeight"), "only a part of the table is printed")
    browser.send("Emulation.setEmulatedMedia", media="")
    browser.end(page.name)


def themes(browser, page):
    """Both themes by the system's setting and by the switch, each with enough contrast."""
    backs = []
    for theme in ("light", "dark"):
        browser.open(page, theme=theme)
        backs.append(browser.run("getComputedStyle(document.body).backgroundColor"))
        for _ in range(2):
            weak = browser.run(CONTRAST)
            check(not weak, f"{page.name}: too little contrast ({theme}): {weak}")
            browser.run("byId('theme').click()")
        browser.run("byId('theme').click()")
        check(browser.run("getComputedStyle(document.body).backgroundColor") != backs[-1], "the switch changes nothing")
    check(backs[0] != backs[1], "the page does not follow the system's theme")
    browser.end(page.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder for pictures in three sizes and two themes")
    arguments = parser.parse_args()
    browser = Browser(arguments.browser)
    try:
        for page in arguments.pages:
            uses(browser, page)
            themes(browser, page)
        for page in arguments.pages if arguments.pictures else []:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            for size in SIZES:
                for theme in ("light", "dark"):
                    browser.open(page, size, theme)
                    browser.picture(arguments.pictures / f"{page.stem}-{size}-{theme}.png")
    except Failed as error:
        print(f"tools/report-check: {error}", file=sys.stderr)
        return 1
    finally:
        browser.close()
    print(f"{len(arguments.pages)} reports work: no error, nothing loaded, differences, search, print, both themes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
