import Expectations
import AppProtection
import AppProtectionKit
import FileProtection
import Testing

@Suite("The data protection manager")
struct DataProtectionManagerTests {
  private static let text = Array("minutes".utf8)

  @Test("Data and texts come back, encrypted for a managed account and marked for an unmanaged one")
  func roundTrip() throws {
    let folder = try ManagedFolder()
    let data = folder.data
    defer { withExtendedLifetime(folder) {} }
    for (account, isEncrypted) in [(ManagedFolder.alice, true), (ManagedFolder.eve, false)] {
      let protected = try data.protect(Self.text, for: account)
      try expectEqual(data.unprotect(protected), Self.text)
      let info = try data.protectionInfo(protected)
      expectEqual(info.isEncrypted, isEncrypted)
      expectEqual(info.owner, isEncrypted ? "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0" : "eve@example.com")
      let text = try data.protectString("minutes", for: account)
      try expectEqual(data.unprotectString(text), "minutes")
      try expectEqual(data.protectionInfo(forString: text).owner, info.owner)
    }
    // Unknown data passes through.
    try expectEqual(data.unprotect(Self.text), Self.text)
    try expectEqual(data.unprotectString("minutes"), "minutes")
  }

  @Test("Each of the SDK's six codes has its cause")
  func codes() throws {
    let folder = try ManagedFolder()
    let data = folder.data
    func code(_ body: () throws -> Void) -> DataProtectionStatusCode? {
      #expect(throws: DataProtectionError.self, performing: body)?.code
    }
    expectEqual(code { _ = try data.protect(nil, for: ManagedFolder.alice) }, .invalidArguments)
    expectEqual(code { _ = try data.protect([], for: ManagedFolder.alice) }, .emptyData)
    expectEqual(code { _ = try data.unprotect(nil) }, .invalidArguments)
    expectEqual(code { _ = try data.unprotect([]) }, .emptyData)
    expectEqual(code { _ = try data.protectionInfo(nil) }, .invalidArguments)
    expectEqual(code { _ = try data.protectionInfo(Self.text) }, .dataNotProtected)
    expectEqual(code { _ = try data.protectionInfo(forString: "minutes") }, .dataNotProtected)
    let protected = try data.protect(Self.text, for: ManagedFolder.alice)
    var changed = protected
    changed[protected.count - 1] ^= 1
    expectEqual(code { _ = try data.unprotect(changed) }, .failedToDecryptData)
    let unmanaged = DataProtectionManager(protector: folder.keys.protector) { AppProtectionState() }
    expectEqual(code { _ = try unmanaged.protect(Self.text, for: ManagedFolder.alice) }, .applicationNotManaged)
    expectEqual(code { _ = try unmanaged.unprotect(protected) }, .failedToDecryptData)
    let locked = DataProtectionManager(
      protector: Protector(keys: folder.keys.store, scope: "notes", randomBytes: { _ in [] }), state: folder.state)
    expectEqual(code { _ = try locked.protect(Self.text, for: ManagedFolder.alice) }, .failedToEncryptData)
  }

  @Test("A shared item tells its owner as a file, as data and as a text, and only encryption proves a sender")
  func items() throws {
    let folder = try ManagedFolder { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps }
    let (data, objectID) = (folder.data, "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0")
    let path = folder.write("minutes", to: "a")
    try folder.files.protect(path, for: ManagedFolder.alice)
    let owned: [SharedItem] = [
      .file(path), .data(try data.protect(Self.text, for: ManagedFolder.alice)),
      .text(try data.protectString("minutes", for: ManagedFolder.alice)),
    ]
    for item in owned {
      let info = try #require(try data.protectionInfo(for: item))
      #expect(info.owner == objectID && info.isEncrypted)
      try expectEqual(data.canReceive(item, as: ManagedFolder.alice).outcome, .allowed)
    }
    let forged = try folder.keys.protector.protect(Self.text, .marked(owner: objectID))
    let strange: [SharedItem] = [.file(folder.write("x", to: "b")), .data(Self.text), .text("minutes"), .data(forged)]
    for item in strange {
      #expect(try data.protectionInfo(for: item)?.isEncrypted != true)
      #expect(try data.canReceive(item, as: ManagedFolder.alice).outcome != .allowed)
    }
    #expect(throws: DataProtectionError.self) { try data.protectionInfo(for: .file(folder.path("none"))) }
  }
}
