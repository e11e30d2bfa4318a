import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("A person who was erased and comes back is managed again")
struct ReturningPersonTests {
  private static let alice = PolicyEngineTests.alice

  /// Keys that stand in a folder of their own.
  private let folder: ManagedFolder
  private let keys: AccountKeys

  init() throws {
    folder = try ManagedFolder()
    keys = AccountKeys(store: folder.keys.store, scope: "returning")
  }

  /// An app with one managed account, which is Alice's, and names that are sealed.
  private func enrolled() async throws -> TestEngine {
    let test = try TestEngine(sealing: keys.sealing)
    test.app.answers.withLock {
      $0.lastingEnrollment = .policy(PolicyDocument())
      $0.wipeData = true
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    #expect(test.engine.state.isManaged(.first))
    return test
  }

  /// Alice signs in, and is a managed account that is not the first one.
  private func comeBack(_ test: TestEngine) async throws {
    #expect(test.engine.state.account(for: Self.alice) == nil)
    expectEqual(test.engine.state.accounts[.first]?.enrollment.status, .removed)
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    let account = try #require(test.engine.state.account(for: Self.alice))
    #expect(account.account != .first && account.enrollment.status == .enrolledWithPolicy)
    #expect(try !test.types.contains("enrollment.switchAsked"))
  }

  @Test("In the same process, which forgets her texts, wipes her data and tells the service while she has a name")
  func sameProcess() async throws {
    let test = try await enrolled()
    try await test.engine.erase(.first, from: keys)
    #expect(test.app.log.contains("wipeData a1"))
    expectEqual(test.app.answers.withLock { $0.requests.last?.userPrincipalName }, "alice@contoso.com")
    expectEqual(test.engine.state.accounts[.first]?.$userPrincipalName.isErased, true)
    let count = try test.types.count
    try await test.engine.erase(.first, from: keys)
    try expectEqual(test.types.count, count, "erasing again does nothing")
    try await comeBack(test)
  }

  @Test("In the next process, although only her keys were destroyed")
  func nextProcess() async throws {
    let test = try await enrolled()
    try keys.erase(.first)
    try await test.relaunch()
    #expect(test.app.log.contains("wipeData a1"))
    try await comeBack(test)
    let count = try test.types.count
    try await test.relaunch()
    let added = try test.types.dropFirst(count)
    expectEqual(added.first, "process.started")
    #expect(!added.contains { $0.hasPrefix("unenrollment.") || $0.hasPrefix("wipe.") }, "she left once")
  }

  @Test("Keys that are missing erase no one: with another key store, the journal does not open")
  func otherKeys() async throws {
    let test = try await enrolled()
    try test.engine.store.close()
    let other = try ManagedFolder()
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.sealing = AccountKeys(store: other.keys.store, scope: "returning").sealing
    #expect {
      _ = try EventStore<AppProtectionMachine>.open(at: test.path, options: options)
    } throws: {
      "\($0)".contains("the key store has no key number 0, which the journal was written with")
    }
    // Her own open it.
    options.sealing = keys.sealing
    let store = try EventStore<AppProtectionMachine>.open(at: test.path, options: options)
    #expect(store.state.account(for: Self.alice) != nil && store.state.isManaged(.first))
    try store.close()
  }
}
