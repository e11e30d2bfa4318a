import EventSourcing

/// A value that a condition compares in an order that its kind does not have.
public struct UnorderedValue: Equatable, Sendable {
  /// The value's path.
  public let path: String
  /// The value.
  public let value: StateValue

  @usableFromInline
  init(path: String, value: StateValue) {
    (self.path, self.value) = (path, value)
  }

  /// What kind of value it is, and how its order is asked for, if it has one.
  public var description: String {
    switch value {
    case .bool: "\(path) is true or false, which have no order; write = or !="
    case .name, .text: "\(path) is a name or a text, of which only versions have an order; write = or !="
    case .integer, .sequence: "\(path) is a number; write a number after the comparison"
    case .duration: "\(path) is a length of time; write one such as 90m or P1D after the comparison"
    case .time: "\(path) is a point in time; write one such as 2026-10-12T09:00Z after the comparison"
    case .list: "\(path) is a list, which has no order; write = or !="
    case .personal, .sealed, .unset: "\(path) has no order; write = or !="
    }
  }
}

extension Condition {
  /// The first value of a state that the condition compares in an order that its kind does not have, unless other values at
  /// the same path have one.
  public func unorderedValue<Domain: QuestionDomain>(in state: Domain.State) -> UnorderedValue?
  where Test == StateTest<Domain> {
    for case .value(let path, let test) in tests {
      var found: UnorderedValue?
      var hasOrder = false
      for slice in path.slices(of: Domain.State.sliceNames) {
        for leaf in state.tree(ofSlice: slice).leaves(under: "/" + Domain.State.sliceNames[slice])
        where leaf.value != .unset && path.matches(leaf.path) {
          if !test.isWithoutOrder(for: leaf.value) {
            hasOrder = true
          } else if found == nil {
            found = UnorderedValue(path: leaf.path, value: leaf.value)
          }
        }
      }
      if let found, !hasOrder { return found }
    }
    return nil
  }
}
