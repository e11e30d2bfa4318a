import Expectations
import AppProtectionKit
import Foundation
import Testing

@testable import SampleNotes

/// What the app says, and how it ends, where something cannot be done.
@Suite("What cannot be done")
@MainActor
struct TroubleTests {
  private let phone: TestPhone
  private static let managed = "alice@contoso.com"

  init() async throws {
    phone = try TestPhone()
    await phone.signInBoth()
    await phone.type("switch \(Self.managed)\nwrite minutes secret")
  }

  // MARK: The service

  @Test("A request that the service did not do ends with 4, and the service's words are printed")
  func failedRequests() async throws {
    let unknown = await phone.start("sign-in nobody@contoso.com")
    expectEqual(unknown.code, 4)
    expectEqual(
      unknown.printed,
      [
        "nobody@contoso.com: enrollment: 207 nilAccount: Pass the account's object id; for a name none was found. "
          + "(users.json does not list the account)"
      ])
    try phone.write("company/policies/staff.json", "{")
    let mistake = await phone.start("check-in \(Self.managed)")
    #expect(mistake.code == 4 && mistake.printed.count == 1)
    expectEqual(mistake.printed.first?.contains("206 parsingFailure: "), true)
    expectEqual(mistake.printed.first?.contains("policies/staff.json: line 1, column 2: "), true)
    await expectEqual(phone.start("remediate \(Self.managed)").code, 4)
    // What fails on its own is not another command's failure.
    await expectEqual(phone.start("accounts\nswitch\nlist").code, 0)
    try FileManager.default.removeItem(atPath: phone.path("company"))
    let leaving = await phone.start("sign-out \(Self.managed)")
    expectEqual(leaving.code, 4)
    #expect(leaving.printed.contains { $0.hasPrefix("\(Self.managed): sign-out: 204 locationServiceFailure: ") })
    #expect(phone.files(of: "a1").isEmpty)
  }

  @Test("A request that is done ends with 0")
  func doneRequests() async {
    for line in ["check-in \(Self.managed)", "remediate \(Self.managed)", "sign-out bob@fabrikam.com"] {
      await expectEqual(phone.start(line).code, 0, "\(line)")
    }
    await expectEqual(phone.start("sign-in\n").code, 1, "the user cancels")
  }

  @Test("A renamed user goes by the new name after a check-in, and is one account however the user signs in")
  func renamedUser() async throws {
    let users = try #require(phone.text("company/users.json"))
    try phone.write("company/users.json", users.replacingOccurrences(of: "alice@", with: "alice.smith@"))
    let printed = await phone.type("sign-in alice.smith@contoso.com\naccounts\nread minutes")
    #expect(
      printed.contains {
        $0.contains("208 alreadyEnrolled") && $0.hasSuffix("(this is \(Self.managed) under another name)")
      })
    #expect(printed.contains("\(Self.managed): is now alice.smith@contoso.com"))
    expectEqual(
      printed.suffix(3),
      [
        "a1  alice.smith@contoso.com: managed, on the screen", "a2  bob@fabrikam.com: not managed", "secret",
      ])
    await expectEqual(phone.type("switch \(Self.managed)"), ["\(Self.managed) is not signed in"])
  }

  @Test("After the policy is withdrawn, the app says why notes cannot be read, and shows all others")
  func withdrawnPolicy() async throws {
    await phone.type("switch\nwrite own mine\nswitch bob@fabrikam.com\nwrite last bobs")
    let assignments = try #require(phone.text("company/assignments.json"))
    try phone.write("company/assignments.json", #"{"assignments": []}"#)
    await phone.type("check-in \(Self.managed)")
    let reason =
      "minutes cannot be read: the organization has withdrawn its policy for \(Self.managed). "
      + "Its notes can be read again once it has one"
    let read = await phone.start("switch \(Self.managed)\nread minutes\nprint minutes")
    #expect(read.printed == [reason, reason] && read.code == 1)
    let overview = await phone.start("overview")
    #expect(overview.printed == ["your own  own: mine", reason, "bob@fabrikam.com  last: bobs"] && overview.code == 1)
    try phone.write("company/assignments.json", assignments)
    await phone.type("check-in \(Self.managed)\n\n")
    await expectEqual(phone.type("switch \(Self.managed)\nread minutes"), ["secret"])
  }

  // MARK: Files

  @Test("A note that is not there is called by its name, and the exit code says that nothing was done")
  func missingNote() async {
    await phone.type("switch")
    let copy = phone.path("copy")
    for line in [
      "read none", "delete none", "print none", "save none other \(copy)", "share none unmanaged \(copy)",
    ] {
      let outcome = await phone.start(line)
      #expect(outcome.printed == ["there is no note none"] && outcome.code == 1, "\(line)")
    }
  }

  @Test("An error of the file system names the file, and not the note that was read well")
  func namedFiles() async throws {
    await phone.type("switch\nwrite own mine")
    let folder = phone.path("company")
    let outcome = await phone.start("save own other \(folder)")
    #expect(outcome.code == 4 && outcome.printed.first?.hasPrefix("\(folder): the file system reports ") == true)
    let place = await TestPhone.start(phone: "/proc/none")
    #expect(place.printed.count == 1 && place.printed.first?.hasPrefix("/proc/none: ") == true && place.code == 4)
  }

  @Test("A keychain that lost the key of the apps' key file is named, and what can be done")
  func lostKeychain() async throws {
    for name in ["notes", "keychain"] { try FileManager.default.removeItem(atPath: phone.path("phone/\(name)")) }
    let printed = await phone.type("accounts")
    expectEqual(
      printed,
      [
        "\(phone.path("phone/shared/keys")): the keychain has lost the key that opens this file. Restore the keychain; or "
          + "move the file away, and give up what the apps of this phone encrypted."
      ])
  }

  @Test("No copy of the key file from before a wipe opens with what the keychain has then")
  func oldKeyFile() async throws {
    await phone.signInAlice()
    await phone.type("switch alice@contoso.com\nwrite plan text")
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: phone.path(name)))) }
    func opens(_ copy: String) throws -> Bool {
      let key = try #require(SecretKey(bytes: try bytes("phone/keychain/wrapping-key")))
      return
        (try? FileKeyStore(at: phone.path(copy), create: false, wrappingKey: { key }, randomBytes: { _ in [] })) != nil
    }
    try Data(try bytes("phone/shared/keys")).write(to: URL(fileURLWithPath: phone.path("backup")))
    #expect(try opens("backup"))
    await phone.type("wipe alice@contoso.com")
    #expect(try opens("phone/shared/keys") && !opens("backup"))
    #expect(phone.text("phone/keychain/wrapping-key.next") == nil)
    await phone.signInAlice()
    await expectEqual(phone.type("switch alice@contoso.com\nwrite plan again\nread plan").last, "again")
  }

  // MARK: Pauses

  @Test("A paused app holds no lock: another process writes, and the app goes on after it with the screen it showed")
  func pause() async throws {
    let app = try await phone.launch()
    #expect(try await phone.type("pause", into: app).isEmpty)
    try await expectEqual(phone.type("write no text", into: app), ["the app is paused: resume it first"])
    await expectEqual(phone.type("write other text").last, "written")
    #expect(try await phone.type("resume", into: app).isEmpty)
    try await expectEqual(phone.type("accounts", into: app).first, "a1  \(Self.managed): managed, on the screen")
    try await expectEqual(phone.type("read other", into: app), ["text"])
    try await app.end()
  }

  @Test("An app that was paused stays so while another process writes, and may try again")
  func pausedTwice() async throws {
    let app = try await phone.launch()
    try await phone.type("pause", into: app)
    let other = try await phone.launch()
    let printed = try await phone.type("resume", into: app)
    #expect(printed.count == 1 && printed[0].contains("has the journal open"))
    try await phone.type("wipe \(Self.managed)", into: other)
    try await other.end()
    let told = try await phone.type("resume", into: app)
    #expect(told.contains("\(Self.managed): the organization's data is gone from this phone"))
    let read = try await phone.type("read minutes", into: app)
    #expect(read.count == 1 && read[0].hasPrefix("the notes that were on the screen cannot be shown: "))
    // The system ends a paused app without a word.
    try await phone.type("pause", into: app)
    try await app.end()
    await expectEqual(phone.type("accounts"), ["a2  bob@fabrikam.com: not managed"])
  }
}
