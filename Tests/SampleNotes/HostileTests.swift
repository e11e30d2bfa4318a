import Expectations
import Foundation
import Testing

@testable import SampleNotes

/// What a user who means harm does to the phone's folders, or with the app's commands.
@Suite("A hostile user")
@MainActor
struct HostileTests {
  private let phone: TestPhone
  private static let managed = "alice@contoso.com"

  init() async throws {
    phone = try TestPhone()
    await phone.signInBoth()
    await phone.type("switch \(Self.managed)\nwrite minutes secret")
  }

  private func files(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: phone.path(name))) ?? []).sorted()
  }

  /// Puts a link to a folder outside, with a file in it, in the place of a folder of notes.
  private func link(_ account: String) throws {
    let folder = phone.path("phone/notes/documents/\(account)")
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: phone.path("outside"), withIntermediateDirectories: true)
    try phone.write("outside/diary.note", "dear diary")
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: phone.path("outside"))
  }

  // MARK: Links

  @Test(
    "A link in the place of an account's folder leads nowhere: nothing behind it is read, encrypted or removed",
    arguments: ["a1", "a2", "a7"])
  func linkedFolder(account: String) async throws {
    try link(account)
    await phone.type("accounts\nlist\nwipe \(Self.managed)\nsign-out bob@fabrikam.com\naccounts")
    expectEqual(files("outside"), ["diary.note"])
    expectEqual(phone.text("outside/diary.note"), "dear diary")
  }

  @Test(
    "Nothing is read, written or removed through a linked folder, and the error names it",
    arguments: ["", "bob@fabrikam.com"])
  func noteBehindLink(account: String) async throws {
    let folder = account.isEmpty ? "personal" : "a2"
    await phone.type("switch \(account)")
    try link(folder)
    for line in ["write diary x", "read diary", "delete diary", "save diary other \(phone.path("copy"))"] {
      let printed = await phone.type(line)
      expectEqual(
        printed,
        [
          "\(phone.path("phone/notes/documents/\(folder)")): open: it is a symbolic link. "
            + "Notes need a folder of their own there: move away what is none."
        ], "\(line)")
    }
    #expect(await phone.type("list").isEmpty)
    #expect(phone.text("outside/diary.note") == "dear diary" && phone.text("copy") == nil)
  }

  @Test("A file that is named like an account's folder keeps the app from nothing")
  func fileNamedLikeFolder() async throws {
    try phone.write("phone/notes/documents/a2", "x")
    try phone.write("phone/notes/documents/a5", "y")
    let printed = await phone.type("read minutes\nwipe \(Self.managed)")
    #expect(printed.first == "secret" && phone.files(of: "a1").isEmpty)
    #expect(phone.text("phone/notes/documents/a2") == "x" && phone.text("phone/notes/documents/a5") == "y")
  }

  @Test(
    "A file that says it is longer than any memory ends nothing",
    arguments: [
      "notes/last-shown", "keychain/pins", "notes/documents/a1/endless.note", "notes/documents/personal/endless.note",
    ])
  func endlessFile(name: String) async throws {
    let path = phone.path("phone/\(name)")
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    // Holes take no room on the disk. Far more, and copying one would take long.
    try file.truncate(atOffset: 32 << 20)
    try file.close()
    let account = name.contains("personal") ? "" : Self.managed
    let printed = await phone.type(
      "switch \(account)\nread endless\nopen \(path) box copied\nswitch \(Self.managed)\nread minutes")
    expectEqual(printed.last, "secret", "\(printed)")
    #expect(!files("notes/documents/personal").contains("copied.note"))
    if name.hasSuffix("note") {
      // A plain file among notes that are encrypted is refused before its length counts.
      let reason =
        name.contains("/a1/")
        ? "it is plain and may stand in the place" : "it has 33554432 bytes, and no more than 16777216 are taken"
      #expect(printed.contains { $0.contains(reason) }, "\(printed)")
    }
  }

  @Test("A link in the place of the spool is not followed, and keeps a wipe from nothing")
  func linkedSpool() async throws {
    let spool = phone.path("phone/notes/spool")
    let handedOver = await phone.type("check-in \(Self.managed)", isExtension: true)
    expectEqual(handedOver, ["handed over"])
    try FileManager.default.moveItem(atPath: spool, toPath: phone.path("outside"))
    let before = files("outside")
    #expect(before.contains { $0.hasSuffix(".command") })
    try FileManager.default.createSymbolicLink(atPath: spool, withDestinationPath: phone.path("outside"))
    let printed = await phone.type("wipe \(Self.managed)")
    #expect(printed.contains { $0.contains("a link is in the place of the folder of commands") })
    await expectEqual(phone.start("check-in \(Self.managed)", isExtension: true).code, 4)
    #expect(files("outside") == before && phone.files(of: "a1").isEmpty)
  }

  // MARK: Files of others

  @Test("A managed account's file is not opened for the user's own notes, from wherever: its owner decides")
  func openedFile() async throws {
    await phone.type("share minutes \(Self.managed) \(phone.path("copy"))\nswitch")
    for file in ["copy", "phone/notes/documents/a1/minutes.note"] {
      let printed = await phone.type("open \(phone.path(file)) other leak")
      #expect(printed.count == 1 && printed[0].hasPrefix("blocked: ") && printed[0].hasSuffix("(receive.4)"))
    }
    #expect(files("phone/notes/documents/personal").isEmpty)
    // Its owner may.
    await expectEqual(
      phone.type("switch \(Self.managed)\nopen \(phone.path("copy")) sharePoint again\nread again").last, "secret")
    #expect(phone.filesShowing("secret", of: "a1").isEmpty)
  }

  @Test("A managed account's note that was moved into another folder is still under the account's policy")
  func movedNote() async throws {
    await phone.type("switch\nwrite own mine")
    let documents = phone.path("phone/notes/documents")
    try FileManager.default.copyItem(
      atPath: "\(documents)/a1/minutes.note", toPath: "\(documents)/personal/minutes.note")
    for line in [
      "save minutes other \(phone.path("copy"))", "share minutes unmanaged \(phone.path("copy"))", "print minutes",
    ] {
      let printed = await phone.type(line)
      #expect(printed.count == 1 && printed[0].hasPrefix("blocked: "), "\(line)")
    }
    #expect(phone.text("copy") == nil)
  }

  @Test(
    "A file that comes in is readable by its owner only, whatever it was in the other app", arguments: [0o666, 0o444])
  func openMode(mode: Int) async throws {
    try phone.write("plain", "mine")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: phone.path("plain"))
    await expectEqual(
      phone.type("switch\nimport \(phone.path("plain")) note\nread note").suffix(2), ["received", "mine"])
    let note = phone.path("phone/notes/documents/personal/note.note")
    try expectEqual(FileManager.default.attributesOfItem(atPath: note)[.posixPermissions] as? Int, 0o600)
  }

  // MARK: The journal

  @Test(
    "A lost journal is not begun anew: the app says so, and neither notes nor keys change", arguments: [true, false])
  func lostJournal(isFolderKept: Bool) async throws {
    let journal = phone.path("phone/notes/journal")
    try FileManager.default.moveItem(atPath: journal, toPath: phone.path("backup"))
    if isFolderKept { try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false) }
    let keys = try Data(contentsOf: URL(fileURLWithPath: phone.path("phone/shared/keys")))
    for _ in 0..<2 {
      await expectEqual(
        phone.type("sign-in carol@contoso.com"),
        [
          "\(journal): the journal of this app is gone. Restore it; or save the notes that can be read, remove the app's "
            + "container and begin again."
        ])
    }
    #expect(phone.files(of: "a1") == ["minutes.note"] && files("phone/notes/journal").isEmpty)
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: phone.path("phone/shared/keys"))), keys)
    // Restored, it goes on.
    try? FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: phone.path("backup"), toPath: journal)
    await expectEqual(phone.type("switch \(Self.managed)\nread minutes").last, "secret")
  }

  @Test("A first launch that died before it had a journal is finished by the next one")
  func unfinishedFirstLaunch() async throws {
    let phone = try TestPhone()
    await phone.type("accounts")
    try FileManager.default.removeItem(atPath: phone.path("phone/notes/journal"))
    await phone.signInAlice()
    await expectEqual(phone.type("accounts"), ["a1  alice@contoso.com: managed"])
  }

  @Test("With the installation's name lost as well, notes that the new journal knows nothing of stay")
  func lostInstallation() async throws {
    for name in ["journal", "installation"] {
      try FileManager.default.removeItem(atPath: phone.path("phone/notes/\(name)"))
    }
    await phone.type("accounts")
    expectEqual(phone.files(of: "a1"), ["minutes.note"])
  }

  // MARK: The share extension's folder

  @Test("A spool that cannot be read keeps no wipe of the app waiting, and is told once")
  func unreadableSpool() async throws {
    try? FileManager.default.removeItem(atPath: phone.path("phone/notes/spool"))
    try phone.write("phone/notes/spool", "x")
    let printed = await phone.type("wipe \(Self.managed)\naccounts")
    expectEqual(printed.count { $0.hasPrefix("what the share extension handed over: ") }, 1)
    #expect(printed.contains("\(Self.managed): the organization's data is gone from this phone"))
    #expect(phone.files(of: "a1").isEmpty)
  }

  @Test("A damaged command of the extension is set aside, and the app says so")
  func damagedCommand() async throws {
    await phone.type("wipe \(Self.managed)", isExtension: true)
    let name = try #require(files("phone/notes/spool").first { $0.hasSuffix(".command") })
    let url = URL(fileURLWithPath: phone.path("phone/notes/spool/\(name)"))
    var bytes = try Data(contentsOf: url)
    bytes[60] ^= 0xFF
    try bytes.write(to: url)
    let printed = await phone.type("accounts")
    expectEqual(printed.count { $0.hasPrefix("what the share extension handed over: was set aside: ") }, 1)
  }

  @Test("What another app shares replaces no note")
  func sharedUnderTakenName() async throws {
    await phone.type("switch\nwrite diary precious")
    try phone.write("incoming", "spam")
    let taken = ["there is a note diary: take it in under another name"]
    await expectEqual(phone.type("share-text spam diary", isExtension: true), taken)
    for command in ["import", "receive"] {
      await expectEqual(phone.type("\(command) \(phone.path("incoming")) diary"), taken)
    }
    await expectEqual(phone.type("read diary"), ["precious"])
  }

  @Test("No app is named like the folder of everybody's keys", arguments: ["shared", "keychain", "Shared"])
  func appNamedLikeKeys(name: String) async {
    let printed = await phone.type("accounts", app: name)
    expectEqual(printed.first?.hasPrefix("\(name) cannot be the name of an app"), true)
  }

  // MARK: The screen

  @Test("An account whose sign-out the service did not answer is not listed as signed in")
  func unansweredSignOut() async throws {
    try FileManager.default.removeItem(atPath: phone.path("company"))
    let printed = await phone.type("sign-out \(Self.managed)\naccounts")
    expectEqual(printed.last, "a2  bob@fabrikam.com: not managed")
  }

  @Test("What was meant for an account that is gone from the screen is not written into the user's own notes")
  func lostScreen() async throws {
    await phone.type("wipe \(Self.managed)", isExtension: true)
    let printed = await phone.type("write leak secret\nswitch\nwrite own mine")
    #expect(printed.contains { $0.hasPrefix("the notes that were on the screen cannot be shown: ") })
    expectEqual(printed.last, "written")
    expectEqual(files("phone/notes/documents/personal"), ["own.note"])
  }

  @Test("A file that remembers the screen and cannot be written keeps the app from nothing")
  func unwritableScreen() async throws {
    await phone.type("switch")
    let draft = phone.path("phone/notes/last-shown.draft")
    try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: phone.path("nowhere"))
    let printed = await phone.type("switch \(Self.managed)\nread minutes\nwipe \(Self.managed)")
    expectEqual(
      printed.prefix(2),
      [
        "\(phone.path("phone/notes/last-shown")): open: it is a symbolic link. The app will not come back to these notes.",
        "secret",
      ])
    #expect(printed.contains("\(Self.managed): the organization's data is gone from this phone"))
    #expect(phone.files(of: "a1").isEmpty)
  }

  // MARK: Backups

  @Test("A container that is restored from before a wipe: notes stay closed, and a new sign-in makes all as it was")
  func restoredContainer() async throws {
    let container = phone.path("phone/notes")
    try FileManager.default.copyItem(atPath: container, toPath: phone.path("backup"))
    await phone.type("check-in \(Self.managed)\ncheck-in \(Self.managed)\nwipe \(Self.managed)")
    try FileManager.default.removeItem(atPath: container)
    try FileManager.default.moveItem(atPath: phone.path("backup"), toPath: container)
    let refused = await phone.type("write new text\nread minutes")
    expectEqual(refused.first?.hasSuffix("as in a restored backup: unenroll the account, and enroll it again."), true)
    #expect(refused.last?.contains("secret") == false && phone.files(of: "a1").isEmpty)
    for _ in 1...2 {
      await phone.type("sign-out \(Self.managed)")
      await phone.signInAlice()
      await expectEqual(phone.type("switch \(Self.managed)\nwrite new text\nread new"), ["written", "text"])
      #expect(phone.filesShowing("text", of: "a1").isEmpty)
    }
  }

  @Test("What is written while an account has no policy goes with its wipe, wherever it was moved to, and is counted")
  func writtenWithoutPolicy() async throws {
    try phone.write("company/assignments.json", #"{"assignments": []}"#)
    await phone.type("check-in \(Self.managed)\nwrite plain text")
    let documents = phone.path("phone/notes/documents")
    try FileManager.default.createDirectory(atPath: "\(documents)/other", withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: "\(documents)/a1/plain.note", toPath: "\(documents)/other/plain.note")
    let app = try await phone.launch()
    try await phone.type("wipe \(Self.managed)", into: app)
    #expect(files("phone/notes/documents/other").isEmpty && phone.files(of: "a1").isEmpty)
    expectEqual(app.engine.state.wipes[.first]?.filesRemoved, 3)
  }
}
