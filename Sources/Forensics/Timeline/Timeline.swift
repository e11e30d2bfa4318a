import EventSourcing

/// A history as lanes: spans in which a part of the state had a value, the events beside them, and marks where something is
/// worth a look.
///
/// Texts are made here, redacted and with hidden characters spelled out, so that a page or a trace only shows them. Each
/// distinct text is kept once.
///
/// ```swift
/// let timeline = try Timeline.read(history, .on)
/// timeline?.lanes.map(\.label)  // ["a1", "a1", "process", "process 1", "clock"]
/// ```
public struct Timeline: Sendable {
  /// A row of the drawing.
  public struct Lane: Equatable, Sendable {
    /// The index of its group's title in ``Timeline/groups``.
    public let group: Int
    /// Its name within the group.
    public var label: String
  }

  /// A stretch in which a value held, from an event to an event.
  public struct Span: Equatable, Sendable {
    /// The index of its lane.
    public let lane: Int
    /// The index of the value's text.
    public let text: Int
    /// What the value means.
    public let tone: LaneTone
    /// The index of the event that began it; -1 if it began before the first event.
    public let first: Int
    /// The index of the event at which it ended; `nil` if it lasts beyond the last event.
    public var last: Int?
  }

  /// A titled part of what is known about an event.
  public struct Section: Equatable, Sendable {
    /// The index of the title's text.
    public let title: Int
    /// The number of texts in a row: two for a name and a value; three for a path, the value before and the value after.
    public let width: Int
    /// The indices of the texts, row by row.
    public var cells: [Int32]
  }

  /// One event.
  public struct Event: Equatable, Sendable {
    /// Its number.
    public let sequence: UInt64
    /// When it was decided, by the clock of that time, in nanoseconds since 1970-01-01T00:00:00Z.
    public let wallNanoseconds: Int64
    /// Where it stands on an axis that never runs backwards, in microseconds since the first event.
    public let axisMicroseconds: Int64
    /// The index of its type.
    public let type: Int
    /// The index of its lane.
    public let lane: Int
    /// The index of the text that names its accounts.
    public let accounts: Int
    /// The index of the text that says in one line what changed.
    public let headline: Int
    /// Everything else.
    public let sections: [Section]
    /// The indices of the decisions that it bears on.
    public let explanations: [Int]
  }

  /// An event type that occurs.
  public struct Kind: Equatable, Sendable {
    /// Its name.
    public let name: String
    /// What it records.
    public let meaning: String
    /// What the reader can do; empty for nothing in particular.
    public let remedy: String
  }

  /// The answer to a question after an event: each row is a text and how it is to be read.
  public struct Answer: Hashable, Sendable {
    /// The indices of the texts of the question, the answer, the reason and, if there is one, the assumption.
    public let head: [Int32]
    /// One row for each value that a rule read: the texts of the rule, the path and the value, the event that set it or 0,
    /// and 1 if the rule holds plus 2 if it decides.
    public let rows: [[Int64]]
  }

  /// The titles of the groups, in order.
  public internal(set) var groups: [String] = []
  /// The lanes; their order in a group is that of their first use.
  public internal(set) var lanes: [Lane] = []
  /// The spans, in the order in which they began.
  public internal(set) var spans: [Span] = []
  /// The events, in order.
  public internal(set) var events: [Event] = []
  /// The event types, in the order of their first use.
  public internal(set) var kinds: [Kind] = []
  /// The marks, in the order of their places.
  public internal(set) var marks: [Mark] = []
  /// The answers that events refer to.
  public internal(set) var answers: [Answer] = []
  /// The texts that all others refer to.
  public internal(set) var texts = InternedTexts()
  /// Whether decisions were left without an answer, because there were too many.
  public internal(set) var lacksAnswers = false
  /// Why the state is unknown from some event on; `nil` if it is known to the end.
  public internal(set) var obstacle: HistoryError?

  /// The most events in one timeline.
  public static let maximumEvents = 200_000
  /// The most lanes; what would have others is drawn on the last lane of its group.
  public static let maximumLanes = 400
  /// The most answers to questions.
  public static let maximumAnswers = 50_000
  /// The most marks.
  public static let maximumMarks = 20_000
  /// The longest text, in characters; the rest is left out, and said to be.
  public static let maximumText = 4096

  init() {}

  /// Reads part of a history.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - lower: The first event.
  ///   - upper: The last event; `nil` is the end.
  ///   - redaction: Which values are shown.
  ///   - limit: The most events.
  /// - Returns: `nil` for more events than that.
  @inlinable
  public static func read<Domain: QuestionDomain>(
    _ history: History<Domain>, from lower: UInt64 = 1, upTo upper: UInt64? = nil, _ redaction: Redaction,
    limit: Int = maximumEvents
  ) throws(HistoryError) -> Timeline? {
    var pass = TimelinePass<Domain>(redaction)
    var reader = try LogReader(history, from: lower, upTo: upper)
    while let item = try reader.next() {
      pass.add(item)
      if pass.timeline.events.count > limit { return nil }
    }
    return pass.finished()
  }
}
