import AppProtection
import EventSourcing

/// The callbacks that wait for delivery, in the order of their events.
struct Outbox {
  /// A callback, and how far the app has been notified once it was made.
  struct Delivery {
    var callback: Callback
    /// The event that caused it, and its place among the event's callbacks, from 1; `nil` for that of a refusal, which no
    /// event records.
    var place: (event: UInt64, number: UInt32)?
    /// The account that a refused command named, which the journal need not know.
    var named: AccountReference?
  }

  private(set) var waiting: [Delivery] = []
  /// The one that was taken, until it was made.
  private(set) var taken: Delivery?
  /// How many callbacks of earlier processes are still to be made: the first ones.
  private var overdueCount = 0

  /// Whether the app does not yet know the notices that earlier processes owed it.
  var isOverdue: Bool { overdueCount > 0 }

  /// Whether a callback is being made.
  var isTelling: Bool { taken != nil }

  /// Adds the callbacks of one event.
  mutating func add(
    _ event: AppProtectionEvent, at sequence: UInt64, _ before: AppProtectionState, _ after: AppProtectionState
  ) {
    waiting += Self.deliveries(for: event, at: sequence, before, after)
    checkInvariants()
  }

  /// Adds the callback of a refusal.
  mutating func add(_ callback: Callback, named account: AccountReference?) {
    waiting.append(Delivery(callback: callback, named: account))
  }

  /// Puts callbacks of earlier processes before all others.
  mutating func add(untold deliveries: [Delivery]) {
    waiting = deliveries + waiting.filter { $0.place == nil }
    overdueCount = deliveries.count
    checkInvariants()
  }

  /// Adds callbacks of other processes, whose events follow all that are known here.
  mutating func insert(_ deliveries: [Delivery]) {
    waiting += deliveries
    checkInvariants()
  }

  /// Removes and returns the oldest.
  mutating func removeFirst() -> Callback? {
    guard !waiting.isEmpty else { return nil }
    let delivery = waiting.removeFirst()
    taken = delivery
    return delivery.callback
  }

  /// Records that the one that was taken was made, and returns its place.
  mutating func made() -> (event: UInt64, number: UInt32)? {
    defer { taken = nil }
    if taken != nil, overdueCount > 0 { overdueCount -= 1 }
    return taken?.place
  }

  /// The app is notified in the order of the events, and of each event in the order of its callbacks.
  private func checkInvariants() {
    let places = waiting.compactMap(\.place)
    assert(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "callbacks are not in the order of their events")
    assert(overdueCount <= waiting.count + (isTelling ? 1 : 0), "more callbacks are overdue than wait")
  }

  /// The callbacks for one event. Questions, and notifications that are pending work until they are confirmed, are excluded.
  static func deliveries(
    for event: AppProtectionEvent, at sequence: UInt64, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Delivery] {
    let callbacks = AppProtectionMachine.callbacks(for: event, before: before, after: after).filter { !$0.isWork }
    return zip(callbacks, 1...).map { Delivery(callback: $0, place: (sequence, $1)) }
  }
}

extension Callback {
  /// Whether the app's answer matters, or the app has no other way to learn of it. Such a callback is made when the
  /// state calls for it, and again after a crash.
  fileprivate var isWork: Bool {
    switch self {
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus: true
    case .enrollmentRequest, .policyRequest, .unenrollRequest, .policyDidChange, .dataProtectionDidChange,
      .wipeDidComplete, .allowedAccountsDidChange, .configurationDidChange, .accountConflict, .conditionalLaunch,
      .userStatusDidChange:
      false
    }
  }

  /// Whether it concerns only the process in which its event happened. Launch conditions are evaluated again at launch, and
  /// when an identity is set: what they asked before belongs to a screen that is gone.
  var endsWithProcess: Bool {
    switch self {
    case .conditionalLaunch: true
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus, .enrollmentRequest,
      .policyRequest, .unenrollRequest, .policyDidChange, .dataProtectionDidChange, .wipeDidComplete,
      .allowedAccountsDidChange, .configurationDidChange, .accountConflict, .userStatusDidChange:
      false
    }
  }
}
