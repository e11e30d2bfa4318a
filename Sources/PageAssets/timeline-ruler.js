// Where the ruler has its lines: at round times, or at round numbers of events.
const steps = [
  1e3, 1e4, 1e5, 1e6, 5e6, 15e6, 30e6, 6e7, 3e8, 9e8, 18e8, 36e8, 108e8, 216e8, 432e8, 864e8, 1728e8, 6048e8,
];
function ticks() {
  const { width } = surfaces.plot;
  const least = (view.to - view.from) / width * 96;
  const list = [];
  if (!count) return list;
  if (!view.byTime) {
    let step = 1;
    while (step < least) step *= String(step)[0] === "2" ? 2.5 : 2;
    for (let at = Math.max(0, Math.ceil(view.from / step) * step); at < count && at <= view.to; at += step) {
      list.push({ at, label: "#" + thousands(sequence[at]), day: `${dateOf(wall[at])} ${timeOf(wall[at], false)}` });
    }
    return list;
  }
  const step = steps.find(size => size >= least);
  clocks.forEach((clock, index) => {
    const next = clocks[index + 1];
    const from = Math.max(view.from, index ? axis[clock.first] : -Infinity);
    const to = Math.min(view.to, next ? axis[next.first] : Infinity);
    if (from > to) return;
    const times = step ? roundTimes(from + clock.offset, to + clock.offset, step)
      : roundMonths(from + clock.offset, to + clock.offset, least / 26e11);
    for (const time of times) {
      list.push({ at: time - clock.offset, label: tickLabel(time, step), day: dayOf(time, step) });
    }
  });
  return list;
}
function roundTimes(from, to, step) {
  const times = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) times.push(time);
  return times;
}
function roundMonths(from, to, least) {
  const times = [];
  const step = [1, 3, 6, 12, 24, 60, 120, 240, 600].find(months => months >= least) ?? 1200;
  let month = Math.floor(new Date(from / 1000).getUTCFullYear() * 12 / step) * step;
  for (; times.length < 400; month += step) {
    const time = Date.UTC(Math.floor(month / 12), month % 12) * 1000;
    if (!(time <= to)) break;
    if (time >= from) times.push(time);
  }
  return times;
}
const dayOf = (time, step) => step < 864e8 ? dateOf(time) : String(new Date(time / 1000).getUTCFullYear());
function tickLabel(time, step) {
  const date = new Date(time / 1000);
  if (!step) return months[date.getUTCMonth()];
  if (step >= 864e8) return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  const day = ((time % 864e8) + 864e8) % 864e8;
  if (!day && step >= 36e8) return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  const fraction = step < 1e6 ? "." + String(Math.round(((time % 1e6) + 1e6) % 1e6 / 1e3)).padStart(3, "0") : "";
  return timeOf(time, step < 6e7) + fraction;
}

const markPlace = mark => mark.isAtEvent || view.byTime ? x(place(mark.place)) : x(place(mark.place)) - half();
function drawRuler(context) {
  const { width } = surfaces.ruler;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  let day = "";
  let end = -100;
  for (const tick of ticks()) {
    const left = Math.round(x(tick.at));
    if (left < -60) continue;
    context.fillStyle = colors.line;
    context.fillRect(left, 17, 1, 29);
    if (left < end || left > width - 24) continue;
    context.fillStyle = colors.text;
    context.fillText(tick.label, left + 5, 24);
    end = left + context.measureText(tick.label).width + 12;
    if (tick.day !== day) {
      context.fillStyle = colors.faint;
      context.fillText(tick.day, left + 5, 38);
      end = Math.max(end, left + context.measureText(tick.day).width + 12);
    }
    day = tick.day;
  }
  context.fillStyle = colors.line;
  context.fillRect(0, 45, width, 1);
  for (const mark of marks) {
    const left = markPlace(mark);
    if (left < -8 || left > width + 8) continue;
    context.fillStyle = edge(mark);
    context.beginPath();
    if (mark.isAtEvent) diamond(context, left, 8, 6);
    else context.roundRect(left - 6, 2, 12, 12, 3);
    context.fill();
    context.fillStyle = colors.back;
    context.textAlign = "center";
    context.font = "bold 10px system-ui, sans-serif";
    context.fillText(mark.kind === "clock" ? "↺" : "!", left, 8.5);
    context.textAlign = "left";
    context.font = "11px system-ui, sans-serif";
    if (mark.index === view.mark) {
      context.strokeStyle = colors.accent;
      context.lineWidth = 2;
      context.strokeRect(left - 8, 0.5, 16, 15);
      context.lineWidth = 1;
    }
  }
}

// The whole history in one strip: how many events there are where, the marks, and what of it is in view.
function drawStrip(context) {
  const { width, height } = surfaces.strip;
  const [from, to] = extent();
  const at = value => (value - from) / (to - from) * width;
  const columns = new Uint32Array(Math.ceil(width / 2) + 1);
  const hits = new Uint8Array(columns.length);
  const positions = position();
  for (let event = 0; event < count; event++) {
    const column = Math.floor(at(positions[event]) / 2);
    columns[column]++;
    if (view.isHit && view.isHit[event]) hits[column] = 1;
  }
  const most = Math.log1p(columns.reduce((one, other) => Math.max(one, other), 1));
  columns.forEach((number, column) => {
    if (!number) return;
    const size = Math.max(3, Math.log1p(number) / most * (height - 10));
    context.fillStyle = hits[column] ? colors.hit : colors.dot;
    context.globalAlpha = hits[column] ? 1 : 0.55;
    context.fillRect(column * 2, height - 4 - size, 1.5, size);
  });
  context.globalAlpha = 1;
  for (const mark of marks) {
    context.fillStyle = edge(mark);
    context.fillRect(at(place(mark.place)) - 1, 0, 2, 5);
  }
  const [left, right] = [Math.max(at(view.from), 0), Math.min(at(view.to), width)];
  context.fillStyle = colors.back;
  context.globalAlpha = 0.65;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = colors.accent;
  context.strokeRect(Math.round(left) + 0.5, 0.5, Math.max(Math.round(right - left) - 1, 2), height - 1);
}
