import EventSourcing
import WireFormat

/// What is on eight shelves, and what was said last: a machine small enough for its state to be worked out beside it.
struct ShelfState: MachineState {
  var counts = [Int64](repeating: 0, count: 8)
  var words: [String] = []

  static let sliceNames = ["counts", "words"]

  func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    if index == 0 {
      for count in counts { writer.writePresent(1, signed: count) }
    } else {
      for word in words { writer.writePresent(1, string: word) }
    }
  }

  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    if index == 0 { counts = [] }
    while let field = try reader.nextField() {
      switch (index, field.number) {
      case (0, 1): counts.append(try reader.signed(field))
      case (1, 1): words.append(try reader.string(field))
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("counts", .members(counts.enumerated().map { .init("shelf\($0.offset)", .integer($0.element)) })),
      .init("words", .value(words.isEmpty ? .unset : .list(words.map { .text($0) }))),
    ])
  }
}

/// What happens on the shelves.
enum ShelfEvent: JournaledEvent {
  case put(shelf: UInt64, count: Int64)
  case said(String)

  static let domain = "shelf"

  static let catalog = EventCatalog([
    EventDescriptor(
      1, "shelf.changed",
      body: MessageDescriptor(
        "ShelfChanged",
        [
          FieldDescriptor(1, "shelf", .unsigned, .single, "which shelf"),
          FieldDescriptor(2, "count", .signed, .single, "how many were put there"),
        ]), meaning: "Something was put onto a shelf, or taken away."),
    EventDescriptor(
      2, "word.said",
      body: MessageDescriptor("WordSaid", [FieldDescriptor(1, "text", .string, .single, "what was said")]),
      meaning: "Somebody said something."),
  ])

  var type: UInt32 {
    switch self {
    case .put: 1
    case .said: 2
    }
  }

  func encodeBody(into writer: inout WireWriter) {
    switch self {
    case .put(let shelf, let count):
      writer.write(1, unsigned: shelf)
      writer.write(2, signed: count)
    case .said(let text): writer.write(1, string: text)
    }
  }

  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> ShelfEvent? {
    guard version == 1, [1, 2].contains(type) else { return nil }
    var shelf: UInt64 = 0
    var count: Int64 = 0
    var text = ""
    while let field = try body.nextField() {
      switch (type, field.number) {
      case (1, 1): shelf = try body.unsigned(field)
      case (1, 2): count = try body.signed(field)
      case (2, 1): text = try body.string(field)
      default: try body.skip(field)
      }
    }
    return type == 1 ? .put(shelf: shelf, count: count) : .said(text)
  }
}

/// The shelves: a command leads to one event, to several, to none, or is refused.
enum Shelf: Decider {
  typealias State = ShelfState
  typealias Event = ShelfEvent

  enum Command: Equatable, Sendable {
    case move(from: UInt64, to: UInt64, count: Int64)
    case say([String])
  }

  struct TooFew: Error, Equatable, Sendable, CustomStringConvertible {
    var description: String { "a shelf lacks at most a hundred" }
  }

  static let revision: UInt32 = 1
  static let initialState = ShelfState()

  static func reduce(into state: inout ShelfState, _ event: ShelfEvent, _ context: EventContext) {
    switch event {
    case .put(let shelf, let count):
      if shelf < UInt64(state.counts.count) { state.counts[Int(shelf)] += count }
    case .said(let text):
      state.words.append(text)
      if state.words.count > 4 { state.words.removeFirst() }
    }
  }

  static func decide(
    _ command: Command, in state: ShelfState, at next: EventContext, explanation: inout Explanation
  ) throws(TooFew) -> DecidedEvents<Self> {
    DecidedEvents(try events(for: command, in: state), in: state, at: next)
  }

  /// The events that a command leads to.
  static func events(for command: Command, in state: ShelfState) throws(TooFew) -> [ShelfEvent] {
    switch command {
    case .move(let from, let to, let count):
      guard state.counts[Int(from % 8)] - count >= -100 else { throw TooFew() }
      return count == 0 ? [] : [.put(shelf: from % 8, count: -count), .put(shelf: to % 8, count: count)]
    case .say(let words): return words.map { .said($0) }
    }
  }

  static func encode(_ command: Command, into writer: inout WireWriter) {
    switch command {
    case .move(let from, let to, let count):
      writer.write(1, unsigned: from)
      writer.write(2, unsigned: to)
      writer.write(3, signed: count)
    case .say(let words): for word in words { writer.writePresent(4, string: word) }
    }
  }
}
