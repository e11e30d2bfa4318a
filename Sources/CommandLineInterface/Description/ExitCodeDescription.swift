/// The meaning of one of the tool's exit codes.
public struct ExitCodeDescription: Equatable, Sendable {
  /// The code, 0...255.
  public var code: Int
  /// What it means, as a phrase.
  public var meaning: String

  /// `code` must be in 0...255.
  public init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
