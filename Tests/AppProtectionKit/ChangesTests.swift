import Expectations
import AppProtection
import EventSourcing
import TaskTesting
import Testing

@testable import AppProtectionKit

@Suite("The sequence of changes")
struct ChangesTests {
  static let alice = PolicyEngineTests.alice

  /// The changes that a subscriber has got when its sequence ends.
  static func all(_ changes: AsyncThrowingStream<PolicyChange, any Error>) async throws -> [PolicyChange] {
    var all: [PolicyChange] = []
    for try await change in changes { all.append(change) }
    return all
  }

  @Test("Every subscriber gets every change from its subscription on, in the order of the events")
  func order() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    let first = test.engine.changes()
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    let second = test.engine.changes()
    try await test.engine.send(.deliverConfiguration(Self.alice, [ConfigurationEntry([ConfigurationValue("k", "v")])]))
    test.app.answers.withLock { $0.checkIn = [.wipe()] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    try await test.engine.end()
    let later: [PolicyChange] = [
      .configurationDidChange(.first), .checkInDidEnd(.first, .wipeReceived),
      .unenrollmentDidEnd(.first, .unenrollmentSuccess), .wipeDidComplete(.first),
    ]
    let (all, fromSecond) = (try await Self.all(first), try await Self.all(second))
    #expect(later.allSatisfy(fromSecond.contains), "\(fromSecond)")
    expectEqual(
      all, [.enrollmentDidEnd(.first, .newPoliciesReceived), .policyDidChange(.first)] + fromSecond, "\(all)")
    try await expectEqual(Self.all(test.engine.changes()), [])
  }

  @Test("A change is readable in the state when a subscriber gets it, before any delegate is told")
  func durability() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let executor = SerialTaskExecutor()
    let engine = test.engine
    let reader = executor.start {
      for try await change in engine.changes() {
        if case .configurationDidChange = change { return engine.state.configuration.accounts[.first] != nil }
      }
      return false
    }
    let told = test.app.log.count
    try await engine.send(.deliverConfiguration(Self.alice, [ConfigurationEntry([ConfigurationValue("k", "v")])]))
    executor.runJobs()
    #expect(try await reader.value)
    expectEqual(test.app.log.count, told)
  }

  @Test("A subscriber that falls after gets what was waiting, then an error; the others miss nothing")
  func overflow() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let slow = test.engine.changes()
    let quick = test.engine.changes()
    let executor = SerialTaskExecutor()
    let reader = executor.start { try await Self.all(quick).count }
    for number in 0...PolicyEngine.changeBufferSize {
      try await test.engine.send(.setDeviceConfiguration([ConfigurationValue("k", "\(number)")]))
      executor.runJobs()
    }
    var count = 0
    await #expect(throws: ChangesMissed(buffered: PolicyEngine.changeBufferSize)) {
      for try await _ in slow { count += 1 }
    }
    expectEqual(count, PolicyEngine.changeBufferSize)
    try await test.engine.end()
    executor.runJobs()
    try await expectEqual(reader.value, count + 1)
    #expect("\(ChangesMissed(buffered: 3))".hasSuffix("subscribe again, and read the state"))
  }

  @Test("A subscriber that goes away is forgotten")
  func leaving() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let executor = SerialTaskExecutor()
    let engine = test.engine
    let reader = executor.start { for try await _ in engine.changes() {} }
    expectEqual(engine.relay.subscriberCount, 1)
    reader.cancel()
    executor.runJobs()
    expectEqual(engine.relay.subscriberCount, 0)
  }
}
