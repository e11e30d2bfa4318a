/// Why a filter cannot be used: place, reason and next step in one line.
public struct FilterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The column in the expression, from 1; `nil` for a filter without columns.
  public let column: Int?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to write instead, without a full stop.
  public let remedy: String

  /// `message` and `remedy` become one line: see ``description``.
  public init(column: Int? = nil, _ message: String, remedy: String) {
    self.column = column
    self.message = message
    self.remedy = remedy
  }

  /// Place, reason and next step in one line.
  public var description: String { (column.map { "column \($0): " } ?? "") + "\(message); \(remedy)" }
}
