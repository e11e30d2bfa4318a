import AppProtection
import AppProtectionKit
import EventSourcing
import FileProtection
import Synchronization
import Testing

@Suite("Files that are marked while a wipe is pending")
struct PendingWipeTests {
  private static let alice = ManagedFolder.alice
  private let folder: ManagedFolder

  /// Alice has no policy, so her files are marked.
  init() throws {
    folder = try ManagedFolder()
    try folder.send(.requestCheckIn(Self.alice))
    try folder.send(.answerCheckIn(Self.alice, .noPolicy))
  }

  private func follower() throws -> PolicyFollower {
    try PolicyFollower(
      at: folder.path + "/journal", spool: folder.path + "/spool", name: "share", keys: folder.keys, upTo: .written)
  }

  private var remover: ContainerFiles {
    ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
  }

  private func expectRefused(_ body: () throws -> Void) {
    let error = #expect(throws: DataProtectionError.self) { try body() }
    #expect(error?.code == .failedToEncryptData && error?.cause?.code == .wipePending)
    #expect(error?.description.contains("a wipe of the account is pending") == true)
  }

  @Test("Another process marks no file for an account whose wipe the app has begun, and its own error says so")
  func followed() throws {
    let follower = try follower()
    let files = FileProtectionManager(protector: folder.keys.protector) { follower.latestState() }
    let path = folder.write("minutes", to: "a")
    try files.write([1], to: folder.path("before"), for: Self.alice)
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    expectRefused { try files.protect(path, for: Self.alice) }
    expectRefused { try files.verifyAndProtect(path, for: Self.alice) }
    expectRefused { try files.write([1], to: folder.path("b"), for: Self.alice) }
    expectRefused { _ = try files.create(folder.path("c"), for: Self.alice) }
    #expect(folder.read("a") == "minutes" && folder.read("b") == nil && folder.read("c") == nil)
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 1))
    try folder.finishWipe()
    try files.write([1], to: folder.path("b"), for: Self.alice)
    #expect(try files.protectionInfo(folder.path("b"))?.isEncrypted == false)
  }

  @Test("A file that is marked while a whole wipe runs beside it does not outlive the wipe", arguments: [true, false])
  func overtaken(isOver: Bool) throws {
    let looks = Mutex(0)
    let before = folder.store.state
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 0))
    if isOver { try folder.finishWipe() }
    // The first look is from before the wipe was ordered.
    let files = FileProtectionManager(protector: folder.keys.protector) { [state = folder.state] in
      looks.withLock { looks in
        looks += 1
        return looks == 1 ? before : state()
      }
    }
    expectRefused { try files.write([1], to: folder.path("a"), for: Self.alice) }
    #expect(folder.read("a") == nil)
  }
}
