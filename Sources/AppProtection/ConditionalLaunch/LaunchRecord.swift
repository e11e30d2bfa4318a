import EventSourcing
import WireFormat

/// What launch conditions know about one account. Points in time are those of ``LaunchClock/elapsed``.
public struct LaunchRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// When its last check-in completed.
  public internal(set) var checkedInAt: Int64?
  /// Whether the service confirmed that it is disabled or deleted.
  public internal(set) var isDisabled = false
  /// Whether its user is at work.
  public internal(set) var clockStatus = ClockStatus.notConfigured
  /// Since when its user is not known to be at work; `nil` while that is known, or nobody keeps working times.
  public internal(set) var offWorkSince: Int64?
  /// What its last evaluation came to.
  public internal(set) var outcome = LaunchOutcome.allowed
  /// The rule that settled its last evaluation.
  public internal(set) var rule = LaunchRule.met
  /// The event of its last evaluation that was written.
  public internal(set) var evaluatedBy: UInt64 = 0
  /// When the app was last opened for it.
  public internal(set) var passedAt: Int64?
  /// When its user last signed in because a launch condition asked for it.
  public internal(set) var signedInAt: Int64?
  /// Whether its user signed in so that an offline wipe need not be, and the check-in has yet to complete.
  public internal(set) var awaitsConfirmation = false
  /// The rules whose warning its user has seen in this process, in the order of their numbers.
  public internal(set) var warned: [LaunchRule] = []
  /// When biometrics last took the place of the PIN for this account.
  public internal(set) var biometricsAt: Int64?
  /// Why its launch conditions were last looked at.
  public internal(set) var trigger = LaunchTrigger.launch
  /// Whether a check-in that is tried in silence settles its last evaluation.
  public internal(set) var awaitsCheckIn = false
  /// Where its identity is to be set once that check-in has completed.
  public internal(set) var waitingScopes: [IdentityScope] = []
  /// Whether the user has answered, as the app says, what else may be asked before that.
  public internal(set) var isAnswered = false

  init(account: AccountNumber) {
    self.account = account
  }

  /// Whether the app is closed for the account until a check-in completes.
  var isOutOfTouch: Bool { !outcome.isPassing && (rule == .offlineAccess || rule == .offlineWipe) }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, duration: checkedInAt)
    writer.write(3, bool: isDisabled)
    writer.write(4, enumeration: clockStatus)
    writer.write(5, duration: offWorkSince)
    writer.write(6, enumeration: outcome)
    writer.write(7, enumeration: rule)
    writer.write(8, unsigned: evaluatedBy)
    writer.write(9, duration: passedAt)
    writer.write(10, duration: signedInAt)
    writer.write(11, bool: awaitsConfirmation)
    for rule in warned { writer.writePresent(12, unsigned: UInt64(rule.rawValue)) }
    writer.write(13, duration: biometricsAt)
    writer.write(14, enumeration: trigger)
    writer.write(15, bool: awaitsCheckIn)
    for scope in waitingScopes { writer.write(16) { scope.encode(into: &$0) } }
    writer.write(17, bool: isAnswered)
  }

  /// Reads what `encode(into:)` wrote; unknown fields are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var read = LaunchRecord(account: .first)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: read.checkedInAt = try reader.signed(field)
      case 3: read.isDisabled = try reader.bool(field)
      case 4: read.clockStatus = try reader.enumeration(field, as: ClockStatus.self)
      case 5: read.offWorkSince = try reader.signed(field)
      case 6: read.outcome = try reader.enumeration(field, as: LaunchOutcome.self)
      case 7: read.rule = try reader.enumeration(field, as: LaunchRule.self)
      case 8: read.evaluatedBy = try reader.unsigned(field)
      case 9: read.passedAt = try reader.signed(field)
      case 10: read.signedInAt = try reader.signed(field)
      case 11: read.awaitsConfirmation = try reader.bool(field)
      case 12: read.warned.append(try reader.enumeration(field, as: LaunchRule.self))
      case 13: read.biometricsAt = try reader.signed(field)
      case 14: read.trigger = try reader.enumeration(field, as: LaunchTrigger.self)
      case 15: read.awaitsCheckIn = try reader.bool(field)
      case 16:
        read.waitingScopes.append(
          try reader.message(field) { (inner) throws(WireError) in try IdentityScope(from: &inner) })
      case 17: read.isAnswered = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), copying: read)
  }

  private init(account: AccountNumber, copying record: LaunchRecord) {
    self.account = account
    checkedInAt = record.checkedInAt
    isDisabled = record.isDisabled
    clockStatus = record.clockStatus
    offWorkSince = record.offWorkSince
    outcome = record.outcome
    rule = record.rule
    evaluatedBy = record.evaluatedBy
    passedAt = record.passedAt
    signedInAt = record.signedInAt
    awaitsConfirmation = record.awaitsConfirmation
    warned = record.warned
    biometricsAt = record.biometricsAt
    trigger = record.trigger
    awaitsCheckIn = record.awaitsCheckIn
    waitingScopes = record.waitingScopes
    isAnswered = record.isAnswered
  }

  /// The record for people.
  public func tree() -> StateTree {
    func time(_ name: String, _ elapsed: Int64?) -> StateTree.Member {
      .init(name, elapsed.map { .duration($0) } ?? .unset)
    }
    return .members([
      time("checkedInAt", checkedInAt),
      .init("isDisabled", .bool(isDisabled)),
      .init("clockStatus", .name(clockStatus.name)),
      time("offWorkSince", offWorkSince),
      .init("outcome", .name(outcome.name)),
      .init("rule", .name(rule.id)),
      .init("evaluatedBy", .pending(evaluatedBy)),
      time("passedAt", passedAt),
      time("signedInAt", signedInAt),
      .init("awaitsConfirmation", .bool(awaitsConfirmation)),
      .init("warned", warned.isEmpty ? .unset : .list(warned.map { .name($0.id) })),
      time("biometricsAt", biometricsAt),
      .init("trigger", .name(trigger.name)),
      .init("awaitsCheckIn", .bool(awaitsCheckIn)),
      .init("waitingScopes", waitingScopes.isEmpty ? .unset : .list(waitingScopes.map { .name($0.description) })),
      .init("isAnswered", .bool(isAnswered)),
    ])
  }
}
