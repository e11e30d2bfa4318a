import Expectations
import Testing

@testable import SampleNotes

/// Exit criteria of the guide's stage 5: data between apps. The other managed app is the same program under another name, on
/// the same phone, in which the managed account alone is signed in; an unmanaged app's file is one without an owner.
@Suite("Exit criteria of stage 5: data sharing")
@MainActor
struct DataSharingTests {
  private let phone: TestPhone

  init() async throws {
    phone = try TestPhone()
    await phone.signInBoth()
    await phone.signInAlice(app: "mail")
  }

  private static let (managed, unmanaged) = ("alice@contoso.com", "bob@fabrikam.com")

  // MARK: Sending

  /// Sends a note to another app. `nil` if what the app says and what it hands out differ.
  private func isSent(by account: String, to app: String) async -> Bool? {
    let copy = phone.path("sent")
    let printed = await phone.type("switch \(account)\nwrite note 'the text'\nshare note \(app) \(copy)")
    let received = await phone.type(
      "switch \(Self.managed)\nreceive \(copy) note\nread note", app: "mail")
    switch (printed.last, app) {
    case ("shared", "unmanaged"): return phone.text("sent") == "the text" ? true : nil
    case ("shared", _): return received == ["received", "the text"] ? true : nil
    default: return phone.text("sent") == nil && printed.last?.hasPrefix("blocked: ") == true ? false : nil
    }
  }

  @Test("Managed identity send to unmanaged app: blocked")
  func managedToUnmanaged() async { await expectEqual(isSent(by: Self.managed, to: "unmanaged"), false) }

  @Test("Managed identity send to managed app: allowed")
  func managedToManaged() async { await expectEqual(isSent(by: Self.managed, to: Self.managed), true) }

  @Test("Unmanaged identity send to managed app: blocked")
  func unmanagedToManaged() async { await expectEqual(isSent(by: Self.unmanaged, to: Self.managed), false) }

  @Test("Unmanaged identity send to unmanaged app: allowed")
  func unmanagedToUnmanaged() async { await expectEqual(isSent(by: Self.unmanaged, to: "unmanaged"), true) }

  // MARK: Importing and receiving

  /// A file of another app: of the managed one with Alice's data, or of an unmanaged one.
  private func incoming(isManaged: Bool) async throws -> String {
    let file = phone.path("incoming")
    if isManaged {
      await phone.type("switch \(Self.managed)\nwrite note 'the text'\nshare note \(Self.managed) \(file)", app: "mail")
    } else {
      try phone.write("incoming", "the text")
    }
    return file
  }

  /// Whether the account gets a file that the user fetches, or that another app sends.
  private func isTaken(_ command: String, by account: String, isManaged: Bool) async throws -> Bool {
    let file = try await incoming(isManaged: isManaged)
    await phone.type("switch \(account)\n\(command) \(file) note")
    let printed = await phone.type("switch \(account)\nread note")
    return printed == ["the text"]
  }

  @Test("Managed identity import from unmanaged app: blocked")
  func managedImportsUnmanaged() async throws {
    try await expectEqual(isTaken("import", by: Self.managed, isManaged: false), false)
  }

  @Test("Managed identity import from managed app: allowed")
  func managedImportsManaged() async throws {
    try await expectEqual(isTaken("import", by: Self.managed, isManaged: true), true)
    #expect(phone.filesShowing("the text", of: "a1").isEmpty)
  }

  @Test("Unmanaged identity import from managed app: blocked")
  func unmanagedImportsManaged() async throws {
    try await expectEqual(isTaken("import", by: Self.unmanaged, isManaged: true), false)
  }

  @Test("Unmanaged identity import from unmanaged app: allowed")
  func unmanagedImportsUnmanaged() async throws {
    try await expectEqual(isTaken("import", by: Self.unmanaged, isManaged: false), true)
  }

  @Test("Managed identity receive from unmanaged app: the managed account does not get it")
  func managedReceivesUnmanaged() async throws {
    try await expectEqual(isTaken("receive", by: Self.managed, isManaged: false), false)
    // The app goes on without the account, and the file is the user's own.
    let file = phone.path("incoming")
    let printed = await phone.type("switch \(Self.managed)\nreceive \(file) other\nread other")
    expectEqual(printed, ["Your own notes take it in.", "received", "the text"])
  }

  @Test("Managed identity receive from managed app: allowed")
  func managedReceivesManaged() async throws {
    try await expectEqual(isTaken("receive", by: Self.managed, isManaged: true), true)
    #expect(phone.filesShowing("the text", of: "a1").isEmpty)
  }

  @Test("Unmanaged identity receive from managed app: blocked")
  func unmanagedReceivesManaged() async throws {
    try await expectEqual(isTaken("receive", by: Self.unmanaged, isManaged: true), false)
  }

  @Test("Unmanaged identity receive from unmanaged app: allowed")
  func unmanagedReceivesUnmanaged() async throws {
    try await expectEqual(isTaken("receive", by: Self.unmanaged, isManaged: false), true)
  }

  @Test("A received note of another account outlives the receiver's sign-out")
  func othersNote() async throws {
    try phone.setPolicy(#""allowedInboundDataTransferSources": "allApps", "saveAsBlocked": true"#)
    await phone.type("check-in \(Self.managed)\nswitch \(Self.unmanaged)\nwrite note 'of mine'")
    try phone.write("incoming", "the text")
    let app = try await phone.launch()
    try app.notes.files.protector.protectFile(phone.path("incoming"), .marked(owner: Self.unmanaged))
    try await phone.type("switch \(Self.managed)", into: app)
    try await expectEqual(phone.type("receive \(phone.path("incoming")) note", into: app), ["received"])
    try await expectEqual(phone.type("read note", into: app), ["the text"])
    try await phone.type("sign-out \(Self.managed)", into: app)
    #expect(phone.files(of: "a1").isEmpty)
    try await phone.type("switch \(Self.unmanaged)", into: app)
    try await expectEqual(phone.type("read note", into: app), ["of mine"])
    try await expectEqual(phone.type("read note-2", into: app), ["the text"])
  }
}
