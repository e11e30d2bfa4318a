extension TimelineScript {
  /// The strip, the ruler and the lanes.
  static let drawing = #"""
    // Everything that is drawn: the strip of the whole history, the ruler, and the lanes.
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
      for (const tone of data.tones) names.push(tone + "-fill", tone + "-edge");
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
        drawEvents(context, lanes[row.lane], top + 27);
      }
      for (const mark of marks) {
        if (mark.kind !== "finding") drawLine(context, x(place(mark.place)) - (view.byTime ? 0 : half()), mark, height);
      }
      if (view.event >= 0) {
        context.fillStyle = colors.accent;
        context.fillRect(Math.round(x(place(view.event))), 0, 1, height);
        drawSelected(context, scrollTop);
      }
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
      const flush = () => {
        if (!narrow) return;
        context.fillStyle = edgeOf(narrow.span);
        context.fillRect(narrow.left, top, 2, 17);
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
        while (next < list.length && positions[list[next]] - positions[list[next - 1]] < reach) next++;
        each(x(from), x(positions[list[next - 1]]), at, next);
        at = next;
      }
    }
    function drawEvents(context, lane, middle) {
      clusters(lane, (left, right, from, to) => {
        const list = lane.events;
        let [isHit, tone] = [false, null];
        for (let at = from; at < to; at++) {
          if (view.isHit && view.isHit[list[at]]) isHit = true;
          const own = marksOfEvent.size ? marksOfEvent.get(list[at]) : null;
          if (own && tone !== "bad") tone = own.some(mark => mark.tone === "bad") ? "bad" : "warning";
        }
        context.fillStyle = isHit ? colors.hit : tone ? colors[tone + "-edge"] : colors.dot;
        context.globalAlpha = view.isHit && !isHit ? 0.35 : 1;
        context.beginPath();
        if (to - from === 1) {
          if (tone) diamond(context, left, middle, 5); else context.arc(left, middle, 3.5, 0, 7);
        } else {
          const [start, end] = [Math.max(left, -8), Math.min(right, surfaces.plot.width + 8)];
          context.roundRect(start - 4, middle - 4, end - start + 8, 8, 4);
        }
        context.fill();
        if (to - from > 1 && right - left >= 14) {
          context.font = "bold 9px system-ui, sans-serif";
          context.textAlign = "center";
          const [start, end] = [Math.max(left, 0), Math.min(right, surfaces.plot.width)];
          if (end - start > 12) label(context, thousands(to - from), (start + end) / 2, middle + 0.5, end - start, colors.back);
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
      context.arc(x(place(view.event)), lane.top - scrollTop + 27, 5, 0, 7);
      context.fill();
      context.stroke();
      context.lineWidth = 1;
    }

    // Where the ruler has its lines: at round times, or at round numbers of events.
    const steps = [1e3, 1e4, 1e5, 1e6, 5e6, 15e6, 30e6, 6e7, 3e8, 9e8, 18e8, 36e8, 108e8, 216e8, 432e8, 864e8, 1728e8, 6048e8];
    function ticks() {
      const { width } = surfaces.plot;
      const least = (view.to - view.from) / width * 96;
      const list = [];
      if (!count) return list;
      if (!view.byTime) {
        let step = 1;
        while (step < least) step *= String(step)[0] === "2" ? 2.5 : 2;
        for (let at = Math.max(0, Math.ceil(view.from / step) * step); at < count && at <= view.to; at += step) {
          list.push({ at, label: "#" + thousands(sequence[at]), day: dateOf(wall[at]) + " " + timeOf(wall[at], false) });
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
        for (const time of times) list.push({ at: time - clock.offset, label: tickLabel(time, step), day: dateOf(time) });
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
    function tickLabel(time, step) {
      const date = new Date(time / 1000);
      if (!step) return date.getUTCMonth() ? months[date.getUTCMonth()] : String(date.getUTCFullYear());
      if (step >= 864e8) return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
      const day = ((time % 864e8) + 864e8) % 864e8;
      if (!day && step >= 36e8) return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
      const fraction = step < 1e6 ? "." + String(Math.round(((time % 1e6) + 1e6) % 1e6 / 1e3)).padStart(3, "0") : "";
      return timeOf(time, step < 6e7) + fraction;
    }

    const markPlace = mark => mark.kind === "finding" || view.byTime ? x(place(mark.place)) : x(place(mark.place)) - half();
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
        if (tick.day !== day && !tick.day.startsWith(tick.label + " ") || left < 60 && !day) {
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
        if (mark.kind === "finding") diamond(context, left, 8, 6);
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
    """#
}
