import Journal

/// Why a command cannot be handed over, or the handed over ones not be carried out now.
public enum SpoolError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder cannot be read or written, or the journal not be synced.
  case journal(JournalError)
  /// The journal does not answer.
  case history(HistoryError)
  /// The command's personal data cannot be sealed, or opened, now.
  case sealing(SealingError)
  /// The command names a person who was erased.
  case erased(account: UInt64)
  /// The command has more bytes than ``CommandSpool/maximumCommandLength``, or names more accounts than can seal it.
  case tooLarge(bytes: Int)
  /// As many commands wait as the spool holds; files that were set aside count.
  case full(count: Int)
  /// The idempotency key has more bytes than ``EventStore/maximumKeyLength``.
  case keyTooLong(bytes: Int)
  /// The name of the process is not one.
  case nameInvalid(String)

  /// One sentence: what went wrong.
  public var message: String {
    switch self {
    case .journal(let error): error.description
    case .history(let error): error.message
    case .sealing(let error): error.message
    case .erased(let account): "the command names account \(account), whose person was erased"
    case .tooLarge(let bytes): "the command has \(bytes) bytes or too many accounts to be handed over"
    case .full(let count): "\(count) commands wait for the app already"
    case .keyTooLong(let bytes):
      "the idempotency key has \(bytes) bytes; the limit is \(IdempotencyWindow.maximumKeyLength)"
    case .nameInvalid(let name):
      "\"\(name.prefix(CommandAttributes.maximumKeyLength))\" cannot name a process: names have 1 to "
        + "\(CommandAttributes.maximumKeyLength) letters, digits, dots, hyphens and underscores"
    }
  }

  /// One sentence: what to do about it.
  public var remedy: String {
    switch self {
    case .journal(let error): error.remedy
    case .history(let error): error.remedy
    case .sealing(let error): error.remedy
    case .erased: "Read the state again: the account is no longer known by its name."
    case .tooLarge: "Hand over less at a time."
    case .full: "Open the app, which carries them out; look at files that were set aside."
    case .keyTooLong: "Use a shorter key, such as 16 random bytes."
    case .nameInvalid: "Use a name such as share-extension, that names no person."
    }
  }

  /// ``message`` followed by ``remedy``.
  public var description: String {
    switch self {
    case .journal: message
    case .history, .sealing, .erased, .tooLarge, .full, .keyTooLong, .nameInvalid: "\(message). \(remedy)"
    }
  }

  /// Converts the errors of sealed commands.
  static func catching<Value>(_ body: () throws(SealingError) -> Value) throws(SpoolError) -> Value {
    do throws(SealingError) { return try body() } catch { throw .sealing(error) }
  }

  /// Converts the errors of a spool's folder.
  static func catching<Value>(_ body: () throws(JournalError) -> Value) throws(SpoolError) -> Value {
    do throws(JournalError) { return try body() } catch { throw .journal(error) }
  }
}
