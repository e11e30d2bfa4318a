import Expectations
import AppProtection
import AppProtectionKit
import AppProtectionQueues
import Dispatch
import EventSourcing
import EventSourcingKit
import FileProtection
import Foundation
import Synchronization
import Testing

/// The rules of `ThreadIdentities`, on the system's own queues.
@Suite("Identities of threads, tasks and queues")
struct IdentityContextTests {
  static let alice = AccountNumber.first
  static let bob = AccountNumber.first.next ?? .first
  static let (a, b) = (Identity.account(alice), Identity.account(bob))

  struct Failure: Error {}

  /// What a block noted on its queue.
  final class Notes: Sendable {
    private let identities = Mutex<[Identity]>([])
    func note() { identities.withLock { $0.append(IdentityContext.current) } }
    var all: [Identity] { identities.withLock { $0 } }
  }

  @Test("A scope's identity is valid until its end, even when it throws, and scopes nest")
  func scopes() async {
    expectEqual(IdentityContext.current, .unset)
    IdentityContext.with(Self.alice) {
      expectEqual(IdentityContext.current, Self.a)
      IdentityContext.with(Self.bob) { expectEqual(IdentityContext.current, Self.b) }
      IdentityContext.with(.unmanaged) { expectEqual(IdentityContext.current, .unmanaged) }
      IdentityContext.with(.unset) { expectEqual(IdentityContext.current, .unset) }
      #expect(throws: Failure.self) { try IdentityContext.with(Self.bob) { throw Failure() } }
      expectEqual(IdentityContext.current, Self.a)
    }
    await #expect(throws: Failure.self) {
      try await IdentityContext.with(Self.bob) {
        await Task.yield()
        expectEqual(IdentityContext.current, Self.b)
        throw Failure()
      }
    }
    expectEqual(IdentityContext.current, .unset)
  }

  @Test("A scope on the main actor stays there")
  @MainActor
  func isolation() async {
    await IdentityContext.with(Self.alice) {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      expectEqual(IdentityContext.current, Self.a)
    }
  }

  @Test("Child tasks and unstructured tasks inherit a scope's identity; a detached task does not")
  func tasks() async {
    await IdentityContext.with(Self.alice) {
      async let child = IdentityContext.current
      await expectEqual(child, Self.a)
      let grandchildren = await withTaskGroup(of: Identity.self) { group in
        group.addTask { IdentityContext.current }
        group.addTask { IdentityContext.with(Self.bob) { IdentityContext.current } }
        return await group.reduce(into: Set<Identity>()) { $0.insert($1) }
      }
      expectEqual(grandchildren, [Self.a, Self.b])
      await expectEqual(Task { IdentityContext.current }.value, Self.a)
      await expectEqual(Task.detached { IdentityContext.current }.value, .unset)
    }
  }

  @Test("S-36: a block carries the identity of the thread that enqueued it, and its queue keeps none")
  func blocks() {
    let queue = DispatchQueue(label: "blocks")
    let notes = Notes()
    let group = DispatchGroup()
    group.enter()
    IdentityContext.with(Self.alice) {
      queue.asyncWithIdentity(group: group) { notes.note() }
      queue.asyncWithIdentity(after: .now()) {
        notes.note()
        group.leave()
      }
      queue.async(group: group) { notes.note() }
    }
    group.wait()
    expectEqual(notes.all.count { $0 == Self.a }, 2, "the system's own form carries nothing")
    expectEqual(queue.sync { IdentityContext.current }, .unset)
  }

  @Test("A synchronous block carries the caller's identity, returns its result and passes its error on")
  func synchronousBlocks() {
    let queue = DispatchQueue(label: "synchronous")
    let main = DispatchQueue(label: "target")
    IdentityContext.with(Self.alice) {
      expectEqual(queue.syncWithIdentity { main.syncWithIdentity { IdentityContext.current } }, Self.a)
      #expect(throws: Failure.self) { try queue.syncWithIdentity { throw Failure() } }
    }
    expectEqual(queue.syncWithIdentity { IdentityContext.current }, .unset)
  }

  @Test("S-39: a change inside a block ends with its scope, and one block's identity never reaches the next")
  func changes() {
    let queue = DispatchQueue(label: "changes")
    let notes = Notes()
    IdentityContext.with(Self.alice) {
      queue.asyncWithIdentity {
        IdentityContext.with(Self.bob) {
          notes.note()
          queue.asyncWithIdentity { notes.note() }
        }
        notes.note()
      }
    }
    queue.asyncWithIdentity { notes.note() }
    queue.sync {}
    queue.sync {}
    #expect(notes.all == [Self.b, Self.a, .unset, Self.b] || notes.all == [Self.b, Self.a, Self.b, .unset])
  }

  @Test("S-38: a work item runs under the identity of the thread that created it")
  func workItems() {
    let notes = Notes()
    let item = IdentityContext.with(Self.alice) { DispatchWorkItem.withIdentity { notes.note() } }
    let queue = DispatchQueue(label: "items")
    IdentityContext.with(Self.bob) { queue.async(execute: item) }
    item.wait()
    expectEqual(notes.all, [Self.a])
  }

  @Test("An operation runs under the identity of the thread that added it, not of the one that created or started it")
  func operations() {
    let notes = Notes()
    let queue = OperationQueue()
    queue.isSuspended = true
    let operation = IdentityContext.with(Self.bob) { IdentityOperation { notes.note() } }
    IdentityContext.with(Self.alice) {
      queue.addWithIdentity(operation)
      queue.addWithIdentity { notes.note() }
      queue.addOperation { notes.note() }
    }
    IdentityContext.with(Self.bob) { queue.isSuspended = false }
    queue.waitUntilAllOperationsAreFinished()
    #expect(notes.all.count { $0 == Self.a } == 2 && notes.all.count { $0 == .unset } == 1)
  }

  @Test("A canceled operation does not run, and one waits for those it depends on as any other")
  func dependencies() {
    let notes = Notes()
    let queue = OperationQueue()
    let first = IdentityOperation { notes.note() }
    let second = IdentityOperation { notes.note() }
    let canceled = IdentityOperation { notes.note() }
    second.addDependency(first)
    canceled.cancel()
    IdentityContext.with(Self.bob) { queue.addWithIdentity(second) }
    IdentityContext.with(Self.alice) {
      queue.addWithIdentity(first)
      queue.addWithIdentity(canceled)
    }
    queue.waitUntilAllOperationsAreFinished()
    expectEqual(notes.all, [Self.a, Self.b])
  }

  @Test("A thread's identity comes first, on the main thread then the window's, then the process's")
  func effectiveIdentity() throws {
    let state = try Self.state(process: .account(Self.bob), ui: .account(Self.alice))
    for (scope, uiOnMain, ui, owner) in [
      (Identity.unset, Self.a, Self.b, Self.b), (.unmanaged, .unmanaged, .unmanaged, .unmanaged),
      (Self.a, Self.a, Self.a, Self.a), (Self.b, Self.b, Self.b, Self.b),
    ] {
      IdentityContext.with(scope) {
        let task = EffectiveIdentity.Task.ui(window: nil)
        expectEqual(IdentityContext.identity(of: task, in: state, isMainThread: true).identity, uiOnMain)
        expectEqual(IdentityContext.identity(of: task, in: state, isMainThread: false).identity, ui)
        expectEqual(IdentityContext.currentOwner(in: state), owner)
        let level = IdentityContext.identity(of: .file, in: state, isMainThread: false).level
        #expect(scope == .unset || level == .thread)
      }
    }
    expectEqual(IdentityContext.currentOwner(in: AppProtectionMachine.initialState), .unset)
  }

  @Test("A window's identity counts on the main actor, and in no other place")
  func mainActor() async throws {
    let state = try Self.state(process: .account(Self.bob), ui: .account(Self.alice))
    let onMain = await MainActor.run { IdentityContext.identity(of: .ui(window: nil), in: state).identity }
    expectEqual(onMain, Self.a)
    expectEqual(IdentityContext.identity(of: .ui(window: nil), in: state).identity, Self.b)
  }

  @Test("A file that is created on a queue belongs to the account under which the block was enqueued")
  func fileOwner() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "queues-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keys = try FileKeyStore(
      at: "\(folder)/keys", create: true,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = SecretKey(bytes: [UInt8](repeating: 9, count: 32)) else {
          throw KeyStoreError(.unavailable, "no wrapping key", remedy: "None")
        }
        return key
      },
      randomBytes: { SystemRandom.bytes($0) })
    let state = try Self.state(process: .account(Self.bob), ui: .account(Self.bob))
    let files = FileProtectionManager(protector: AccountKeys(store: keys, scope: "queues").protector) { state }
    let (queue, operations) = (DispatchQueue(label: "files"), OperationQueue())
    let group = DispatchGroup()
    IdentityContext.with(Self.alice) {
      queue.asyncWithIdentity(group: group) { try? files.write([1], to: "\(folder)/block") }
      operations.addWithIdentity { try? files.write([1], to: "\(folder)/operation") }
      queue.async(group: group) { try? files.write([1], to: "\(folder)/process") }
    }
    await withCheckedContinuation { done in group.notify(queue: queue) { done.resume() } }
    await withCheckedContinuation { done in operations.addBarrierBlock { done.resume() } }
    for (name, owner) in [
      ("block", "alice@contoso.com"), ("operation", "alice@contoso.com"), ("process", "bob@fabrikam.com"),
    ] {
      try expectEqual(files.protectionInfo("\(folder)/\(name)")?.owner, owner, "\(name)")
    }
    // Reading and appending change no owner; new contents do.
    try IdentityContext.with(Self.bob) {
      let file = try files.open("\(folder)/block", forWriting: true)
      _ = try file.seek(0, from: .end)
      try file.write([2])
      try file.close()
      try expectEqual(files.contents(of: "\(folder)/block"), [1, 2])
      try expectEqual(files.protectionInfo("\(folder)/block")?.owner, "alice@contoso.com")
      try files.write([3], to: "\(folder)/block")
      try expectEqual(files.protectionInfo("\(folder)/block")?.owner, "bob@fabrikam.com")
    }
  }

  /// A state in which Alice and Bob are known, with identities for the process and the default window.
  private static func state(process: Identity, ui: Identity) throws -> AppProtectionState {
    var state = AppProtectionMachine.initialState
    var sequence: UInt64 = 0
    func fold(_ command: AppProtectionCommand) throws {
      var explanation = Explanation()
      let moment = Moment(wallNanoseconds: 1_000_000_000_000, uptimeNanoseconds: 5)
      let decided = try AppProtectionMachine.decide(
        command, in: state, at: EventContext(sequence: sequence + 1, moment: moment), explanation: &explanation)
      sequence += UInt64(decided.events.count)
      state = decided.state
    }
    var settings = AppSettings()
    settings.multiIdentity = true
    try fold(.startProcess(ProcessStart(), settings: settings))
    try fold(.registerAndEnroll(AccountReference(userPrincipalName: "alice@contoso.com")))
    try fold(.registerAndEnroll(AccountReference(userPrincipalName: "bob@fabrikam.com")))
    func target(_ identity: Identity) -> TargetIdentity {
      identity.account.map { .account(AccountReference($0)) } ?? .unmanaged
    }
    try fold(.setIdentity(.process, target(process)))
    try fold(.setIdentity(.ui, target(ui)))
    return state
  }
}
