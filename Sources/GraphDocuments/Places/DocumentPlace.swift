import JSON
import PropertyList

/// A place in a file, whatever the file's form.
public enum DocumentPlace: Hashable, Sendable, CustomStringConvertible {
  /// A line and a column, each from 1.
  case text(line: Int, column: Int)
  /// An offset in bytes.
  case byte(Int)

  /// A place in JSON; `nil` for a value created by a program.
  public init?(_ position: JSONPosition) {
    guard position.isInText else { return nil }
    self = .text(line: position.line, column: position.column)
  }

  /// A place in a property list; `nil` for a value created by a program.
  public init?(_ position: PropertyListPosition) {
    switch position {
    case .text(let line, let column): self = .text(line: line, column: column)
    case .byte(let offset): self = .byte(offset)
    case .program: return nil
    }
  }

  /// `line 3, column 14` or `byte 40`.
  public var description: String {
    switch self {
    case .text(let line, let column): "line \(line), column \(column)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}
