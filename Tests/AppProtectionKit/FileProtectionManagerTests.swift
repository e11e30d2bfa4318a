import Expectations
import AppProtection
import AppProtectionKit
import FileProtection
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The file protection manager")
struct FileProtectionManagerTests {
  private static let objectID = "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0"

  @Test("A managed account's file is encrypted for its object id, whatever names it; an unmanaged one's is marked")
  func protect() throws {
    let folder = try ManagedFolder()
    for name in ["ALICE@contoso.com", "0F1E2D3C-4B5A-4678-8796-A5B4C3D2E1F0"] {
      let path = folder.write("minutes", to: "a")
      try folder.files.protect(path, for: AccountReference(name))
      #expect(try folder.files.isFileEncrypted(path))
      let info = try #require(try folder.files.protectionInfo(path))
      #expect(info.owner == Self.objectID && info.isEncrypted)
      try folder.files.decryptFile(path, toCopy: folder.path("copy"))
      expectEqual(folder.read("copy"), "minutes")
    }
    let plain = folder.write("minutes", to: "b")
    #expect(try folder.files.protectionInfo(plain) == nil)
    try folder.files.protect(plain, for: ManagedFolder.eve)
    try expectEqual(folder.files.protectionInfo(plain)?.owner, "eve@example.com")
    #expect(try !folder.files.isFileEncrypted(plain) && folder.read("b")?.hasSuffix("minutes") == true)
    let error = #expect(throws: DataProtectionError.self) {
      try folder.files.encryptFile(plain, for: ManagedFolder.eve)
    }
    expectEqual(error?.code, .applicationNotManaged)
    #expect(throws: DataProtectionError.self) {
      try folder.files.protect(folder.path("none"), for: ManagedFolder.alice)
    }
  }

  /// Settings under which a file of another owner is refused.
  static var refusing: AppSettings {
    var settings = AppSettings()
    settings.assumptions.protectionConflictRefuses = true
    return settings
  }

  @Test("Verify and protect makes the account the owner")
  func verifyAndProtect() throws {
    let folder = try ManagedFolder()
    let path = folder.write("minutes", to: "a")
    for account in [ManagedFolder.eve, ManagedFolder.alice, ManagedFolder.alice] {
      try folder.files.verifyAndProtect(path, for: account)
    }
    #expect(try folder.files.protectionInfo(path)?.owner == Self.objectID && folder.files.isFileEncrypted(path))
  }

  @Test("If it is so assumed, verify and protect refuses a file of another owner, and protect changes it")
  func verify() throws {
    let folder = try ManagedFolder()
    try folder.send(.changeSettings(Self.refusing))
    let path = folder.write("minutes", to: "a")
    try folder.files.verifyAndProtect(path, for: ManagedFolder.eve)
    try folder.files.verifyAndProtect(path, for: ManagedFolder.eve)
    let error = #expect(throws: DataProtectionError.self) {
      try folder.files.verifyAndProtect(path, for: ManagedFolder.alice)
    }
    #expect(error?.code == .invalidArguments && error?.cause?.code == .otherOwner)
    try folder.files.protect(path, for: ManagedFolder.alice)
    try expectEqual(folder.files.protectionInfo(path)?.owner, Self.objectID)
  }

  @Test("An open file is read and written in place, and closed to accounts that are not managed here")
  func open() throws {
    let folder = try ManagedFolder()
    let file = try folder.files.create(folder.path("a"), for: ManagedFolder.alice)
    try file.write(Array("minutes".utf8))
    try file.close()
    let again = try folder.files.open(folder.path("a"), forWriting: true)
    try again.pwrite(Array("M".utf8), at: 0)
    try again.close()
    try expectEqual(folder.files.open(folder.path("a")).read(9), Array("Minutes".utf8))
    let plain = folder.write("x", to: "plain")
    expectEqual(#expect(throws: DataProtectionError.self) { try folder.files.open(plain) }?.code, .dataNotProtected)
    // Another app has the key, and Alice is not managed there.
    let other = FileProtectionManager(protector: folder.keys.protector) { AppProtectionState() }
    let error = #expect(throws: DataProtectionError.self) { try other.open(folder.path("a")) }
    expectEqual(error?.code, .failedToDecryptData)
  }

  @Test("Managed apps of one account read each other's files through a shared key store, and wipe only their own")
  func shared() throws {
    let notes = try ManagedFolder()
    let mail = try ManagedFolder(scope: "mail", in: notes)
    let path = notes.write("minutes", to: "a")
    try notes.files.protect(path, for: ManagedFolder.alice)
    try mail.files.decryptFile(path, toCopy: mail.path("a"))
    expectEqual(mail.read("a"), "minutes")
    try mail.files.protect(mail.path("a"), for: ManagedFolder.alice)
    #expect(try mail.files.protectionInfo(mail.path("a"))?.keyID != notes.files.protectionInfo(path)?.keyID)

    let remover = ContainerFiles(in: mail.path, protector: mail.keys.protector, state: mail.state)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1))
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 0))
    #expect(mail.read("a") == nil)
    try expectEqual(notes.files.open(path).read(9), Array("minutes".utf8))
  }

  @Test("A wipe makes copies unreadable, and leaves files of others and files without an owner")
  func wipe() throws {
    let folder = try ManagedFolder()
    let files = folder.files
    for (name, account) in [("a", ManagedFolder.alice), ("copy", ManagedFolder.alice), ("eve", ManagedFolder.eve)] {
      try files.protect(folder.write("minutes", to: name), for: account)
    }
    folder.write("minutes", to: "plain")
    _ = rename(folder.path("copy"), folder.path + "/backup")
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1))
    #expect(folder.read("a") == nil && folder.read("eve") != nil && folder.read("plain") == "minutes")
    let error = #expect(throws: ProtectionError.self) { try files.protector.open(folder.path + "/backup") }
    expectEqual(error?.code, .destroyedKey)
    #expect(try files.protectionInfo(folder.path + "/backup")?.owner == nil)
  }

  @Test("A provider hands out encrypted copies where policy asks for it, keeps originals plain, and stamps its items")
  func provider() throws {
    for (isFree, isEncrypted) in [(false, true), (true, false)] {
      let folder = try ManagedFolder {
        if isFree { $0.dataTransfer.allowedOutboundDataTransferDestinations = .allApps }
      }
      let path = folder.write("minutes", to: "a")
      let decision = try folder.files.handOut(path, to: folder.path("out"), for: ManagedFolder.alice)
      expectEqual(decision.outcome, isEncrypted ? .required : .notRequired)
      expectEqual(folder.read("a"), "minutes")
      try expectEqual(folder.files.isFileEncrypted(folder.path("out")), isEncrypted)
      let items = try folder.files.items(for: [path, folder.path("out")], of: ManagedFolder.alice)
      expectEqual(items.map(\.owner), [Self.objectID, Self.objectID])
      expectEqual(items.map(\.isEncrypted), [false, isEncrypted])
      #expect(try folder.files.item(for: path).owner == nil)
    }
  }

  @Test("A file that comes in keeps its sender as its owner, is decrypted where originals are plain, or stays out")
  func receive() throws {
    let folder = try ManagedFolder { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps }
    let sender = try ManagedFolder(scope: "mail", in: folder)
    let path = sender.write("minutes", to: "a")
    try sender.files.protect(path, for: ManagedFolder.alice)
    let received = try folder.files.receive(path, to: folder.path("in"), as: ManagedFolder.alice)
    #expect(received.owner == Self.objectID && received.decision.outcome == .allowed)
    try expectEqual(folder.files.protectionInfo(folder.path("in"))?.owner, Self.objectID)
    #expect(try folder.files.isFileEncrypted(folder.path("in")))
    let kept = try folder.files.receive(path, to: folder.path("plain"), as: ManagedFolder.alice, isKeptPlain: true)
    #expect(kept.owner == Self.objectID && folder.read("plain") == "minutes")

    let stranger = folder.write("x", to: "stranger")
    let refused = try folder.files.receive(stranger, to: folder.path("no"), as: ManagedFolder.alice)
    #expect(refused.owner == nil && refused.decision.outcome != .allowed && folder.read("no") == nil)
  }

  @Test("An account that is known by its name alone is managed, whatever else a caller knows of it")
  func nameAlone() throws {
    let folder = try ManagedFolder(account: AccountReference(userPrincipalName: "alice@contoso.com"))
    let path = folder.write("minutes", to: "a")
    try folder.files.protect(path, for: ManagedFolder.alice)
    #expect(try folder.files.isFileEncrypted(path))
    try expectEqual(folder.files.open(path).read(9), Array("minutes".utf8))
    #expect(try folder.data.protectionInfo(folder.data.protect([1], for: ManagedFolder.alice)).isEncrypted)
  }

  @Test("Files stay readable, and are wiped, whatever the account was called when they were written")
  func otherNames() throws {
    let folder = try ManagedFolder(account: AccountReference(userPrincipalName: "alice@contoso.com"))
    try folder.send(.changeSettings(Self.refusing))
    let paths = ["a", "b", "c"].map { folder.write("minutes", to: $0) }
    try folder.files.protect(paths[0], for: AccountReference(userPrincipalName: "alice@contoso.com"))
    let data = try folder.data.protect([1, 2], for: AccountReference(userPrincipalName: "alice@contoso.com"))
    try folder.send(.identifyAccount(ManagedFolder.alice))
    try folder.files.protect(paths[1], for: ManagedFolder.alice)
    let renamed = AccountReference(objectID: ManagedFolder.alice.objectID, userPrincipalName: "alice.b@contoso.com")
    try folder.send(.identifyAccount(renamed))
    try folder.files.protect(paths[2], for: renamed)
    for path in paths {
      try expectEqual(folder.files.open(path).read(9), Array("minutes".utf8))
      try expectEqual(folder.files.protectionInfo(path)?.owner, Self.objectID)
      try folder.files.verifyAndProtect(path, for: renamed)
      #expect(throws: DataProtectionError.self) { try folder.files.verifyAndProtect(path, for: ManagedFolder.eve) }
    }
    try expectEqual(folder.data.unprotect(data), [1, 2])
    try folder.files.protect(folder.write("minutes", to: "backup"), for: renamed)
    _ = rename(folder.path("backup"), folder.path + "/backup")
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 3))
    #expect(throws: ProtectionError.self) { try folder.keys.protector.open(folder.path + "/backup") }
    #expect(throws: DataProtectionError.self) { try folder.data.unprotect(data) }
    // Nothing of hers is in use: not under any name that she had.
    for name in ["1", Self.objectID, "alice@contoso.com", "alice.b@contoso.com"] {
      let entry = try folder.keys.store.key(named: KeyName(scope: "notes", account: name))
      expectEqual(entry, name == "1" ? .destroyed : nil)
    }
  }

  @Test("Nothing is protected for an account while it is wiped, nor by a process that does not know of it; later it is")
  func fence() throws {
    let folder = try ManagedFolder()
    let late = FileProtectionManager(protector: folder.keys.protector) { [state = folder.store.state] in state }
    try late.protect(folder.write("minutes", to: "a"), for: ManagedFolder.alice)
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let path = folder.write("minutes", to: "b")
    let error = #expect(throws: DataProtectionError.self) { try folder.files.protect(path, for: ManagedFolder.alice) }
    #expect(error?.code == .failedToEncryptData && error?.cause?.code == .wipePending)
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1))
    let stale = #expect(throws: DataProtectionError.self) { try late.protect(path, for: ManagedFolder.alice) }
    #expect(stale?.cause?.code == .destroyedKey && folder.read("b") == "minutes")
    try folder.finishWipe()
    try folder.enroll()
    try folder.files.protect(path, for: ManagedFolder.alice)
    try expectEqual(folder.files.open(path).read(9), Array("minutes".utf8))
    // The wipe is repeated by a process that was slow.
    #expect(remover.destroyKeys(of: .first))
    try expectEqual(folder.files.open(path).read(9), Array("minutes".utf8))
  }

  @Test(
    "A journal from before a wipe: nothing is encrypted until the account enrolls again, and the next wipe spares no key",
    arguments: [false, true])
  func restoredBackup(hadEnrolledAgain: Bool) throws {
    let folder = try ManagedFolder()
    let path = folder.path("a")
    let before = folder.store.state
    let restored = FileProtectionManager(protector: folder.keys.protector, state: { before })
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: { before })
    try folder.files.write([1], to: path, for: ManagedFolder.alice)
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let wiper = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    expectEqual(wiper.removeFiles(of: .first), FileRemoval(count: 1))
    try folder.finishWipe()
    try folder.enroll()
    if hadEnrolledAgain { try folder.files.write([2], to: path, for: ManagedFolder.alice) }
    // The journal of the time before the wipe is launched on.
    remover.alignKeys(of: .first, enrolls: false)
    if !hadEnrolledAgain {
      let error = #expect(throws: DataProtectionError.self) {
        try restored.write([3], to: path, for: ManagedFolder.alice)
      }
      expectEqual(error?.cause?.code, .destroyedKey)
      expectEqual(error?.description.hasSuffix("unenroll the account, and enroll it again."), true)
      remover.alignKeys(of: .first, enrolls: true)
    }
    expectEqual(hadEnrolledAgain, (try? restored.contents(of: path)) == [2])
    try restored.write([3], to: path, for: ManagedFolder.alice)
    #expect(try restored.contents(of: path) == [3] && restored.isFileEncrypted(path))
    let later = try ManagedFolder.wiping(before)
    let last = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: { later })
    last.alignKeys(of: .first, enrolls: false)
    expectEqual(last.removeFiles(of: .first), FileRemoval(count: 1))
    try expectEqual(folder.keys.store.key(named: KeyName(scope: "notes", account: "1")), .destroyed)
  }

  @Test("A file that is made without an account belongs to the identity of the caller")
  func currentIdentity() throws {
    let folder = try ManagedFolder()
    try IdentityContext.with(.first) {
      try folder.files.write([1], to: folder.path("a"))
      try folder.files.create(folder.path("b")).close()
      try folder.files.protect(folder.write("minutes", to: "c"))
    }
    for name in ["a", "b", "c"] {
      let info = try #require(try folder.files.protectionInfo(folder.path(name)))
      #expect(info.owner == Self.objectID && info.isEncrypted)
    }
    try IdentityContext.with(.unmanaged) { try folder.files.write([1], to: folder.path("own")) }
    #expect(try folder.files.protectionInfo(folder.path("own")) == nil)
    // Where no scope is, the process's identity counts: here that of the managed account, as the app has one identity.
    try folder.files.write([1], to: folder.path("d"))
    #expect(try folder.files.isFileEncrypted(folder.path("d")))
  }

  @Test("What is written for an account while it has no policy is marked, and a wipe removes it")
  func writtenWithoutPolicy() throws {
    let folder = try ManagedFolder()
    try folder.send(.requestCheckIn(ManagedFolder.alice))
    try folder.send(.answerCheckIn(ManagedFolder.alice, .noPolicy))
    #expect(!folder.store.state.isManaged(.first))
    for account in [ManagedFolder.alice, ManagedFolder.eve, nil] {
      let name = account?.userPrincipalName ?? "own"
      try folder.files.write(Array("minutes".utf8), to: folder.path(name), for: account)
      try expectEqual(folder.files.contents(of: folder.path(name)), Array("minutes".utf8))
      // The journal knows Alice alone.
      let info = try folder.files.protectionInfo(folder.path(name))
      #expect(info?.owner == (account == ManagedFolder.alice ? Self.objectID : nil) && info?.isEncrypted != true)
    }
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1))
    #expect(folder.read("Alice@Contoso.com") == nil && folder.read("own") == "minutes")
  }

  @Test(
    "What was marked under a former name is still the account's, and a wipe removes it; a name of another account's now is not"
  )
  func formerName() throws {
    let dora = AccountReference(userPrincipalName: "Dora@contoso.com")
    let folder = try ManagedFolder(account: dora)
    try folder.send(.requestCheckIn(dora))
    try folder.send(.answerCheckIn(dora, .noPolicy))
    for name in ["a", "b"] { try folder.files.write([1], to: folder.path(name), for: dora) }
    try folder.send(
      .identifyAccount(
        AccountReference(objectID: ManagedFolder.alice.objectID, userPrincipalName: dora.userPrincipalName)))
    try folder.send(
      .identifyAccount(AccountReference(objectID: ManagedFolder.alice.objectID, userPrincipalName: "d@contoso.com")))
    #expect(folder.store.state.account(for: dora) == nil)
    // The file says what it was told; the account is known by what it is called now.
    try expectEqual(folder.files.protector.info(folder.path("a")).owner, "dora@contoso.com")
    try expectEqual(folder.files.protectionInfo(folder.path("a"))?.owner, Self.objectID)
    try expectEqual(folder.files.protectionInfo(folder.path("a"))?.isEncrypted, false)
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let before = folder.store.state
    // Another user gets the name.
    try folder.send(.registerAndEnroll(dora))
    expectEqual(folder.store.state.account(for: dora)?.account.description, "a2")
    for (state, count) in [(folder.store.state, 0), (before, 2)] as [(AppProtectionState, UInt64)] {
      let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: { state })
      expectEqual(remover.removeFiles(of: .first), FileRemoval(count: count))
    }
  }

  @Test("A number that a restored journal gives to another person comes without the first one's key")
  func restoredNumber() throws {
    let folder = try ManagedFolder()
    let path = folder.path("a")
    let registered = try ManagedFolder.state(after: [
      .startProcess(ProcessStart()), .registerAndEnroll(ManagedFolder.alice),
    ])
    func remover(_ state: @escaping @Sendable () -> AppProtectionState) -> ContainerFiles {
      ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: state)
    }
    remover { registered }.alignKeys(of: .first, enrolls: true)
    try folder.files.write([1], to: path, for: ManagedFolder.alice)
    let name = KeyName(scope: "notes", account: "1")
    let first = try folder.keys.store.key(named: name)
    // The journal is that of the time before Alice had a policy: her key is taken up.
    for enrolls in [false, true] { remover { registered }.alignKeys(of: .first, enrolls: enrolls) }
    #expect(try folder.keys.store.key(named: name) == first && folder.files.contents(of: path) == [1])
    // It is that of the time before Alice: Eve gets her number.
    let other = try ManagedFolder.state(after: [.startProcess(ProcessStart()), .registerAndEnroll(ManagedFolder.eve)])
    expectEqual(other.account(for: ManagedFolder.eve)?.account, .first)
    // What is marked for her before does not make the key hers.
    let early = FileProtectionManager(protector: folder.keys.protector, state: { other })
    try early.write([2], to: folder.path("b"), for: ManagedFolder.eve)
    remover { other }.alignKeys(of: .first, enrolls: false)
    try expectEqual(folder.keys.store.key(named: name), .destroyed)
    for _ in 0..<2 { remover { other }.alignKeys(of: .first, enrolls: true) }
    let second = try folder.keys.store.key(named: name)
    #expect(second != first && second != .destroyed && second != nil)
    let protector = folder.keys.protector
    expectEqual(#expect(throws: ProtectionError.self) { try protector.open(path) }?.code, .destroyedKey)
    try protector.write([3], to: path, .encrypted(owner: "eve@example.com", account: KeyAccount("1")))
    try expectEqual(protector.contents(of: path), [3])
  }

  @Test("What a dead process left unfinished is removed where copies are written too, and nothing else there")
  func unfinishedCopies() throws {
    let folder = try ManagedFolder()
    let copies = folder.path + "/copies"
    mkdir(copies, 0o700)
    mkdir(copies + "/inner", 0o700)
    let name = ".pj-\(String(repeating: "a", count: 32)).tmp"
    for path in ["a", "../copies/\(name)", "../copies/inner/\(name)", "../copies/.pj-a.tmp", "../copies/b"] {
      folder.write("minutes", to: path)
    }
    try folder.files.protect(folder.path("a"), for: ManagedFolder.alice)
    _ = rename(folder.path("a"), copies + "/a")
    try folder.keys.erase(.first)
    let remover = ContainerFiles(
      in: folder.path("."), protector: folder.keys.protector, copies: [copies], state: folder.state)
    expectEqual(remover.removeLeftovers(), FileRemoval(count: 1))
    #expect(folder.read("../copies/\(name)") == nil)
    for path in ["inner/\(name)", ".pj-a.tmp", "b", "a"] { #expect(folder.read("../copies/\(path)") != nil, "\(path)") }
    let missing = ContainerFiles(
      in: folder.path("."), protector: folder.keys.protector, copies: [copies + "/none"], state: folder.state)
    expectEqual(missing.removeLeftovers().failure?.hasPrefix("\(copies)/none: "), true)
  }

  @Test("A file is written as the owner's policy wants it, and read in any form")
  func contents() throws {
    let folder = try ManagedFolder()
    let path = folder.path("a")
    // Over any other form, and of any size.
    let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    for account in [ManagedFolder.alice, ManagedFolder.eve, nil, ManagedFolder.alice, nil] {
      for bytes in [Array("minutes".utf8), [], long] {
        try folder.files.write(bytes, to: path, for: account)
        try expectEqual(folder.files.contents(of: path), bytes)
        let info = try folder.files.protectionInfo(path)
        expectEqual(info?.isEncrypted, account == nil ? nil : account == ManagedFolder.alice)
        expectEqual(
          info?.owner, account == ManagedFolder.alice ? Self.objectID : account.map { _ in "eve@example.com" })
      }
    }
    // Before any account is managed, files are plain; what is encrypted stays closed then.
    let early = FileProtectionManager(protector: folder.keys.protector) { AppProtectionState() }
    try early.write(Array("minutes".utf8), to: path, for: ManagedFolder.alice)
    expectEqual(folder.read("a"), "minutes")
    try folder.files.write(long, to: path, for: ManagedFolder.alice)
    expectEqual(#expect(throws: DataProtectionError.self) { try early.contents(of: path) }?.code, .failedToDecryptData)
    // Nothing is written for an account that is being wiped, and the file stays what it was.
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let error = #expect(throws: DataProtectionError.self) {
      try folder.files.write([1], to: path, for: ManagedFolder.alice)
    }
    expectEqual(error?.code, .failedToEncryptData)
    let missing = #expect(throws: DataProtectionError.self) { try folder.files.contents(of: folder.path("none")) }
    #expect(missing?.code == .failedToDecryptData && "\(missing.map(String.init(describing:)) ?? "")".contains("none"))
  }

  @Test("What is written does not follow a link")
  func linkedContents() throws {
    let folder = try ManagedFolder()
    let target = folder.write("kept", to: "target")
    symlink(target, folder.path("link"))
    #expect(throws: DataProtectionError.self) {
      try folder.files.write([1], to: folder.path("link"), for: ManagedFolder.alice)
    }
    expectEqual(folder.read("target"), "kept")
  }

  @Test("A shared item becomes a file of its sender, or of the receiver if it has none")
  func sharedItems() throws {
    let mail = try ManagedFolder(scope: "mail")
    let notes = try ManagedFolder(in: mail)
    let data = try mail.data.protect(Array("minutes".utf8), for: ManagedFolder.alice)
    let text = try mail.data.protectString("minutes", for: ManagedFolder.alice)
    for item: SharedItem in [.data(data), .text(text), .text("minutes"), .data(Array("minutes".utf8))] {
      let received = try notes.files.receive(item, to: notes.path("a"), as: ManagedFolder.alice)
      #expect(received.decision.outcome == .allowed && received.owner == Self.objectID, "\(item)")
      #expect(try notes.files.isFileEncrypted(notes.path("a")))
      try expectEqual(notes.files.contents(of: notes.path("a")), Array("minutes".utf8))
    }
    #expect(try notes.files.receive(.data([]), to: notes.path("empty"), as: nil).owner == nil)
    expectEqual(notes.read("empty"), "")
    let closed = try ManagedFolder { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps }
    let refused = try closed.files.receive(.text("x"), to: closed.path("b"), as: ManagedFolder.alice)
    #expect(refused.decision.outcome != .allowed && refused.owner == nil && closed.read("b") == nil)
  }

  @Test("While an account is wiped, no copy is made for it that the wipe would spare")
  func handOutWhileWiping() throws {
    let folder = try ManagedFolder()
    let original = folder.write("minutes", to: "original")
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let error = #expect(throws: DataProtectionError.self) {
      try folder.files.handOut(original, to: folder.path("copy"), for: ManagedFolder.alice)
    }
    #expect(error?.code == .failedToEncryptData && folder.read("copy") == nil)
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    #expect(remover.removeFiles(of: .first).failure == nil)
    let name = KeyName(scope: folder.keys.scope, account: "1")
    try expectEqual(folder.keys.store.key(named: name), .destroyed)
  }

  @Test("An app that is installed again has other keys, whatever became of the first one's accounts")
  func installations() throws {
    let folder = try ManagedFolder()
    let path = folder.path("installation")
    func keys(create: Bool) throws -> AccountKeys {
      try AccountKeys(store: folder.keys.store, app: "notes", installation: path, create: create)
    }
    expectEqual(#expect(throws: KeyStoreError.self) { try keys(create: false) }?.code, .missing)
    let first = try keys(create: true)
    #expect(try keys(create: false).scope == first.scope && keys(create: true).scope == first.scope)
    // A journal may begin until an account has a key, of either kind, and never again.
    #expect(try first.areUnused && !folder.keys.areUnused)
    _ = try first.protector.protect([1], .encrypted(owner: "alice", account: KeyAccount("1")))
    #expect(try !first.areUnused)
    // Erased for good, and then another account has the number.
    try first.erase(.first)
    #expect(try !first.areUnused)
    unlink(path)
    let second = try keys(create: true)
    #expect(second.scope != first.scope)
    let protected = try second.protector.protect([1], .encrypted(owner: "bob", account: KeyAccount("1")))
    try expectEqual(second.protector.unprotect(protected), [1])
    for text in ["", "no name", String(repeating: "A", count: 32), String(repeating: "a", count: 33)] {
      folder.write(text, to: "installation")
      expectEqual(#expect(throws: KeyStoreError.self) { try keys(create: true) }?.code, .damaged, "\(text)")
      unlink(path)
    }
  }

  @Test("The key goes too if the app removes the files itself")
  func ownRemoval() throws {
    let folder = try ManagedFolder()
    let path = folder.write("minutes", to: "a")
    try folder.files.protect(path, for: ManagedFolder.alice)
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    #expect(remover.destroyKeys(of: .first))
    #expect(try folder.files.protectionInfo(path)?.owner == nil)
  }

  @Test("A plain header proves no sender and no owner")
  func forgery() throws {
    let folder = try ManagedFolder { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps }
    let forged = folder.write("virus", to: "forged")
    try folder.keys.protector.protectFile(forged, .marked(owner: Self.objectID))
    let received = try folder.files.receive(forged, to: folder.path("in"), as: ManagedFolder.alice)
    #expect(received.decision.outcome != .allowed && received.owner == nil && folder.read("in") == nil)
    #expect(try folder.files.item(for: forged).owner == nil)
    // Where anything may come in, it comes as nobody's.
    let open = try ManagedFolder()
    let other = open.write("virus", to: "forged")
    try open.keys.protector.protectFile(other, .marked(owner: Self.objectID))
    #expect(try open.files.receive(other, to: open.path("in"), as: ManagedFolder.alice).owner == nil)
    expectEqual(open.read("in"), "virus")
    // Nor does it keep a provider from encrypting.
    let escaping = open.write("minutes", to: "escaping")
    try open.keys.protector.protectFile(escaping, .marked(owner: "eve@example.com"))
    let decision = try open.files.handOut(escaping, to: open.path("out"), for: ManagedFolder.alice)
    #expect(try decision.outcome == .required && open.files.isFileEncrypted(open.path("out")))
    try expectEqual(open.files.protectionInfo(open.path("out"))?.owner, Self.objectID)
    try expectEqual(open.files.item(for: escaping, of: ManagedFolder.alice).owner, "eve@example.com")
  }
}
