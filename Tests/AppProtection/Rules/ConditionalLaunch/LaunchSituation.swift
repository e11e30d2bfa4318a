import Expectations
import EventSourcing
import Testing

@testable import AppProtection

/// A device on which a1 is managed by a policy of the test's own.
enum LaunchSituation {
  /// a1, managed in an app of several identities, with a policy that `configure` completes.
  static func managed(
    settings: (inout AppSettings) -> Void = { $0.multiIdentity = true },
    _ configure: (inout PolicyDocument) throws -> Void
  ) throws -> TestApp {
    var policy = TestApp.policy()
    try configure(&policy)
    var app = try TestApp(settings)
    try app.enroll(.a, .policy(policy))
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  /// What the launch conditions of a1 come to, with the check that the explanation is true to the state.
  static func decision(
    _ app: TestApp, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LaunchDecision {
    var explanation = Explanation(recording: true)
    let decision = app.state.conditionalLaunch(for: .a1, at: app.moment, explanation: &explanation)
    expectEqual(decision, app.state.conditionalLaunch(for: .a1, at: app.moment), sourceLocation: sourceLocation)
    let deciding = explanation.steps.filter(\.decides)
    expectEqual(deciding.map(\.rule), [decision.rule.id], sourceLocation: sourceLocation)
    for (index, step) in explanation.steps.enumerated() {
      let isRepeated = explanation.steps[..<index].contains { $0.rule == step.rule && $0.reads == step.reads }
      #expect(!isRepeated, "\(step.rule) stands twice", sourceLocation: sourceLocation)
    }
    let tree = app.state.tree()
    for read in explanation.steps.flatMap(\.reads) {
      #expect(tree[path: read.path].map { $0 == .value(read.value) } ?? (read.value == .unset), "\(read.path)")
    }
    if !decision.findings.isEmpty {
      let paths = try #require(deciding.first, sourceLocation: sourceLocation).reads.map(\.path)
      for setting in decision.settings { #expect(paths.contains("/policies/a1/\(setting)"), "\(decision.rule)") }
      for fact in decision.facts { #expect(paths.contains(fact), "\(decision.rule)") }
      #expect(decision.dialog != nil, sourceLocation: sourceLocation)
    }
    return decision
  }

  static func outcome(_ app: TestApp, sourceLocation: SourceLocation = #_sourceLocation) throws -> LaunchOutcome {
    try decision(app, sourceLocation: sourceLocation).outcome
  }

  /// Starts the app anew as another version, on another device.
  static func restart(_ app: inout TestApp, _ configure: (inout ProcessStart) -> Void) throws {
    var process = TestApp.process
    configure(&process)
    try app.run(.startProcess(process))
  }
}

extension TestApp {
  /// Reports what the app found out about the device.
  mutating func report(_ configure: (inout DeviceFacts) -> Void) throws {
    var facts = state.launch.device
    configure(&facts)
    try run(.reportDevice(facts))
  }
}
