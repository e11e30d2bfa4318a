import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Encryption and protected data")
struct EncryptionTests {
  static let owner = ProtectionSituation.owner
  static let personal = ProtectionSituation.personal

  @Test("The policy names the class of files, and the app's limit caps it")
  func classes() throws {
    let classes: [(DataEncryptionType?, FileProtectionClass)] = [
      (nil, .deviceSettings), (.useDeviceSettings, .deviceSettings),
      (.afterDeviceRestart, .completeUntilFirstUserAuthentication),
      (.whenDeviceLockedExceptOpenFiles, .completeUnlessOpen), (.whenDeviceLocked, .complete),
      (.unrecognized, .complete),
    ]
    for (type, expected) in classes {
      let state = ProtectionSituation { $0.encryption.appDataEncryptionType = type }.state()
      for maximum in [FileProtectionClass?.none] + FileProtectionClass.allCases.dropFirst().map({ $0 }) {
        let decision = try FeatureTests.ask(state) {
          $0.fileProtection(for: Self.owner, maximum: maximum, explanation: &$1)
        }
        let isCapped = maximum.map { $0 < expected } ?? false
        expectEqual(decision.outcome, isCapped ? maximum : expected)
        expectEqual(decision.rule, isCapped ? "fileProtection.3" : "fileProtection.2")
      }
      let personal = try FeatureTests.ask(state) { $0.fileProtection(for: Self.personal, explanation: &$1) }
      #expect(personal.outcome == .deviceSettings && personal.rule == "fileProtection.1")
    }
    for one in FileProtectionClass.allCases { expectEqual(FileProtectionClass(name: one.name), one) }
    #expect(FileProtectionClass(name: "Complete") == nil)
  }

  @Test("Files are encrypted where the policy names a type, and handed out encrypted unless all apps may have them")
  func demands() throws {
    for (type, demand, rule) in [
      (DataEncryptionType?.none, EncryptionDemand.notRequired, "fileEncryption.2"),
      (.useDeviceSettings, .notRequired, "fileEncryption.2"), (.whenDeviceLocked, .required, "fileEncryption.3"),
    ] {
      let situation = ProtectionSituation { $0.encryption.appDataEncryptionType = type }
      let decision = try FeatureTests.ask(situation.state()) { $0.fileEncryption(for: Self.owner, explanation: &$1) }
      #expect(decision.outcome == demand && decision.rule == rule)
      let other = try FeatureTests.ask(situation.without(\.encryptionTypeRequiresFileEncryption).state()) {
        $0.fileEncryption(for: Self.owner, explanation: &$1)
      }
      expectEqual(other.outcome, .notRequired)
    }
    for (send, demand, rule) in [
      (DataTransferLevel.allApps, EncryptionDemand.notRequired, "fileProvider.2"),
      (.managedApps, .required, "fileProvider.3"), (.noApps, .required, "fileProvider.3"),
    ] {
      let situation = ProtectionSituation { $0.dataTransfer.allowedOutboundDataTransferDestinations = send }
      let decision = try FeatureTests.ask(situation.state()) {
        $0.fileProviderEncryption(for: Self.owner, explanation: &$1)
      }
      #expect(decision.outcome == demand && decision.rule == rule)
      let other = try FeatureTests.ask(situation.without(\.fileProviderEncryptsForManagedApps).state()) {
        $0.fileProviderEncryption(for: Self.owner, explanation: &$1)
      }
      expectEqual(other.outcome, .notRequired)
      expectEqual(situation.state().fileProviderEncryption(for: nil).rule, "fileProvider.1")
      expectEqual(situation.state().fileEncryption(for: nil).rule, "fileEncryption.1")
    }
  }

  @Test("S-41: data of a managed account is encrypted, that of another is marked, and plain data passes through")
  func protecting() throws {
    let state = ProtectionSituation().state()
    for (data, account, fails, rule, name) in [
      (DataForm.plain, AccountNumber?.some(Self.owner), false, "protect.5", "encrypted"),
      (.plain, Self.personal, false, "protect.4", "marked"), (.plain, nil, false, "protect.4", "marked"),
      (.plain, Self.personal, true, "protect.4", "marked"),
      (.plain, Self.owner, true, "protect.6", "failedToEncryptData"),
      (.missing, Self.owner, false, "protect.1", "invalidArguments"),
      (.empty, Self.owner, false, "protect.2", "emptyData"),
    ] {
      let decision = try FeatureTests.ask(state) {
        $0.protect(data, for: account, cipherFails: fails, explanation: &$1)
      }
      #expect(decision.rule == rule && decision.outcome.name == name)
    }
    for (data, fails, rule, name) in [
      (DataForm.plain, false, "unprotect.3", "unchanged"), (.plain, true, "unprotect.3", "unchanged"),
      (.marked(.account(Self.personal)), true, "unprotect.4", "restored"),
      (.encrypted(.account(Self.owner)), false, "unprotect.5", "restored"),
      (.encrypted(.account(Self.owner)), true, "unprotect.6", "failedToDecryptData"),
      (.encrypted(.account(Self.personal)), false, "unprotect.6", "failedToDecryptData"),
      (.encrypted(.unknown), false, "unprotect.6", "failedToDecryptData"),
      (.missing, false, "unprotect.1", "invalidArguments"), (.empty, false, "unprotect.2", "emptyData"),
    ] {
      let decision = try FeatureTests.ask(state) { $0.unprotect(data, cipherFails: fails, explanation: &$1) }
      #expect(decision.rule == rule && decision.outcome.name == name)
    }
    for (data, rule, name) in [
      (DataForm.plain, "protectionInfo.3", "dataNotProtected"), (.missing, "protectionInfo.1", "invalidArguments"),
      (.empty, "protectionInfo.2", "emptyData"), (.marked(.account(Self.personal)), "protectionInfo.4", "described"),
    ] {
      let decision = state.protectionInfo(of: data)
      #expect(decision.rule == rule && decision.outcome.name == name)
    }
  }

  @Test("While no account is managed, nothing can be protected, unless that is assumed otherwise")
  func unmanagedApp() throws {
    for needsManaged in [true, false] {
      var state = ProtectionSituation().state()
      state.settings.app.assumptions.protectionNeedsManagedApp = needsManaged
      state.policies.updateAll { $0.isEnforced = false }
      let decision = try FeatureTests.ask(state) { $0.protect(.plain, for: Self.personal, explanation: &$1) }
      expectEqual(decision.outcome, needsManaged ? .failed(.applicationNotManaged) : .marked)
    }
    let numbers = DataProtectionStatusCode.allCases.map { "\($0.name) \($0.rawValue)" }
    expectEqual(
      numbers,
      [
        "applicationNotManaged 100", "invalidArguments 101", "failedToEncryptData 102", "failedToDecryptData 103",
        "dataNotProtected 104", "emptyData 105",
      ])
  }
}
