import Journal
import WireFormat

/// What the one command under way works with.
struct StoreWriter<Machine: Decider>: ~Copyable, Sendable {
  /// The state after the last batch.
  var version: StateVersion<Machine.State>
  /// The commands that are recognised when they come again.
  var window: IdempotencyWindow
  /// The position of this process's start; 0 until it has written one.
  var process: UInt64 = 0
  var digester = StateDigester<Machine.State>()
  /// The stories of the newest events, so that a command's cause need not be read from the journal, mostly.
  private var stories = [Story](repeating: Story(), count: StoreWriter.rememberedStoryCount)
  /// What the envelope says of an event's type, by its number: looked up once, because entries are large to copy.
  private let entries = Dictionary(
    Machine.Event.catalog.entries.map { ($0.number, (version: $0.version, rule: $0.unknownReaders)) },
    uniquingKeysWith: { first, _ in first })
  private var batch = JournalBatch()
  private var envelopeWriter = WireWriter()
  private var bodyWriter = WireWriter()

  init(_ version: StateVersion<Machine.State>, window: IdempotencyWindow) {
    self.version = version
    self.window = window
  }

  /// To which story an event belongs.
  private struct Story {
    var sequence: UInt64 = 0
    var correlation: UInt64 = 0
  }

  private static var rememberedStoryCount: Int { 256 }

  /// The first event of the story to which an event belongs; `nil` when that is not remembered.
  func story(of sequence: UInt64) -> UInt64? {
    let story = stories[Int(sequence % UInt64(stories.count))]
    guard story.sequence == sequence else { return nil }
    return story.correlation == 0 ? sequence : story.correlation
  }

  /// What is the same in all events of one command.
  struct Origin {
    var moment: Moment
    var cause: UInt64
    /// The first event of the story; 0 when the command begins one.
    var correlation: UInt64
    var idempotencyKey: [UInt8]
    var commandFingerprint: [UInt8]
  }

  /// Folds events into a copy of the state.
  func fold(_ events: [Machine.Event], at moment: Moment) -> Machine.State {
    var state = version.state
    var sequence = version.sequence
    for event in events {
      sequence += 1
      Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
    }
    return state
  }

  /// Encodes events and appends them as one batch. Nothing changes here when that fails.
  ///
  /// - Parameter stateDigest: What the last event records of the state after it; empty for nothing.
  mutating func append(
    _ events: [Machine.Event], from origin: Origin, stateDigest: [UInt8], to journal: Journal
  ) throws(JournalError) {
    batch.removeAll()
    let first = version.sequence + 1
    var starting = process
    for (index, event) in events.enumerated() {
      let sequence = first + UInt64(index)
      if event.type == Machine.processStart { starting = sequence }
      var envelope = Envelope(type: event.type, at: origin.moment)
      if let entry = entries[event.type] {
        envelope.version = entry.version
        envelope.unknownReaders = entry.rule
      }
      envelope.cause = origin.cause
      envelope.correlation = origin.correlation != 0 ? origin.correlation : (index == 0 ? 0 : first)
      envelope.process = starting
      envelope.idempotencyKey = origin.idempotencyKey
      envelope.commandFingerprint = origin.commandFingerprint
      if index == events.count - 1 { envelope.stateDigest = stateDigest }
      bodyWriter.removeAll()
      event.encodeBody(into: &bodyWriter)
      envelope.body = bodyWriter.bytes
      envelopeWriter.removeAll()
      envelope.encode(into: &envelopeWriter)
      try batch.append(payload: envelopeWriter.bytes, label: origin.moment.wallNanoseconds)
    }
    _ = try journal.append(&batch, expecting: version.sequence)
    process = starting
    remember(events.count, after: first - 1, in: origin.correlation)
  }

  private mutating func remember(_ count: Int, after last: UInt64, in correlation: UInt64) {
    for index in 0..<count {
      let sequence = last + 1 + UInt64(index)
      stories[Int(sequence % UInt64(stories.count))] = Story(
        sequence: sequence, correlation: correlation != 0 ? correlation : (index == 0 ? 0 : last + 1))
    }
  }
}
