import Expectations
import AppProtectionKit
import Foundation
import Journal
import Testing

@testable import SampleNotes

/// What the guides ask of extensions: who may share what with whom, whose it is then, and what only the app may do.
@Suite("Exit criteria: extensions")
@MainActor
struct ShareExtensionTests {
  private let phone: TestPhone
  private static let (managed, unmanaged) = ("alice@contoso.com", "bob@fabrikam.com")

  init() async throws {
    phone = try TestPhone()
    await phone.signInBoth()
    await phone.signInAlice(app: "mail")
  }

  /// A file of another managed app, in which Alice alone is signed in.
  private func managedFile(_ text: String) async -> String {
    let file = phone.path("incoming")
    await phone.type("switch \(Self.managed)\nwrite note '\(text)'\nshare note \(Self.managed) \(file)", app: "mail")
    return file
  }

  private func notes(of account: String?) async -> [String] {
    await phone.type("switch \(account ?? "")\nlist").filter { !$0.contains("alice") }
  }

  // MARK: Sharing

  @Test("A shared file keeps its sender as its owner, and is encrypted where the policy asks for it")
  func sharedFile() async throws {
    let file = await managedFile("the text")
    await expectEqual(phone.type("share \(file) note", isExtension: true), ["taken in: alice@contoso.com"])
    expectEqual(phone.files(of: "a1"), ["note.note"])
    #expect(phone.filesShowing("the text", of: "a1").isEmpty)
    await expectEqual(phone.type("switch \(Self.managed)\nread note"), ["the text"])
  }

  @Test("A shared text has an owner once it is a file, and is encrypted where the policy asks for it")
  func sharedText() async throws {
    try phone.setPolicy(#""allowedInboundDataTransferSources": "allApps", "saveAsBlocked": true"#)
    await phone.type("check-in \(Self.managed)")
    await expectEqual(
      phone.type("share-text 'the text' note \(Self.managed)", isExtension: true),
      [
        "taken in: alice@contoso.com"
      ])
    #expect(phone.filesShowing("the text", of: "a1").isEmpty)
    await expectEqual(phone.type("switch \(Self.managed)\nread note"), ["the text"])
  }

  @Test("Managed identity shared from unmanaged app: the managed account does not get it")
  func managedFromUnmanaged() async throws {
    try phone.write("incoming", "the text")
    for line in ["share \(phone.path("incoming")) note \(Self.managed)", "share-text 'the text' other \(Self.managed)"]
    {
      await expectEqual(phone.type(line, isExtension: true), ["taken in: your own"])
    }
    #expect(phone.files(of: "a1").isEmpty)
    await expectEqual(phone.type("switch\nread note\nread other"), ["the text", "the text"])
  }

  @Test("Unmanaged identity shared from managed app: blocked")
  func unmanagedFromManaged() async throws {
    let file = await managedFile("the text")
    let printed = await phone.type("share \(file) note \(Self.unmanaged)", isExtension: true)
    #expect(printed.count == 1 && printed[0].hasPrefix("blocked: "))
    #expect(phone.files(of: "a2").isEmpty)
  }

  @Test("Unmanaged identity shared from unmanaged app: allowed")
  func unmanagedFromUnmanaged() async throws {
    let printed = await phone.type("share-text milk list \(Self.unmanaged)", isExtension: true)
    expectEqual(printed, ["taken in: bob@fabrikam.com"])
    await expectEqual(phone.type("switch \(Self.unmanaged)\nread list"), ["milk"])
  }

  // MARK: Accounts

  @Test("An extension registers no account (223), and takes in nothing for one that is not signed in")
  func registration() async throws {
    let share = try phone.startExtension()
    let carol = try #require(AccountReference("carol@contoso.com"))
    let error = #expect(throws: EngineError.self) { try share.handOver(.registerAndEnroll(carol)) }
    expectEqual(error?.rejection, .calledFromExtension)
    let printed = try await phone.type("share-text x note carol@contoso.com", into: share)
    #expect(printed.count == 1 && printed[0].hasSuffix(" is not signed in"))
  }

  @Test("An extension sees what the app does while both run")
  func liveState() async throws {
    let app = try await phone.launch()
    let share = try phone.startExtension()
    try await expectEqual(
      phone.type("accounts", into: share),
      [
        "a1  alice@contoso.com: managed", "a2  bob@fabrikam.com: not managed",
      ])
    try await phone.type("sign-out \(Self.managed)", into: app)
    try await expectEqual(phone.type("accounts", into: share), ["a2  bob@fabrikam.com: not managed"])
    let printed = try await phone.type("share-text x note \(Self.managed)", into: share)
    #expect(printed.count == 1 && printed[0].hasSuffix(" is not signed in"))
  }

  @Test("An extension of an app that was never started says so")
  func neverStarted() async throws {
    let new = try TestPhone()
    let printed = await new.type("accounts", isExtension: true)
    expectEqual(printed, ["open the app first: it was never started on this phone"])
  }

  @Test("Where a PIN is asked for, the extension takes nothing in, and the app asks")
  func launchConditions() async throws {
    let phone = try TestPhone(policy: #""pinRequired": true, "minimumPinLength": 4, \#(TestPhone.strict)"#)
    await phone.type("sign-in \(Self.managed)\n")
    let printed = await phone.type("share-text x note \(Self.managed)", isExtension: true)
    #expect(printed.count == 1 && printed[0].hasPrefix("open the app first: "))
    #expect(phone.files(of: "a1").isEmpty)
    // Once the user has chosen one, the extension takes in what it could not.
    let told = await phone.type("switch \(Self.managed)\n1470")
    expectEqual(told, ["Choose a PIN for \(Self.managed), or press Return to cancel."])
    await expectEqual(phone.type("share-text x note \(Self.managed)", isExtension: true), ["taken in: your own"])
  }

  // MARK: What is handed over

  @Test("What is handed over waits for the app, is carried out once, and its outcome is told")
  func handover() async throws {
    await phone.type("switch \(Self.managed)\nwrite minutes secret\nswitch")
    let share = try phone.startExtension()
    try await expectEqual(phone.type("wipe \(Self.managed)", into: share), ["handed over"])
    try await expectEqual(phone.type("outcomes", into: share), ["waits for the app"])
    expectEqual(phone.files(of: "a1"), ["minutes.note"])
    let printed = await phone.type("accounts")
    #expect(printed.contains("alice@contoso.com: the organization's data is gone from this phone"))
    #expect(phone.files(of: "a1").isEmpty)
    let outcomes = try await phone.type("outcomes", into: share)
    #expect(outcomes.count == 1 && outcomes[0].hasPrefix("carried out by event"))
    await expectEqual(phone.type("accounts"), ["a2  bob@fabrikam.com: not managed"])
  }

  @Test("What another process forges is not carried out, and what it spoils is handed over again and carried out once")
  func spoiltHandover() async throws {
    let share = try phone.startExtension()
    try await phone.type("check-in \(Self.managed)", into: share)
    let spool = phone.path("phone/notes/spool")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: spool).first { $0.hasSuffix(".command") })
    // The file says that it is not sealed; the sum of its header is right.
    let file = URL(fileURLWithPath: "\(spool)/\(name)")
    var bytes = [UInt8](try Data(contentsOf: file))
    var header = try #require(FixedRecord(bytes, size: 64))
    header.set(UInt32(0), at: 56)
    header.seal()
    bytes.replaceSubrange(..<64, with: header.bytes)
    try Data(bytes).write(to: file)
    let told = await phone.type("accounts")
    #expect(told.contains { $0.hasSuffix("not sealed for this version; submit again") })
    let outcomes = try await phone.type("outcomes", into: share)
    expectEqual(outcomes, ["not carried out: not sealed for this version; submit again", "handed over again"])
    await phone.type("accounts")
    let again = try await phone.type("outcomes", into: share)
    #expect(again.count == 1 && again[0].hasPrefix("carried out by event"), "\(again)")
  }

  @Test("A running app carries out what an extension hands over with its next work: a check-in, and a remediation")
  func handoverToRunningApp() async throws {
    let app = try await phone.launch()
    let share = try phone.startExtension()
    try phone.write("company/wipes.json", #"{"wipes": [{"user": "\#(Self.managed)"}]}"#)
    try await phone.type("remediate \(Self.managed)", into: share)
    try await phone.type("check-in \(Self.managed)", into: share)
    let printed = try await phone.type("switch", into: app)
    #expect(printed.contains { $0.hasPrefix("alice@contoso.com: remediation: ") })
    #expect(printed.contains("alice@contoso.com: the organization's data is gone from this phone"))
    let outcomes = try await phone.type("outcomes", into: share)
    #expect(outcomes.count == 2 && outcomes.allSatisfy { $0.hasPrefix("carried out by event") })
  }
}
