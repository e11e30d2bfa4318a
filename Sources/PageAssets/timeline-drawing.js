// The drawing: what is in view, its colours, and the lanes.
const rowHeight = 34;
const groupHeight = 26;
const view = { from: 0, to: 1, byTime: true, lane: -1, event: -1, mark: -1, hits: [], isHit: null };
const position = () => view.byTime ? axis : order;
const extent = () => {
  const last = count ? position()[count - 1] : 0;
  const margin = view.byTime ? Math.max(last * 0.02, 5e5) : 1;
  return [-margin, last + margin];
};
const place = index => index < 0 ? extent()[0] : index >= count ? extent()[1] : position()[index];

const surfaces = {};
for (const name of ["strip", "ruler", "plot"]) {
  const canvas = byId(name);
  surfaces[name] = { canvas, context: canvas.getContext("2d"), width: 0, height: 0 };
}
const x = value => (value - view.from) / (view.to - view.from) * surfaces.plot.width;
const valueAt = pixel => view.from + pixel / surfaces.plot.width * (view.to - view.from);

// Colours are those of the style sheet, resolved for the theme that is shown.
let colors = {};
function readColors() {
  const probe = byId("probe");
  const names = ["back", "text", "faint", "line", "soft", "accent", "dot", "hit", "bad-edge", "warning-edge"];
  for (const tone of data.tones.filter(tone => tone !== "distinct")) names.push(tone + "-fill", tone + "-edge");
  for (let hue = 0; hue < 8; hue++) names.push(`hue${hue}-fill`, `hue${hue}-edge`);
  colors = {};
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
}
const fillOf = span => colors[(span.tone === "distinct" ? "hue" + span.hue : span.tone) + "-fill"];
const edgeOf = span => colors[(span.tone === "distinct" ? "hue" + span.hue : span.tone) + "-edge"];
const urgency = { idle: 0, plain: 1, distinct: 1, good: 1, pending: 2, warning: 3, bad: 4 };

// Rows from the top: titles of groups, and below each its lanes.
const rows = [];
function layOut() {
  let top = 0;
  data.groups.forEach((title, group) => {
    const own = lanes.map((lane, index) => ({ lane, index })).filter(({ lane }) => lane.group === group);
    if (!own.length) return;
    rows.push({ title, top });
    top += groupHeight;
    for (const { lane, index } of own) {
      lane.top = top;
      lane.row = rows.length;
      rows.push({ lane: index, top });
      top += rowHeight;
    }
  });
  return top;
}
const fullHeight = layOut();
const laneOrder = rows.filter(row => row.lane !== undefined).map(row => row.lane);

function fit(surface, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (surface.width !== width || surface.height !== height || surface.ratio !== ratio) {
    Object.assign(surface, { width, height, ratio });
    surface.canvas.width = Math.round(width * ratio);
    surface.canvas.height = Math.round(height * ratio);
    surface.canvas.style.width = width + "px";
    surface.canvas.style.height = height + "px";
  }
  surface.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  surface.context.clearRect(0, 0, width, height);
  return surface.context;
}

let isWaiting = false;
function redraw() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; draw(); });
}
function draw() {
  const scroll = byId("rows");
  const width = Math.max(scroll.clientWidth - byId("labels").offsetWidth, 50);
  drawPlot(fit(surfaces.plot, width, scroll.clientHeight), scroll.scrollTop);
  drawRuler(fit(surfaces.ruler, width, 46));
  drawStrip(fit(surfaces.strip, width, 34));
}

function drawPlot(context, scrollTop) {
  const { width, height } = surfaces.plot;
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const tick of ticks()) {
    context.fillStyle = colors.soft;
    context.fillRect(Math.round(x(tick.at)), 0, 1, height);
  }
  if (unknown) {
    const left = Math.max(markPlace(unknown), 0);
    context.fillStyle = colors.soft;
    context.fillRect(left, 0, width - left, height);
  }
  for (const row of rows) {
    const top = row.top - scrollTop;
    if (top > height || top + rowHeight < 0) continue;
    if (row.lane === undefined) {
      context.fillStyle = colors.line;
      context.fillRect(0, Math.round(top) + groupHeight - 1, width, 1);
      continue;
    }
    if (row.lane === view.lane) {
      context.fillStyle = colors.soft;
      context.fillRect(0, top, width, rowHeight);
    }
    drawSpans(context, lanes[row.lane], top + 3);
    drawEvents(context, lanes[row.lane], top + dots(row.lane));
    if (row.lane === clockLane) drawClock(context, top + dots(row.lane));
  }
  for (const mark of marks) {
    if (!mark.isAtEvent) drawLine(context, x(place(mark.place)) - (view.byTime ? 0 : half()), mark, height);
  }
  if (view.event >= 0) {
    context.fillStyle = colors.accent;
    context.fillRect(Math.round(x(place(view.event))), 0, 1, height);
    drawSelected(context, scrollTop);
  }
}
// Events stand below the spans of their lane, or in its middle where it has none.
const dots = lane => lanes[lane].spans.length ? 27 : 17;
const clockLane = lanes.findLastIndex(lane => lane.label === "clock");
const unknown = marks.find(mark => mark.title === "state unknown");
function drawClock(context, middle) {
  const list = marks.filter(mark => !mark.isAtEvent);
  list.forEach((mark, index) => {
    const left = markPlace(mark);
    if (left < -300 || left > surfaces.plot.width + 8) return;
    context.fillStyle = edge(mark);
    context.fillRect(left - 4, middle - 4, 8, 8);
    if (index && markPlace(list[index - 1]) > left - 1) return;
    const here = list.slice(index).filter(other => markPlace(other) < left + 1);
    const next = list[index + here.length];
    const room = (next ? markPlace(next) : surfaces.plot.width) - left - 18;
    if (room > 40) label(context, [...new Set(here.map(other => other.title))].join(", "), left + 9, middle, room);
  });
}
// Half the distance between two events where they stand by number.
const half = () => surfaces.plot.width / (view.to - view.from) / 2;
const edge = mark => colors[(mark.tone === "bad" ? "bad" : "warning") + "-edge"];

function drawLine(context, at, mark, height) {
  if (at < -1 || at > surfaces.plot.width + 1) return;
  context.strokeStyle = edge(mark);
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(Math.round(at) + 0.5, 0);
  context.lineTo(Math.round(at) + 0.5, height);
  context.stroke();
  context.setLineDash([]);
}

const spanEnd = span => place(span.last < 0 ? count : span.last);
function drawSpans(context, lane, top) {
  const { width } = surfaces.plot;
  const list = lane.spans;
  const first = firstPlace(list.length, at => spanEnd(spans[list[at]]) >= view.from);
  let narrow = null;
  let previous = -Infinity;
  const flush = () => {
    if (!narrow) return;
    const isAlone = narrow.left - previous > 3;
    previous = narrow.left;
    context.fillStyle = isAlone || urgency[narrow.span.tone] > 2 ? edgeOf(narrow.span) : fillOf(narrow.span);
    context.fillRect(narrow.left, top, 2, 17);
    context.fillStyle = edgeOf(narrow.span);
    context.fillRect(narrow.left, top + 16, 2, 1);
    narrow = null;
  };
  for (let at = first; at < list.length; at++) {
    const span = spans[list[at]];
    const left = x(place(span.first));
    if (left > width) break;
    const right = x(spanEnd(span));
    if (right - left < 2) {
      // Of several that share a pixel, the most urgent one shows.
      const pixel = Math.floor(left);
      if (narrow && narrow.left !== pixel) flush();
      if (!narrow || urgency[span.tone] > urgency[narrow.span.tone]) narrow = { left: pixel, span };
      continue;
    }
    flush();
    const [from, to] = [Math.max(left, -4), Math.min(right, width + 4)];
    context.fillStyle = fillOf(span);
    context.fillRect(from, top, to - from, 17);
    context.fillStyle = edgeOf(span);
    if (left >= -4) context.fillRect(left, top, 2, 17);
    context.fillRect(from, top + 16, to - from, 1);
    const room = to - Math.max(from, 0) - 12;
    if (room > 18) label(context, span.text, Math.max(from, 0) + 7, top + 8.5, room);
  }
  flush();
}
// Text that fits into its room, with an ellipsis where it does not.
function label(context, words, left, middle, room, color = colors.text) {
  context.fillStyle = color;
  if (context.measureText(words).width > room) {
    let length = firstPlace(words.length, at => context.measureText(words.slice(0, at + 1) + "…").width > room);
    if (length < 2) return;
    words = words.slice(0, length) + "…";
  }
  context.fillText(words, left, middle);
}

const gap = 9;
// Events that stand too close together are one pill with their number.
function clusters(lane, each) {
  const list = lane.events;
  const positions = position();
  const reach = gap / surfaces.plot.width * (view.to - view.from);
  const first = firstPlace(list.length, at => positions[list[at]] >= view.from - 20 * reach);
  for (let at = first; at < list.length;) {
    const from = positions[list[at]];
    if (from > view.to + reach) break;
    let next = at + 1;
    const isNear = () => positions[list[next]] < Math.min(positions[list[next - 1]] + reach, view.to + 20 * reach);
    while (next < list.length && isNear()) next++;
    each(x(from), x(positions[list[next - 1]]), at, next);
    at = next;
  }
}
const moreUrgent = (one, other) =>
  other && (!one || urgency[other] > urgency[one]) ? other : one;
function drawEvents(context, lane, middle) {
  clusters(lane, (left, right, from, to) => {
    const list = lane.events;
    let [isHit, hasMark, tone] = [false, false, null];
    for (let at = from; at < to; at++) {
      if (view.isHit && view.isHit[list[at]]) isHit = true;
      const own = ownMarks.get(list[at]);
      if (own) hasMark = true;
      for (const other of own ?? []) tone = moreUrgent(tone, other.tone);
      tone = moreUrgent(tone, toneOfEvent.get(list[at]) ?? null);
    }
    const isWide = right - left > 40;
    // Of several events, only what deserves a look has a colour.
    const shown = urgency[tone] > (to - from === 1 ? 0 : 2) ? tone : null;
    context.fillStyle = isHit ? colors.hit : colors[shown ? shown + "-edge" : isWide ? "plain-edge" : "dot"];
    context.globalAlpha = view.isHit && !isHit ? 0.35 : 1;
    context.beginPath();
    if (to - from === 1) {
      if (hasMark) diamond(context, left, middle, 5); else context.arc(left, middle, 3.5, 0, 7);
    } else {
      const [start, end] = [Math.max(left, -8), Math.min(right, surfaces.plot.width + 8)];
      context.roundRect(start - 4, middle - 4, end - start + 8, 8, 4);
    }
    context.fill();
    if (to - from > 1 && right - left >= 14) {
      context.font = "bold 9px system-ui, sans-serif";
      context.textAlign = "center";
      const [start, end] = [Math.max(left, 0), Math.min(right, surfaces.plot.width)];
      const room = end - start;
      if (room > 12) label(context, thousands(to - from), (start + end) / 2, middle + 0.5, room, colors.back);
      context.textAlign = "left";
      context.font = "12px system-ui, sans-serif";
    }
    context.globalAlpha = 1;
  });
}
function diamond(context, left, middle, size) {
  context.moveTo(left, middle - size);
  context.lineTo(left + size, middle);
  context.lineTo(left, middle + size);
  context.lineTo(left - size, middle);
  context.closePath();
}
function drawSelected(context, scrollTop) {
  const lane = lanes[data.lane[view.event]];
  context.strokeStyle = colors.accent;
  context.fillStyle = colors.back;
  context.lineWidth = 3;
  context.beginPath();
  context.arc(x(place(view.event)), lane.top - scrollTop + dots(data.lane[view.event]), 5, 0, 7);
  context.fill();
  context.stroke();
  context.lineWidth = 1;
}
