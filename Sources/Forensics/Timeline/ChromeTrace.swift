import EventSourcing
import JSON
import PlainText

/// A timeline in the trace event format of Chrome, as Perfetto and chrome://tracing open it.
///
/// A group is a process, a lane a thread, a span a pair of `B` and `E`, and an event or a mark an instant. Timestamps are
/// microseconds since the first event. They never decrease.
public struct ChromeTrace: Sendable {
  /// The JSON.
  public private(set) var bytes: [UInt8] = []

  private let timeline: Timeline
  private var isFirst = true

  /// Writes the trace.
  ///
  /// - Parameters:
  ///   - timeline: The timeline.
  ///   - heading: What is said beside the events.
  public init(_ timeline: Timeline, _ heading: TimelineData.Heading) {
    self.timeline = timeline
    bytes.append(literal: "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"journal\":")
    ScriptText.append(heading.title, to: &bytes)
    bytes.append(literal: ",\"tool\":")
    ScriptText.append(heading.tool, to: &bytes)
    bytes.append(literal: ",\"begins\":")
    ScriptText.append(
      timeline.events.first.map { CivilTime(nanoseconds: $0.wallNanoseconds).text } ?? "", to: &bytes)
    for (index, note) in heading.notes.enumerated() {
      bytes.append(UInt8(ascii: ","))
      ScriptText.append("note \(index + 1)", to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      ScriptText.append(note, to: &bytes)
    }
    bytes.append(literal: "},\"traceEvents\":[")
    appendNames()
    appendEvents()
    bytes.append(literal: "]}\n")
  }

  private mutating func appendNames() {
    for (group, title) in timeline.groups.enumerated() where timeline.lanes.contains(where: { $0.group == group }) {
      name("process_name", group, nil, .text(title))
      name("process_sort_index", group, nil, .number(group))
    }
    for (lane, item) in timeline.lanes.enumerated() {
      name("thread_name", item.group, lane, .text(item.label))
      name("thread_sort_index", item.group, lane, .number(lane))
    }
  }

  private enum NameValue {
    case text(String)
    case number(Int)
  }

  private mutating func name(_ name: String, _ group: Int, _ lane: Int?, _ value: NameValue) {
    begin("M", name, group: group, lane: lane, at: nil)
    switch value {
    case .text(let text):
      bytes.append(literal: ",\"args\":{\"name\":")
      ScriptText.append(text, to: &bytes)
    case .number(let number):
      bytes.append(literal: ",\"args\":{\"sort_index\":")
      bytes.append(number)
    }
    bytes.append(literal: "}}")
  }

  /// At each event: first the spans that end there, then those that begin, then the event.
  private mutating func appendEvents() {
    let count = timeline.events.count
    var begins = [[Int]](repeating: [], count: count + 1)
    var ends = begins
    for (index, span) in timeline.spans.enumerated() {
      let first = max(span.first, 0)
      begins[min(first, count)].append(index)
      if let last = span.last, last > first { ends[min(last, count)].append(index) }
    }
    var marks = timeline.marks[...]
    for index in 0...count {
      let time = index < count ? timeline.events[index].axisMicroseconds : end
      for span in ends[index] { close(span, at: time) }
      for span in begins[index] {
        open(span, at: time)
        // A span of one event ends where it began.
        if let last = timeline.spans[span].last, last <= max(timeline.spans[span].first, 0) { close(span, at: time) }
      }
      while let mark = marks.first, mark.place <= index {
        append(mark, at: time)
        marks.removeFirst()
      }
      if index < count { append(timeline.events[index]) }
    }
    for (index, span) in timeline.spans.enumerated() where span.last == nil { close(index, at: end) }
  }

  private var end: Int64 { timeline.events.last?.axisMicroseconds ?? 0 }

  private mutating func open(_ index: Int, at time: Int64) {
    let span = timeline.spans[index]
    begin("B", text(span.text), lane: span.lane, at: time)
    bytes.append(literal: ",\"cat\":\"state\",\"args\":{\"tone\":")
    ScriptText.append(span.tone.rawValue, to: &bytes)
    bytes.append(literal: "}}")
  }

  private mutating func close(_ index: Int, at time: Int64) {
    begin("E", text(timeline.spans[index].text), lane: timeline.spans[index].lane, at: time)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ event: Timeline.Event) {
    begin("i", timeline.kinds[event.type].name, lane: event.lane, at: event.axisMicroseconds)
    bytes.append(literal: ",\"cat\":\"event\",\"s\":\"t\",\"args\":{\"event\":")
    bytes.append(event.sequence)
    bytes.append(literal: ",\"time\":")
    ScriptText.append(CivilTime(nanoseconds: event.wallNanoseconds).text, to: &bytes)
    for (name, place) in [("accounts", event.accounts), ("summary", event.headline)] where !text(place).isEmpty {
      bytes.append(literal: ",")
      ScriptText.append(name, to: &bytes)
      bytes.append(literal: ":")
      ScriptText.append(text(place), to: &bytes)
    }
    for section in event.sections {
      bytes.append(literal: ",")
      ScriptText.append(text(section.title), to: &bytes)
      bytes.append(literal: ":[")
      for start in stride(from: 0, to: section.cells.count, by: section.width) {
        if start > 0 { bytes.append(UInt8(ascii: ",")) }
        let cells = section.cells[start..<min(start + section.width, section.cells.count)].map { text(Int($0)) }
        let value = section.width == 3 ? "\(cells[1]) → \(cells[2])" : cells.dropFirst().joined(separator: " ")
        ScriptText.append("\(cells[0]): \(value)", to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(literal: "}}")
  }

  private mutating func append(_ mark: Timeline.Mark, at time: Int64) {
    let lane = mark.evidence.first.map { timeline.events[$0].lane } ?? timeline.lanes.count - 1
    begin("i", "\(mark.kind.rawValue): \(mark.title)", lane: max(lane, 0), at: time)
    bytes.append(literal: ",\"cat\":\"mark\",\"s\":\"p\",\"args\":{\"text\":")
    ScriptText.append(mark.text, to: &bytes)
    if !mark.next.isEmpty {
      bytes.append(literal: ",\"next\":")
      ScriptText.append(mark.next, to: &bytes)
    }
    bytes.append(literal: "}}")
  }

  private func text(_ place: Int) -> String { timeline.texts.texts[place] }

  private mutating func begin(_ phase: String, _ name: String, lane: Int, at time: Int64) {
    let group = timeline.lanes.indices.contains(lane) ? timeline.lanes[lane].group : 0
    begin(phase, name, group: group, lane: lane, at: time)
  }

  private mutating func begin(_ phase: String, _ name: String, group: Int, lane: Int?, at time: Int64?) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(literal: "\n{\"ph\":\"")
    bytes.append(phase)
    bytes.append(literal: "\",\"name\":")
    ScriptText.append(name, to: &bytes)
    bytes.append(literal: ",\"pid\":")
    bytes.append(group + 1)
    if let lane {
      bytes.append(literal: ",\"tid\":")
      bytes.append(lane + 1)
    }
    if let time {
      bytes.append(literal: ",\"ts\":")
      bytes.append(time)
    }
  }
}
