import Journal

/// Why a command led to no events.
public enum StoreError<Rejection: Error & Equatable & Sendable & CustomStringConvertible>: Error, Equatable, Sendable,
  CustomStringConvertible
{
  /// The rules do not allow it.
  case rejected(Rejection)
  /// The history is not where the caller expected it to be: somebody else's command came first.
  case conflict(expected: UInt64, actual: UInt64)
  /// The idempotency key was used for a command with other contents, whose first event is `sequence`.
  case keyReused(sequence: UInt64)
  /// The idempotency key has more bytes than ``EventStore/maximumKeyLength``.
  case keyTooLong(bytes: Int)
  /// The event named as the cause is not in the history.
  case causeUnknown(cause: UInt64, last: UInt64)
  /// The journal refused the events. They are not in the history unless the error says that this is unknown.
  case journal(JournalError)
  /// The events of an earlier command, which this one repeats, cannot be read again.
  case history(HistoryError)

  /// Whether the history could make another answer of it: then the history it rests on must last.
  @inlinable var restsOnState: Bool {
    switch self {
    case .rejected, .conflict, .keyReused, .causeUnknown: true
    case .keyTooLong, .journal, .history: false
    }
  }

  /// One sentence that says why.
  public var message: String {
    switch self {
    case .rejected(let rejection): rejection.description
    case .conflict(let expected, let actual):
      "the command expected the history to end with event \(expected), and it ends with event \(actual)"
    case .keyReused(let sequence):
      "the idempotency key belongs to another command, which led to event \(sequence)"
    case .keyTooLong(let bytes): "the idempotency key has \(bytes) bytes, which is more than 64"
    case .causeUnknown(let cause, let last):
      "the cause is to be event \(cause), and the last event is \(last)"
    case .journal(let error): error.description
    case .history(let error): error.message
    }
  }

  /// One sentence that says what to do about it.
  public var remedy: String {
    switch self {
    case .rejected: "Nothing was written."
    case .conflict: "Look at the state again, and decide whether the command still makes sense."
    case .keyReused: "Use a key of its own for every command."
    case .keyTooLong: "Use a shorter key, such as 16 random bytes."
    case .causeUnknown: "Name an event that was read from this history, or 0 for none."
    case .journal: "See the reason above."
    case .history(let error): error.remedy
    }
  }

  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .rejected, .journal: message
    default: "\(message). \(remedy)"
    }
  }
}
