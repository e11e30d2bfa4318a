import EventSourcing

extension FieldLog {
  /// A place in a file.
  public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The file's name, which may be that of a person.
    public let file: String
    /// The line or the member: `:5`, or `: /DataStore`.
    public let part: String

    init(_ file: String, _ part: String = "") {
      (self.file, self.part) = (file, part)
    }

    /// Both together: `x.txt:5`.
    public var description: String { file + part }
  }

  /// What a file does not say and the reading adds.
  ///
  /// In an event's metadata each has a key of its own, because only keys are always shown there, and the value `yes`: what
  /// is inferred must be legible in every view.
  public enum Inference: String, Sendable {
    /// That a process had started.
    case processStart
    /// The account's number, from its first mention.
    case accountNumber
    /// Which account it was: the only one, or one that no line names.
    case account
    /// Which of several accounts it was: the one of the nearest line about the same operation. It may be another one.
    case nearestAccount
    /// The time, which is that of the last line, or of the answer that a policy came with.
    case time
    /// The year: the one that was given, or that of the nearest line or file that says one.
    case year
    /// The year, which nothing says: the day and the clock are those of the line.
    case unknownYear
    /// The time zone, which is taken to be UTC.
    case timeZone
    /// That the account was registered.
    case registration
    /// That the account was enrolled.
    case enrollment
    /// The request that was answered.
    case request
    /// That the policy had not changed.
    case unchangedPolicy
    /// What came with the answer: the file does not hold it.
    case content
    /// That the policy went with what the service no longer has.
    case withdrawal

    /// The key of an event's metadata that says so.
    public var key: String { CommandAttributes.inferenceKeyBeginning + rawValue }

    /// What a key of an event's metadata says; `nil` for any other key.
    public init?(key: String) {
      let beginning = CommandAttributes.inferenceKeyBeginning
      guard key.hasPrefix(beginning) else { return nil }
      self.init(rawValue: String(key.dropFirst(beginning.count)))
    }
  }
}
