extension TimelineScript {
  /// The panel beside the drawing.
  static let details = #"""
    // The panel: what is known about the selected event or mark, or about the whole page.
    const panel = byId("panel");
    const groupOf = event => data.groups[lanes[data.lane[event]].group];
    const value = words => make("bdi", { class: "value" }, words);

    function eventLink(number, extra = "") {
      const event = eventWithNumber(Number(number));
      if (event < 0) return document.createTextNode("#" + number);
      return make("button", { class: "link", type: "button", onclick: () => select(event, true) },
        `#${number} ${kindOf(event)}${extra}`);
    }
    function markButton(mark) {
      return make("button", { class: `card ${mark.tone}`, type: "button", onclick: () => selectMark(mark.index) },
        make("b", {}, mark.title), " ", value(mark.text));
    }

    function showEvent(event) {
      const [name, meaning, remedy] = data.kinds[data.kind[event]];
      const { headline, questions, sections } = details(event);
      const parts = [
        make("h2", { tabindex: -1, id: "heading" }, make("span", { class: "number" }, "#" + sequence[event]), " ", name),
        make("p", { class: "meta" }, make("time", { datetime: exactTime(event) }, exactTime(event)),
          ...(accountsOf(event) ? [" · ", value(accountsOf(event))] : []), " · " + groupOf(event)),
        make("p", {}, meaning),
      ];
      if (remedy) parts.push(make("p", { class: "remedy" }, "What to do: " + remedy));
      if (headline) parts.push(make("p", { class: "headline" }, value(headline)));
      for (const mark of marksOfEvent.get(event) ?? []) parts.push(markButton(mark));
      for (const question of questions) parts.push(explanation(answer(question), event));
      for (const [title, width, ...cells] of sections) {
        if (text(title) !== "findings") parts.push(section(text(title), width, cells.map(text)));
      }
      const others = lanes[data.lane[event]].events;
      const near = others.filter(other => other !== event && Math.abs(x(place(other)) - x(place(event))) < gap);
      if (near.length) {
        parts.push(make("h3", {}, "At the same place"), make("p", { class: "list" },
          ...near.slice(0, 40).map(other => eventLink(sequence[other]))));
        if (near.length > 40) parts.push(make("p", { class: "meta" }, `and ${thousands(near.length - 40)} more; zoom in`));
      }
      panel.replaceChildren(bar(event), ...parts);
      panel.scrollTop = 0;
    }
    function bar(event) {
      return make("div", { class: "bar", role: "toolbar", "aria-label": "Neighbours" },
        make("button", { type: "button", onclick: () => step(-1), "aria-label": "Previous event" }, "‹ Previous"),
        make("button", { type: "button", onclick: () => step(1), "aria-label": "Next event" }, "Next ›"),
        make("button", { type: "button", class: "close", onclick: clear, "aria-label": "Close the details" }, "✕"));
    }
    const links = new Set(["caused by", "story began with", "process began with"]);
    function section(title, width, cells) {
      const body = make("tbody");
      for (let at = 0; at < cells.length; at += width) {
        const row = cells.slice(at, at + width);
        const last = width === 3
          ? [value(row[1]), make("span", { class: "arrow", "aria-label": "becomes" }, " → "), value(row[2])]
          : [links.has(row[0]) ? eventLink(row[1]) : value(row[1])];
        body.append(make("tr", {}, make("th", { scope: "row" }, value(row[0])), make("td", {}, ...last)));
      }
      return make("section", { class: title }, make("h3", {}, title), make("table", {}, body));
    }

    // An answer of the rules, and below it each rule with what it read and which event set that.
    function explanation({ head: [question, name, reason, assumption], rows }, event) {
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
          item.append(make("div", { class: "read" }, value(text(path)), " = ", value(text(read)),
            writer ? make("span", {}, " set by ", eventLink(writer)) : null));
        }
      }
      return make("details", { class: "explain", open: "" },
        make("summary", {}, make("span", {}, "Explain "), make("code", {}, question), " = ", make("b", {}, name)),
        make("p", {}, reason), rows.length ? list : null,
        assumption ? make("p", { class: "meta" }, `No source publishes this rule: it rests on the assumption ${assumption}.`)
          : null,
        make("p", { class: "meta" }, "More: ", make("code", {}, `pj explain JOURNAL '${question}' --at ${sequence[event]}`)));
    }

    function showMark(mark) {
      panel.replaceChildren(
        make("div", { class: "bar" },
          make("button", { type: "button", onclick: () => stepMark(-1), "aria-label": "Previous mark" }, "‹ Previous"),
          make("button", { type: "button", onclick: () => stepMark(1), "aria-label": "Next mark" }, "Next ›"),
          make("button", { type: "button", class: "close", onclick: clear, "aria-label": "Close the details" }, "✕")),
        make("h2", { tabindex: -1, id: "heading" }, mark.title),
        make("p", { class: "meta" }, `${mark.kind} · ` + (mark.kind === "finding" ? "seen at " : "before ")
          + (mark.place < count ? "#" + sequence[mark.place] : "the end")),
        make("p", { class: `card ${mark.tone}` }, value(mark.text)),
        mark.next ? make("p", { class: "remedy" }, "What to do: ", value(mark.next)) : null,
        ...(mark.evidence.length ? [make("h3", {}, "Evidence"), make("p", { class: "list" },
          ...mark.evidence.slice(0, 100).map(event => eventLink(sequence[event], " · " + exactTime(event))))] : []),
        ...(mark.kind !== "finding" && mark.place < count
          ? [make("h3", {}, "Next event"), make("p", { class: "list" }, eventLink(sequence[mark.place]))] : []));
      panel.scrollTop = 0;
    }

    const toneWords = {
      good: "as it should be", pending: "under way", warning: "worth a look", bad: "blocked, removed or refused",
      idle: "nothing to do", plain: "anything else",
    };
    function showOverview() {
      const findings = marks.filter(mark => mark.kind === "finding");
      const facts = marks.filter(mark => mark.kind !== "finding");
      const list = (title, items) => items.length ? [make("h3", {}, `${title} (${thousands(items.length)})`),
        ...items.slice(0, 200).map(markButton),
        items.length > 200 ? make("p", { class: "meta" }, "The others are on the ruler.") : null] : [];
      panel.replaceChildren(
        make("h2", { tabindex: -1, id: "heading" }, "Overview"),
        make("p", {}, count ? "Select an event, a span or a mark to see what is known about it."
          : "This range contains no event."),
        ...list("Findings", findings), ...list("Damage and clock", facts),
        make("h3", {}, "Legend"),
        make("ul", { class: "legend" },
          ...Object.entries(toneWords).map(([tone, words]) =>
            make("li", {}, make("i", { class: `swatch ${tone}` }), words)),
          make("li", {}, make("i", { class: "swatch dotted" }), "an event; a pill is several"),
          make("li", {}, make("i", { class: "swatch diamond" }), "an event with a finding")),
        make("p", { class: "meta" }, "Times are UTC. Policy versions and identities have colours only to tell them apart. "
          + (data.redacted ? "Accounts are pseudonyms; personal data is withheld." : "This page shows personal data.")),
        make("p", { class: "meta" }, "Press ", make("kbd", {}, "?"), " for the keys. Written by " + data.tool + "."));
    }
    """#
}
