import Expectations
import AppProtectionKit
import Foundation
import Testing

@testable import SampleNotes

/// Notes that another program, which can write in the folder of notes, put in the place of the app's.
@Suite("Forged notes")
@MainActor
struct ForgedNoteTests {
  private let phone: TestPhone
  private static let managed = "alice@contoso.com"
  private static let assigned =
    #"{"assignments": [{"document": "policies/staff.json", "groups": ["staff"]}]}"#

  init() throws { phone = try TestPhone(policy: #""saveAsBlocked": false"#) }

  private func note(_ name: String) -> String { "phone/notes/documents/a1/\(name).note" }

  private func setPolicy(_ isAssigned: Bool) throws {
    try phone.write("company/assignments.json", isAssigned ? Self.assigned : #"{"assignments": []}"#)
  }

  /// Puts a text in the place of a note, in the open or with the account's name before it.
  private func forge(_ name: String, isMarked: Bool) async throws {
    try phone.write(note(name), "forged")
    guard isMarked else { return }
    let app = try await phone.launch()
    try app.notes.files.protector.protectFile(phone.path(note(name)), .marked(owner: Self.managed))
  }

  @Test(
    "Notes from before the policy are read, and then encrypted; later a twin that is not is refused everywhere",
    arguments: [true, false])
  func twins(isMarked: Bool) async throws {
    try setPolicy(false)
    await phone.type("sign-in \(Self.managed)")
    await phone.type("switch \(Self.managed)\nwrite minutes secret\nwrite other more")
    expectEqual(phone.filesShowing("secret", of: "a1"), ["minutes.note"])
    await expectEqual(phone.type("read minutes"), ["secret"])
    try setPolicy(true)
    await phone.type("check-in \(Self.managed)\n\naccounts")
    await expectEqual(phone.type("switch \(Self.managed)\nread minutes"), ["secret"])
    #expect(phone.filesShowing("secret", of: "a1").isEmpty)

    try await forge("minutes", isMarked: isMarked)
    let copy = phone.path("copy")
    let reason = isMarked ? "it only names an owner" : "it is plain"
    for line in [
      "read minutes", "print minutes", "save minutes box \(copy)", "share minutes \(Self.managed) \(copy)",
      "read minutes",
    ] {
      let printed = await phone.start(line)
      #expect(printed.printed.count == 1 && printed.code != 0, "\(line)")
      expectEqual(printed.printed.first?.contains("\(phone.path(note("minutes"))): \(reason)"), true, "\(printed)")
    }
    #expect(phone.text("copy") == nil && phone.filesShowing("forged", of: "a1") == ["minutes.note"])
    // A note that was never the app's is none either, and the others are read.
    try await forge("new", isMarked: isMarked)
    await expectEqual(phone.type("read new\nread other").last, "more")
    await expectEqual(phone.type("write minutes again\nread minutes"), ["written", "again"])
  }

  @Test("Without a policy for a while, notes are written in the open, and encrypted once there is one again")
  func policyWithdrawn() async throws {
    await phone.signInAlice()
    await phone.type("switch \(Self.managed)\nwrite minutes secret")
    try setPolicy(false)
    await phone.type("check-in \(Self.managed)\nwrite plain text")
    expectEqual(phone.filesShowing("text", of: "a1"), ["plain.note"])
    try setPolicy(true)
    await phone.type("check-in \(Self.managed)\n\naccounts")
    await expectEqual(phone.type("switch \(Self.managed)\nread plain\nread minutes"), ["text", "secret"])
    #expect(phone.filesShowing("text", of: "a1").isEmpty)
    try await forge("plain", isMarked: false)
    #expect(await phone.type("read plain").first?.contains("it is plain") == true)
  }

  @Test("What a note of another account leaves behind lets no forged one pass under the same name")
  func othersMark() async throws {
    try phone.setPolicy(#""allowedInboundDataTransferSources": "allApps""#)
    await phone.signInBoth()
    await phone.type("switch bob@fabrikam.com\nwrite list milk")
    try phone.write("incoming", "theirs")
    let app = try await phone.launch()
    try app.notes.files.protector.protectFile(phone.path("incoming"), .marked(owner: "bob@fabrikam.com"))
    try await phone.type("switch \(Self.managed)", into: app)
    try await expectEqual(phone.type("receive \(phone.path("incoming")) list", into: app), ["received"])
    try await expectEqual(phone.type("read list", into: app), ["theirs"])
    try await app.end()
    // It goes with its owner, and the next one of that name is Alice's.
    try FileManager.default.removeItem(atPath: phone.path(note("list")))
    try phone.write("plain", "secret")
    await expectEqual(phone.type("switch \(Self.managed)\nreceive \(phone.path("plain")) list").last, "received")
    await expectEqual(phone.type("read list"), ["secret"])
    try await forge("list", isMarked: false)
    #expect(await phone.type("read list").first?.contains("it is plain") == true)
  }

  @Test("An app that is installed again knows nothing of the notes of the one before")
  func installedAgain() async throws {
    await phone.signInAlice()
    await phone.type("switch \(Self.managed)\nwrite minutes secret")
    let first = try await phone.launch()
    #expect(try NoteMarks(first.notes.keys).areProtected(.first))
    try await first.end()
    // The keychain and the shared folder stay.
    try FileManager.default.removeItem(atPath: phone.path("phone/notes"))
    let second = try await phone.launch()
    #expect(try !NoteMarks(second.notes.keys).areProtected(.first))
    try await second.end()
  }

  @Test("Until every note is encrypted, none is refused")
  func unfinishedPass() async throws {
    try setPolicy(false)
    await phone.type("sign-in \(Self.managed)")
    await phone.type("switch \(Self.managed)\nwrite one first\nwrite two second")
    let app = try await phone.launch()
    // A note that is open for writing cannot be encrypted.
    let open = try app.notes.files.open(phone.path(note("two")), forWriting: true)
    try setPolicy(true)
    try await phone.type("check-in \(Self.managed)", into: app)
    try await app.end()
    _ = await phone.type("\n")
    await expectEqual(phone.type("switch \(Self.managed)\nread two").last, "second")
    #expect(phone.filesShowing("first", of: "a1").isEmpty)
    try open.close()
    await phone.type("accounts")
    try await forge("two", isMarked: true)
    await expectEqual(phone.type("read two").first?.contains("it only names an owner"), true)
  }
}
