import EventSourcing
import Journal
import PlainText

/// The events of a history as an export shows them: what is personal is replaced by pseudonyms, and what each event changed is
/// what the redacted events lead to.
///
/// Memory does not grow with the history. It belongs to one thread at a time.
public struct RedactedLog<Machine: Reducer>: ~Copyable {
  /// One event.
  public struct Event {
    /// The event as it was recorded, and the states around it. Nothing of it may leave unseen.
    public let step: HistoryStep<Machine>
    /// Its metadata as they may leave; the body too.
    public let envelope: Envelope
    /// What it changed; `nil` where a state is unknown.
    public let changes: StateDiff?
    /// What is printed of it.
    fileprivate let printed: PrintedEvent
  }

  /// Prints values of ``Event/changes``.
  public let values: ValueJSON
  /// Why the states after some event are unknown; `nil` as long as none is. Known once everything is read.
  public private(set) var obstacle: HistoryError?
  private let isOfOtherDomain: Bool
  private let redactor: PayloadRedactor?
  /// The states of redacted events; `nil` where nothing is replaced.
  private var states: RedactedStates<Machine>?
  private var reader: LogReader<Machine>
  private var last: UInt64
  private let differ = StateDiffer()
  // Pseudonyms are for everyone, secrets for no one.
  private let printer = EventPrinter(Machine.Event.catalog, .revealing)

  /// Starts at the first event.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - pseudonyms: Replaces what is personal; `nil` to show everything but secrets.
  ///   - slices: The fields of each slice of a state, in the order of the slices, which redaction needs where the history begins
  ///     with a stored state.
  public init(
    _ history: History<Machine>, _ pseudonyms: Pseudonyms?, slices: [MessageDescriptor]
  ) throws(HistoryError) {
    isOfOtherDomain = history.isOfOtherDomain
    values = ValueJSON(Redaction(revealing: pseudonyms == nil, pathsOf: Machine.State.self))
    let start = history.reader.start
    last = start.sequence
    redactor = pseudonyms.map { PayloadRedactor($0) }
    if let redactor, !history.isOfOtherDomain {
      // Where it cannot be read, the states are unknown.
      let checkpoint = start.sequence == 0 ? nil : history.reader.beginning(after: start.sequence)
      let stored = checkpoint.flatMap { checkpoint in
        (try? history.reader.body(of: checkpoint)).flatMap { redactor.state($0, of: Machine.self, slices) }
          .map { (checkpoint.sequence, $0) }
      }
      states = RedactedStates(after: start.sequence, stored)
    }
    reader = try LogReader(history)
    obstacle = RecordedDamage(of: history.reader).obstacle(nil)
  }

  /// The next event; `nil` at the end.
  public mutating func next() throws(HistoryError) -> Event? {
    while let item = try reader.next() {
      switch item {
      case .event(let step): return event(step)
      case .stateUnknown(let error): obstacle = obstacle ?? error
      case .clockJump, .finding, .retiredBeginning: break
      }
    }
    return nil
  }

  private mutating func event(_ step: HistoryStep<Machine>) -> Event {
    let record = step.record
    if record.sequence > last + 1 { states?.lose() }
    last = record.sequence
    guard let redactor else {
      let changes = step.changes(differ)
      return Event(step: step, envelope: record.envelope, changes: changes, printed: PrintedEvent(record))
    }
    let redacted = redactor.payload(of: record).withUnsafeBytes {
      RecordedEvent<Machine.Event>(sequence: record.sequence, chain: record.chain, payload: $0)
    }
    let changes = states?.step(redacted).map { differ.changes(from: $0.before, to: $0.after) }
    return Event(
      step: step, envelope: redacted.envelope, changes: changes,
      printed: isOfOtherDomain
        ? PrintedEvent(record).withBody(redacted.envelope.body) : PrintedEvent(redacted))
  }

  /// The accounts that an event names, without duplicates, in the order of its fields.
  public func accounts(of event: Event) -> [String] {
    printer.accounts(of: event.printed).map(EventAccounts.pseudonym)
  }

  /// Appends the fields of an event as an object of JSON, or `null` where nothing describes them.
  public func appendFields(of event: Event, to bytes: inout [UInt8]) {
    guard event.printed.isDescribed else { return bytes.append(literal: "null") }
    printer.appendJSON(of: event.printed, to: &bytes)
  }
}

extension JournalReader {
  /// The checkpoint with the state in which a journal begins whose first events are elsewhere; `nil` if it has none.
  ///
  /// - Parameter last: The event before the first one.
  func beginning(after last: UInt64) -> Checkpoint? {
    let wanted = retirement?.checkpointSequence
    return checkpoints().last { checkpoint in wanted.map { checkpoint.sequence == $0 } ?? (checkpoint.sequence >= last)
    }
  }
}
