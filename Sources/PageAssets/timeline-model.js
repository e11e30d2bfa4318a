"use strict";
// The data of the page, as pj wrote it. Events, lanes and texts are numbered from 0; a column has an entry an event.
const byId = id => document.getElementById(id);
const parsed = id => JSON.parse(byId(id).textContent);
const data = parsed("overview");
const count = data.kind.length;
const lanes = data.lanes.map(([group, label]) => ({ group, label, events: [], spans: [] }));
const spans = [];
const marks = data.marks.map(([kind, tone, title, text, next, place, evidence], index) => (
  { index, kind, tone, title, text, next, place, evidence, isAtEvent: kind === "finding" || kind === "problem" }));
const marksOfEvent = new Map();
// What an event itself led to on its own lane, and the marks of which it is the event and not one of several that show it.
const toneOfEvent = new Map();
const ownMarks = new Map();

// Where an event stands: in microseconds since the first one, or by its number.
const axis = new Float64Array(count);
const sequence = new Float64Array(count);
const wall = new Float64Array(count);
const order = new Float64Array(count);

function readColumns() {
  let [place, pair, clock, number, offset] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    place += data.axis[index];
    if (data.sequences[pair] === index) { number = data.sequences[pair + 1] - 1; pair += 2; }
    if (data.clock[clock] === index) { offset = data.clock[clock + 1]; clock += 2; }
    axis[index] = place;
    sequence[index] = ++number;
    wall[index] = place + offset;
    order[index] = index;
    lanes[data.lane[index]].events.push(index);
  }
  const hues = data.groups.map(() => new Map());
  for (let at = 0; at < data.spans.length; at += 5) {
    const [lane, text, tone, first, last] = data.spans.slice(at, at + 5);
    // Values of one group have different colours, as far as there are enough.
    const known = hues[lanes[lane].group];
    if (!known.has(text)) known.set(text, known.size % 8);
    const span = { lane, text: data.texts[text], tone: data.tones[tone], hue: known.get(text), first, last };
    lanes[lane].spans.push(spans.length);
    spans.push(span);
    if (first >= 0 && first < count && data.lane[first] === lane && span.tone !== "distinct") toneOfEvent.set(first, span.tone);
  }
  for (const lane of lanes) lane.spans.sort((one, other) => spans[one].first - spans[other].first);
  for (const mark of marks) {
    if (mark.isAtEvent && mark.evidence.length) {
      const own = mark.evidence[0];
      if (!ownMarks.has(own)) ownMarks.set(own, []);
      ownMarks.get(own).push(mark);
    }
    for (const event of mark.evidence) {
      if (!marksOfEvent.has(event)) marksOfEvent.set(event, []);
      marksOfEvent.get(event).push(mark);
    }
  }
}
readColumns();

// The stretches between two turns of the clock: the first event of each, and what its clock adds to the axis.
const clocks = [];
for (let at = 0; at < data.clock.length; at += 2) {
  clocks.push({ first: data.clock[at], offset: data.clock[at + 1] });
}

// What is shown of single events is read when it is needed.
const chunks = [];
let answers = null;
const text = value => typeof value === "string" ? value : data.texts[value];
function details(event) {
  const chunk = Math.floor(event / data.chunk);
  chunks[chunk] ??= parsed("events-" + chunk);
  const [headline, questions, ...sections] = chunks[chunk][event % data.chunk];
  return { headline: text(headline), questions, sections };
}
function answer(index) {
  answers ??= parsed("answers");
  const [head, ...rows] = answers[index];
  return { head: head.map(text), rows };
}

const kindOf = event => data.kinds[data.kind[event]][0];
const accountsOf = event => data.texts[data.accounts[event]];

// The first place of a sorted list at which the test holds.
function firstPlace(length, test) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle; else low = middle + 1;
  }
  return low;
}
function eventWithNumber(number) {
  const place = firstPlace(count, index => sequence[index] >= number);
  return sequence[place] === number ? place : -1;
}

// Times are UTC, as everywhere in pj.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = number => String(number).padStart(2, "0");
const dateOf = micros => {
  const date = new Date(micros / 1000);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
};
const timeOf = (micros, seconds = true) => {
  const date = new Date(micros / 1000);
  const parts = [date.getUTCHours(), date.getUTCMinutes(), ...(seconds ? [date.getUTCSeconds()] : [])];
  return parts.map(two).join(":");
};
function exactTime(event) {
  const seconds = Math.floor(wall[event] / 1e6);
  const nanoseconds = (wall[event] - seconds * 1e6) * 1000 + (data.nanoseconds?.[event] ?? 0);
  const fraction = nanoseconds > 0 ? "." + String(nanoseconds).padStart(9, "0").replace(/0+$/, "") : "";
  return new Date(seconds * 1000).toISOString().slice(0, -5) + fraction + "Z";
}
function lengthOf(micros) {
  const units = [[864e8, "d"], [36e8, "h"], [6e7, "min"], [1e6, "s"], [1e3, "ms"]];
  const place = units.findIndex(([size]) => micros >= size);
  if (place < 0) return micros > 0 ? micros + " µs" : "0 s";
  const [[size, name], next] = [units[place], units[place + 1]];
  const whole = Math.floor(micros / size);
  const rest = next ? Math.floor((micros - whole * size) / next[0]) : 0;
  return `${whole} ${name}` + (rest ? ` ${rest} ${next[1]}` : "");
}
const thousands = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

// Elements are made by hand: no text ever becomes HTML.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}
