import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Words of data transfer")
struct ProtectionVocabularyTests {
  @Test("Save locations have the SDK's names and numbers")
  func saveLocations() {
    let numbers = SaveLocation.allCases.map { "\($0.name) \($0.rawValue)" }
    expectEqual(
      numbers,
      [
        "other 0", "oneDriveForBusiness 1", "sharePoint 2", "box 4", "dropbox 8", "googleDrive 16", "localDrive 32",
        "cameraRoll 64", "accountDocument 128",
      ])
    for location in SaveLocation.allCases { expectEqual(SaveLocation(name: location.name), location) }
    #expect(SaveLocation(name: "oneDrive") == nil && SaveLocation(name: "Box") == nil)
  }

  @Test("Open locations have the SDK's names and numbers")
  func openLocations() {
    let numbers = OpenLocation.allCases.map { "\($0.name) \($0.rawValue)" }
    expectEqual(
      numbers,
      [
        "other 0", "oneDriveForBusiness 1", "sharePoint 2", "camera 4", "localStorage 8", "photos 16",
        "accountDocument 32",
      ])
    for location in OpenLocation.allCases { expectEqual(OpenLocation(name: location.name), location) }
    #expect(OpenLocation(name: "localDrive") == nil && OpenLocation(name: "") == nil)
  }

  @Test(
    "Versions are read up to the third number",
    arguments: [
      ("15.1.0", [15, 1, 0]), ("15.1", [15, 1, 0]), ("15", [15, 0, 0]), ("15.0.9.77", [15, 0, 9]),
      ("14.6.1.a", [14, 6, 1]), ("99999999999.0", [UInt32.max, 0, 0]),
    ])
  func versions(_ text: String, _ numbers: [UInt32]) throws {
    let version = try #require(SDKVersion(text))
    expectEqual([version.major, version.minor, version.patch], numbers)
  }

  @Test("What is no version is none", arguments: ["", ".", "15.", "15..1", "v15", "15.a", " 15.1.0", "-1"])
  func noVersions(_ text: String) {
    #expect(SDKVersion(text) == nil)
  }

  @Test("15.1.0 is the first version for which no account is nobody")
  func boundary() {
    var situation = SaveToTests.level2
    situation.policy.allowedDataStorageLocations = [.localStorage, .box]
    let owner = TransferSituation.owner
    for (sdk, multiIdentity, location, allows) in [
      ("15.0.9", true, SaveLocation.localDrive, true), ("15.1.0", true, .localDrive, false),
      ("", true, .localDrive, false), ("newest", false, .localDrive, false), ("15.0.9", false, .box, true),
      ("15.0.9", true, .box, false), ("15.1.0", false, .box, false),
    ] {
      situation.sdk = sdk
      situation.multiIdentity = multiIdentity
      var explanation = Explanation(recording: true)
      let decision = situation.state().saveTo(location, account: .unnamed, owner: owner, explanation: &explanation)
      expectEqual(decision.isAllowed, allows, "\(sdk) \(location.name)")
      let step = explanation.steps.first { $0.rule == "location.currentAccount" }
      expectEqual(step?.holds, allows)
      expectEqual(step?.reads.map(\.path), ["/process/sdkVersion", "/settings/multiIdentity"])
    }
  }

  @Test("An unknown level counts as none, an unknown list entry allows nothing, an absent setting restricts nothing")
  func strictness() {
    var document = PolicyDocument()
    let open = EffectivePolicy(account: .first, document: document)
    #expect(open.send == .allApps && open.receive == .allApps && open.clipboard == .allApps && open.switches == [])
    #expect(open.dialer == .allApps && open.messaging == .anyApp && open.notifications == .allow)
    #expect(open.encryption == .useDeviceSettings && open.clipboardExceptionLength == 0)
    document.dataTransfer.allowedOutboundDataTransferDestinations = .unrecognized
    document.dataTransfer.allowedInboundDataTransferSources = .unrecognized
    document.dataTransfer.allowedOutboundClipboardSharingLevel = .unrecognized
    document.dataTransfer.allowedDataStorageLocations = [.unrecognized, .unknownFutureValue, .iManage, .egnyte]
    document.dataTransfer.allowedDataIngestionLocations = [.unrecognized]
    document.redirection.dialerRestrictionLevel = .unrecognized
    document.redirection.protectedMessagingRedirectAppType = .unrecognized
    document.surfaces.notificationRestriction = .unrecognized
    document.surfaces.genmojiConfigurationState = .unrecognized
    document.surfaces.writingToolsConfigurationState = .unknownFutureValue
    document.surfaces.screenCaptureConfigurationState = .unrecognized
    document.encryption.appDataEncryptionType = .unrecognized
    let strict = EffectivePolicy(account: .first, document: document)
    #expect(strict.send == .noApps && strict.receive == .noApps && strict.clipboard == .blocked)
    #expect(strict.dialer == .blocked && strict.messaging == .blocked && strict.notifications == .block)
    expectEqual(strict.encryption, .whenDeviceLocked)
    expectEqual(strict.switches, [.genmojiBlocked, .writingToolsBlocked, .screenCaptureSet, .screenCaptureBlocked])
    #expect(SaveLocation.allCases.allSatisfy { !strict.lists($0) })
    #expect(OpenLocation.allCases.allSatisfy { !strict.lists($0) })
  }

  @Test("Assumptions survive the wire, and what absence means takes no room")
  func assumptions() throws {
    let turned = Assumptions.choices.map { Assumptions.denying([$0]) }
    for (index, assumptions) in ([Assumptions.blank] + turned).enumerated() {
      var writer = WireWriter()
      assumptions.encode(into: &writer)
      expectEqual(writer.bytes.isEmpty, index == 0)
      let read = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try Assumptions(from: &reader) }
      expectEqual(read, assumptions)
      #expect((assumptions == .blank) == (index == 0))
    }
  }
}
