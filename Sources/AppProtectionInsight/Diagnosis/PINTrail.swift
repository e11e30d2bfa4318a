import AppProtection
import EventSourcing

/// The wrong PINs, in series: only the right PIN or another one ends a series, whatever days or biometrics lie in between.
struct PINTrail: Sendable {
  /// Wrong PINs that count together.
  struct Series: Sendable {
    private(set) var failures = Occurrences()
    /// The number of days (UTC) with a wrong PIN.
    private(set) var days = 0
    /// The openings by biometrics in between.
    fileprivate(set) var biometrics = Occurrences()
    fileprivate(set) var end: EventContext?
    private var day: Int64?

    fileprivate mutating func fail(_ context: EventContext) {
      failures.add(context)
      let day = context.moment.wallNanoseconds / RetrySchedule.day
      if day != self.day { (days, self.day) = (days + 1, day) }
    }
  }

  /// The most series kept: the first ones and the last one.
  private static let maximumKept = Problem.maximumEvidence

  private var kept: [Series] = []

  /// Observes an event.
  mutating func observe(_ event: AppProtectionEvent, _ context: EventContext) {
    switch event {
    case .pinFailed:
      if kept.last?.end != nil || kept.isEmpty {
        if kept.count == Self.maximumKept { kept.removeLast() }
        kept.append(Series())
      }
      kept[kept.count - 1].fail(context)
    case .pinVerified(let event):
      if event.byBiometrics { updateLast { $0.biometrics.add(context) } } else { updateLast { $0.end = context } }
    case .pinSet, .pinReset: updateLast { $0.end = context }
    default: break
    }
  }

  private mutating func updateLast(_ body: (inout Series) -> Void) {
    guard let last = kept.indices.last, kept[last].end == nil else { return }
    body(&kept[last])
  }

  /// The series that an event belongs to, or fell into.
  func series(at event: EventContext) -> Series? {
    kept.first { series in
      guard let first = series.failures.first else { return false }
      return first.sequence <= event.sequence && series.end?.sequence ?? .max > event.sequence
    }
  }
}
