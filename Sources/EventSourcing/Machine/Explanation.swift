/// Records how a decision was reached: every rule in order, with its result and the state fields it read.
///
/// Recording is off unless asked for, and then costs one comparison per rule.
public struct Explanation: Equatable, Sendable {
  /// One rule that was evaluated.
  public struct Step: Equatable, Sendable {
    /// The rule's stable name, such as `saveTo.locationAllowed` or a transition's `T11`.
    public var rule: String
    /// The rule as a statement, such as `account a1 is managed`.
    public var statement: String
    /// Whether the statement holds.
    public var holds: Bool
    /// The state fields that the rule read.
    public var reads: [Read]
    /// Whether this rule settled the outcome.
    public var decides: Bool
  }

  /// One field of the state read by a rule.
  public struct Read: Equatable, Sendable {
    /// The field's path in the ``StateTree``.
    public var path: String
    /// The value it had.
    public var value: StateValue

    /// A read of `value` at `path`.
    public init(_ path: String, _ value: StateValue) {
      self.path = path
      self.value = value
    }
  }

  /// Whether steps are recorded.
  public let isRecording: Bool
  /// The steps in the order of evaluation.
  public private(set) var steps: [Step] = []

  /// Records steps only if `recording` is true; otherwise evaluating costs nothing more.
  @inlinable
  public init(recording: Bool = false) {
    isRecording = recording
  }

  /// Records a rule and returns its result.
  @discardableResult
  @inlinable
  public mutating func evaluate(
    _ rule: @autoclosure () -> String, _ statement: @autoclosure () -> String, _ holds: Bool,
    reads: @autoclosure () -> [Read] = [], decides: Bool = false
  ) -> Bool {
    if isRecording {
      addStep(rule(), statement(), holds, reads(), decides)
    }
    return holds
  }

  // Only the comparison is inlined into callers: without an explanation, a rule costs no call.
  @usableFromInline
  mutating func addStep(_ rule: String, _ statement: String, _ holds: Bool, _ reads: [Read], _ decides: Bool) {
    steps.append(Step(rule: rule, statement: statement, holds: holds, reads: reads, decides: decides))
  }
}
