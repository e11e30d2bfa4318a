import AppProtection
import AppProtectionKit
import Synchronization

/// The organisation's service as the scenario plays it, together with the files on the device.
final class ScriptedService: PolicyService, FileRemover {
  /// The codes for an unreachable service, when enrolling and when asking for policy.
  private static let enrollmentFailure = ServiceFailure(.enrollmentEndPointNetworkFailure)
  private static let policyFailure = ServiceFailure(.policyEndPointNetworkFailure)

  struct State {
    var answers: [String: AnswerQueue<ScriptedAnswer>] = [:]
    var outcomes: [String: AnswerQueue<ComplianceStatus>] = [:]
    var files: [String: FileScript] = [:]
    /// How many files each account's last wipe has removed, and which wipe it is.
    var removals: [AccountNumber: (wipe: UInt64, count: UInt64)] = [:]
    /// The files named in steps, with their owners.
    var owners = FileOwners()
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
    state.withLock { $0.answers[script.account] = AnswerQueue(script.answers) }
  }

  func answer(_ script: ComplianceScript) {
    state.withLock { $0.outcomes[script.account] = AnswerQueue(script.outcomes) }
  }

  /// All policies delivered so far, to any account.
  var deliveredPolicies: Set<String> { state.withLock { $0.everDelivered } }

  /// The first question without an answer since the last call.
  func removeUnanswered() -> String? {
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
        switch state.answers[name]?.next(for: request.intent) {
        case .networkFailure: Self.enrollmentFailure
        case .code(let code) where EnrollmentStatusCode(rawValue: code).classification != .success:
          ServiceFailure(EnrollmentStatusCode(rawValue: code))
        case .code, .policy, .unchanged, .noPolicy, .wipe, .gone, nil: nil
        }
      if failure != nil { _ = state.answers[name]?.useAnswer(for: request.intent) }
      return failure
    }
  }

  func remediate(_ request: ServiceRequest, isSilent: Bool) -> RemediationOutcome {
    guard let name = name(of: request) else { return RemediationOutcome(.serviceFailure) }
    return state.withLock { state in
      guard let outcome = state.outcomes[name]?.useAnswer(for: request.intent) else {
        state.unanswered = state.unanswered ?? "to make \(name) compliant"
        return RemediationOutcome(.serviceFailure)
      }
      return RemediationOutcome(outcome)
    }
  }

  private func answer(
    _ request: ServiceRequest, _ purpose: String, network: ServiceFailure, isEnrolling: Bool
  ) -> ServiceAnswer {
    guard let name = name(of: request) else { return .failure(network) }
    return state.withLock { state in
      guard let answer = state.answers[name]?.useAnswer(for: request.intent) else {
        state.unanswered = state.unanswered ?? "\(purpose) \(name)"
        return .failure(network)
      }
      switch answer {
      case .policy(let policy):
        guard let document = scenario.policy(named: policy) else { return .failure(network) }
        state.everDelivered.insert(policy)
        return isEnrolling ? .policy(document) : request.answer(delivering: document)
      case .unchanged: return .unchanged
      case .noPolicy: return .noPolicy
      case .wipe: return .wipe()
      case .gone: return .gone
      case .networkFailure: return .failure(network)
      case .code(let code): return .failure(ServiceFailure(EnrollmentStatusCode(rawValue: code)))
      }
    }
  }

  private func name(of request: ServiceRequest) -> String? {
    names[request.account]
  }
}

/// The scripted answers about an account, each for one request; the last one is repeated.
struct AnswerQueue<Answer: Sendable>: Sendable {
  private var answers: [Answer]
  /// The last answer that was taken, and the event that announced its request.
  private var last: (intent: UInt64, answer: Answer)?

  init(_ answers: [Answer]) { self.answers = answers }

  /// The answer to a request: the next one, or the one that it had before if it is repeated, as after a crash.
  func next(for intent: UInt64) -> Answer? {
    if let last, last.intent == intent { return last.answer }
    return answers.first
  }

  /// The same, and uses it up.
  mutating func useAnswer(for intent: UInt64) -> Answer? {
    guard let answer = next(for: intent) else { return nil }
    if last?.intent != intent, answers.count > 1 { answers.removeFirst() }
    last = (intent, answer)
    return answer
  }
}
