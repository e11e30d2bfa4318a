import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import EventSourcingKit
import FileProtection
import Forensics
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("An erased person")
struct ErasedPersonTests {
  private static let texts = [
    "alice@contoso.com", "alice.b@contoso", "no route for alice", "alice must call", "/home/alice", "0f1e2d3c",
    "desk 4711", "hunter2",
  ]

  /// Which texts and identifiers of the person are in the files below a folder, whatever their letter case.
  private func found(below path: String) -> [String] {
    Self.texts.filter { FoundBytes.contain("-i '\($0)'", below: path) }
      + (FoundBytes.contain("-P '\(FoundBytes.objectID)'", below: path) ? ["object id"] : [])
  }

  @Test(
    "After a person was erased, the journal verifies, the state folds, and no byte of her is on the disk or in an export"
  )
  func erasing() throws {
    let folder = try ManagedFolder()
    let alice = ManagedFolder.alice
    try folder.send(.requestCheckIn(alice))
    try folder.send(.answerCheckIn(alice, .failure(ServiceFailure(.timeout, error: "no route for alice"))))
    try folder.send(.registerAndEnroll(ManagedFolder.eve))
    try folder.files.protect(folder.write("minutes", to: "note"), for: alice)
    // As a service delivers it, and an app has always read it.
    var secret = ConfigurationValue("code", "hunter2")
    secret.isSecret = true
    let mail = ConfigurationEntry([
      ConfigurationValue("mail", "to {{UserPrincipalName}}, {{userid}}, {{mail}}"),
      ConfigurationValue("place", "desk 4711"), secret,
    ])
    try folder.send(.deliverConfiguration(alice, [mail]))
    try folder.send(
      .identifyAccount(AccountReference(objectID: alice.objectID, userPrincipalName: "Alice.B@Contoso.com")))
    try folder.store.checkpoint()
    expectEqual(found(below: folder.path), [])
    let before = folder.store.state
    let number = try #require(before.account(for: alice)?.account)
    expectEqual(before.accounts[number]?.userPrincipalName, "Alice.B@Contoso.com")
    let id = try #require(alice.objectID)
    expectEqual(before.appConfiguration(for: number).string("mail"), "to Alice.B@Contoso.com, \(id), {{mail}}")
    let stored = try #require(before.configuration.accounts[number]?.entries)
    expectEqual(stored.map { $0.values.map(\.text) }, [mail.values.map(\.text)])
    let bytes = try journalBytes(folder)

    try folder.keys.erase(number)
    try folder.keys.erase(number)
    try expectEqual(journalBytes(folder), bytes, "nothing is rewritten")
    try folder.relaunch()
    let state = folder.store.state
    let account = try #require(state.accounts[number])
    #expect(state.account(for: alice) == nil && state.account(for: ManagedFolder.eve) != nil)
    #expect(account.$objectID.isErased && account.$userPrincipalName.isErased)
    expectEqual(state.appConfiguration(for: number).fullData.map(\.values), [[]])
    expectEqual(state.configuration.accounts[number]?.entries, stored, "the stored bytes are the same")
    expectEqual(account.enrollment.status, before.accounts[number]?.enrollment.status)

    var history = try History<AppProtectionMachine>(at: folder.path + "/journal")
    try expectEqual(history.reader.verify().findings, [])
    #expect(try history.check().isSound)
    // What output shows: erased where the keys are at hand, sealed where they are not.
    for (sealing, isErased) in [(folder.keys.sealing, true), (nil, false)] as [(Sealing?, Bool)] {
      history.sealing = sealing
      let tree = try history.state(at: .end).state.tree()
      guard case .value(.sealed(mark: _, let shown))? = tree[path: "/accounts/a1/userPrincipalName"] else {
        Issue.record("the name is not sealed")
        return
      }
      expectEqual(shown, isErased)
    }
    // Her files and data cannot be read any more, here or anywhere.
    let error = #expect(throws: ProtectionError.self) { try folder.keys.protector.open(folder.path("note")) }
    expectEqual(error?.code, .destroyedKey)

    var export = HistoryExport(history)
    export.pseudonyms = nil
    let file = try PosixFileSystem().open(folder.path + "/export.gz", .replace)
    defer { PosixFileSystem().close(file) }
    var written: UInt64 = 0
    _ = try export.write(try history.reader.verify()) { bytes in
      _ = bytes.withUnsafeBytes { try? PosixFileSystem().write(file, $0, at: written) }
      written += UInt64(bytes.count)
    }
    expectEqual(system("gunzip -c '\(folder.path)/export.gz' > '\(folder.path)/export.jsonl'"), 0)
    expectEqual(system("test -s '\(folder.path)/export.jsonl'"), 0)
    expectEqual(found(below: folder.path), [])
  }

  @Test("The search finds what a journal without keys holds, so that finding nothing means something")
  func search() throws {
    let folder = try ManagedFolder()
    let plain = try EventStore<AppProtectionMachine>.create(
      at: folder.path + "/plain", journalID: .random(), createdNanoseconds: 0)
    try plain.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 1, uptimeNanoseconds: 1))
    try plain.append(.registerAndEnroll(ManagedFolder.alice), at: Moment(wallNanoseconds: 2, uptimeNanoseconds: 2))
    try plain.close()
    expectEqual(found(below: folder.path), ["alice@contoso.com", "object id"])
  }

  /// Every file of the journal.
  private func journalBytes(_ folder: ManagedFolder) throws -> [String: [UInt8]] {
    let files = PosixFileSystem()
    var all: [String: [UInt8]] = [:]
    for name in try files.list(folder.path + "/journal") {
      let file = try files.open(folder.path + "/journal/" + name, .read)
      defer { files.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
      _ = try bytes.withUnsafeMutableBytes { try files.read(file, into: $0, at: 0) }
      all[name] = bytes
    }
    return all
  }
}
