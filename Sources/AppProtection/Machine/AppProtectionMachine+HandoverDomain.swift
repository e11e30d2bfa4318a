import EventSourcing
import WireFormat

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
  // One of these is what the command reports or answers.
  var overrides: TokenLibraryOverrides?
  var refusal: CommandRefused?
  var answer: ServiceAnswer?
  var device: DeviceFacts?
  var pin: PINFacts?
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
      case 4: try readBody(of: name, field, from: &reader)
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

  private mutating func readBody(
    of name: AppProtectionCommand.Name, _ field: WireReader.Field, from reader: inout WireReader
  ) throws(WireError) {
    switch name {
    case .overrideSettings:
      overrides = try reader.message(field) { (inner) throws(WireError) in try TokenLibraryOverrides(from: &inner) }
    case .noteRefusal:
      refusal = try reader.message(field) { (inner) throws(WireError) in try CommandRefused(from: &inner) }
    case .answerEnrollment, .answerCheckIn, .answerUnenrollment:
      answer = try reader.message(field) { (inner) throws(WireError) in try ServiceAnswer(from: &inner) }
    case .reportDevice:
      device = try reader.message(field) { (inner) throws(WireError) in try DeviceFacts(from: &inner) }
    case .setPIN: pin = try reader.message(field) { (inner) throws(WireError) in try PINFacts(from: &inner) }
    case .startProcess, .endProcess, .changeSettings, .answerRestart, .acknowledgeMissingPolicy, .setAllowedAccounts,
      .setDeviceAccount, .setDeviceConfiguration, .startDueWork, .registerAndEnroll, .loginAndEnroll, .answerLogin,
      .deregisterAndUnenroll, .identifyAccount, .answerAccountSwitch, .requestCheckIn, .reportSignIns,
      .setExclusivity, .answerAddition, .deliverConfiguration, .acquireToken, .removeToken, .denyToken, .setIdentity,
      .requestIdentitySwitch, .answerIdentitySwitch, .closeScope, .requestWipe, .answerWipe, .reportFilesRemoved,
      .reportFilesLeft, .remediateCompliance, .answerRemediation, .confirmRemediation, .noteUTCOffset,
      .reportUserStatus, .evaluateLaunch, .signInForLaunch, .cancelLaunch, .reportPINAttempt,
      .reportBiometricsChange:
      try reader.skip(field)
    }
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
    case .overrideSettings: self = .overrideSettings(try written.required(written.overrides, 4))
    case .answerRestart:
      self = .answerRestart(
        try written.choice(0), postponedMinutes: try written.small(1), intent: written.intent)
    case .acknowledgeMissingPolicy: self = .acknowledgeMissingPolicy
    case .setAllowedAccounts: self = .setAllowedAccounts(try written.flag(0) ? written.accounts : nil)
    case .setDeviceAccount: self = .setDeviceAccount(written.accounts.first, source: try written.choice(0))
    case .setDeviceConfiguration:
      self = .setDeviceConfiguration(try written.flag(0) ? written.values : nil, source: try written.choice(1))
    case .startDueWork: self = .startDueWork
    case .noteRefusal: self = .noteRefusal(try written.required(written.refusal, 4))
    case .registerAndEnroll: self = .registerAndEnroll(written.accounts.first)
    case .loginAndEnroll: self = .loginAndEnroll(written.accounts.first)
    case .answerLogin: self = .answerLogin(written.accounts.first, intent: written.intent)
    case .deregisterAndUnenroll: self = .deregisterAndUnenroll(written.accounts.first, wipe: try written.flag(0))
    case .identifyAccount: self = .identifyAccount(try written.account())
    case .answerAccountSwitch:
      self = .answerAccountSwitch(try written.account(), try written.choice(0), intent: written.intent)
    case .answerEnrollment:
      self = .answerEnrollment(
        try written.account(), try written.required(written.answer, 4), intent: written.intent)
    case .requestCheckIn: self = .requestCheckIn(try written.account(), try written.choice(0))
    case .answerCheckIn:
      self = .answerCheckIn(try written.account(), try written.required(written.answer, 4), intent: written.intent)
    case .answerUnenrollment:
      self = .answerUnenrollment(
        try written.account(), failure: try written.answer?.requiredFailure(at: written.end), intent: written.intent)
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
    case .reportDevice: self = .reportDevice(try written.required(written.device, 4))
    case .noteUTCOffset: self = .noteUTCOffset(Int64(bitPattern: try written.number(0)))
    case .reportUserStatus:
      self = .reportUserStatus(try written.account(), try written.choice(0), isDisabled: try written.flag(1))
    case .evaluateLaunch: self = .evaluateLaunch(try written.account(), try written.choice(0))
    case .signInForLaunch: self = .signInForLaunch(try written.account(), as: try written.account(1))
    case .cancelLaunch: self = .cancelLaunch(try written.account())
    case .setPIN:
      self = .setPIN(
        try written.account(), try written.required(written.pin, 4),
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

extension WireReader {
  fileprivate mutating func reference(_ field: Field) throws(WireError) -> AccountReference {
    try message(field) { (inner) throws(WireError) in
      var account = AccountReference()
      while let field = try inner.nextField() {
        switch field.number {
        case 1: account.number = try inner.account(field)
        case 2: account.objectID = try inner.guid(field)
        case 3: account.userPrincipalName = try inner.string(field)
        default: try inner.skip(field)
        }
      }
      return account
    }
  }
}

extension ProcessStart {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init()
    while let field = try reader.nextField() {
      switch field.number {
      case 1: bootSession = try reader.guid(field)
      case 2: appVersion = try reader.string(field)
      case 3: sdkVersion = try reader.string(field)
      case 4: osVersion = try reader.string(field)
      case 5: deviceModel = try reader.string(field)
      case 6: isExtension = try reader.bool(field)
      case 7: device = try reader.message(field) { (inner) throws(WireError) in try DeviceFacts(from: &inner) }
      case 8: utcOffset = try reader.signed(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension ServiceAnswer {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    var policy: PolicyDocument?
    var interval: Int64?
    var code: EnrollmentStatusCode?
    var error = ""
    var plain: ServiceAnswer?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: policy = try reader.message(field) { (inner) throws(WireError) in try PolicyDocument(from: &inner) }
      case 2: interval = try reader.signed(field)
      case 3: if try reader.bool(field) { plain = .unchanged }
      case 4: if try reader.bool(field) { plain = .noPolicy }
      case 5: plain = .wipe(WipeReason(rawValue: try reader.unsigned(field, as: UInt32.self)))
      case 6: if try reader.bool(field) { plain = .gone }
      case 7: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 8: error = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    if let policy {
      self = .policy(policy, nextCheckIn: interval)
    } else if let code {
      self = .failure(ServiceFailure(code, error: error))
    } else if let plain {
      self = plain
    } else {
      throw WireError(.missing(field: 1), at: reader.offset)
    }
  }

  fileprivate func requiredFailure(at offset: Int) throws(WireError) -> ServiceFailure {
    guard case .failure(let failure) = self else { throw WireError(.outOfRange(field: 4), at: offset) }
    return failure
  }
}
