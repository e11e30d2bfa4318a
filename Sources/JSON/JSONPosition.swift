/// The place in a JSON text where something begins.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1. A line ends with LF, CR LF or CR.
  public var line: Int
  /// The column, from 1, counted in Unicode scalars; a byte order mark is not counted.
  public var column: Int
  /// The offset in bytes from the start of the input as received, including a byte order mark.
  public var offset: Int

  /// All three must describe the same place.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// The position of a value created by a program rather than read from a text.
  public static let none = JSONPosition(line: 0, column: 0, offset: 0)

  /// Whether this is a place in a text; `false` only for ``none``.
  public var isInText: Bool { line > 0 }

  /// `line 3, column 14`, or `made by the program` for ``none``.
  public var description: String {
    isInText ? "line \(line), column \(column)" : "made by the program"
  }
}
