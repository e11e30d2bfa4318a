/// The place in a property list where something begins.
public enum PropertyListPosition: Hashable, Sendable, CustomStringConvertible {
  /// In XML: the line and the column, both from 1. A line ends with LF, CR LF or CR; columns are counted in Unicode
  /// scalars, and a byte order mark is not counted.
  case text(line: Int, column: Int)
  /// In the binary form: the offset in bytes from the start of the file.
  case byte(Int)
  /// Outside any file: the value was created by a program.
  case program

  /// `line 3, column 14`, `byte 96`, or `made by the program`.
  public var description: String {
    switch self {
    case .text(let line, let column): "line \(line), column \(column)"
    case .byte(let offset): "byte \(offset)"
    case .program: "made by the program"
    }
  }
}
