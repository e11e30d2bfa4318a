import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Identities on threads, and how work carries them")
struct ThreadIdentityTests {
  static let a = Identity.account(.a1)
  static let b = Identity.account(.a2)
  static let personal = Identity.account(.a3)

  /// Thread x has A's identity, the worker that of P.
  static func threads(_ assumptions: Assumptions = Assumptions()) -> ThreadIdentities {
    var threads = ThreadIdentities(assumptions: assumptions)
    threads.set(a, on: "x")
    threads.set(personal, on: "worker")
    return threads
  }

  @Test("S-36: a block runs under the identity of the thread that enqueued it, and the worker's is restored")
  func block() {
    var threads = Self.threads()
    let block = threads.submit(threads.create(.block, on: "y"), on: "x")
    expectEqual(threads.run(block, on: "worker") { $0["worker"] }, Self.a)
    expectEqual(threads["worker"], Self.personal)
    let empty = threads.submit(threads.create(.block, on: "x"), on: "y")
    expectEqual(threads.run(empty, on: "worker") { $0["worker"] }, .unset, "no identity is carried too")
    expectEqual(threads["worker"], Self.personal)
  }

  @Test("An operation runs under the identity of the thread that added it, not of the one that created it")
  func operation() {
    var threads = Self.threads()
    let operation = threads.submit(threads.create(.operation, on: "x"), on: "worker")
    expectEqual(operation.identity, Self.personal)
    expectEqual(threads.run(operation, on: "z") { $0["z"] }, Self.personal)
  }

  @Test("S-38: a work item runs under the identity of the thread that created it, wherever it is dispatched")
  func workItem() {
    var threads = Self.threads()
    let item = threads.create(.workItem, on: "x")
    threads.set(.unset, on: "x")
    let dispatched = threads.submit(item, on: "worker")
    expectEqual(threads.run(dispatched, on: "worker") { $0["worker"] }, Self.a)
    expectEqual(threads["worker"], Self.personal)
  }

  @Test("S-39: a change inside a block holds to its end, and not for the next one on the queue")
  func changeInside() {
    var threads = Self.threads()
    let block = threads.submit(threads.create(.block, on: "x"), on: "x")
    let seen = threads.run(block, on: "worker") { threads in
      let first = threads["worker"]
      threads.set(Self.personal, on: "worker")
      let nested = threads.run(threads.create(.block, on: "worker"), on: "other") { $0["other"] }
      return [first, threads["worker"], nested]
    }
    expectEqual(seen, [Self.a, Self.personal, Self.personal])
    expectEqual(threads.run(block, on: "worker") { $0["worker"] }, Self.a)
    expectEqual(threads["other"], .unset)
  }

  struct Failed: Error {}

  @Test("A scope's identity is restored on exit, also when its body throws")
  func scopes() {
    var threads = Self.threads()
    expectEqual(threads.withIdentity(Self.b, on: "worker") { $0["worker"] }, Self.b)
    do throws(Failed) {
      try threads.withIdentity(Self.b, on: "worker") { (threads) throws(Failed) in
        threads.set(.unmanaged, on: "worker")
        throw Failed()
      }
      Issue.record("the body throws")
    } catch {
      expectEqual(threads["worker"], Self.personal)
    }
  }

  @Test("Child tasks inherit and detached ones do not, unless something else is assumed")
  func tasks() {
    var other = Assumptions()
    other.childTasksInheritIdentity = false
    other.detachedTasksInheritIdentity = true
    for (assumptions, child, detached) in [(Assumptions(), Self.a, Identity.unset), (other, .unset, Self.a)] {
      var threads = Self.threads(assumptions)
      let tasks = [WorkKind.childTask, .detachedTask].map { threads.create($0, on: "x") }
      expectEqual(tasks.map(\.identity), [child, detached])
      // Where they are started from does not matter.
      expectEqual(threads.submit(tasks[0], on: "worker"), tasks[0])
      expectEqual(threads.run(tasks[1], on: "worker") { $0["worker"] }, detached)
    }
  }

  @Test("S-47: an identity that was set by hand and not restored is named when it serves somebody else")
  func leak() throws {
    var threads = Self.threads()
    let leak = try #require(threads.leak(serving: Self.personal, on: "x"))
    expectEqual(leak, IdentityLeak(thread: "x", identity: Self.a, served: Self.personal))
    #expect(leak.description.hasPrefix("thread x still has the identity of a1 and serves a3"))
    #expect(threads.leak(serving: Self.a, on: "x") == nil, "it is A's own task")
    #expect(threads.leak(serving: Self.a, on: "y") == nil, "nothing is set there")
    let block = threads.create(.block, on: "x")
    threads.run(block, on: "worker") {
      #expect($0.leak(serving: Self.b, on: "worker") == nil, "a block brings its own")
    }
    threads.set(.unset, on: "x")
    #expect(threads.leak(serving: Self.personal, on: "x") == nil, "it was restored")
  }

  @Test("S-47: the trace names a thread that goes from one account to another without being given back")
  func leakInTrace() throws {
    var app = try IdentityTests.managed()
    try app.run(.setIdentity(.thread("t"), .account(.a)), .setIdentity(.thread("t"), .account(.personal)))
    expectEqual(app.findings, ["S-47 t a1 a2"])
    try app.run(.setIdentity(.thread("t"), .unset), .setIdentity(.thread("t"), .account(.a)))
    try app.run(.setIdentity(.thread("main"), .account(.a)), .setIdentity(.thread("main"), .account(.personal)))
    expectEqual(app.findings.count, 1, "a thread that was given back, and the main one, are no leaks")
    expectEqual(ThreadIdentities(app.state)["t"], Self.a)
  }

  @Test("S-46: after a kill a managed view is managed once the app names its identity again; an unmanaged one is not")
  func killedViews() throws {
    for (target, isManaged) in [(TargetIdentity.account(.a), true), (.unmanaged, false)] {
      var app = try IdentityTests.managed()
      func isViewManaged() -> Bool {
        app.state.enforcedPolicy(for: app.state.effectiveIdentity(of: .ui(window: nil)).identity) != nil
      }
      try app.run(.setIdentity(.ui, target))
      expectEqual(isViewManaged(), isManaged)
      // Pausing and resuming without a kill is no event: what is set stays.
      app.now += RetrySchedule.hour
      expectEqual(isViewManaged(), isManaged)
      try app.restart()
      #expect(!isViewManaged(), "nothing is set at launch")
      try app.run(.setIdentity(.ui, target))
      expectEqual(isViewManaged(), isManaged)
    }
  }

  @Test("S-45: a delegate that answers a switch with a constant for added accounts is named; failed reads as canceled")
  func wrongEnumeration() throws {
    expectEqual(AddIdentityResult.success.readAsSwitchResult, .success)
    expectEqual(AddIdentityResult.failed.readAsSwitchResult.rawValue, AddIdentityResult.failed.rawValue)
    var app = try IdentityTests.managed()
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
    try app.run(.answerIdentitySwitch(.ui, AddIdentityResult.failed.readAsSwitchResult, isAddIdentityResult: true))
    expectEqual(app.findings, ["S-45 ui"])
    expectEqual(app.state.identities.ui, .unset)
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL), .answerIdentitySwitch(.ui, .canceled))
    expectEqual(app.findings.count, 1)
  }
}
