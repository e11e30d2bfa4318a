import EventSourcing
import WireFormat

/// `launch.evaluated`: the account's launch conditions were looked at.
public struct LaunchEvaluated: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Why they were looked at.
  public var trigger: LaunchTrigger
  /// What they came to.
  public var outcome: LaunchOutcome
  /// The condition that settled it.
  public var rule: LaunchRule
  /// Every condition that is not met, in the order in which they count.
  public var findings: [LaunchFinding]
  /// Whether a check-in is tried in silence first: the app stays closed, and is told once the check-in has ended.
  public var awaitsCheckIn: Bool
  /// Whether a check-in led to it that the account's access depended on: the app is told, even that it may be used.
  public var followsCheckIn: Bool
  /// Whether the user has answered, as the app says, what else may be asked before that identity is set.
  public var isAnswered: Bool
  private var waiting: Rare<IdentityScope>

  /// Where the account's identity is to be set once the check-in has completed; `nil` where nothing waits for it.
  public var scope: IdentityScope? {
    get { waiting.value }
    set { waiting = Rare(newValue) }
  }

  /// Creates the event.
  public init(
    account: AccountNumber, trigger: LaunchTrigger = .launch, outcome: LaunchOutcome = .allowed,
    rule: LaunchRule = .met, findings: [LaunchFinding] = [], awaitsCheckIn: Bool = false, followsCheckIn: Bool = false,
    scope: IdentityScope? = nil, isAnswered: Bool = false
  ) {
    self.account = account
    self.trigger = trigger
    self.outcome = outcome
    self.rule = rule
    self.findings = findings
    self.awaitsCheckIn = awaitsCheckIn
    self.followsCheckIn = followsCheckIn
    waiting = Rare(scope)
    self.isAnswered = isAnswered
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    162, "launch.evaluated",
    body: MessageDescriptor(
      "LaunchEvaluated",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "trigger", .enumeration(LaunchTrigger.descriptor), .single, "why they were looked at"),
        FieldDescriptor(3, "outcome", .enumeration(LaunchOutcome.descriptor), .single, "what they came to"),
        FieldDescriptor(4, "rule", .enumeration(LaunchRule.descriptor), .single, "the condition that settled it"),
        FieldDescriptor(
          5, "findings", .message(LaunchFinding.descriptor), .repeated,
          "every condition that is not met, in the order in which they count"),
        FieldDescriptor(
          6, "awaitsCheckIn", .bool, .single, "whether a check-in is tried in silence before the app is told"),
        FieldDescriptor(
          7, "followsCheckIn", .bool, .single, "whether the end of a check-in that access depended on led to it"),
        FieldDescriptor(
          8, "scope", .message(IdentityScope.descriptor), .optional,
          "where the account's identity is to be set once the check-in has completed"),
        FieldDescriptor(
          9, "isAnswered", .bool, .single, "whether the user has answered what else may be asked before that"),
      ]),
    meaning: "The account's launch conditions were looked at.",
    remedy:
      "A blocked account says in its findings which setting was compared with which fact: change either, then open the app again."
  )

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: trigger)
    writer.write(3, enumeration: outcome)
    writer.write(4, enumeration: rule)
    for finding in findings { writer.write(5) { finding.encode(into: &$0) } }
    writer.write(6, bool: awaitsCheckIn)
    writer.write(7, bool: followsCheckIn)
    if let scope { writer.write(8) { scope.encode(into: &$0) } }
    writer.write(9, bool: isAnswered)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var trigger = LaunchTrigger.launch
    var outcome = LaunchOutcome.allowed
    var rule = LaunchRule.met
    var findings = [LaunchFinding]()
    var awaitsCheckIn = false
    var followsCheckIn = false
    var scope: IdentityScope?
    var isAnswered = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: trigger = try reader.enumeration(field, as: LaunchTrigger.self)
      case 3: outcome = try reader.enumeration(field, as: LaunchOutcome.self)
      case 4: rule = try reader.enumeration(field, as: LaunchRule.self)
      case 5:
        findings.append(
          try reader.message(field) { (inner) throws(WireError) in try LaunchFinding(from: &inner) })
      case 6: awaitsCheckIn = try reader.bool(field)
      case 7: followsCheckIn = try reader.bool(field)
      case 8: scope = try reader.message(field) { (inner) throws(WireError) in try IdentityScope(from: &inner) }
      case 9: isAnswered = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), trigger: trigger, outcome: outcome, rule: rule,
      findings: findings, awaitsCheckIn: awaitsCheckIn, followsCheckIn: followsCheckIn, scope: scope,
      isAnswered: isAnswered)
  }
}
