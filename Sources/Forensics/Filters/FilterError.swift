/// Why a filter cannot be used: the place, the reason and the next step in one line.
public struct FilterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Which column of the expression, from 1; `nil` when the filter has no places.
  public let column: Int?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to write instead.
  public let remedy: String

  /// Creates an error.
  public init(column: Int? = nil, _ message: String, remedy: String) {
    self.column = column
    self.message = message
    self.remedy = remedy
  }

  /// Place, reason and next step in one line.
  public var description: String { (column.map { "column \($0): " } ?? "") + "\(message); \(remedy)" }
}
