import AppProtection
import AppProtectionKit
import Synchronization

/// The organisation's service as the scenario plays it, together with the files on the device.
final class ScriptedService: PolicyService, FileRemover {
  /// The codes for an unreachable service, when enrolling and when asking for policy.
  private static let enrollmentFailure = ServiceFailure(.enrollmentEndPointNetworkFailure)
  private static let policyFailure = ServiceFailure(.policyEndPointNetworkFailure)

  struct State {
    var answers: [String: [ScriptedAnswer]] = [:]
    var outcomes: [String: [ComplianceStatus]] = [:]
    var files: [String: FileScript] = [:]
    /// The files named in steps, with their owners.
    var owners = FileOwners()
    /// The policy that each account has according to the service.
    var delivered: [String: String] = [:]
    /// All policies delivered so far, to any account.
    var everDelivered: Set<String> = []
    /// The first question without an answer.
    var unanswered: String?
  }

  private let scenario: Scenario
  let names: ScenarioAccountNames
  let state = Mutex(State())

  init(_ scenario: Scenario, _ names: ScenarioAccountNames) {
    self.scenario = scenario
    self.names = names
  }

  // MARK: The script

  func answer(_ script: ServiceScript) {
    state.withLock { $0.answers[script.account] = script.answers }
  }

  func answer(_ script: ComplianceScript) {
    state.withLock { $0.outcomes[script.account] = script.outcomes }
  }

  /// All policies delivered so far, to any account.
  var deliveredPolicies: Set<String> { state.withLock { $0.everDelivered } }

  /// The first question without an answer since the last call.
  func takeUnanswered() -> String? {
    state.withLock { state in
      defer { state.unanswered = nil }
      return state.unanswered
    }
  }

  // MARK: The answers

  func enroll(_ request: ServiceRequest) -> ServiceAnswer {
    answer(request, "to enroll", network: Self.enrollmentFailure, isEnrolling: true)
  }

  func checkIn(_ request: ServiceRequest) -> ServiceAnswer {
    answer(request, "for policy of", network: Self.policyFailure, isEnrolling: false)
  }

  func unenroll(_ request: ServiceRequest) -> ServiceFailure? {
    guard let name = name(of: request) else { return nil }
    return state.withLock { state in
      // A goodbye is not answered with policy: any answer other than a failure means success.
      let failure: ServiceFailure? =
        switch state.answers[name]?.first {
        case .networkFailure: Self.enrollmentFailure
        case .code(let code) where EnrollmentStatusCode(rawValue: code).classification != .success:
          ServiceFailure(EnrollmentStatusCode(rawValue: code))
        case .code, .policy, .unchanged, .noPolicy, .wipe, .gone, nil: nil
        }
      if failure == nil { state.delivered[name] = nil } else { state.take(name) }
      return failure
    }
  }

  func remediate(_ request: ServiceRequest, isSilent: Bool) -> RemediationOutcome {
    guard let name = name(of: request) else { return RemediationOutcome(.serviceFailure) }
    return state.withLock { state in
      guard let outcomes = state.outcomes[name], let outcome = outcomes.first else {
        state.unanswered = state.unanswered ?? "to make \(name) compliant"
        return RemediationOutcome(.serviceFailure)
      }
      if outcomes.count > 1 { state.outcomes[name]?.removeFirst() }
      return RemediationOutcome(outcome)
    }
  }

  private func answer(
    _ request: ServiceRequest, _ purpose: String, network: ServiceFailure, isEnrolling: Bool
  ) -> ServiceAnswer {
    guard let name = name(of: request) else { return .failure(network) }
    return state.withLock { state in
      guard let answer = state.take(name) else {
        state.unanswered = state.unanswered ?? "\(purpose) \(name)"
        return .failure(network)
      }
      switch answer {
      case .policy(let policy):
        if !isEnrolling && state.delivered[name] == policy { return .unchanged }
        guard let document = scenario.policy(named: policy) else { return .failure(network) }
        state.delivered[name] = policy
        state.everDelivered.insert(policy)
        return .policy(document)
      case .unchanged: return .unchanged
      case .noPolicy:
        state.delivered[name] = nil
        return .noPolicy
      case .wipe:
        state.delivered[name] = nil
        return .wipe()
      case .gone:
        state.delivered[name] = nil
        return .gone
      case .networkFailure: return .failure(network)
      case .code(let code): return .failure(ServiceFailure(EnrollmentStatusCode(rawValue: code)))
      }
    }
  }

  private func name(of request: ServiceRequest) -> String? {
    names[request.account]
  }
}

extension ScriptedService.State {
  /// The next answer about an account; the last one is repeated.
  @discardableResult
  mutating func take(_ name: String) -> ScriptedAnswer? {
    guard let queue = answers[name], let answer = queue.first else { return nil }
    if queue.count > 1 { answers[name]?.removeFirst() }
    return answer
  }
}
