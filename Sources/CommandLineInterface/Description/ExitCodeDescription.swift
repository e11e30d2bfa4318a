/// What it means when the tool ends with a certain exit code.
public struct ExitCodeDescription: Equatable, Sendable {
  /// The code, 0...255.
  public var code: Int
  /// What it means, as a phrase.
  public var meaning: String

  /// Creates a description.
  public init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
