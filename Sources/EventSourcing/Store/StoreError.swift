import Journal

/// Why a command produced no events.
public enum StoreError<Rejection: Error & Equatable & Sendable & CustomStringConvertible>: Error, Equatable, Sendable,
  CustomStringConvertible
{
  /// The rules forbid it.
  case rejected(Rejection)
  /// The history did not end where the caller expected: another command came first.
  case conflict(expected: UInt64, actual: UInt64)
  /// An entity was not at the version that the caller expected: another command came first. `expected` is `nil` where the caller
  /// expected versions of such entities, and none of this one.
  case entityConflict(Entity, expected: UInt64?, found: UInt64)
  /// The idempotency key was used for a command with other contents, whose first event is `sequence`.
  case keyReused(sequence: UInt64)
  /// The idempotency key has more bytes than ``EventStore/maximumKeyLength``.
  case keyTooLong(bytes: Int)
  /// The command's attributes exceed a limit.
  case attributes(CommandAttributes.Problem)
  /// The command's personal data cannot be sealed, or the store has no keys for what the state holds.
  case sealing(SealingError)
  /// The event named as the cause is not in the history.
  case causeUnknown(cause: UInt64, last: UInt64)
  /// The journal refused the events. They are not in the history unless the error says that their fate is unknown.
  case journal(JournalError)
  /// The events of the earlier command that this one repeats cannot be read.
  case history(HistoryError)

  /// Whether a different history could lead to a different answer: then the history it is based on must be durable.
  @inlinable var restsOnState: Bool {
    switch self {
    case .rejected, .conflict, .entityConflict, .keyReused, .causeUnknown: true
    case .keyTooLong, .attributes, .sealing, .journal, .history: false
    }
  }

  /// One sentence: why the command failed.
  public var message: String {
    switch self {
    case .rejected(let rejection): rejection.description
    case .conflict(let expected, let actual):
      "the command expected the history to end with event \(expected), and it ends with event \(actual)"
    case .entityConflict(let entity, let expected?, let found):
      "the command expected \(entity) at version \(expected), and it is at version \(found)"
    case .entityConflict(let entity, nil, let found):
      "the command leads to an event of \(entity), which is at version \(found), and expects no version of it"
    case .keyReused(let sequence):
      "the idempotency key belongs to another command, which led to event \(sequence)"
    case .keyTooLong(let bytes): "the idempotency key has \(bytes) bytes; the limit is 64"
    case .attributes(let problem): problem.description
    case .sealing(let error): error.message
    case .causeUnknown(let cause, let last):
      "event \(cause) is named as the cause, but the last event is \(last)"
    case .journal(let error): error.description
    case .history(let error): error.message
    }
  }

  /// One sentence: what to do about it.
  public var remedy: String {
    switch self {
    case .rejected: "Nothing was written."
    case .conflict, .entityConflict(_, _?, _): "Read the state again and decide whether the command still makes sense."
    case .entityConflict(let entity, nil, _): "Expect a version of every \(entity.kind) that the command changes."
    case .keyReused: "Use a separate key for each command."
    case .keyTooLong: "Use a shorter key, such as 16 random bytes."
    case .sealing(let error): error.remedy
    case .attributes: "Attach less, and keep texts in the app's own events."
    case .causeUnknown: "Name an event read from this history, or 0 for none."
    case .journal: "See the reason above."
    case .history(let error): error.remedy
    }
  }

  /// ``message`` followed by ``remedy``.
  public var description: String {
    switch self {
    case .rejected, .journal: message
    case .conflict, .entityConflict, .keyReused, .keyTooLong, .attributes, .sealing, .causeUnknown, .history:
      "\(message). \(remedy)"
    }
  }
}
