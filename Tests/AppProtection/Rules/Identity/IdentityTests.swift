import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Identities: levels, switches and their scenarios")
struct IdentityTests {
  static func managed(multiIdentity: Bool = true) throws -> TestApp {
    var app = try TestApp { $0.multiIdentity = multiIdentity }
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  @Test("S-31: in a single-identity app the process is the enrolled account's, and every task is managed")
  func singleIdentity() throws {
    var app = try Self.managed(multiIdentity: false)
    for _ in 0..<2 {
      expectEqual(app.state.identities.process, .account(.a1))
      for task in [EffectiveIdentity.Task.ui(window: nil), .ui(window: 3), .file] {
        let effective = app.state.effectiveIdentity(of: task, isMainThread: task != .file)
        expectEqual(effective, EffectiveIdentity(identity: .account(.a1), level: .process))
        #expect(app.state.enforcedPolicy(for: effective.identity) != nil)
      }
      try app.restart()
    }
  }

  @Test("S-32: in a multi-identity app nothing is set at launch, and no policy applies")
  func multiIdentity() throws {
    let app = try Self.managed()
    expectEqual(app.state.identities, IdentitiesSlice())
    let effective = app.state.effectiveIdentity(of: .ui(window: nil))
    expectEqual(effective, EffectiveIdentity(identity: .unset, level: nil))
    #expect(app.state.enforcedPolicy(for: effective.identity) == nil)
  }

  @Test("S-33: a window's identity counts for tasks of the user interface and not for files")
  func uiOnly() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.ui, .account(.a)))
    expectEqual(app.state.effectiveIdentity(of: .ui(window: nil)).identity, .account(.a1))
    expectEqual(app.state.effectiveIdentity(of: .file), EffectiveIdentity(identity: .unset, level: nil))
    expectEqual(app.state.effectiveIdentity(of: .ui(window: nil), isMainThread: false).identity, .unset)
    expectEqual(app.state.effectiveIdentity(of: .ui(window: 2)).identity, .unset)
  }

  @Test("S-35: a thread's identity counts for everything on it, and only there")
  func threadIdentity() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.thread("worker"), .account(.a)), .setIdentity(.process, .account(.personal)))
    for task in [EffectiveIdentity.Task.ui(window: nil), .file] {
      expectEqual(app.state.effectiveIdentity(of: task, onThread: "worker", isMainThread: false).level, .thread)
      expectEqual(app.state.effectiveIdentity(of: task, onThread: "other", isMainThread: false).identity, .account(.a2))
    }
  }

  @Test("Nothing, nobody and somebody are three values: nobody ends the search, nothing does not")
  func threeValues() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.process, .account(.a)), .setIdentity(.thread("t"), .unmanaged))
    expectEqual(app.state.effectiveIdentity(of: .file, onThread: "t").identity, .unmanaged)
    #expect(app.state.enforcedPolicy(for: .unmanaged) == nil)
    try app.run(.setIdentity(.thread("t"), .unset))
    expectEqual(app.state.effectiveIdentity(of: .file, onThread: "t").identity, .account(.a1))
    #expect(app.state.identities.threads.isEmpty)
  }

  @Test("The decision diagram, every case of it")
  func diagram() throws {
    let values: [TargetIdentity] = [.unset, .unmanaged, .account(.a)]
    let identities: [Identity] = [.unset, .unmanaged, .account(.a1)]
    for (p, process) in values.enumerated() {
      for (u, ui) in values.enumerated() {
        for (t, thread) in values.enumerated() {
          for isMain in [true, false] {
            var app = try Self.managed()
            try app.run(.setIdentity(.process, process), .setIdentity(.ui, ui))
            try app.run(.setIdentity(.thread("t"), thread))
            let forUI = [identities[t], isMain ? identities[u] : .unset, identities[p]].first { $0 != .unset }
            let forFile = [identities[t], identities[p]].first { $0 != .unset }
            let effective = { task in
              app.state.effectiveIdentity(of: task, onThread: "t", isMainThread: isMain).identity
            }
            #expect(effective(.ui(window: nil)) == forUI ?? .unset)
            #expect(effective(.file) == forFile ?? .unset)
          }
        }
      }
    }
  }

  @Test("S-42: canceling a switch keeps the identity; where none is canceled, the unmanaged one is offered")
  func canceled() throws {
    for multiIdentity in [true, false] {
      var app = try Self.managed(multiIdentity: multiIdentity)
      try expectEqual(app.run(.setIdentity(.ui, .account(.a), outcome: .canceled)), ["identity.switchRefused"])
      #expect(app.state.identities.ui == .unset && app.takeCallbacks() == [] && app.work == [])
      guard multiIdentity else { continue }
      try app.run(.setIdentity(.ui, .account(.a)))
      try expectEqual(
        app.run(.setIdentity(.ui, .account(.a), outcome: .canceled)),
        ["identity.switchRefused", "identity.switchRequested"])
      expectEqual(app.takeCallbacks(), ["identitySwitchRequired ui unmanaged cancelConditionalLaunch"])
      expectEqual(app.work, ["askIdentitySwitch ui unmanaged cancelConditionalLaunch"])
      try expectEqual(app.run(.answerIdentitySwitch(.ui, .success)), ["identity.switchAnswered", "identity.switched"])
      expectEqual(app.state.identities.ui, .unmanaged)
      expectEqual(app.work, [])
      try expectEqual(app.run(.setIdentity(.ui, .account(.a), outcome: .failed)), ["identity.switchRefused"])
    }
  }

  @Test("S-43: an unmanaged colleague of the managed account is not allowed in the user interface")
  func sameOrganization() throws {
    for scope in [IdentityScope.ui, .window(1)] {
      var app = try Self.managed()
      try expectEqual(
        app.run(.setIdentity(scope, .account(.colleague))), ["account.introduced", "identity.switchRefused"])
      guard case .identitySwitchRefused(let refused) = app.history.last?.event else { throw ComplianceTests.Missing() }
      #expect(refused.result == .notAllowed && refused.reason == .sameOrganization)
      expectEqual(app.state.identities[scope], .unset)
      expectEqual(app.explanation.steps.last?.rule, "identity.organization")
      expectEqual(app.explanation.steps.last?.reads.contains { $0.path == "/policies/a1/version" }, true)
      try expectEqual(app.run(.setIdentity(scope, .account(.b))).last, "identity.switched", "another organization")
      try expectEqual(app.run(.setIdentity(.thread("t"), .account(.colleague))), ["identity.switched"])
    }
    var app = try TestApp {
      $0.multiIdentity = true
      $0.assumptions.organizationRule = .never
    }
    try app.enroll(.a)
    try expectEqual(app.run(.setIdentity(.ui, .account(.colleague))).last, "identity.switched")
  }

  @Test("The user interface cannot have another identity than the one its thread carries")
  func mainThread() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.thread(IdentityScope.mainThread), .account(.personal)))
    try expectEqual(app.run(.setIdentity(.ui, .account(.a))), ["identity.switchRefused"])
    try expectEqual(app.run(.setIdentity(.ui, .account(.personal))), ["identity.switched"])
  }

  @Test(
    "A switch that the delegate does not make changes nothing",
    arguments: [SwitchIdentityResult.canceled, .notAllowed, .failed])
  func delegateRefuses(result: SwitchIdentityResult) throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.window(4), .unmanaged))
    try app.run(.requestIdentitySwitch(.window(4), .account(.a), .openURL))
    expectEqual(app.takeCallbacks(), ["identitySwitchRequired windows/4 a1 openURL"])
    try expectEqual(app.run(.requestIdentitySwitch(.window(4), .account(.a), .openURL)), [], "asked already")
    try expectEqual(
      app.run(.answerIdentitySwitch(.window(4), result)), ["identity.switchAnswered", "identity.switchRefused"])
    expectEqual(app.state.identities[.window(4)], .unmanaged)
    expectEqual(app.rejection(of: .answerIdentitySwitch(.window(4), result)), .nothingAsked(.identitySwitch, nil))
    try expectEqual(app.run(.requestIdentitySwitch(.window(4), .unmanaged, .documentImport)), [], "it is so already")
  }

  @Test("An app of one identity may set another one, unless it is assumed that it may not", arguments: [true, false])
  func singleIdentity(mayChange: Bool) throws {
    var app = try TestApp { $0.assumptions.singleIdentityMayChange = mayChange }
    try expectEqual(app.run(.setIdentity(.ui, .unmanaged)), ["identity.switched"], "nobody is managed yet")
    try app.enroll(.a)
    try app.restart()
    try app.run(.registerAndEnroll(.b))
    let name = mayChange ? "identity.switched" : "identity.switchRefused"
    for scope in [IdentityScope.process, .ui, .window(1), .thread("t")] {
      let targets: [TargetIdentity] = [.unmanaged, .account(.b)] + (scope == .process ? [.unset] : [])
      for target in targets {
        try expectEqual(app.run(.setIdentity(scope, target)), [name], "\(scope)")
        #expect((app.explanation.steps.last?.rule == "identity.single") == !mayChange)
        let path = "/settings/assumptions/singleIdentityMayChange"
        expectEqual(app.explanation.steps.last?.reads.contains { $0.path == path }, true)
      }
    }
    guard !mayChange else {
      expectEqual(app.state.identities.process, .unset)
      return
    }
    guard case .identitySwitchRefused(let refused) = app.history.last?.event else { throw ComplianceTests.Missing() }
    #expect(refused.result == .notAllowed && refused.reason == .singleIdentity)
    expectEqual(app.state.identities.process, .account(.a1))
    #expect(try app.run(.setIdentity(.ui, .account(.a))).contains("identity.switched"))
    try expectEqual(app.run(.setIdentity(.ui, .unset)), ["identity.switched"], "the process counts again")
    var several = app.state.settings.app
    several.multiIdentity = true
    try app.run(.changeSettings(several))
    try expectEqual(
      app.run(.setIdentity(.process, .unmanaged)), ["identity.switched"], "it counts for one identity only")
  }

  @Test("A switch that the engine asks for keeps every rule, when it is asked and when it is answered")
  func engineSwitches() throws {
    func reason(_ app: TestApp) -> SwitchRefusalReason? {
      if case .identitySwitchRefused(let refused) = app.history.last?.event { refused.reason } else { nil }
    }
    var app = try Self.managed()
    try app.run(.requestIdentitySwitch(.ui, .account(.colleague), .openURL))
    expectEqual(reason(app), .sameOrganization)
    expectEqual(app.work, [])
    try app.run(.requestIdentitySwitch(.ui, .account(.a), .openURL))
    try app.run(.requestIdentitySwitch(.window(1), .account(.personal), .documentImport))
    try app.run(.requestWipe(.a, .administrator, .service))
    try expectEqual(
      app.run(.answerIdentitySwitch(.ui, .success)), ["identity.switchAnswered", "identity.switchRefused"])
    expectEqual(reason(app), .accountLeaving)
    try app.run(.setIdentity(.thread(IdentityScope.mainThread), .unmanaged))
    try app.run(.answerIdentitySwitch(.window(1), .success))
    expectEqual(reason(app), .threadIdentity)
    #expect(app.state.identities.ui == .unset && app.state.identities.windows.isEmpty)
    try app.run(.requestIdentitySwitch(.window(2), .account(.a), .openURL))
    expectEqual(reason(app), .accountLeaving)
  }

  @Test("The main thread is the one with its label, also where no label is given")
  func unnamedMainThread() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.thread(IdentityScope.mainThread), .unmanaged))
    for task in [EffectiveIdentity.Task.ui(window: nil), .file] {
      expectEqual(app.state.effectiveIdentity(of: task), EffectiveIdentity(identity: .unmanaged, level: .thread))
      #expect(app.state.effectiveIdentity(of: task, isMainThread: false).level == nil)
    }
  }

  @Test("What a process set ends with it, and so do the questions it asked")
  func endOfProcess() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.window(2), .account(.a)))
    try app.run(.setIdentity(.thread("t"), .unmanaged), .requestIdentitySwitch(.ui, .unmanaged, .openURL))
    try app.restart()
    expectEqual(app.state.identities, IdentitiesSlice())
  }

  @Test("A window that is closed takes its identity and its questions along")
  func closed() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.window(2), .account(.a)), .requestIdentitySwitch(.window(2), .unmanaged, .openURL))
    try expectEqual(app.run(.closeScope(.window(2))), ["identity.scopeClosed"])
    expectEqual(app.state.identities, IdentitiesSlice())
    try expectEqual(app.run(.closeScope(.window(2))), [])
  }

  @Test("Setting what is set already is no event, and a label that cannot be printed is refused")
  func edges() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.ui, .account(.a)))
    try expectEqual(app.run(.setIdentity(.ui, .account(.a))), [])
    for label in ["", "a/b", "a b", "ä", String(repeating: "x", count: 65)] {
      expectEqual(app.rejection(of: .setIdentity(.thread(label), .unmanaged)), .invalidScope)
    }
    expectEqual(app.rejection(of: .setIdentity(.ui, .account(AccountReference()))), .missingAccount)
  }

  @Test("Windows and threads stand in order, whatever order they were set in")
  func order() throws {
    var app = try Self.managed()
    for number: UInt32 in [3, 1, 2] { try app.run(.setIdentity(.window(number), .unmanaged)) }
    for label in ["b", "a", "B"] { try app.run(.setIdentity(.thread(label), .account(.a))) }
    expectEqual(app.state.identities.windows.map(\.number), [1, 2, 3])
    expectEqual(app.state.identities.threads.map(\.label), ["B", "a", "b"])
    try app.run(.setIdentity(.window(2), .account(.a)), .setIdentity(.window(1), .unset))
    expectEqual(app.state.identities.windows.map(\.identity), [.account(.a1), .unmanaged])
  }

  @Test("The explanation names every level that was asked, up to the one that decided")
  func explanation() throws {
    var app = try Self.managed()
    try app.run(.setIdentity(.ui, .unmanaged), .setIdentity(.process, .account(.a)))
    var explanation = Explanation(recording: true)
    _ = app.state.effectiveIdentity(
      of: .ui(window: nil), onThread: "main", isMainThread: true, explanation: &explanation)
    expectEqual(explanation.steps.map(\.rule), ["identity.thread", "identity.ui"])
    expectEqual(explanation.steps.map(\.holds), [false, true])
    expectEqual(explanation.steps.last?.reads, [Explanation.Read("/identities/ui", .name("unmanaged"))])
  }
}
