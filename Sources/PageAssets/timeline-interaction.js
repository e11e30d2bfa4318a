// What the reader does: select, move, zoom, search.
function say(words) { byId("live").textContent = words; }
const clamp = (number, low, high) => Math.min(Math.max(number, low), high);

function show(from, to) {
  const [low, high] = extent();
  const least = view.byTime ? 1e3 : 4;
  const size = clamp(to - from, Math.min(least, high - low), high - low);
  const middle = (from + to) / 2;
  view.from = clamp(middle - size / 2, low, high - size);
  view.to = view.from + size;
  redraw();
}
const fitAll = () => show(...extent());
const pan = share => show(view.from + (view.to - view.from) * share, view.to + (view.to - view.from) * share);
function zoom(factor, at = (view.from + view.to) / 2) {
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}
function reveal(value, lane) {
  const size = view.to - view.from;
  if (value < view.from + size * 0.03 || value > view.to - size * 0.03) show(value - size / 2, value + size / 2);
  if (lane !== undefined) {
    const [scroll, top] = [byId("rows"), lanes[lane].top];
    if (top < scroll.scrollTop) scroll.scrollTop = top - groupHeight;
    const below = top + rowHeight - scroll.clientHeight;
    if (below > scroll.scrollTop) scroll.scrollTop = below;
  }
}

function select(event, moves = false) {
  if (!(event >= 0 && event < count)) return;
  view.event = event;
  view.mark = -1;
  chooseLane(data.lane[event]);
  if (moves) reveal(place(event), data.lane[event]);
  showEvent(event);
  document.body.classList.add("selected");
  say(`Event ${sequence[event]}, ${kindOf(event)}, ${accountsOf(event)} ${exactTime(event)}`);
  redraw();
}
function selectMark(index) {
  const mark = marks[index];
  if (!mark) return;
  view.mark = index;
  view.event = mark.isAtEvent ? mark.evidence[0] ?? -1 : -1;
  reveal(place(mark.place), view.event >= 0 ? data.lane[view.event] : undefined);
  showMark(mark);
  document.body.classList.add("selected");
  say(`${mark.title}: ${mark.text}`);
  redraw();
}
function clear() {
  view.event = view.mark = -1;
  chooseLane(-1);
  document.body.classList.remove("selected");
  showOverview();
  redraw();
}
// The next or previous event: on the chosen lane with the lane's keys, else of all.
function step(direction, onLane = false) {
  const list = onLane && view.lane >= 0 ? lanes[view.lane].events : null;
  if (!list) {
    const middle = (view.from + view.to) / 2;
    const start = firstPlace(count, index => place(index) >= middle);
    return select(view.event < 0 ? clamp(start, 0, count - 1) : clamp(view.event + direction, 0, count - 1), true);
  }
  const middle = (view.from + view.to) / 2;
  const limit = direction > 0 ? view.event + 1 : view.event;
  const isBehind = event => view.event < 0 ? place(event) >= middle : event >= limit;
  const next = firstPlace(list.length, index => isBehind(list[index])) - (direction < 0 ? 1 : 0);
  select(list[clamp(next, 0, list.length - 1)], true);
}
function stepMark(direction) {
  if (marks.length) selectMark((view.mark + direction + marks.length) % marks.length);
}
function chooseLane(lane) {
  view.lane = lane;
  for (const button of byId("labels").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.lane) === lane));
  }
  redraw();
}
function nextLane(direction) {
  const last = laneOrder.length - 1;
  const at = laneOrder.indexOf(view.lane);
  const lane = laneOrder[at >= 0 ? clamp(at + direction, 0, last) : direction > 0 ? 0 : last];
  if (lane === undefined) return;
  chooseLane(lane);
  reveal((view.from + view.to) / 2, lane);
  say(`${data.groups[lanes[lane].group]}, ${lanes[lane].label}, ${lanes[lane].events.length} events`);
}

function setAxis(byTime) {
  if (view.byTime === byTime) return;
  const middle = firstPlace(count, index => place(index) >= (view.from + view.to) / 2);
  const all = extent();
  const share = (view.to - view.from) / (all[1] - all[0]);
  view.byTime = byTime;
  byId("by-time").setAttribute("aria-pressed", String(byTime));
  byId("by-order").setAttribute("aria-pressed", String(!byTime));
  const [low, high] = extent();
  const [center, size] = [place(view.event >= 0 ? view.event : middle), (high - low) * share];
  show(center - size / 2, center + size / 2);
}
function setTheme() {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || !document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  readColors();
  redraw();
}

// Search: types, accounts, and every text of an event; a number is the event with this number.
function find(query) {
  const words = query.trim().toLowerCase();
  view.hits = [];
  view.isHit = null;
  if (words) {
    const contains = string => string.toLowerCase().includes(words);
    const kinds = data.kinds.map(([name]) => contains(name));
    const texts = data.texts.map(contains);
    const labels = lanes.map(lane => contains(lane.label));
    const holds = cell => typeof cell === "string" ? contains(cell) : texts[cell];
    const number = /^#?\d+$/.test(words) ? Number(words.replace("#", "")) : -1;
    view.isHit = new Uint8Array(count);
    for (let event = 0; event < count; event++) {
      const isFound = kinds[data.kind[event]] || labels[data.lane[event]] || texts[data.accounts[event]]
        || sequence[event] === number;
      if (isFound || inDetails(event, holds)) {
        view.isHit[event] = 1;
        view.hits.push(event);
      }
    }
  }
  const noun = view.hits.length === 1 ? "match" : "matches";
  byId("hits").textContent = words ? `${thousands(view.hits.length)} ${noun}` : "";
  byId("next-hit").disabled = byId("previous-hit").disabled = !view.hits.length;
  redraw();
}
function inDetails(event, holds) {
  const chunk = Math.floor(event / data.chunk);
  chunks[chunk] ??= parsed("events-" + chunk);
  const parts = chunks[chunk][event % data.chunk];
  if (holds(parts[0])) return true;
  for (let part = 2; part < parts.length; part++) {
    for (let cell = 2; cell < parts[part].length; cell++) if (holds(parts[part][cell])) return true;
  }
  return false;
}
function stepHit(direction) {
  const { hits } = view;
  if (!hits.length) return;
  const number = Number(byId("query").value.replace("#", ""));
  const exact = view.event < 0 && number > 0 ? hits.findIndex(event => sequence[event] === number) : -1;
  const next = exact >= 0 ? exact : direction > 0 ? firstPlace(hits.length, at => hits[at] > view.event)
    : firstPlace(hits.length, at => hits[at] >= view.event) - 1;
  select(hits[(next + hits.length) % hits.length], true);
  byId("hits").textContent = `${thousands(hits.indexOf(view.event) + 1)} of ${thousands(hits.length)}`;
}

// What is under the pointer: an event, a span, or nothing.
function under(pointer) {
  const box = surfaces.plot.canvas.getBoundingClientRect();
  const [left, top] = [pointer.clientX - box.left, pointer.clientY - box.top + byId("rows").scrollTop];
  const row = rows.findLast(row => row.top <= top);
  if (!row || row.lane === undefined || top > row.top + rowHeight) return null;
  const lane = lanes[row.lane];
  const mark = row.lane === clockLane ? markAt(left) : null;
  if (mark) return { mark };
  const near = nearest(lane, left);
  if (near && (top > row.top + 19 || near.distance < 3)) return { lane: row.lane, ...near };
  const at = firstPlace(lane.spans.length, index => x(place(spans[lane.spans[index]].first)) > left) - 1;
  const span = spans[lane.spans[at]];
  return span && left <= x(spanEnd(span)) ? { lane: row.lane, span } : { lane: row.lane, ...near };
}
function nearest(lane, left) {
  let found = null;
  clusters(lane, (from, to, first, next) => {
    const distance = Math.max(from - left, left - to, 0);
    if (distance > 9 || found && found.distance <= distance) return;
    const list = lane.events;
    let at = first;
    for (let other = first; other < next; other++) {
      if (Math.abs(x(place(list[other])) - left) < Math.abs(x(place(list[at])) - left)) at = other;
    }
    found = { event: list[at], size: next - first, from: list[first], to: list[next - 1], distance };
  });
  return found;
}
const markUnder = pointer => markAt(pointer.clientX - surfaces.ruler.canvas.getBoundingClientRect().left);
function markAt(left) {
  const near = marks.filter(mark => Math.abs(markPlace(mark) - left) < 9);
  return near.sort((one, other) => Math.abs(markPlace(one) - left) - Math.abs(markPlace(other) - left))[0];
}
function activate(hit) {
  if (!hit) return;
  if (hit.mark) return selectMark(hit.mark.index);
  if (hit.lane !== undefined) chooseLane(hit.lane);
  if (hit.size > 1 && x(place(hit.to)) - x(place(hit.from)) > 12 && hit.size > 3) {
    const [from, to] = [place(hit.from), place(hit.to)];
    show(from - (to - from) * 0.2, to + (to - from) * 0.2);
  }
  if (hit.event !== undefined) select(hit.event);
  else if (hit.span) select(clamp(hit.span.first, 0, count - 1));
}

const tip = byId("tip");
function showTip(pointer) {
  const hit = pointer.target === surfaces.plot.canvas ? under(pointer) : null;
  const mark = hit?.mark ?? (pointer.target === surfaces.ruler.canvas ? markUnder(pointer) : null);
  let parts = [];
  if (mark) parts = [make("b", {}, mark.title), value(mark.text)];
  else if (hit?.event !== undefined) {
    const { headline } = details(hit.event);
    parts = [make("b", {}, `#${sequence[hit.event]} ${kindOf(hit.event)}`),
      make("span", {}, exactTime(hit.event) + (accountsOf(hit.event) ? " · " + accountsOf(hit.event) : "")),
      headline ? value(headline) : null, hit.size > 1 ? make("i", {}, `one of ${thousands(hit.size)} here`) : null];
  } else if (hit?.span) {
    const { span } = hit;
    const [first, last] = [Math.max(span.first, 0), span.last < 0 ? count - 1 : span.last];
    const from = (span.first < 0 ? "before #" : "#") + sequence[first];
    const to = span.last < 0 ? "the end" : "#" + sequence[last];
    const length = lengthOf(axis[last] - axis[first]);
    parts = [make("b", {}, value(span.text)), make("span", {}, `${from} – ${to} · ${length}`)];
  }
  tip.hidden = !parts.length;
  surfaces.plot.canvas.style.cursor = mark || hit?.event !== undefined || hit?.span ? "pointer" : "grab";
  surfaces.ruler.canvas.style.cursor = mark ? "pointer" : "default";
  if (!parts.length) return;
  tip.replaceChildren(...parts.filter(Boolean));
  const box = tip.getBoundingClientRect();
  tip.style.left = clamp(pointer.clientX + 14, 4, innerWidth - box.width - 8) + "px";
  tip.style.top = clamp(pointer.clientY + 18, 4, innerHeight - box.height - 8) + "px";
}

// Dragging moves the drawing; a press that does not move is a click.
function listen() {
  const { plot, strip, ruler } = surfaces;
  let drag = null;
  plot.canvas.addEventListener("pointerdown", event => {
    if (event.button) return;
    const { scrollTop } = byId("rows");
    drag = { left: event.clientX, top: event.clientY, from: view.from, to: view.to, scrollTop, moved: false };
    plot.canvas.setPointerCapture(event.pointerId);
    tip.hidden = true;
  });
  plot.canvas.addEventListener("pointermove", event => {
    if (!drag) return showTip(event);
    const moved = event.clientX - drag.left;
    drag.moved ||= Math.hypot(moved, event.clientY - drag.top) > 4;
    if (!drag.moved) return;
    const shift = moved / plot.width * (drag.to - drag.from);
    byId("rows").scrollTop = drag.scrollTop - (event.clientY - drag.top);
    show(drag.from - shift, drag.to - shift);
  });
  plot.canvas.addEventListener("pointerup", event => {
    if (drag && !drag.moved) activate(under(event));
    drag = null;
  });
  plot.canvas.addEventListener("pointercancel", () => drag = null);
  for (const { canvas } of [plot, ruler]) {
    canvas.addEventListener("pointerleave", () => tip.hidden = true);
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const size = event.deltaMode ? 30 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        return pan((event.deltaX || event.deltaY) * size / plot.width);
      }
      zoom(Math.exp(event.deltaY * size * 0.0016), valueAt(event.clientX - canvas.getBoundingClientRect().left));
    }, { passive: false });
  }
  ruler.canvas.addEventListener("pointermove", showTip);
  ruler.canvas.addEventListener("click", event => {
    const mark = markUnder(event);
    if (mark) selectMark(mark.index);
  });
  const center = event => {
    const [low, high] = extent();
    const middle = low + (event.clientX - strip.canvas.getBoundingClientRect().left) / strip.width * (high - low);
    show(middle - (view.to - view.from) / 2, middle + (view.to - view.from) / 2);
  };
  strip.canvas.addEventListener("pointerdown", event => {
    strip.canvas.setPointerCapture(event.pointerId);
    center(event);
  });
  strip.canvas.addEventListener("pointermove", event => { if (event.buttons & 1) center(event); });
  byId("rows").addEventListener("scroll", redraw);
  new ResizeObserver(redraw).observe(byId("rows"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); redraw(); });
  const press = { "zoom-in": () => zoom(0.5), "zoom-out": () => zoom(2), fit: fitAll, theme: setTheme,
    "by-time": () => setAxis(true), "by-order": () => setAxis(false), help: () => byId("keys").showModal(),
    "next-hit": () => stepHit(1), "previous-hit": () => stepHit(-1), "close-keys": () => byId("keys").close() };
  for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
  let timer = 0;
  byId("query").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => find(byId("query").value), 150);
  });
  byId("query").addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    clearTimeout(timer);
    if (byId("query").value !== byId("query").dataset.found) {
      find(byId("query").value);
      byId("query").dataset.found = byId("query").value;
    }
    stepHit(event.shiftKey ? -1 : 1);
  });
  document.addEventListener("keydown", onKey);
}
const chartKeys = {
  ArrowLeft: event => event.shiftKey ? step(-1, true) : pan(-0.1),
  ArrowRight: event => event.shiftKey ? step(1, true) : pan(0.1),
  ArrowUp: () => nextLane(-1), ArrowDown: () => nextLane(1),
  Home: () => select(0, true), End: () => select(count - 1, true),
  PageUp: () => pan(-0.9), PageDown: () => pan(0.9),
  Enter: () => { if (view.event < 0) step(1, view.lane >= 0); byId("heading").focus(); },
};
const pageKeys = {
  "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": fitAll, n: () => step(1), p: () => step(-1),
  m: () => stepMark(1), M: () => stepMark(-1), o: () => setAxis(!view.byTime), t: setTheme,
  "/": () => byId("query").focus(), "?": () => byId("keys").showModal(),
  Escape: () => { clear(); surfaces.plot.canvas.focus(); },
};
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const isTyping = event.target === byId("query");
  if (isTyping && event.key !== "Escape") return;
  const action = (event.target === surfaces.plot.canvas ? chartKeys[event.key] : null) ?? pageKeys[event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
}

function begin() {
  byId("title").textContent = data.title;
  const last = count - 1;
  const minute = event => `${dateOf(wall[event])} ${timeOf(wall[event], false)}`;
  const numbers = count ? `#${thousands(sequence[0])}–${thousands(sequence[last])}` : "";
  byId("subtitle").textContent = count
    ? `${thousands(count)} event${last ? "s" : ""} (${numbers}) · ${minute(0)} – ${minute(last)} UTC` : "no events";
  byId("notes").replaceChildren(...data.notes.map(note => make("p", {}, value(note))));
  byId("labels").style.height = fullHeight + "px";
  for (const row of rows) {
    if (row.title !== undefined) {
      byId("labels").append(make("h2", {}, row.title));
      continue;
    }
    const { label } = lanes[row.lane];
    const onclick = () => chooseLane(view.lane === row.lane ? -1 : row.lane);
    byId("labels").append(make("button", {
      type: "button", "data-lane": row.lane, "aria-pressed": "false", title: label, onclick,
    }, value(label)));
  }
  surfaces.plot.canvas.setAttribute("aria-label",
    `Timeline of ${count} events on ${lanes.length} lanes. Arrow keys move and choose lanes, Shift with arrows `
    + "selects events, Enter shows details, question mark lists all keys.");
  readColors();
  listen();
  showOverview();
  find("");
  fitAll();
  draw();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}
begin();
