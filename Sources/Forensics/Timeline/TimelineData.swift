import EventSourcing
import JSON
import PlainText

/// A timeline as the data of a page: one part that is read at once, and others that are read when something in them is
/// looked at.
///
/// A text that is used more than once is in a table of the first part, and elsewhere its place in that table stands for it. All
/// parts are JSON that may stand in an HTML `script` element: `<` is escaped in every text.
///
/// The page's script reads them; the version rises when it has to read them differently.
public struct TimelineData: Sendable {
  /// What the drawing needs: lanes, spans, marks, and the columns of the events.
  public private(set) var overview: [UInt8] = []
  /// What is shown of single events, for ``chunkSize`` events each.
  public private(set) var details: [[UInt8]] = []
  /// The answers to questions.
  public private(set) var answers: [UInt8] = []

  /// Number of events in one part of ``details``.
  public static let chunkSize = 512

  private let timeline: Timeline
  /// The place of each text in the table; -1 for one that is written where it is used.
  private var shared: [Int32] = []

  /// What a page says besides the events.
  public struct Heading: Sendable {
    /// The journal's name.
    public let title: String
    /// The program that wrote the page.
    public let tool: String
    /// Whether personal data is withheld.
    public let isRedacted: Bool
    /// What limits the page, in sentences.
    public let notes: [String]

    /// The title and the notes may contain anything.
    public init(title: String, tool: String, isRedacted: Bool, notes: [String]) {
      self.title = VisibleText.of(title, limit: 200)
      (self.tool, self.isRedacted) = (tool, isRedacted)
      self.notes = notes.map { VisibleText.of($0, limit: Timeline.maximumText) }
    }
  }

  /// Writes all parts.
  public init(_ timeline: Timeline, _ heading: Heading) {
    self.timeline = timeline
    var table: [String] = []
    // The first part refers to these however often they are used.
    var isNeeded = Set(timeline.spans.map(\.text))
    isNeeded.formUnion(timeline.events.map(\.accounts))
    shared.reserveCapacity(timeline.texts.texts.count)
    for (place, text) in timeline.texts.texts.enumerated() {
      guard timeline.texts.uses[place] > 1 || isNeeded.contains(place) else {
        shared.append(-1)
        continue
      }
      shared.append(Int32(clamping: table.count))
      table.append(text)
    }
    overview = makeOverview(heading, table)
    for start in stride(from: 0, to: timeline.events.count, by: Self.chunkSize) {
      let end = min(start + Self.chunkSize, timeline.events.count)
      details.append(makeList(timeline.events[start..<end]) { append($0, to: &$1) })
    }
    answers = makeList(timeline.answers[...]) { append($0, to: &$1) }
  }

  /// The size of all parts in bytes.
  public var byteCount: Int { details.reduce(overview.count + answers.count) { $0 + $1.count } }

  private func makeOverview(_ heading: Heading, _ table: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(literal: "{\"version\":1,\"chunk\":")
    bytes.append(Self.chunkSize)
    bytes.append(literal: ",\"redacted\":")
    bytes.append(literal: heading.isRedacted ? "true" : "false")
    bytes.append(literal: ",\"lacksAnswers\":")
    bytes.append(literal: timeline.lacksAnswers ? "true" : "false")
    member("title", &bytes) { ScriptText.append(heading.title, to: &$0) }
    member("tool", &bytes) { ScriptText.append(heading.tool, to: &$0) }
    member("notes", &bytes) { $0 += makeList(heading.notes[...]) { ScriptText.append($0, to: &$1) } }
    member("groups", &bytes) { $0 += makeList(timeline.groups[...]) { ScriptText.append($0, to: &$1) } }
    member("tones", &bytes) { $0 += makeList(LaneTone.allCases[...]) { ScriptText.append($0.rawValue, to: &$1) } }
    member("lanes", &bytes) { bytes in
      bytes += makeList(timeline.lanes[...]) { lane, bytes in
        bytes.append(UInt8(ascii: "["))
        bytes.append(lane.group)
        bytes.append(UInt8(ascii: ","))
        ScriptText.append(lane.label, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
      }
    }
    member("kinds", &bytes) { bytes in
      bytes += makeList(timeline.kinds[...]) { kind, bytes in
        bytes += makeList([kind.name, kind.meaning, kind.remedy]) { ScriptText.append($0, to: &$1) }
      }
    }
    member("texts", &bytes) { $0 += makeList(table[...]) { ScriptText.append($0, to: &$1) } }
    appendColumns(to: &bytes)
    member("spans", &bytes) { bytes in
      bytes += makeList(timeline.spans[...]) { span, bytes in
        let tone = LaneTone.allCases.firstIndex(of: span.tone) ?? 0
        let numbers = [span.lane, Int(shared[span.text]), tone, span.first, span.last ?? -1]
        for (index, number) in numbers.enumerated() {
          if index > 0 { bytes.append(UInt8(ascii: ",")) }
          bytes.append(number)
        }
      }
    }
    member("marks", &bytes) { $0 += makeList(timeline.marks[...]) { append($0, to: &$1) } }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Appends what the drawing needs of each event, column by column. A number that follows from the one before it is left
  /// out.
  private func appendColumns(to bytes: inout [UInt8]) {
    let events = timeline.events
    member("lane", &bytes) { $0 += makeList(events) { $1.append($0.lane) } }
    member("kind", &bytes) { $0 += makeList(events) { $1.append($0.type) } }
    member("accounts", &bytes) { $0 += makeList(events) { $1.append(shared[$0.accounts]) } }
    var place: Int64 = 0
    member("axis", &bytes) { bytes in
      bytes += makeList(events) { event, bytes in
        bytes.append(event.axisMicroseconds - place)
        place = event.axisMicroseconds
      }
    }
    func changes(_ value: (Timeline.Event) -> Int64, _ step: Int64) -> [(Int, Int64)] {
      var next: Int64?
      return events.enumerated().compactMap { index, event in
        let value = value(event)
        defer { next = value &+ step }
        return value == next ? nil : (index, value)
      }
    }
    func append(_ pairs: [(Int, Int64)], _ bytes: inout [UInt8]) {
      bytes += makeList(pairs[...]) { pair, bytes in
        bytes.append(pair.0)
        bytes.append(UInt8(ascii: ","))
        bytes.append(pair.1)
      }
    }
    member("sequences", &bytes) { append(changes({ Int64(clamping: $0.sequence) }, 1), &$0) }
    member("clock", &bytes) { bytes in
      append(changes({ TimelineAxis.microseconds($0.wallNanoseconds) &- $0.axisMicroseconds }, 0), &bytes)
    }
    let nanoseconds = events.map { $0.wallNanoseconds &- TimelineAxis.microseconds($0.wallNanoseconds) &* 1000 }
    guard nanoseconds.contains(where: { $0 != 0 }) else { return }
    member("nanoseconds", &bytes) { $0 += makeList(nanoseconds[...]) { $1.append($0) } }
  }

  private func append(_ mark: Timeline.Mark, to bytes: inout [UInt8]) {
    bytes += makeList([mark.kind.rawValue, mark.tone.rawValue, mark.title, mark.text, mark.next]) {
      ScriptText.append($0, to: &$1)
    }.dropLast()
    bytes.append(UInt8(ascii: ","))
    bytes.append(mark.place)
    bytes.append(UInt8(ascii: ","))
    bytes += makeList(mark.evidence[...]) { $1.append($0) }
    bytes.append(UInt8(ascii: "]"))
  }

  /// One event: its headline, the places of its answers, and its sections, each a title, the width of a row and the cells.
  private func append(_ event: Timeline.Event, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    append(text: event.headline, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    bytes += makeList(event.explanations[...]) { $1.append($0) }
    for section in event.sections {
      bytes.append(literal: ",[")
      append(text: section.title, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      bytes.append(section.width)
      for cell in section.cells {
        bytes.append(UInt8(ascii: ","))
        append(text: Int(cell), to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// One answer: the texts of its head, and its rows.
  private func append(_ answer: Timeline.Answer, to bytes: inout [UInt8]) {
    bytes += makeList(
      [makeList(answer.head[...]) { append(text: Int($0), to: &$1) }]
        + answer.rows.map { row in
          makeList(row.enumerated().map { $0 }[...]) { cell, bytes in
            if cell.offset < 3, cell.element >= 0 {
              append(text: Int(cell.element), to: &bytes)
            } else {
              bytes.append(cell.element)
            }
          }
        }
    ) { $1 += $0 }
  }

  private func append(text place: Int, to bytes: inout [UInt8]) {
    if shared[place] >= 0 {
      bytes.append(shared[place])
    } else {
      ScriptText.append(timeline.texts.texts[place], to: &bytes)
    }
  }

  private func member(_ name: StaticString, _ bytes: inout [UInt8], _ value: (inout [UInt8]) -> Void) {
    bytes.append(literal: ",\"")
    bytes.append(literal: name)
    bytes.append(literal: "\":")
    value(&bytes)
  }

  private func makeList<Elements: Collection>(
    _ elements: Elements, _ append: (Elements.Element, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
