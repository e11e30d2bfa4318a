import AppProtection
import EventSourcing
import PlainText

/// What changed in a history besides what a problem is about: versions, policies and other accounts.
struct RecentChanges: Sendable {
  /// A change lies just before an event if it came so shortly before it (DERIVED).
  static let nearness = RetrySchedule.day
  /// Another account's registration matters for a shorter time (DERIVED).
  static let nearnessOfOthers = RetrySchedule.hour
  /// The most changes kept, the latest ones.
  private static let maximumKept = 256
  /// The most changes that a problem names.
  private static let maximumShown = 2

  private struct Change: Sendable {
    let event: EventContext
    /// Whom it concerns; `nil` for everything.
    let account: AccountNumber?
    /// Whether it matters to the other accounts, and not to its own.
    let isOfOthers: Bool
    let text: String
  }

  private var changes: [Change] = []
  /// The first registration of every account.
  private var registrations = PerAccount<UInt64>()
  /// A change of the clock that no event has shown yet.
  private var jump: (nanoseconds: Int64, sequence: UInt64)?

  /// Observes a change of the clock.
  mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64) { jump = (nanoseconds, sequence) }

  /// Observes an event.
  mutating func observe(_ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState) {
    if let jump, jump.nanoseconds.magnitude > UInt64(RetrySchedule.minute) {
      let length = SpanWords.words(Int64(clamping: jump.nanoseconds.magnitude))
      let words = "the clock was set \(jump.nanoseconds < 0 ? "back" : "ahead") by \(length)"
      let event = EventContext(sequence: jump.sequence, moment: context.moment)
      add(Change(event: event, account: nil, isOfOthers: false, text: words))
    }
    jump = nil
    switch event {
    case .processStarted(let start):
      let old = before.process
      guard old.launch > 0, !start.isExtension else { return }
      let parts = [
        ("the app", old.appVersion, start.appVersion), ("the SDK", old.sdkVersion, start.sdkVersion),
        ("the operating system", old.osVersion, start.osVersion),
      ]
      let updates = parts.filter { $0.1 != $0.2 && !$0.1.isEmpty && !$0.2.isEmpty }
      guard !updates.isEmpty else { return }
      let words = updates.map { "\($0.0) goes from \($0.1) to \($0.2)" }.joined(separator: ", ")
      add(Change(event: context, account: nil, isOfOthers: false, text: words))
    case .policyReceived(let event):
      guard let earlier = before.policies[event.account]?.document, earlier != event.document else { return }
      add(Change(event: context, account: event.account, isOfOthers: false, text: "another policy arrives"))
    case .accountRegistered(let event):
      if registrations[event.account] == nil { registrations[event.account] = context.sequence }
      add(Change(event: context, account: event.account, isOfOthers: true, text: "\(event.account) is registered"))
    default: break
    }
  }

  private mutating func add(_ change: Change) {
    if changes.count == Self.maximumKept { changes.removeFirst() }
    changes.append(change)
  }

  /// The latest changes just before an event that concern a problem of a subject, as evidence.
  func evidence(before sequence: UInt64, at moment: Moment, subject: String?) -> [DiagnosisEvidence] {
    let event = EventContext(sequence: sequence, moment: moment)
    let near = changes.filter { change in
      let nearness = change.isOfOthers ? Self.nearnessOfOthers : Self.nearness
      guard change.event.sequence < sequence, event.elapsed(since: change.event) <= nearness else { return false }
      guard let account = change.account, let subject else { return !change.isOfOthers }
      guard change.isOfOthers else { return account.description == subject }
      // One that was there before is no change for an account that came later.
      guard account.description != subject, let own = AccountNumber(subject).flatMap({ registrations[$0] }) else {
        return false
      }
      return own < change.event.sequence
    }
    return near.suffix(Self.maximumShown).map { DiagnosisEvidence($0.event, "shortly before: \($0.text)") }
  }
}
