import AppProtection
import EventSourcing

/// What several rules need of the events so far. Kept once for all of them.
struct HistoryNotes: Sendable {
  /// Every account's contact with the service.
  private(set) var contacts = PerAccount<ContactTrail>()
  /// How every account leaves, or fails to.
  private(set) var departures = PerAccount<DepartureTrail>()
  /// The processes of the app.
  private(set) var processes = ProcessTrail()
  /// The wrong PINs.
  private(set) var pins = PINTrail()
  /// What device management does with the device.
  private(set) var management = ManagementTrail()
  /// What holds for the whole history.
  private(set) var facts = HistoryFacts()
  /// Where every account stands with the launch conditions, with the rule that reports them.
  private var launchConditions: [(rule: any LaunchConditionRule.Type, trail: LaunchConditionTrail)]

  init() {
    launchConditions = ProblemFamily.allCases.compactMap { family in
      let rule = family.rule().map { type(of: $0) } as? any LaunchConditionRule.Type
      return rule.map { ($0, LaunchConditionTrail(of: $0.conditions)) }
    }
  }

  /// The process that handed the command after the current event over; `nil` if the app itself gave it.
  private(set) var handover: UInt64?
  private var nextHandover: UInt64?

  /// The last event that is missing before the first one; `nil` where the history is whole.
  private(set) var opening: EventContext?

  /// The history begins after an event.
  mutating func begin(at opening: EventContext) {
    self.opening = opening
    facts.begin()
  }

  /// Whether an event lies before the first one, so that what truly brought its effect about is not known.
  func isMissing(_ event: EventContext) -> Bool { event.sequence <= opening?.sequence ?? 0 }

  /// Observes an event, before the rules look at it.
  ///
  /// - Parameter isForConditions: Whether it is one of ``LaunchConditionTrail/events``.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    isForConditions: Bool
  ) {
    (handover, nextHandover) = (nextHandover, nil)
    facts.observe(event, context, before: before, after: after)
    processes.observe(event, context)
    pins.observe(event, context)
    management.observe(event, context, before: before, after: after)
    contacts.observe(event, context, after: after, facts.clock)
    departures.observe(event, context, before: before, after: after)
    guard isForConditions else { return }
    for place in launchConditions.indices {
      let isChanged = launchConditions[place].rule.isFactChanged
      launchConditions[place].trail.observe(event, context, before: before, after: after, isChanged)
    }
  }

  /// Where the accounts stand with the launch conditions of a family.
  func launchConditions(of family: ProblemFamily) -> LaunchConditionTrail? {
    launchConditions.first { $0.rule.family == family }?.trail
  }

  /// Whether a change of these settings did no more than keep the user of an account out, or let the user in again.
  func isDemand(of account: AccountNumber, by settings: [String]) -> Bool {
    launchConditions.contains { $0.trail.isDemanded(account, by: settings) }
  }

  /// Why a launch condition was not met which led to a wipe; `nil` if none did.
  func decision(of account: AccountNumber, wipedBy wipe: EventContext) -> LaunchConditionDecision? {
    for (rule, trail) in launchConditions {
      if let failure = trail.failure(of: account, wipedBy: wipe) { return rule.decision(failure, self) }
    }
    return nil
  }

  /// Whether the launch condition that led to a wipe is met since then; `nil` if none led to it.
  func isMetSince(_ wipe: EventContext, of account: AccountNumber) -> Bool? {
    launchConditions.lazy.compactMap { $0.trail.failure(of: account, wipedBy: wipe) }.first.map { $0.met != nil }
  }

  /// Another process handed over the command after the next event.
  mutating func observeHandover(by process: UInt64) { nextHandover = process }

  /// Observes a change of the clock.
  mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64) {
    facts.observeClockJump(by: nanoseconds, before: sequence)
    guard nanoseconds > 0 else { return }
    contacts.updateAll { $0.advance(by: nanoseconds, before: sequence) }
  }

  /// What decided that other accounts left traces, or that this one did when it last left.
  func traces(inTheWayOf account: AccountNumber) -> [(account: AccountNumber, event: UInt64)] {
    departures.inOrder.filter { $0.account != account || $0.value.isUnheard }.compactMap { other, departure in
      departure.traces.map { (other, $0) }
    }
  }
}
