import WireFormat

extension AppProtectionMachine {
  /// Writes a command's distinguishing values, so that a repetition under an idempotency key can be distinguished from
  /// a different command under the same key. The bytes are only compared, never decoded.
  public static func encode(_ command: AppProtectionCommand, into writer: inout WireWriter) {
    switch command {
    case .startProcess(let start, let settings):
      writer.begin(1)
      start.encode(into: &writer)
      if let settings { writer.write(3) { settings.encode(into: &$0) } }
    case .endProcess: writer.begin(2)
    case .changeSettings(let settings):
      writer.begin(3)
      writer.write(3) { settings.encode(into: &$0) }
    case .overrideSettings(let overrides):
      writer.begin(34)
      writer.write(4) { overrides.encode(into: &$0) }
    case .answerRestart(let answer, let minutes, let intent):
      writer.begin(4, numbers: [UInt64(answer.rawValue), UInt64(minutes)])
      writer.write(6, intent: intent)
    case .acknowledgeMissingPolicy: writer.begin(5)
    case .setAllowedAccounts(let accounts):
      writer.begin(6, accounts: accounts ?? [], numbers: [accounts == nil ? 0 : 1])
    case .setDeviceAccount(let account, let source): writer.begin(7, account, numbers: [UInt64(source.rawValue)])
    case .startDueWork: writer.begin(8)
    case .noteRefusal(let refusal):
      writer.begin(33)
      writer.write(4) { refusal.encode(into: &$0) }
    case .registerAndEnroll(let account): writer.begin(9, account)
    case .loginAndEnroll(let account): writer.begin(10, account)
    case .answerLogin(let account, let intent):
      writer.begin(11, account)
      writer.write(6, intent: intent)
    case .deregisterAndUnenroll(let account, let wipe): writer.begin(12, account, numbers: [wipe ? 1 : 0])
    case .identifyAccount(let account): writer.begin(13, account)
    case .answerAccountSwitch(let account, let choice, let intent):
      writer.begin(14, account, numbers: [UInt64(choice.rawValue)])
      writer.write(6, intent: intent)
    case .answerEnrollment(let account, let answer, let intent):
      writer.begin(15, account)
      writer.write(6, intent: intent)
      writer.write(4) { answer.encode(into: &$0) }
    case .requestCheckIn(let account, let trigger): writer.begin(16, account, numbers: [UInt64(trigger.rawValue)])
    case .answerCheckIn(let account, let answer, let intent):
      writer.begin(17, account)
      writer.write(6, intent: intent)
      writer.write(4) { answer.encode(into: &$0) }
    case .answerUnenrollment(let account, let failure, let intent):
      writer.begin(18, account)
      writer.write(6, intent: intent)
      if let failure { writer.write(4) { ServiceAnswer.failure(failure).encode(into: &$0) } }
    case .acquireToken(let account): writer.begin(19, account)
    case .removeToken(let account): writer.begin(20, account)
    case .denyToken(let account, let error): writer.begin(21, account, numbers: [UInt64(bitPattern: error)])
    case .setIdentity(let scope, let target, let outcome):
      // `nil` is encoded as a number that no outcome uses.
      writer.begin(22, target, in: scope, number: outcome?.rawValue ?? Int(UInt8.max))
    case .requestIdentitySwitch(let scope, let target, let reason):
      writer.begin(23, target, in: scope, number: reason.rawValue)
    case .answerIdentitySwitch(let scope, let result, let isAddIdentityResult, let intent):
      writer.begin(24, .unset, in: scope, number: result.rawValue)
      writer.write(9, bool: isAddIdentityResult)
      writer.write(6, intent: intent)
    case .closeScope(let scope): writer.begin(25, .unset, in: scope, number: 0)
    case .requestWipe(let account, let reason, let origin):
      writer.begin(26, account, numbers: [UInt64(reason.rawValue), UInt64(origin.rawValue)])
    case .answerWipe(let account, let removedEverything, let intent):
      writer.begin(27, account, numbers: [removedEverything ? 1 : 0])
      writer.write(6, intent: intent)
    case .reportFilesRemoved(let account, let count, let intent):
      writer.begin(28, account, numbers: [count])
      writer.write(6, intent: intent)
    case .reportFilesLeft(let account, let count, let error, let intent):
      writer.begin(29, account, numbers: [count])
      writer.write(6, intent: intent)
      writer.write(7, string: error)
    case .remediateCompliance(let account, let isSilent): writer.begin(30, account, numbers: [isSilent ? 1 : 0])
    case .answerRemediation(let account, let status, let message, let title, let intent):
      writer.begin(31, account, numbers: [UInt64(status.rawValue)])
      writer.write(6, intent: intent)
      writer.write(7, string: message)
      writer.write(8, string: title)
    case .confirmRemediation(let account, let intent):
      writer.begin(32, account)
      writer.write(6, intent: intent)
    case .reportSignIns(let accounts, let work):
      writer.begin(40, accounts: accounts)
      for account in work { writer.write(12) { account.encode(into: &$0) } }
    case .setExclusivity(let account, let isExclusive): writer.begin(41, account, numbers: [isExclusive ? 1 : 0])
    case .answerAddition(let account, let result, let intent):
      writer.begin(42, account, numbers: [UInt64(result.rawValue)])
      writer.write(6, intent: intent)
    case .deliverConfiguration(let account, let entries):
      writer.begin(43, account)
      for entry in entries { writer.write(10) { entry.encode(into: &$0) } }
    case .setDeviceConfiguration(let values, let source):
      writer.begin(44, accounts: [], numbers: [values == nil ? 0 : 1, UInt64(source.rawValue)])
      for value in values ?? [] { writer.write(11) { value.encode(into: &$0) } }
    case .reportDevice(let facts):
      writer.begin(60)
      writer.write(4) { facts.encode(into: &$0) }
    case .noteUTCOffset(let offset): writer.begin(68, numbers: [UInt64(bitPattern: offset)])
    case .reportUserStatus(let account, let clockStatus, let isDisabled):
      writer.begin(61, account, numbers: [UInt64(clockStatus.rawValue), isDisabled ? 1 : 0])
    case .evaluateLaunch(let account, let trigger): writer.begin(62, account, numbers: [UInt64(trigger.rawValue)])
    case .signInForLaunch(let account, let other): writer.begin(63, accounts: [account, other])
    case .cancelLaunch(let account): writer.begin(64, account)
    case .setPIN(let account, let facts, let earlier):
      writer.begin(65, account, numbers: earlier.map { [UInt64($0)] } ?? [])
      writer.write(4) { facts.encode(into: &$0) }
    case .reportPINAttempt(let account, let isRight, let byBiometrics):
      writer.begin(66, account, numbers: [isRight ? 1 : 0, byBiometrics ? 1 : 0])
    case .reportBiometricsChange: writer.begin(67)
    }
  }
}

extension WireWriter {
  /// Begins a command: its number, the accounts it names, its numeric values.
  fileprivate mutating func begin(_ number: UInt64, accounts: [AccountReference], numbers: [UInt64] = []) {
    write(1, unsigned: number)
    for account in accounts { write(2) { account.encode(into: &$0) } }
    for value in numbers { writePresent(9, unsigned: value) }
  }

  fileprivate mutating func begin(_ number: UInt64, _ account: AccountReference? = nil, numbers: [UInt64] = []) {
    begin(number, accounts: account.map { [$0] } ?? [], numbers: numbers)
  }

  fileprivate mutating func begin(
    _ number: UInt64, _ target: TargetIdentity, in scope: IdentityScope, number choice: Int
  ) {
    begin(number, target.account, numbers: [UInt64(choice), target == .unmanaged ? 1 : 0])
    write(5) { scope.encode(into: &$0) }
  }
}

extension WireWriter {
  /// The question answered; zero differs from `nil`.
  fileprivate mutating func write(_ field: Int, intent: UInt64?) {
    if let intent { writePresent(field, unsigned: intent) }
  }
}

extension AccountReference {
  fileprivate func encode(into writer: inout WireWriter) {
    writer.write(1, account: number)
    writer.write(2, guid: objectID)
    if let userPrincipalName { writer.writePresent(3, string: userPrincipalName) }
  }
}

extension TargetIdentity {
  fileprivate var account: AccountReference? {
    if case .account(let reference) = self { reference } else { nil }
  }
}

extension ProcessStart {
  fileprivate func encode(into writer: inout WireWriter) {
    writer.write(2) {
      $0.write(1, guid: bootSession)
      $0.write(2, string: appVersion)
      $0.write(3, string: sdkVersion)
      $0.write(4, string: osVersion)
      $0.write(5, string: deviceModel)
      $0.write(6, bool: isExtension)
      if let device { $0.write(7) { device.encode(into: &$0) } }
      if let utcOffset { $0.writePresent(8, signed: utcOffset) }
    }
  }
}

extension ServiceAnswer {
  fileprivate func encode(into writer: inout WireWriter) {
    switch self {
    case .policy(let document, let interval):
      writer.write(1) { document.encode(into: &$0) }
      if let interval { writer.writePresent(2, signed: interval) }
    case .unchanged: writer.write(3, bool: true)
    case .noPolicy: writer.write(4, bool: true)
    case .wipe(let reason): writer.writePresent(5, unsigned: UInt64(reason.rawValue))
    case .gone: writer.write(6, bool: true)
    case .failure(let failure):
      writer.writePresent(7, unsigned: UInt64(failure.code.rawValue))
      writer.write(8, string: failure.error)
    }
  }
}
