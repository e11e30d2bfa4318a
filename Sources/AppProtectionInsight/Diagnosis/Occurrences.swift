import AppProtection
import EventSourcing

/// Events of one kind: how many there were, with the first ones and the last one.
struct Occurrences: Sendable {
  /// The most events kept besides the last one.
  private static let maximumKept = Problem.maximumEvidence - 1

  private(set) var count = 0
  private(set) var kept: [EventContext] = []
  private(set) var last: EventContext?

  /// The first event.
  var first: EventContext? { kept.first }

  /// How often: `once`, `3 times`.
  var times: String { count == 1 ? "once" : "\(count) times" }

  /// Adds another one.
  mutating func add(_ context: EventContext) {
    count += 1
    last = context
    if kept.count < Self.maximumKept { kept.append(context) }
  }

  /// The events as evidence.
  func evidence(_ text: String) -> [DiagnosisEvidence] {
    let rest = last.flatMap { last in kept.contains(last) ? nil : last }
    return (kept + (rest.map { [$0] } ?? [])).map { DiagnosisEvidence($0.sequence, text) }
  }
}
