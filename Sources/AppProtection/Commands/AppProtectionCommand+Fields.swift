import EventSourcing

extension AppProtectionCommand: CaseList {
  /// Shows each value to a visitor, in the order in which they are written.
  public func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> AppProtectionCommand {
    switch self {
    case .startProcess(let start, let settings):
      return try .startProcess(
        list.field(2, "process", start, required: true), settings: list.field(3, "settings", settings))
    case .changeSettings(let settings):
      return try .changeSettings(list.field(3, "settings", settings, required: true))
    case .overrideSettings(let overrides): return try .overrideSettings(list.body(overrides))
    case .answerRestart(let answer, let minutes, let intent):
      return try .answerRestart(
        list.number("answer", answer), postponedMinutes: list.number("minutes", minutes), intent: list.intent(intent))
    case .setAllowedAccounts(let accounts):
      let allowed = try list.field(2, "accounts", accounts ?? [], privacy: .account)
      return try .setAllowedAccounts(list.number("isRestricted", accounts != nil) ? allowed : nil)
    case .setDeviceAccount(let account, let source):
      return try .setDeviceAccount(list.account(account), source: list.number("source", source))
    case .setDeviceConfiguration(let values, let source):
      let isDelivered = try list.number("isDelivered", values != nil)
      let source = try list.number("source", source)
      let delivered = try list.field(11, "values", (values ?? []).map(\.opened))
      return .setDeviceConfiguration(isDelivered ? delivered : nil, source: source)
    case .noteRefusal(let refusal): return try .noteRefusal(list.body(refusal))
    case .registerAndEnroll(let account): return try .registerAndEnroll(list.account(account))
    case .loginAndEnroll(let account): return try .loginAndEnroll(list.account(account))
    case .answerLogin(let account, let intent):
      return try .answerLogin(list.account(account), intent: list.intent(intent))
    case .deregisterAndUnenroll(let account, let wipe):
      return try .deregisterAndUnenroll(list.account(account), wipe: list.number("wipe", wipe))
    case .identifyAccount(let account): return try .identifyAccount(list.account(account))
    case .answerAccountSwitch(let account, let choice, let intent):
      return try .answerAccountSwitch(
        list.account(account), list.number("choice", choice), intent: list.intent(intent))
    case .answerEnrollment(let account, let answer, let intent):
      let (account, intent) = (try list.account(account), try list.intent(intent))
      return try .answerEnrollment(account, list.body(answer), intent: intent)
    case .requestCheckIn(let account, let trigger):
      return try .requestCheckIn(list.account(account), list.number("trigger", trigger))
    case .answerCheckIn(let account, let answer, let intent):
      let (account, intent) = (try list.account(account), try list.intent(intent))
      return try .answerCheckIn(account, list.body(answer), intent: intent)
    case .answerUnenrollment(let account, let failure, let intent):
      let (account, intent) = (try list.account(account), try list.intent(intent))
      return try .answerUnenrollment(account, failure: list.field(4, "failure", failure), intent: intent)
    case .reportSignIns(let accounts, let work):
      return try .reportSignIns(
        list.field(2, "accounts", accounts, privacy: .account),
        workOrSchool: list.field(12, "workOrSchool", work, privacy: .account))
    case .setExclusivity(let account, let isExclusive):
      return try .setExclusivity(list.account(account), list.number("isExclusive", isExclusive))
    case .answerAddition(let account, let result, let intent):
      return try .answerAddition(list.account(account), list.number("result", result), intent: list.intent(intent))
    case .deliverConfiguration(let account, let entries):
      return try .deliverConfiguration(list.account(account), list.field(10, "entries", entries.map(\.opened)))
    case .acquireToken(let account): return try .acquireToken(list.account(account))
    case .removeToken(let account): return try .removeToken(list.account(account))
    case .denyToken(let account, let error):
      return try .denyToken(list.account(account), error: list.signed("error", error))
    case .setIdentity(let scope, let target, let outcome):
      let account = try list.account(target.account)
      let outcome = try list.outcome(outcome)
      let target = TargetIdentity(account, isUnmanaged: try list.number("isUnmanaged", target == .unmanaged))
      return try .setIdentity(list.scope(scope), target, outcome: outcome)
    case .requestIdentitySwitch(let scope, let target, let reason):
      let account = try list.account(target.account)
      let reason = try list.number("reason", reason)
      let target = TargetIdentity(account, isUnmanaged: try list.number("isUnmanaged", target == .unmanaged))
      return try .requestIdentitySwitch(list.scope(scope), target, reason)
    case .answerIdentitySwitch(let scope, let result, let isAddIdentityResult, let intent):
      let result = try list.number("result", result)
      _ = try list.number("isUnmanaged", false)
      let scope = try list.scope(scope)
      return try .answerIdentitySwitch(
        scope, result,
        isAddIdentityResult: list.number("isAddIdentityResult", ifPresent: isAddIdentityResult ? true : nil) ?? false,
        intent: list.intent(intent))
    case .closeScope(let scope):
      _ = (try list.number("result", false), try list.number("isUnmanaged", false))
      return try .closeScope(list.scope(scope))
    case .requestWipe(let account, let reason, let origin):
      return try .requestWipe(
        list.account(account), list.number("reason", reason), list.number("origin", origin))
    case .answerWipe(let account, let removedEverything, let intent):
      return try .answerWipe(
        list.account(account), removedEverything: list.number("removedEverything", removedEverything),
        intent: list.intent(intent))
    case .reportFilesRemoved(let account, let count, let intent):
      return try .reportFilesRemoved(
        list.account(account), count: list.number("count", count), intent: list.intent(intent))
    case .reportFilesLeft(let account, let count, let error, let intent):
      let (account, count) = (try list.account(account), try list.number("count", count))
      let intent = try list.intent(intent)
      return try .reportFilesLeft(
        account, count: count, error: list.field(7, "error", error, privacy: .account), intent: intent)
    case .remediateCompliance(let account, let isSilent):
      return try .remediateCompliance(list.account(account), isSilent: list.number("isSilent", isSilent))
    case .answerRemediation(let account, let status, let message, let title, let intent):
      let (account, status) = (try list.account(account), try list.number("status", status))
      let intent = try list.intent(intent)
      return try .answerRemediation(
        account, status, message: list.field(7, "message", message, privacy: .account),
        title: list.field(8, "title", title, privacy: .account), intent: intent)
    case .confirmRemediation(let account, let intent):
      return try .confirmRemediation(list.account(account), intent: list.intent(intent))
    case .reportDevice(let facts): return try .reportDevice(list.body(facts))
    case .noteUTCOffset(let offset): return try .noteUTCOffset(list.signed("offset", offset))
    case .reportUserStatus(let account, let clockStatus, let isDisabled):
      return try .reportUserStatus(
        list.account(account), list.number("clockStatus", clockStatus),
        isDisabled: list.number("isDisabled", isDisabled))
    case .evaluateLaunch(let account, let trigger):
      return try .evaluateLaunch(list.account(account), list.number("trigger", trigger))
    case .signInForLaunch(let account, let other):
      return try .signInForLaunch(list.account(account), as: list.account(other))
    case .cancelLaunch(let account): return try .cancelLaunch(list.account(account))
    case .setPIN(let account, let facts, let earlier):
      let (account, earlier) = (try list.account(account), try list.number("equalTo", ifPresent: earlier))
      return try .setPIN(account, list.body(facts), equalTo: earlier)
    case .reportPINAttempt(let account, let isRight, let byBiometrics):
      return try .reportPINAttempt(
        list.account(account), isRight: list.number("isRight", isRight),
        byBiometrics: list.number("byBiometrics", byBiometrics))
    case .endProcess, .acknowledgeMissingPolicy, .startDueWork, .reportBiometricsChange: return self
    }
  }

  /// One command of each name, with which reading begins.
  static let blanks: [Name: AppProtectionCommand] = {
    let account = AccountReference()
    let blanks: [AppProtectionCommand] = [
      .startProcess(.blank), .endProcess, .changeSettings(.blank), .overrideSettings(.blank), .answerRestart(.none),
      .acknowledgeMissingPolicy, .setAllowedAccounts(nil), .setDeviceAccount(nil), .setDeviceConfiguration(nil),
      .startDueWork, .noteRefusal(.blank), .registerAndEnroll(nil), .loginAndEnroll(nil), .answerLogin(nil),
      .deregisterAndUnenroll(nil, wipe: false), .identifyAccount(account), .answerAccountSwitch(account, .canceled),
      .answerEnrollment(account, .gone), .requestCheckIn(account), .answerCheckIn(account, .gone),
      .answerUnenrollment(account), .reportSignIns([]), .setExclusivity(account, false),
      .answerAddition(account, .failed), .deliverConfiguration(account, []), .acquireToken(account),
      .removeToken(account), .denyToken(account), .setIdentity(.process, .unset),
      .requestIdentitySwitch(.process, .unset, .documentImport), .answerIdentitySwitch(.process, .failed),
      .closeScope(.process), .requestWipe(account, .unspecified, .service),
      .answerWipe(account, removedEverything: false), .reportFilesRemoved(account, count: 0),
      .reportFilesLeft(account, count: 0, error: ""), .remediateCompliance(nil, isSilent: false),
      .answerRemediation(account, .compliant), .confirmRemediation(account), .reportDevice(.blank), .noteUTCOffset(0),
      .reportUserStatus(account, .unknown, isDisabled: false), .evaluateLaunch(account, .launch),
      .signInForLaunch(account, as: account), .cancelLaunch(account), .setPIN(account, .blank),
      .reportPINAttempt(account, isRight: false), .reportBiometricsChange,
    ]
    return Dictionary(uniqueKeysWithValues: blanks.map { ($0.name, $0) })
  }()
}

extension AppProtectionCommand.Name {
  /// The number that a command begins with when it is written. Never changed, and never used again.
  var number: UInt64 {
    switch self {
    case .startProcess: 1
    case .endProcess: 2
    case .changeSettings: 3
    case .overrideSettings: 34
    case .answerRestart: 4
    case .acknowledgeMissingPolicy: 5
    case .setAllowedAccounts: 6
    case .setDeviceAccount: 7
    case .setDeviceConfiguration: 44
    case .startDueWork: 8
    case .noteRefusal: 33
    case .registerAndEnroll: 9
    case .loginAndEnroll: 10
    case .answerLogin: 11
    case .deregisterAndUnenroll: 12
    case .identifyAccount: 13
    case .answerAccountSwitch: 14
    case .answerEnrollment: 15
    case .requestCheckIn: 16
    case .answerCheckIn: 17
    case .answerUnenrollment: 18
    case .reportSignIns: 40
    case .setExclusivity: 41
    case .answerAddition: 42
    case .deliverConfiguration: 43
    case .acquireToken: 19
    case .removeToken: 20
    case .denyToken: 21
    case .setIdentity: 22
    case .requestIdentitySwitch: 23
    case .answerIdentitySwitch: 24
    case .closeScope: 25
    case .requestWipe: 26
    case .answerWipe: 27
    case .reportFilesRemoved: 28
    case .reportFilesLeft: 29
    case .remediateCompliance: 30
    case .answerRemediation: 31
    case .confirmRemediation: 32
    case .reportDevice: 60
    case .noteUTCOffset: 68
    case .reportUserStatus: 61
    case .evaluateLaunch: 62
    case .signInForLaunch: 63
    case .cancelLaunch: 64
    case .setPIN: 65
    case .reportPINAttempt: 66
    case .reportBiometricsChange: 67
    }
  }

  /// The command with a number; `nil` if only a newer program knows it.
  init?(number: UInt64) {
    guard let name = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = name
  }
}

extension AppProtectionCommand {
  /// The accounts that the command names.
  public var accounts: [AccountReference] {
    if case .noteRefusal(let refusal) = self { return refusal.account.map { [AccountReference($0)] } ?? [] }
    var named = NamedAccounts()
    show(to: &named)
    return named.accounts
  }
}

/// Collects the accounts among the fields of a command.
private struct NamedAccounts: FieldVisitor {
  typealias Failure = Never

  var accounts: [AccountReference] = []

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    if let account = value as? AccountReference { accounts.append(account) }
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if let account = value as? AccountReference { accounts.append(account) }
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    if let all = values as? [AccountReference] { accounts += all }
  }
}

extension EventVisitor {
  // Accounts and numbers are distinguished by their order alone. One that stands elsewhere is of a later program, and none of these.
  private var isInOrder: Bool { Fields.self != FieldSeeker.self }

  fileprivate mutating func account(_ account: AccountReference) throws(Fields.Failure) -> AccountReference {
    isInOrder ? try field(2, "account", account, required: true, privacy: .account) : account
  }

  fileprivate mutating func account(_ account: AccountReference?) throws(Fields.Failure) -> AccountReference? {
    isInOrder ? try field(2, "account", account, privacy: .account) : account
  }

  /// A choice, a flag or a number.
  fileprivate mutating func number<Value: FieldValue>(
    _ name: StaticString, _ value: Value
  ) throws(Fields.Failure) -> Value where Value.Coding: NumberCoding {
    isInOrder ? try field(9, name, value, required: true) : value
  }

  /// A number that may be missing.
  fileprivate mutating func number<Value: FieldValue>(
    _ name: StaticString, ifPresent value: Value?
  ) throws(Fields.Failure) -> Value? where Value.Coding: NumberCoding {
    isInOrder ? try field(9, name, value) : value
  }

  fileprivate mutating func outcome(
    _ outcome: SwitchIdentityResult?
  ) throws(Fields.Failure) -> SwitchIdentityResult? {
    isInOrder ? try field(9, "outcome", outcome, as: OutcomeCoding(), always: true) : outcome
  }

  fileprivate mutating func signed(_ name: StaticString, _ value: Int64) throws(Fields.Failure) -> Int64 {
    Int64(bitPattern: try number(name, UInt64(bitPattern: value)))
  }

  /// What the command reports or answers.
  fileprivate mutating func body<Value: Message>(_ value: Value) throws(Fields.Failure) -> Value
  where Value.Coding == MessageCoding<Value> {
    try field(4, "body", value, required: true)
  }

  fileprivate mutating func scope(_ scope: IdentityScope) throws(Fields.Failure) -> IdentityScope {
    try field(5, "scope", scope, required: true)
  }

  /// The question answered; zero differs from `nil`.
  fileprivate mutating func intent(_ intent: UInt64?) throws(Fields.Failure) -> UInt64? {
    try field(6, "intent", intent)
  }
}

extension TargetIdentity {
  fileprivate var account: AccountReference? {
    if case .account(let reference) = self { reference } else { nil }
  }

  fileprivate init(_ account: AccountReference?, isUnmanaged: Bool) {
    self = account.map { .account($0) } ?? (isUnmanaged ? .unmanaged : .unset)
  }
}

/// An outcome that may be open, which is a number that no outcome uses.
private struct OutcomeCoding: NumberCoding {
  private static let open = UInt64(UInt8.max)

  static var type: FieldType { EnumerationCoding<SwitchIdentityResult>.type }

  static func number(of value: SwitchIdentityResult?) -> UInt64 {
    value.map { EnumerationCoding<SwitchIdentityResult>.number(of: $0) } ?? open
  }

  static func value(of number: UInt64) -> SwitchIdentityResult?? {
    number == open ? .some(nil) : EnumerationCoding<SwitchIdentityResult>.value(of: number).map { .some($0) }
  }

  static func tree(of value: SwitchIdentityResult?, _ privacy: Privacy) -> StateTree {
    .value(value.map { .name($0.name) } ?? .unset)
  }
}
