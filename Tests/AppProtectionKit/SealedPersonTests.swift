import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import Synchronization
import Testing

/// Keys in memory, and randomness from a seed.
private final class TestKeys: SealingKeys {
  private let keys = Mutex<[UInt64: SealingKey?]>([:])
  private let random = Mutex(RandomSequence(seed: 5))

  var sealing: Sealing { Sealing(keys: self) { self.randomBytes($0) } }

  private func randomBytes(_ count: Int) -> [UInt8] {
    random.withLock { random in (0..<count).map { _ in UInt8(random.next(below: 256)) } }
  }

  func key(of account: UInt64) -> SealingKey? { keys.withLock { $0[account] ?? nil } }

  func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey? {
    keys.withLock { keys in
      if let known = keys[account] { return known }
      let key = SealingKey(bytes: randomBytes(SealingKey.byteCount))
      keys[account] = .some(key)
      return key
    }
  }

  func destroy(_ account: UInt64) { keys.withLock { $0[account] = .some(nil) } }
}

@Suite("A person in a sealed journal")
struct SealedPersonTests {
  private static let alice = AccountReference(
    objectID: GUID("0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0"), userPrincipalName: "alice@contoso.com")
  private static let texts = [
    "alice@contoso.com", "no route for alice", "alice must call", "Dear Alice", "/home/alice",
  ]

  /// Alice enrolled, with everything about her that the journal can seal, and Bob.
  private func engine(_ sealing: Sealing?) async throws -> TestEngine {
    let test = try TestEngine(sealing: sealing)
    let engine = test.engine
    test.app.answers.withLock {
      $0.enrollment = [.policy(PolicyDocument())]
      $0.deliveries = ServiceDeliveries(
        configuration: [
          ConfigurationEntry([
            ConfigurationValue("id", "{{UserID}}"), ConfigurationValue("name", "{{userprincipalname}}"),
          ])
        ])
      $0.checkIn = [.failure(ServiceFailure(.timeout, error: "no route for alice"))]
      $0.remediation = RemediationOutcome(.notCompliant, message: "alice must call", title: "Dear Alice")
      $0.removal = FileRemoval(count: 1, failure: "/home/alice: busy")
    }
    try await engine.launch(ProcessStart(), settings: AppSettings())
    try await engine.send(.registerAndEnroll(Self.alice))
    try await engine.run()
    let configuration = engine.appConfig.configuration(for: Self.alice)
    expectEqual(configuration.string("id"), Self.alice.objectID?.description)
    expectEqual(configuration.string("name"), "alice@contoso.com")
    try await test.relaunch()
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    try await test.engine.send(.remediateCompliance(Self.alice, isSilent: false))
    try await test.engine.run()
    try await test.engine.send(.requestWipe(Self.alice, .appRequest, .app))
    try await test.engine.run()
    try await test.engine.send(.registerAndEnroll(PolicyEngineTests.bob))
    try await test.engine.run()
    try test.engine.store.checkpoint()
    return test
  }

  /// The texts and identifiers of the person in the journal's files.
  private func found(in test: TestEngine) throws -> [String] {
    let files = PosixFileSystem()
    var found: [String] = []
    let searched = Self.texts.map { ($0, Array($0.utf8)) } + [("object id", Self.alice.objectID?.bytes ?? [])]
    for name in try files.list(test.path).sorted() {
      let file = try files.open(test.path + "/" + name, .read)
      defer { files.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
      _ = try bytes.withUnsafeMutableBytes { try files.read(file, into: $0, at: 0) }
      for (text, searched) in searched {
        guard let first = searched.first else { continue }
        let isThere = bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: searched) }
        if isThere, !found.contains(text) { found.append(text) }
      }
    }
    return found.sorted()
  }

  @Test("Object id, name and every text about a person are sealed, and erasing her leaves a sound journal without her")
  func erasing() async throws {
    let plain = try await engine(nil)
    try expectEqual(found(in: plain), (Self.texts + ["object id"]).sorted())
    let keys = TestKeys()
    let test = try await engine(keys.sealing)
    try expectEqual(found(in: test), [])
    try expectEqual(test.types, plain.types)
    let state = test.engine.state
    let number = try #require(state.account(for: Self.alice)?.account)
    #expect(number == .first && state.accounts[number]?.userPrincipalName == "alice@contoso.com")
    expectEqual(state.wipes[number]?.lastError, plain.engine.state.wipes[number]?.lastError)

    keys.destroy(UInt64(number.rawValue))
    try await test.relaunch()
    #expect(test.engine.state.account(for: Self.alice) == nil)
    #expect(test.engine.state.account(for: PolicyEngineTests.bob) != nil)
    let erased = try #require(test.engine.state.accounts[number])
    #expect(erased.objectID == nil && erased.$objectID.isErased && erased.$userPrincipalName.isErased)
    expectEqual(erased.enrollment.status, state.accounts[number]?.enrollment.status)
    // One who returns is new.
    try await test.engine.send(.registerAndEnroll(Self.alice))
    #expect(test.engine.state.account(for: Self.alice)?.account != number)
    try expectEqual(found(in: test), [])
    let history = try History<AppProtectionMachine>(at: test.path)
    try expectEqual(history.reader.verify().findings, [])
    let report = try history.check()
    #expect(report.isSound && report.checkpointsCompared == 1)
    let sequence = report.lastSequence
    let kept = try history.state(at: .sequence(sequence)).state
    expectEqual(kept, test.engine.state, "the state is the same without keys")
    guard case .value(.sealed(_, isErased: false))? = kept.tree()[path: "/accounts/a1/userPrincipalName"] else {
      Issue.record("\(String(describing: kept.tree()[path: "/accounts/a1/userPrincipalName"]))")
      return
    }
  }

  @Test("Findings tell of a changed name also where names cannot be read")
  func changedName() async throws {
    let test = try TestEngine(sealing: TestKeys().sealing)
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    try await test.engine.send(
      .identifyAccount(AccountReference(objectID: Self.alice.objectID, userPrincipalName: "alice.b@contoso.com")))
    var cursor = try History<AppProtectionMachine>(at: test.path).cursor()
    var found: [TraceFinding] = []
    while case .event(let step)? = try cursor.next() {
      guard let event = step.record.event, case .accountIdentified = event else { continue }
      found += AppProtectionMachine.findings(
        for: event, before: try #require(step.before), after: try #require(step.after))
    }
    expectEqual(found, [.nameChanged(.first)])
  }
}
