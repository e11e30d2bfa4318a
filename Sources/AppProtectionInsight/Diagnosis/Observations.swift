import AppProtection
import EventSourcing

/// Events of one kind, with what each one brought: how many there were, with the first ones and the last one.
struct Observations<Value: Sendable>: Sendable {
  /// An event, and what it brought.
  struct Observation: Sendable {
    let event: EventContext
    let value: Value
  }

  /// The most events kept besides the last one.
  private static var maximumKept: Int { Problem.maximumEvidence - 1 }

  private(set) var count = 0
  private var kept: [Observation] = []
  private var latest: Observation?

  /// The first event.
  var first: EventContext? { kept.first?.event }
  /// The last event.
  var last: EventContext? { latest?.event }
  /// What the first event brought.
  var firstValue: Value? { kept.first?.value }
  /// What the last event brought.
  var lastValue: Value? { latest?.value }

  /// How often: `once`, `3 times`.
  var times: String { count == 1 ? "once" : "\(count) times" }

  /// Adds another one.
  mutating func add(_ context: EventContext, _ value: Value) {
    count += 1
    let observation = Observation(event: context, value: value)
    latest = observation
    if kept.count < Self.maximumKept { kept.append(observation) }
  }

  /// The events as evidence.
  func evidence(_ text: (Value) -> String) -> [DiagnosisEvidence] {
    let rest = latest.flatMap { latest in kept.contains { $0.event == latest.event } ? nil : latest }
    return (kept + (rest.map { [$0] } ?? [])).map { DiagnosisEvidence($0.event, text($0.value)) }
  }
}

/// Events of one kind that bring nothing.
typealias Occurrences = Observations<Void>

extension Observations where Value == Void {
  /// Adds another one.
  mutating func add(_ context: EventContext) { add(context, ()) }

  /// The events as evidence.
  func evidence(_ text: String) -> [DiagnosisEvidence] { evidence { text } }
}

extension Observations where Value == EnrollmentStatusCode {
  /// The codes as the events brought them: `212 policyEndPointNetworkFailure`, or the first one and the last one.
  var codes: String {
    guard let first = firstValue, let last = lastValue else { return "" }
    return first == last ? first.words : "\(first.words), last with \(last.words)"
  }
}
