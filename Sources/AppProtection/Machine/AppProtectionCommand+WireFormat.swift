import EventSourcing
import WireFormat

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

extension AppProtectionMachine {
  /// Writes a command: so that a repetition under an idempotency key can be distinguished from a different command under the
  /// same key, and so that processes can hand commands to each other. ``decodeCommand(from:)`` reads it.
  public static func encode(_ command: AppProtectionCommand, into writer: inout WireWriter) {
    writer.write(1, unsigned: command.name.number)
    switch command {
    case .startProcess(let start, let settings):
      start.encode(into: &writer)
      if let settings { writer.write(3) { settings.encode(into: &$0) } }
    case .endProcess: break
    case .changeSettings(let settings):
      writer.write(3) { settings.encode(into: &$0) }
    case .overrideSettings(let overrides):
      writer.write(4) { overrides.encode(into: &$0) }
    case .answerRestart(let answer, let minutes, let intent):
      writer.put(numbers: [UInt64(answer.rawValue), UInt64(minutes)])
      writer.write(6, intent: intent)
    case .acknowledgeMissingPolicy: break
    case .setAllowedAccounts(let accounts):
      writer.put(accounts: accounts ?? [], numbers: [accounts == nil ? 0 : 1])
    case .setDeviceAccount(let account, let source): writer.put(account, numbers: [UInt64(source.rawValue)])
    case .startDueWork: break
    case .noteRefusal(let refusal):
      writer.write(4) { refusal.encode(into: &$0) }
    case .registerAndEnroll(let account): writer.put(account)
    case .loginAndEnroll(let account): writer.put(account)
    case .answerLogin(let account, let intent):
      writer.put(account)
      writer.write(6, intent: intent)
    case .deregisterAndUnenroll(let account, let wipe): writer.put(account, numbers: [wipe ? 1 : 0])
    case .identifyAccount(let account): writer.put(account)
    case .answerAccountSwitch(let account, let choice, let intent):
      writer.put(account, numbers: [UInt64(choice.rawValue)])
      writer.write(6, intent: intent)
    case .answerEnrollment(let account, let answer, let intent):
      writer.put(account)
      writer.write(6, intent: intent)
      writer.write(4) { answer.encode(into: &$0) }
    case .requestCheckIn(let account, let trigger): writer.put(account, numbers: [UInt64(trigger.rawValue)])
    case .answerCheckIn(let account, let answer, let intent):
      writer.put(account)
      writer.write(6, intent: intent)
      writer.write(4) { answer.encode(into: &$0) }
    case .answerUnenrollment(let account, let failure, let intent):
      writer.put(account)
      writer.write(6, intent: intent)
      if let failure { writer.write(4) { ServiceAnswer.failure(failure).encode(into: &$0) } }
    case .acquireToken(let account): writer.put(account)
    case .removeToken(let account): writer.put(account)
    case .denyToken(let account, let error): writer.put(account, numbers: [UInt64(bitPattern: error)])
    case .setIdentity(let scope, let target, let outcome):
      // `nil` is encoded as a number that no outcome uses.
      writer.put(target, in: scope, number: outcome?.rawValue ?? Int(UInt8.max))
    case .requestIdentitySwitch(let scope, let target, let reason):
      writer.put(target, in: scope, number: reason.rawValue)
    case .answerIdentitySwitch(let scope, let result, let isAddIdentityResult, let intent):
      writer.put(.unset, in: scope, number: result.rawValue)
      writer.write(9, bool: isAddIdentityResult)
      writer.write(6, intent: intent)
    case .closeScope(let scope): writer.put(.unset, in: scope, number: 0)
    case .requestWipe(let account, let reason, let origin):
      writer.put(account, numbers: [UInt64(reason.rawValue), UInt64(origin.rawValue)])
    case .answerWipe(let account, let removedEverything, let intent):
      writer.put(account, numbers: [removedEverything ? 1 : 0])
      writer.write(6, intent: intent)
    case .reportFilesRemoved(let account, let count, let intent):
      writer.put(account, numbers: [count])
      writer.write(6, intent: intent)
    case .reportFilesLeft(let account, let count, let error, let intent):
      writer.put(account, numbers: [count])
      writer.write(6, intent: intent)
      writer.write(7, string: error)
    case .remediateCompliance(let account, let isSilent): writer.put(account, numbers: [isSilent ? 1 : 0])
    case .answerRemediation(let account, let status, let message, let title, let intent):
      writer.put(account, numbers: [UInt64(status.rawValue)])
      writer.write(6, intent: intent)
      writer.write(7, string: message)
      writer.write(8, string: title)
    case .confirmRemediation(let account, let intent):
      writer.put(account)
      writer.write(6, intent: intent)
    case .reportSignIns(let accounts, let work):
      writer.put(accounts: accounts)
      for account in work { writer.write(12) { account.encode(into: &$0) } }
    case .setExclusivity(let account, let isExclusive): writer.put(account, numbers: [isExclusive ? 1 : 0])
    case .answerAddition(let account, let result, let intent):
      writer.put(account, numbers: [UInt64(result.rawValue)])
      writer.write(6, intent: intent)
    case .deliverConfiguration(let account, let entries):
      writer.put(account)
      for entry in entries { writer.write(10) { entry.opened.encode(into: &$0) } }
    case .setDeviceConfiguration(let values, let source):
      writer.put(accounts: [], numbers: [values == nil ? 0 : 1, UInt64(source.rawValue)])
      for value in values ?? [] { writer.write(11) { value.opened.encode(into: &$0) } }
    case .reportDevice(let facts):
      writer.write(4) { facts.encode(into: &$0) }
    case .noteUTCOffset(let offset): writer.put(numbers: [UInt64(bitPattern: offset)])
    case .reportUserStatus(let account, let clockStatus, let isDisabled):
      writer.put(account, numbers: [UInt64(clockStatus.rawValue), isDisabled ? 1 : 0])
    case .evaluateLaunch(let account, let trigger): writer.put(account, numbers: [UInt64(trigger.rawValue)])
    case .signInForLaunch(let account, let other): writer.put(accounts: [account, other])
    case .cancelLaunch(let account): writer.put(account)
    case .setPIN(let account, let facts, let earlier):
      writer.put(account, numbers: earlier.map { [UInt64($0)] } ?? [])
      writer.write(4) { facts.encode(into: &$0) }
    case .reportPINAttempt(let account, let isRight, let byBiometrics):
      writer.put(account, numbers: [isRight ? 1 : 0, byBiometrics ? 1 : 0])
    case .reportBiometricsChange: break
    }
  }
}

extension WireWriter {
  /// Writes the accounts that a command names, and its numeric values.
  fileprivate mutating func put(accounts: [AccountReference] = [], numbers: [UInt64] = []) {
    for account in accounts { write(2) { account.encode(into: &$0) } }
    for value in numbers { writePresent(9, unsigned: value) }
  }

  fileprivate mutating func put(_ account: AccountReference?, numbers: [UInt64] = []) {
    put(accounts: account.map { [$0] } ?? [], numbers: numbers)
  }

  fileprivate mutating func put(_ target: TargetIdentity, in scope: IdentityScope, number choice: Int) {
    put(target.account, numbers: [UInt64(choice), target == .unmanaged ? 1 : 0])
    write(5) { scope.encode(into: &$0) }
  }
}

extension WireWriter {
  /// The question answered; zero differs from `nil`.
  fileprivate mutating func write(_ field: Int, intent: UInt64?) {
    if let intent { writePresent(field, unsigned: intent) }
  }
}

extension TargetIdentity {
  fileprivate var account: AccountReference? {
    if case .account(let reference) = self { reference } else { nil }
  }
}

extension AppProtectionMachine: HandoverDomain {
  /// Reads what ``encode(_:into:)`` wrote; `nil` for a command that only a newer program knows.
  public static func decodeCommand(from reader: inout WireReader) throws(WireError) -> AppProtectionCommand? {
    guard let field = try reader.nextField(), field.number == 1 else {
      throw WireError(.missing(field: 1), at: reader.offset)
    }
    guard let name = AppProtectionCommand.Name(number: try reader.unsigned(field)) else { return nil }
    return try AppProtectionCommand(name, WrittenCommand(of: name, from: &reader))
  }

  /// The accounts that a command names and the state knows.
  public static func sealingAccounts(of command: AppProtectionCommand, in state: AppProtectionState) -> [UInt64] {
    command.accounts.compactMap { state.account(for: $0).map { UInt64($0.account.rawValue) } }
  }
}

/// The values of a command as they were written.
private struct WrittenCommand {
  var accounts: [AccountReference] = []
  var process: ProcessStart?
  var settings: AppSettings?
  /// What the command reports or answers, as a message.
  var body: [UInt8]?
  var scope: IdentityScope?
  var intent: UInt64?
  var texts = ("", "")
  var numbers: [UInt64] = []
  var entries: [ConfigurationEntry] = []
  var values: [ConfigurationValue] = []
  var workAccounts: [AccountReference] = []
  /// Where the next byte is, for errors.
  var end = 0

  init(of name: AppProtectionCommand.Name, from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 2 where name == .startProcess:
        process = try reader.message(field) { (inner) throws(WireError) in try ProcessStart(from: &inner) }
      case 2: accounts.append(try reader.reference(field))
      case 3: settings = try reader.message(field) { (inner) throws(WireError) in try AppSettings(from: &inner) }
      case 4 where field.type == .lengthDelimited: body = try reader.bytes(field)
      case 5: scope = try reader.message(field) { (inner) throws(WireError) in try IdentityScope(from: &inner) }
      case 6: intent = try reader.unsigned(field)
      case 7: texts.0 = try reader.string(field)
      case 8: texts.1 = try reader.string(field)
      case 9: numbers.append(try reader.unsigned(field))
      case 10:
        entries.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationEntry(from: &inner) })
      case 11:
        values.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationValue(from: &inner) })
      case 12: workAccounts.append(try reader.reference(field))
      default: try reader.skip(field)
      }
    }
    end = reader.offset
  }

  // MARK: Values

  /// The error for a value that the command needs.
  private func missing(_ field: Int) -> WireError { WireError(.missing(field: field), at: end) }
  private func invalid(_ field: Int) -> WireError { WireError(.outOfRange(field: field), at: end) }

  func account(_ index: Int = 0) throws(WireError) -> AccountReference {
    guard index < accounts.count else { throw missing(2) }
    return accounts[index]
  }

  func required<Value>(_ value: Value?, _ field: Int) throws(WireError) -> Value {
    guard let value else { throw missing(field) }
    return value
  }

  /// The message that the command needs.
  func message<Value>(
    _ read: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try WireReader.decode(required(body, 4), read)
  }

  func number(_ index: Int) throws(WireError) -> UInt64 {
    guard index < numbers.count else { throw missing(9) }
    return numbers[index]
  }

  func small(_ index: Int) throws(WireError) -> UInt32 {
    guard let number = UInt32(exactly: try number(index)) else { throw invalid(9) }
    return number
  }

  func flag(_ index: Int) throws(WireError) -> Bool { try number(index) != 0 }

  func choice<Value: WireEnumeration>(_ index: Int, of type: Value.Type = Value.self) throws(WireError) -> Value {
    guard let number = Int(exactly: try number(index)), let value = Value(rawValue: number) else { throw invalid(9) }
    return value
  }

  /// The failure that an answer reports; `nil` if it reports none.
  func failure() throws(WireError) -> ServiceFailure? {
    guard body != nil else { return nil }
    guard case .failure(let failure) = try message(ServiceAnswer.init(from:)) else { throw invalid(4) }
    return failure
  }

  /// The identity that a command asks for.
  func target() throws(WireError) -> TargetIdentity {
    if let account = accounts.first { return .account(account) }
    return try flag(1) ? .unmanaged : .unset
  }
}

extension AppProtectionCommand {
  /// The command that was written.
  fileprivate init(_ name: Name, _ written: WrittenCommand) throws(WireError) {
    switch name {
    case .startProcess:
      self = .startProcess(try written.required(written.process, 2), settings: written.settings)
    case .endProcess: self = .endProcess
    case .changeSettings: self = .changeSettings(try written.required(written.settings, 3))
    case .overrideSettings: self = .overrideSettings(try written.message(TokenLibraryOverrides.init(from:)))
    case .answerRestart:
      self = .answerRestart(
        try written.choice(0), postponedMinutes: try written.small(1), intent: written.intent)
    case .acknowledgeMissingPolicy: self = .acknowledgeMissingPolicy
    case .setAllowedAccounts: self = .setAllowedAccounts(try written.flag(0) ? written.accounts : nil)
    case .setDeviceAccount: self = .setDeviceAccount(written.accounts.first, source: try written.choice(0))
    case .setDeviceConfiguration:
      self = .setDeviceConfiguration(try written.flag(0) ? written.values : nil, source: try written.choice(1))
    case .startDueWork: self = .startDueWork
    case .noteRefusal: self = .noteRefusal(try written.message(CommandRefused.init(from:)))
    case .registerAndEnroll: self = .registerAndEnroll(written.accounts.first)
    case .loginAndEnroll: self = .loginAndEnroll(written.accounts.first)
    case .answerLogin: self = .answerLogin(written.accounts.first, intent: written.intent)
    case .deregisterAndUnenroll: self = .deregisterAndUnenroll(written.accounts.first, wipe: try written.flag(0))
    case .identifyAccount: self = .identifyAccount(try written.account())
    case .answerAccountSwitch:
      self = .answerAccountSwitch(try written.account(), try written.choice(0), intent: written.intent)
    case .answerEnrollment:
      self = .answerEnrollment(
        try written.account(), try written.message(ServiceAnswer.init(from:)), intent: written.intent)
    case .requestCheckIn: self = .requestCheckIn(try written.account(), try written.choice(0))
    case .answerCheckIn:
      self = .answerCheckIn(
        try written.account(), try written.message(ServiceAnswer.init(from:)), intent: written.intent)
    case .answerUnenrollment:
      self = .answerUnenrollment(
        try written.account(), failure: try written.failure(), intent: written.intent)
    case .reportSignIns: self = .reportSignIns(written.accounts, workOrSchool: written.workAccounts)
    case .setExclusivity: self = .setExclusivity(try written.account(), try written.flag(0))
    case .answerAddition:
      self = .answerAddition(try written.account(), try written.choice(0), intent: written.intent)
    case .deliverConfiguration: self = .deliverConfiguration(try written.account(), written.entries)
    case .acquireToken: self = .acquireToken(try written.account())
    case .removeToken: self = .removeToken(try written.account())
    case .denyToken: self = .denyToken(try written.account(), error: Int64(bitPattern: try written.number(0)))
    case .setIdentity:
      let scope = try written.required(written.scope, 5)
      let isOpen = try written.number(0) == UInt64(UInt8.max)
      self = .setIdentity(scope, try written.target(), outcome: isOpen ? nil : try written.choice(0))
    case .requestIdentitySwitch:
      self = .requestIdentitySwitch(
        try written.required(written.scope, 5), try written.target(), try written.choice(0))
    case .answerIdentitySwitch:
      self = .answerIdentitySwitch(
        try written.required(written.scope, 5), try written.choice(0), isAddIdentityResult: written.numbers.count > 2,
        intent: written.intent)
    case .closeScope: self = .closeScope(try written.required(written.scope, 5))
    case .requestWipe:
      self = .requestWipe(
        try written.account(), WipeReason(rawValue: try written.small(0)), try written.choice(1))
    case .answerWipe:
      self = .answerWipe(try written.account(), removedEverything: try written.flag(0), intent: written.intent)
    case .reportFilesRemoved:
      self = .reportFilesRemoved(try written.account(), count: try written.number(0), intent: written.intent)
    case .reportFilesLeft:
      self = .reportFilesLeft(
        try written.account(), count: try written.number(0), error: written.texts.0, intent: written.intent)
    case .remediateCompliance:
      self = .remediateCompliance(written.accounts.first, isSilent: try written.flag(0))
    case .answerRemediation:
      self = .answerRemediation(
        try written.account(), try written.choice(0), message: written.texts.0, title: written.texts.1,
        intent: written.intent)
    case .confirmRemediation: self = .confirmRemediation(try written.account(), intent: written.intent)
    case .reportDevice: self = .reportDevice(try written.message(DeviceFacts.init(from:)))
    case .noteUTCOffset: self = .noteUTCOffset(Int64(bitPattern: try written.number(0)))
    case .reportUserStatus:
      self = .reportUserStatus(try written.account(), try written.choice(0), isDisabled: try written.flag(1))
    case .evaluateLaunch: self = .evaluateLaunch(try written.account(), try written.choice(0))
    case .signInForLaunch: self = .signInForLaunch(try written.account(), as: try written.account(1))
    case .cancelLaunch: self = .cancelLaunch(try written.account())
    case .setPIN:
      self = .setPIN(
        try written.account(), try written.message(PINFacts.init(from:)),
        equalTo: written.numbers.isEmpty ? nil : try written.small(0))
    case .reportPINAttempt:
      self = .reportPINAttempt(try written.account(), isRight: try written.flag(0), byBiometrics: try written.flag(1))
    case .reportBiometricsChange: self = .reportBiometricsChange
    }
  }

  /// The accounts that the command names.
  public var accounts: [AccountReference] {
    switch self {
    case .registerAndEnroll(let account), .loginAndEnroll(let account), .answerLogin(let account, intent: _),
      .deregisterAndUnenroll(let account, wipe: _), .setDeviceAccount(let account, source: _),
      .remediateCompliance(let account, isSilent: _):
      account.map { [$0] } ?? []
    case .identifyAccount(let account), .answerAccountSwitch(let account, _, intent: _),
      .answerEnrollment(let account, _, intent: _), .requestCheckIn(let account, _),
      .answerCheckIn(let account, _, intent: _), .answerUnenrollment(let account, failure: _, intent: _),
      .setExclusivity(let account, _), .answerAddition(let account, _, intent: _),
      .deliverConfiguration(let account, _),
      .acquireToken(let account), .removeToken(let account), .denyToken(let account, error: _),
      .requestWipe(let account, _, _), .answerWipe(let account, removedEverything: _, intent: _),
      .reportFilesRemoved(let account, count: _, intent: _),
      .reportFilesLeft(let account, count: _, error: _, intent: _),
      .answerRemediation(let account, _, message: _, title: _, intent: _), .confirmRemediation(let account, intent: _),
      .reportUserStatus(let account, _, isDisabled: _), .evaluateLaunch(let account, _), .cancelLaunch(let account),
      .setPIN(let account, _, equalTo: _), .reportPINAttempt(let account, isRight: _, byBiometrics: _):
      [account]
    case .signInForLaunch(let account, let other): [account, other]
    case .setAllowedAccounts(let accounts): accounts ?? []
    case .reportSignIns(let accounts, workOrSchool: let work): accounts + work
    case .setIdentity(_, .account(let account), outcome: _), .requestIdentitySwitch(_, .account(let account), _):
      [account]
    case .noteRefusal(let refusal): refusal.account.map { [AccountReference($0)] } ?? []
    case .setIdentity(_, .unset, outcome: _), .setIdentity(_, .unmanaged, outcome: _),
      .requestIdentitySwitch(_, .unset, _), .requestIdentitySwitch(_, .unmanaged, _),
      .startProcess, .endProcess, .changeSettings, .overrideSettings, .answerRestart, .acknowledgeMissingPolicy,
      .setDeviceConfiguration,
      .startDueWork, .answerIdentitySwitch, .closeScope, .reportDevice, .noteUTCOffset, .reportBiometricsChange:
      []
    }
  }
}
