import Journal
import WireFormat

/// Why a question about a history cannot be answered.
public enum HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The journal cannot be read or written.
  case journal(JournalError)
  /// The position is before the first event that the journal still keeps.
  case beforeKeptRange(requested: UInt64, first: UInt64)
  /// The position is after the last event.
  case afterEnd(requested: UInt64, last: UInt64)
  /// The time is before the first event still kept, so the state at that time is unknown.
  case timeBeforeKeptRange(wallNanoseconds: Int64, first: UInt64)
  /// The journal begins with a later event than the first, and no checkpoint that fits this program covers the missing
  /// events. The finding, if there is one, names a checkpoint that only a newer program reads.
  case noStartingState(first: UInt64, newer: Finding? = nil)
  /// Events are damaged, missing or unreadable: the state is known up to `lastDerivable` only. The finding, if the
  /// journal reported one, says which.
  case damaged(lastDerivable: UInt64, Finding?)
  /// An event's type is not in the catalogue, and its writer recorded that it must not be left out.
  case unknownType(sequence: UInt64, type: UInt32, version: UInt32)
  /// This program does not read the event's version, and its writer recorded that it must not be left out.
  case unknownVersion(sequence: UInt64, name: String, version: UInt32)
  /// An event needs features that this program does not know.
  case unknownFeatures(sequence: UInt64, name: String, EnvelopeFeatures)
  /// An event's body does not match its type, and its writer or this program's catalogue says that it must not be left out.
  case undecodable(sequence: UInt64, name: String, WireError)
  /// The program that wrote the event has a slice of the state that this program does not know and must understand.
  case unknownSlice(sequence: UInt64, name: String)
  /// No copy of the catalogue of the program that wrote the event can be read: the program may have a slice of the state
  /// that must be understood.
  case unknownWriter(sequence: UInt64)
  /// The state stored after an event has a field of a slice that this program does not know and must understand, and the
  /// events before it are retired. The field is given by its number and those of the messages around it.
  case unknownField(checkpoint: UInt64, field: String, slice: String)
  /// The event took a state over to a later revision of the rules than this program's.
  case laterRevision(sequence: UInt64, revision: UInt32, current: UInt32)
  /// The events before a stored state are retired, and this program cannot bring it forward to its own revision.
  case notMigrated(checkpoint: UInt64, from: UInt32, to: UInt32, reason: String?)
  /// The event records what a stored state became in this revision, and this program makes another state of it.
  case otherMigration(sequence: UInt64, checkpoint: UInt64)
  /// The keys that open sealed values cannot be read now.
  case sealing(SealingError)
  /// A payload is not an envelope: something other than an event store wrote it to the journal.
  case foreignPayload(sequence: UInt64, WireError)

  /// Does what a journal may refuse.
  ///
  /// - Throws: ``journal(_:)``.
  @usableFromInline
  package static func translating<Result: ~Copyable>(
    _ body: @autoclosure () throws(JournalError) -> Result
  ) throws(HistoryError) -> Result {
    do throws(JournalError) {
      return try body()
    } catch {
      throw .journal(error)
    }
  }

  /// One sentence: what is wrong and where.
  public var message: String {
    switch self {
    case .journal(let error): error.message
    case .beforeKeptRange(let requested, let first):
      "position \(requested) is before event \(first), the first that is still kept"
    case .afterEnd(let requested, let last):
      last == 0
        ? "position \(requested) is after the end: the journal has no events"
        : "position \(requested) is after the end: the last event is \(last)"
    case .timeBeforeKeptRange(_, let first):
      "the time is before event \(first), the first that is still kept; earlier events are gone"
    case .noStartingState(let first, let newer):
      "the journal begins with event \(first), and no usable checkpoint holds the state before it"
        + (newer.map { "; a newer program wrote \($0.file): \($0.cause)" } ?? "")
    case .damaged(let last, let finding?) where finding.verdict == .lost:
      last == 0
        ? "no state is known: \(finding.cause)" : "the state after event \(last) is unknown: \(finding.cause)"
    case .damaged(let last, let finding?) where !finding.isDamage:
      "the journal cannot be read beyond event \(last): \(finding.cause)"
    case .damaged(let last, _):
      last == 0
        ? "the journal is damaged before its first event can be read"
        : "the journal is damaged after event \(last)"
    case .unknownType(let sequence, let type, let version):
      "event \(sequence) has the unknown type \(type) (version \(version)), which must be understood"
    case .unknownVersion(let sequence, let name, let version):
      "event \(sequence), \(name), has version \(version), which this program does not know and must understand"
    case .unknownFeatures(let sequence, let name, let features):
      "event \(sequence), \(name), needs \(features.phrase), which this program does not know"
    case .undecodable(let sequence, let name, let error):
      "event \(sequence), \(name), has a body that cannot be read: \(error.description)"
    case .unknownSlice(let sequence, let name):
      "the program that wrote event \(sequence) has the slice \(name) in its state, which this program does not know and"
        + " must understand"
    case .unknownWriter(let sequence):
      "the catalogue of the other program that wrote event \(sequence) cannot be read, and with it what must be understood"
    case .unknownField(let checkpoint, let field, let slice):
      "the state after event \(checkpoint), before which the events are retired, has field \(field) of the slice \(slice),"
        + " which this program does not know and must understand"
    case .laterRevision(let sequence, let revision, let current):
      "event \(sequence), \(StateMigration.descriptor.name), took the state over to revision \(revision) of the rules, which"
        + " must be understood: this program has revision \(current)"
    case .notMigrated(let checkpoint, let from, let to, let reason):
      "the state after event \(checkpoint) was computed by revision \(from) of the rules, the events before it are retired,"
        + " and this program, of revision \(to), cannot "
        + (from > to ? "understand it" : "bring it forward" + (reason.map { ": \($0)" } ?? ""))
    case .otherMigration(let sequence, let checkpoint):
      "event \(sequence), \(StateMigration.descriptor.name), records another state than the one that this program makes of"
        + " the checkpoint at event \(checkpoint)"
    case .sealing(let error): error.message
    case .foreignPayload(let sequence, let error):
      "event \(sequence) has an unreadable envelope: \(error.description)"
    }
  }

  /// One sentence: what to do about it.
  public var remedy: String {
    switch self {
    case .journal(let error): error.remedy
    case .beforeKeptRange(_, let first): "Ask for \(first) or a later position."
    case .afterEnd(_, let last): "Ask for \(last) or an earlier position."
    case .timeBeforeKeptRange(_, let first): "Ask for position \(first) or a later one."
    case .noStartingState(_, .some): "Use a program at least as new as the one that wrote the checkpoint."
    case .noStartingState: "Use the program version that wrote the checkpoints, or a copy with the earlier segments."
    case .damaged(let last, let finding?) where !finding.isDamage:
      "Ask for position \(last) or an earlier one, or do this first: \(finding.remedy)."
    case .damaged(let last, _): "Ask for position \(last) or an earlier one, or restore the journal from a copy."
    case .unknownType(let sequence, _, _), .unknownVersion(let sequence, _, _):
      "Use the program version that wrote it, or ask for position \(sequence - min(sequence, 1)) or an earlier one."
    case .unknownSlice(let sequence, _), .laterRevision(let sequence, _, _):
      "Use that program version or a later one, or ask for position \(sequence - min(sequence, 1)) or an earlier one."
    case .unknownWriter(let sequence):
      "Restore the segment from a copy, use that program, or ask for position \(sequence - min(sequence, 1)) or an earlier one."
    case .unknownField:
      "Use the program version that wrote the checkpoint, or a later one, or a copy with the earlier segments."
    case .notMigrated:
      "Use the program version that wrote the checkpoint, or a later one that can, or a copy with the earlier segments."
    case .sealing(let error): error.remedy
    case .otherMigration: "Use the program version that wrote the event."
    case .unknownFeatures(let sequence, _, _):
      "Use a newer program, or ask for position \(sequence - min(sequence, 1)) or an earlier one."
    case .undecodable(let sequence, _, _), .foreignPayload(let sequence, _):
      "Look at its bytes, or ask for position \(sequence - min(sequence, 1)) or an earlier one."
    }
  }

  /// The last position at which the state is known; `nil` for errors that do not name one.
  public var lastDerivable: UInt64? {
    switch self {
    case .damaged(let last, _): last
    case .unknownType(let sequence, _, _), .unknownVersion(let sequence, _, _), .unknownFeatures(let sequence, _, _),
      .undecodable(let sequence, _, _), .foreignPayload(let sequence, _), .unknownSlice(let sequence, _),
      .laterRevision(let sequence, _, _), .otherMigration(let sequence, _), .unknownWriter(let sequence):
      sequence - min(sequence, 1)
    case .journal, .beforeKeptRange, .afterEnd, .timeBeforeKeptRange, .noStartingState, .unknownField, .notMigrated,
      .sealing:
      nil
    }
  }

  /// ``message`` followed by ``remedy``.
  public var description: String {
    if case .journal(let error) = self { error.description } else { "\(message). \(remedy)" }
  }
}
