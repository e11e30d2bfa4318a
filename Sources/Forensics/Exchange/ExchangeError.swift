/// Why a file cannot be read as an export, or as an archive of a journal.
public struct ExchangeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of reason.
  public enum Code: Equatable, Sendable {
    /// It is something else.
    case notAnExport
    /// It has more in it than is read.
    case tooLarge
    /// A later program wrote it, and says that this one cannot read it.
    case needsNewerProgram
    /// It is damaged before the first event.
    case damaged
  }

  /// The kind of reason.
  public let code: Code
  /// The reason, without a full stop.
  public let message: String
  /// What to do about it.
  public let remedy: String

  /// States a reason.
  public init(_ code: Code, _ message: String, remedy: String) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }

  /// The reason and the remedy.
  public var description: String { "\(message); \(remedy)" }
}
