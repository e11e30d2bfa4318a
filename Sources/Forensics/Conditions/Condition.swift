/// A condition made of tests of one kind, joined by `and`, `or` and `not`.
///
/// ```
/// condition  = term { "or" term }
/// term       = factor { "and" factor }
/// factor     = "not" factor | "(" condition ")" | test
/// ```
public indirect enum Condition<Test: Equatable & Sendable>: Equatable, Sendable {
  /// A test holds.
  case test(Test)
  /// The condition does not hold.
  case not(Condition)
  /// Both conditions hold.
  case and(Condition, Condition)
  /// At least one condition holds.
  case or(Condition, Condition)

  /// Whether the condition holds; `nil` if that depends on a test for which `judge` returns `nil`.
  ///
  /// Tests that cannot change the result are not judged.
  @inlinable
  public func holds(_ judge: (Test) -> Bool?) -> Bool? {
    switch self {
    case .test(let test): judge(test)
    case .not(let inner): inner.holds(judge).map(!)
    case .and(let one, let other): Self.joined(one, other, decisive: false, judge)
    case .or(let one, let other): Self.joined(one, other, decisive: true, judge)
    }
  }

  /// Combines two conditions; a condition that evaluates to `decisive` settles the result whatever the other is.
  @inlinable
  static func joined(
    _ one: Condition, _ other: Condition, decisive: Bool, _ judge: (Test) -> Bool?
  ) -> Bool? {
    let first = one.holds(judge)
    guard first != decisive else { return decisive }
    let second = other.holds(judge)
    guard second != decisive else { return decisive }
    return first == nil || second == nil ? nil : !decisive
  }

  /// The tests, from left to right.
  @inlinable public var tests: [Test] { tests(besidesNegated: false) }

  /// The tests, from left to right.
  ///
  /// - Parameter besidesNegated: Whether those that stand under a `not` are omitted.
  @inlinable
  func tests(besidesNegated: Bool) -> [Test] {
    switch self {
    case .test(let test): [test]
    case .not(let inner): besidesNegated ? [] : inner.tests
    case .and(let one, let other), .or(let one, let other):
      one.tests(besidesNegated: besidesNegated) + other.tests(besidesNegated: besidesNegated)
    }
  }
}
