import WireFormat

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
