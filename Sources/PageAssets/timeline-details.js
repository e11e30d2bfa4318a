// The panel: what is known about the selected event or mark, or about the whole page.
const panel = byId("panel");
const groupOf = event => data.groups[lanes[data.lane[event]].group];
const value = words => make("bdi", { class: "value" }, words);
// A path may be broken after its slashes.
const pathText = words => make("bdi", { class: "value" },
  ...words.split("/").flatMap((name, index) => index ? ["/", make("wbr"), name] : [name]));
const capital = words => words[0].toUpperCase() + words.slice(1);
function fill(...parts) {
  panel.replaceChildren(...parts.filter(Boolean));
  panel.scrollTop = 0;
}

function eventLink(number, extra = "") {
  const event = eventWithNumber(Number(number));
  if (event < 0) return document.createTextNode("#" + number);
  return make("button", { class: "link", type: "button", onclick: () => select(event, true) },
    `#${number} ${kindOf(event)}${extra}`);
}
function markButton(mark) {
  return make("button", { class: `card ${mark.tone}`, type: "button", onclick: () => selectMark(mark.index) },
    make("b", {}, mark.title + ": "), value(mark.text),
    mark.next ? make("span", { class: "next" }, make("b", {}, "Next: "), value(mark.next)) : null);
}

const heading = (...words) => make("h2", { tabindex: -1, id: "heading" }, ...words);
const meta = (...words) => make("p", { class: "meta" }, ...words);
const list = (...items) => make("p", { class: "list" }, ...items);

function showEvent(event) {
  const [name, meaning, remedy] = data.kinds[data.kind[event]];
  const { questions, sections } = details(event);
  const parts = [
    heading(make("span", { class: "number" }, "#" + sequence[event]), " ", name),
    meta(make("time", { datetime: exactTime(event) }, exactTime(event)),
      ...(accountsOf(event) ? [" · ", value(accountsOf(event))] : []), " · " + groupOf(event)),
    make("p", {}, meaning),
  ];
  if (remedy) parts.push(make("p", { class: "remedy" }, "What to do: " + remedy));
  for (const mark of marksOfEvent.get(event) ?? []) parts.push(markButton(mark));
  const shown = sections.map(([title, width, ...cells]) => ({ title: text(title), width, cells: cells.map(text) }))
    .filter(({ title }) => title !== "findings")
    .sort((one, other) => (other.title === "changes") - (one.title === "changes"));
  const [changes, ...others] = shown.map(({ title, width, cells }) => section(title, width, cells));
  const explanations = questions.map((question, index) => explanation(answer(question), event, !index));
  parts.push(changes, ...explanations, ...others);
  const isNear = other => other !== event && Math.abs(x(place(other)) - x(place(event))) < gap;
  const near = lanes[data.lane[event]].events.filter(isNear);
  if (near.length) {
    const here = near.slice(0, 40).map(other => eventLink(sequence[other]));
    parts.push(make("h3", {}, "At the same place"), list(...here));
    if (near.length > 40) parts.push(meta(`and ${thousands(near.length - 40)} more; zoom in`));
  }
  fill(bar("event", step), ...parts);
}
function bar(what, move) {
  const button = (label, words, onclick) => make("button", { type: "button", "aria-label": label, onclick }, words);
  const close = button("Close the details", "✕", clear);
  close.className = "close";
  return make("div", { class: "bar", role: "toolbar", "aria-label": "Neighbours" },
    button("Previous " + what, "‹ Previous", () => move(-1)),
    button("Next " + what, "Next ›", () => move(1)), close);
}
const links = new Set(["caused by", "story began with", "process began with"]);
function section(title, width, cells) {
  const body = make("tbody");
  for (let at = 0; at < cells.length; at += width) {
    const row = cells.slice(at, at + width);
    const last = width === 3
      ? [value(row[1]), make("span", { class: "arrow", "aria-label": "becomes" }, " → "), value(row[2])]
      : [links.has(row[0]) ? eventLink(row[1]) : value(row[1])];
    body.append(make("tr", {}, make("th", { scope: "row" }, pathText(row[0])), make("td", {}, ...last)));
  }
  return make("section", { class: title }, make("h3", {}, capital(title)), make("table", {}, body));
}

// An answer of the rules, and below it each rule with what it read and which event set that.
function explanation({ head: [question, name, reason, assumption], rows }, event, isOpen) {
  const list = make("ol", { class: "rules" });
  let [item, statement] = [null, null];
  for (const [words, path, read, writer, flags] of rows) {
    if (words !== statement || !item) {
      statement = words;
      item = make("li", { class: flags & 2 ? "decides" : null },
        make("span", { class: flags & 1 ? "holds" : "fails", "aria-label": flags & 1 ? "holds" : "does not hold" },
          flags & 1 ? "✓" : "✗"), " ", text(words), flags & 2 ? make("em", {}, " decides") : null);
      list.append(item);
    }
    if (path !== -1) {
      item.append(make("div", { class: "read" }, pathText(text(path)), " = ", value(text(read)),
        writer ? make("span", {}, " set by ", eventLink(writer)) : null));
    }
  }
  return make("details", { class: "explain", open: isOpen ? "" : null },
    make("summary", {}, make("span", {}, "Explain "), make("code", {}, question), " = ", make("b", {}, name)),
    make("p", {}, reason), rows.length ? list : null,
    assumption ? meta(`It rests on the assumption ${assumption}, which settles what no source publishes.`) : null,
    meta("More: ", make("code", {}, `pj explain JOURNAL '${question}' --at ${sequence[event]}`)));
}

function showMark(mark) {
  fill(
    bar("mark", stepMark), heading(mark.title),
    meta(`${mark.kind} · ` + (mark.isAtEvent ? "seen at " : "before ")
      + (mark.place < count ? "#" + sequence[mark.place] : "the end")),
    make("p", { class: `card ${mark.tone}` }, value(mark.text)),
    mark.next ? make("p", { class: "remedy" }, "What to do: ", value(mark.next)) : null,
    ...(mark.evidence.length ? [make("h3", {}, "Evidence"), list(
      ...mark.evidence.slice(0, 100).map(event => eventLink(sequence[event], " · " + exactTime(event))))] : []),
    ...(!mark.isAtEvent && mark.place < count
      ? [make("h3", {}, "Next event"), list(eventLink(sequence[mark.place]))] : []));
}

const toneWords = {
  good: "as it should be", pending: "under way", warning: "worth a look", bad: "blocked, removed or refused",
  idle: "nothing to do", plain: "anything else",
};
function showOverview() {
  const problems = marks.filter(mark => mark.kind === "problem");
  const findings = marks.filter(mark => mark.kind === "finding");
  const facts = marks.filter(mark => !mark.isAtEvent);
  const cards = (title, items) => items.length ? [make("h3", {}, `${title} (${thousands(items.length)})`),
    ...items.slice(0, 200).map(markButton),
    items.length > 200 ? meta("The others are on the ruler.") : null] : [];
  fill(
    heading("Overview"),
    make("p", {}, count ? "Select an event, a span or a mark to see what is known about it."
      : "This range contains no event."),
    data.lacksAnswers ? meta("Only the first decisions are explained here; pj explain --at explains others.") : null,
    ...cards("Problems", problems), ...cards("Mistakes in the app", findings), ...cards("Damage and clock", facts),
    make("h3", {}, "Legend"),
    make("ul", { class: "legend" },
      ...Object.entries(toneWords).map(([tone, words]) =>
        make("li", {}, make("i", { class: `swatch ${tone}` }), words)),
      make("li", {}, make("i", { class: "swatch dotted" }), "an event, in the colour of what it led to on its lane; a pill is several"),
      make("li", {}, make("i", { class: "swatch diamond" }), "an event that decided a problem, or is a mistake of the app")),
    meta("Times are UTC. Versions and identities have colours only to tell them apart. "
      + (data.redacted ? "Accounts are pseudonyms; personal data is withheld." : "This page shows personal data.")),
    meta("Press ", make("kbd", {}, "?"), " for the keys. Written by " + data.tool + "."));
}
