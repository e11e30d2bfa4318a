import JSON

/// The required number of items.
public struct ExpectedCount: Equatable, Sendable, CustomStringConvertible {
  /// The numbers accepted.
  public var range: ClosedRange<UInt64>

  /// Accepts every number in `range`.
  public init(_ range: ClosedRange<UInt64>) {
    self.range = range
  }

  /// A number, or an object with `atLeast`, `atMost` or both.
  init(_ node: JSONNode) throws(JSONError) {
    guard node.value.object != nil else {
      let count: UInt64 = try node.integer()
      range = count...count
      return
    }
    try node.expectMembers(["atLeast", "atMost"])
    let least: UInt64 = try node.optional("atLeast")?.integer() ?? 0
    let most: UInt64 = try node.optional("atMost")?.integer() ?? .max
    guard least <= most, least > 0 || most < .max else {
      throw node.error(
        .invalidValue,
        least > most ? "no number is at least \(least) and at most \(most)" : "this accepts any number",
        remedy: "write a number, or atLeast or atMost with one")
    }
    range = least...most
  }

  /// `3`, `at least 3`, `at most 5`, `3 to 5`.
  public var description: String {
    if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
    if range.upperBound == .max { return "at least \(range.lowerBound)" }
    return range.lowerBound == 0 ? "at most \(range.upperBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
