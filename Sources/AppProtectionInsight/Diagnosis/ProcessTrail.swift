import AppProtection
import EventSourcing

/// The processes of the app, and what was to happen while they ran.
///
/// Whether something that has not come counts as missing is decided here for every rule: what is owed can come only while the
/// app runs, so each launch grants the time again, and a later launch that ended without it has had its chance.
struct ProcessTrail: Sendable {
  /// How long an answer, a callback or a step may take before its absence counts.
  static let patience = RetrySchedule.minute

  /// How long the network may fail, with the request repeated by itself, before that is more than a note.
  static let endurance = 4 * RetrySchedule.hour

  /// The start of the process that runs.
  private(set) var current: EventContext?
  /// The number of them that have started.
  private(set) var launches = 0
  /// The start of the last process that has ended.
  private var ended: EventContext?

  /// Observes an event.
  mutating func observe(_ event: AppProtectionEvent, _ context: EventContext) {
    switch event {
    case .processStarted(let event):
      guard !event.isExtension else { break }
      (ended, current) = (current ?? ended, context)
      launches += 1
    case .processEnded: (ended, current) = (current ?? ended, nil)
    default: break
    }
  }

  /// Whether what an event led one to expect, and what has not come up to the last event, is missing and not only awaited.
  func isLate(
    since event: EventContext, at last: EventContext, after patience: Int64 = ProcessTrail.patience
  ) -> Bool {
    if let ended, ended.sequence > event.sequence { return true }
    let begin = current.flatMap { $0.sequence > event.sequence ? $0 : nil } ?? event
    return last.elapsed(since: begin) >= patience
  }
}
