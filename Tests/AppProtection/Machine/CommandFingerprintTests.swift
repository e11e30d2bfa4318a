import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Commands told apart")
struct CommandFingerprintTests {
  static var commands: [AppProtectionCommand] {
    var process = TestApp.process
    process.isExtension = true
    let answers: [ServiceAnswer] = [
      .policy(TestApp.policy()), .policy(TestApp.policy(), nextCheckIn: 0), .policy(TestApp.policy("x")), .unchanged,
      .noPolicy, .wipe(), .wipe(.unspecified), .gone, .failure(.init(.timeout)),
      .failure(.init(.timeout, error: "e")), .failure(.init(.internalError)),
    ]
    let targets: [TargetIdentity] = [.unset, .unmanaged, .account(.a), .account(.b)]
    let scopes: [IdentityScope] = [.process, .ui, .window(0), .window(1), .thread("a"), .thread("b")]
    var all: [AppProtectionCommand] = [
      .startProcess(TestApp.process), .startProcess(process), .startProcess(process, settings: AppSettings()),
      .startProcess(process, settings: EventSamples.settings), .endProcess, .changeSettings(AppSettings()),
      .changeSettings(EventSamples.settings), .overrideSettings(TokenLibraryOverrides()),
      .overrideSettings(TokenLibraryOverrides(authority: "x")), .overrideSettings(TokenLibraryOverrides(clientID: "x")),
      .overrideSettings(TokenLibraryOverrides(redirectURI: "x")), .answerRestart(.none), .answerRestart(.dialogShown),
      .answerRestart(.postponed), .answerRestart(.postponed, postponedMinutes: 3), .acknowledgeMissingPolicy,
      .noteUTCOffset(0), .noteUTCOffset(-1),
      .setAllowedAccounts(nil), .setAllowedAccounts([]), .setAllowedAccounts([.a]), .setAllowedAccounts([.a, .b]),
      .setDeviceAccount(nil), .setDeviceAccount(.a), .startDueWork, .registerAndEnroll(nil),
      .registerAndEnroll(AccountReference()), .registerAndEnroll(.a), .registerAndEnroll(.b),
      .registerAndEnroll(AccountReference(.a1)), .loginAndEnroll(nil), .loginAndEnroll(.a), .answerLogin(nil),
      .answerLogin(.a), .deregisterAndUnenroll(.a, wipe: true), .deregisterAndUnenroll(.a, wipe: false),
      .identifyAccount(.a), .requestCheckIn(.a), .requestCheckIn(.a, .schedule), .answerUnenrollment(.a),
      .answerUnenrollment(.a, failure: .init(.timeout)), .acquireToken(.a), .removeToken(.a), .denyToken(.a),
      .denyToken(.a, error: 50004), .requestWipe(.a, .administrator, .service),
      .requestWipe(.a, .administrator, .app), .requestWipe(.a, .unspecified, .app),
      .answerWipe(.a, removedEverything: true), .answerWipe(.a, removedEverything: false),
      .reportFilesRemoved(.a, count: 1), .reportFilesRemoved(.a, count: 2),
      .reportFilesLeft(.a, count: 1, error: "e"), .reportFilesLeft(.a, count: 1, error: ""),
      .remediateCompliance(.a, isSilent: true), .remediateCompliance(.a, isSilent: false),
      .answerRemediation(.a, .compliant), .answerRemediation(.a, .notCompliant, message: "m"),
      .answerRemediation(.a, .notCompliant, title: "m"), .answerRemediation(.a, .compliant, intent: 0),
      .answerRemediation(.a, .compliant, intent: 1), .answerEnrollment(.a, .gone, intent: 1),
      .answerCheckIn(.a, .gone, intent: 1), .answerUnenrollment(.a, intent: 1),
      .answerWipe(.a, removedEverything: true, intent: 1), .reportFilesRemoved(.a, count: 1, intent: 1),
      .reportFilesLeft(.a, count: 1, error: "e", intent: 1), .setDeviceAccount(.a, source: .emm), .reportSignIns([]),
      .reportSignIns([.a]), .reportSignIns([.a, .b]), .reportSignIns([.a, .b], workOrSchool: [.a]),
      .reportSignIns([.a], workOrSchool: [.b]), .confirmRemediation(.a), .confirmRemediation(.a, intent: 1),
      .noteRefusal(CommandRefused(command: "a", rule: "T4")), .noteRefusal(CommandRefused(command: "b", rule: "T4")),
      .setExclusivity(.a, true), .setExclusivity(.a, false),
      .answerAddition(.a, .success), .answerAddition(.a, .failed), .answerAddition(.a, .failed, intent: 0),
      .setDeviceConfiguration(nil), .setDeviceConfiguration([]), .setDeviceConfiguration([], source: .emm),
      .setDeviceConfiguration([ConfigurationValue("k", "1")]), .setDeviceConfiguration([ConfigurationValue("k", true)]),
      .deliverConfiguration(.a, []), .deliverConfiguration(.a, [ConfigurationEntry([])]),
      .deliverConfiguration(.a, [ConfigurationEntry([], isDefault: true)]),
      .answerIdentitySwitch(.ui, .canceled, isAddIdentityResult: true),
      .answerIdentitySwitch(.ui, .canceled, intent: 0),
      .answerIdentitySwitch(.ui, .canceled, intent: 1), .answerLogin(nil, intent: 0), .answerLogin(.a, intent: 1),
      .answerRestart(.dialogShown, intent: 0), .answerRestart(.postponed, postponedMinutes: 3, intent: 1),
    ]
    var started = TestApp.process
    started.device = EventSamples.device
    all += [
      .startProcess(started), .reportDevice(DeviceFacts()), .reportDevice(EventSamples.device),
      .reportUserStatus(.a, .clockedIn, isDisabled: false), .reportUserStatus(.a, .clockedIn, isDisabled: true),
      .reportUserStatus(.a, .clockedOut, isDisabled: true), .signInForLaunch(.a, as: .a), .signInForLaunch(.a, as: .b),
      .cancelLaunch(.a), .setPIN(.a, EventSamples.pin), .setPIN(.a, EventSamples.pin, equalTo: 0),
      .setPIN(.a, EventSamples.pin, equalTo: 1), .setPIN(.a, PINFacts()), .reportPINAttempt(.a, isRight: true),
      .reportPINAttempt(.a, isRight: false), .reportPINAttempt(.a, isRight: true, byBiometrics: true),
      .reportBiometricsChange,
    ]
    all += LaunchTrigger.allCases.map { .evaluateLaunch(.a, $0) }
    all += AccountChoice.allCases.flatMap {
      [.answerAccountSwitch(.a, $0), .answerAccountSwitch(.a, $0, intent: 0), .answerAccountSwitch(.a, $0, intent: 1)]
    }
    all += answers.flatMap { [.answerEnrollment(.a, $0), .answerCheckIn(.a, $0)] }
    for scope in scopes {
      all.append(.closeScope(scope))
      all += SwitchIdentityResult.allCases.map { .answerIdentitySwitch(scope, $0) }
      for target in targets {
        all.append(.setIdentity(scope, target))
        all += SwitchIdentityResult.allCases.map { .setIdentity(scope, target, outcome: $0) }
        all += IdentitySwitchReason.allCases.map { .requestIdentitySwitch(scope, target, $0) }
      }
    }
    return all
  }

  @Test("Every command has a name of its own, as it is printed")
  func names() {
    for command in Self.commands {
      let printed = "\(command)".split(separator: "(").first.map(String.init)
      expectEqual(command.name.rawValue, printed)
    }
    expectEqual(Set(Self.commands.map(\.name)).union([.noteRefusal]), Set(AppProtectionCommand.Name.allCases))
  }

  @Test("Different commands have different bytes, equal ones equal bytes")
  func fingerprints() {
    var seen: [[UInt8]: AppProtectionCommand] = [:]
    for command in Self.commands {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      var again = WireWriter()
      AppProtectionMachine.encode(command, into: &again)
      expectEqual(writer.bytes, again.bytes)
      if let other = seen[writer.bytes] { Issue.record("\(command) and \(other) have the same bytes") }
      seen[writer.bytes] = command
    }
    expectEqual(seen.count, Self.commands.count)
  }

  @Test("A command without an intent has the bytes that it had before commands could carry one")
  func olderBytes() {
    let commands: [(AppProtectionCommand, [UInt8])] = [
      (.answerRestart(.postponed, postponedMinutes: 3), [8, 4, 72, 3, 72, 3]), (.answerLogin(nil), [8, 11]),
      (.answerIdentitySwitch(.process, .success), [8, 24, 72, 0, 72, 0, 42, 0]),
    ]
    for (command, bytes) in commands {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      expectEqual(writer.bytes, bytes, "\(command)")
    }
  }

  @Test("The bytes of every command are those that journals have the fingerprints of")
  func publishedBytes() {
    var sum: UInt64 = 14_695_981_039_346_656_037
    for command in Self.commands {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      for byte in writer.bytes + [0xFF] { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    }
    expectEqual(sum, 1_862_339_647_702_881_932, "where the list above only got more commands, write their sum here")
  }

  @Test("What a later program wrote after the values of a command is none of them")
  func laterValues() throws {
    func read(_ command: AppProtectionCommand, _ extra: (inout WireWriter) -> Void) throws -> AppProtectionCommand? {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      writer.write(99, string: "later")
      extra(&writer)
      return try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try AppProtectionMachine.decodeCommand(from: &reader)
      }
    }
    for command in Self.commands {
      try expectEqual(read(command) { $0.writePresent(9, unsigned: 2) }, command)
    }
    for command: AppProtectionCommand in [.acquireToken(.a), .signInForLaunch(.a, as: .b), .registerAndEnroll(nil)] {
      try expectEqual(read(command) { $0.write(2) { AccountReference.b.encode(into: &$0) } }, command)
    }
  }

  @Test("Every command has one with which reading begins")
  func blanks() {
    expectEqual(Set(AppProtectionCommand.blanks.keys), Set(AppProtectionCommand.Name.allCases))
  }

  @Test("A command names the accounts among its values, in their order")
  func accounts() {
    let cases: [(AppProtectionCommand, [AccountReference])] = [
      (.reportSignIns([.a, .b], workOrSchool: [.b]), [.a, .b, .b]), (.signInForLaunch(.a, as: .b), [.a, .b]),
      (.setIdentity(.ui, .account(.b)), [.b]), (.setIdentity(.ui, .unmanaged), []), (.registerAndEnroll(nil), []),
      (.setAllowedAccounts([.a]), [.a]), (.setAllowedAccounts(nil), []), (.startProcess(TestApp.process), []),
      (.noteRefusal(CommandRefused(command: "a", rule: "T4", account: .a2)), [AccountReference(.a2)]),
      (.setPIN(.a, EventSamples.pin), [.a]), (.loginAndEnroll(.b), [.b]),
    ]
    for (command, accounts) in cases { expectEqual(command.accounts, accounts, "\(command)") }
  }

  @Test("A command that is written is read as it was, and its bytes are the same again")
  func roundTrip() throws {
    for command in Self.commands {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      let read = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try AppProtectionMachine.decodeCommand(from: &reader)
      }
      expectEqual(read, command)
      guard let read else { continue }
      var again = WireWriter()
      AppProtectionMachine.encode(read, into: &again)
      expectEqual(again.bytes, writer.bytes)
    }
  }

  @Test("Every command has a number of its own, which stays")
  func numbers() {
    let numbers = AppProtectionCommand.Name.allCases.map(\.number)
    expectEqual(Set(numbers).count, numbers.count)
    #expect(numbers.allSatisfy { AppProtectionCommand.Name(number: $0)?.number == $0 })
    // Another program's bytes must not mean another command here.
    let published: [AppProtectionCommand.Name: UInt64] = [
      .startProcess: 1, .endProcess: 2, .changeSettings: 3, .overrideSettings: 34, .answerRestart: 4,
      .acknowledgeMissingPolicy: 5, .setAllowedAccounts: 6, .setDeviceAccount: 7, .setDeviceConfiguration: 44,
      .startDueWork: 8, .noteRefusal: 33, .registerAndEnroll: 9, .loginAndEnroll: 10, .answerLogin: 11,
      .deregisterAndUnenroll: 12, .identifyAccount: 13, .answerAccountSwitch: 14, .answerEnrollment: 15,
      .requestCheckIn: 16, .answerCheckIn: 17, .answerUnenrollment: 18, .reportSignIns: 40, .setExclusivity: 41,
      .answerAddition: 42, .deliverConfiguration: 43, .acquireToken: 19, .removeToken: 20, .denyToken: 21,
      .setIdentity: 22, .requestIdentitySwitch: 23, .answerIdentitySwitch: 24, .closeScope: 25, .requestWipe: 26,
      .answerWipe: 27, .reportFilesRemoved: 28, .reportFilesLeft: 29, .remediateCompliance: 30,
      .answerRemediation: 31, .confirmRemediation: 32, .reportDevice: 60, .noteUTCOffset: 68, .reportUserStatus: 61,
      .evaluateLaunch: 62, .signInForLaunch: 63, .cancelLaunch: 64, .setPIN: 65, .reportPINAttempt: 66,
      .reportBiometricsChange: 67,
    ]
    for name in AppProtectionCommand.Name.allCases { expectEqual(name.number, published[name], "\(name)") }
  }

  @Test("Bytes that are not a command are an error, and a command from the future is none")
  func otherBytes() throws {
    func read(_ bytes: [UInt8]) throws -> AppProtectionCommand? {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        try AppProtectionMachine.decodeCommand(from: &reader)
      }
    }
    #expect(try read([0x08, 0xE7, 0x07]) == nil)
    #expect(throws: WireError.self) { try read([]) }
    for command in Self.commands {
      var writer = WireWriter()
      AppProtectionMachine.encode(command, into: &writer)
      let bytes = writer.bytes
      // Cut, a command is an error, or another command that was written in fewer bytes; it never traps.
      for length in bytes.indices { _ = try? read(Array(bytes[..<length])) }
      for index in bytes.indices {
        for bit in 0..<8 {
          var changed = bytes
          changed[index] ^= 1 << bit
          _ = try? read(changed)
        }
      }
    }
  }
}
