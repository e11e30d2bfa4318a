import EventSourcing

/// `process.started`: a process of the app started; changes that waited for a restart now apply.
public struct ProcessStarted: EventPayload {
  /// The number of this launch within the journal, from 1.
  public var launch: UInt64 = 0
  /// The device's boot session; uptimes are comparable only within one.
  public var bootSession: GUID?
  /// The app's own version, which launch conditions compare.
  public var appVersion = ""
  /// The version of the SDK whose rules apply, such as 19.2.0.
  public var sdkVersion = ""
  /// The version of the operating system.
  public var osVersion = ""
  /// The device's model identifier, such as iPhone15,2.
  public var deviceModel = ""
  /// Whether the process is an app extension.
  public var isExtension = false
  /// The revision of the rules that derived the state in this process.
  public var reducerRevision: UInt32 = 0
  /// Local time minus UTC, in nanoseconds; `nil` if unknown.
  public var utcOffset: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      1, "process.started", version: 2,
      meaning: "A process of the app started; what waited for a restart applies from here on.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add(isExtension ? "extension, launch " : "launch ")
    headline.add(launch)
    headline.add(appVersion, after: ": app ")
    headline.add(sdkVersion, after: ", SDK ")
    headline.add(osVersion, after: ", OS ")
    headline.add(deviceModel, after: ", ")
    headline.cover(below: "/process/")
    if let restart = headline.change(of: "restart/reason"), restart.after == nil {
      headline.add("; restarted for ")
      headline.add(restart.before)
    }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "launch", &event.launch, "the number of this launch within the journal, from 1")
    try field(2, "bootSession", &event.bootSession, "the device's boot session: uptimes compare only within one")
    try field(3, "appVersion", &event.appVersion, "the version of the app")
    try field(4, "sdkVersion", &event.sdkVersion, "the version of the SDK whose rules apply, such as 19.2.0")
    try field(5, "osVersion", &event.osVersion, "the version of the operating system")
    try field(6, "deviceModel", &event.deviceModel, "the device's model identifier, such as iPhone15,2")
    try field(7, "isExtension", &event.isExtension, "whether the process is an app extension")
    try field(
      8, "reducerRevision", &event.reducerRevision, "the revision of the rules that derived the state in this process")
    try field(9, "utcOffset", &event.utcOffset, as: .duration, "local time minus UTC; absent when it is unknown")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    // A journal that begins without state.settings was written under the defaults of its program.
    if context.sequence == 1 && event.reducerRevision < 5 { state.settings.app = .blank }
    let pending = state.process
    state.process = ProcessSlice()
    state.process.launch = event.launch
    state.process.startedBy = context.sequence
    state.process.isRunning = true
    state.process.bootSession = event.bootSession
    state.process.appVersion = event.appVersion
    state.process.sdkVersion = event.sdkVersion
    state.process.osVersion = event.osVersion
    state.process.deviceModel = event.deviceModel
    state.process.isExtension = event.isExtension
    state.process.reducerRevision = event.reducerRevision
    state.process.utcOffset = event.utcOffset
    state.identities = IdentitiesSlice()
    if event.isExtension {
      // An extension is not the app: it answers none of the app's questions and ends none of its waits.
      state.process.restart = pending.restart
      state.process.loginQuestion = pending.loginQuestion
    } else {
      // Records that do not change stay shared with earlier states.
      for record in state.policies.records where !record.isEnforced {
        state.policies.update(record.account) { $0.isEnforced = true }
      }
      state.resumeWipes()
    }
    state.process.enforcedAccounts = state.policies.records.filter(\.isEnforced).map(\.account)
    // Repeats an earlier state.process's unanswered requests to the service.
    for account in state.accounts.records
    where account.enrollment.checkInRequest != 0 || account.enrollment.enrollmentRequest != 0 {
      state.accounts.update(account.account) { $0.enrollment.lastAttemptedCheckIn = context.moment.wallNanoseconds }
    }
  }
}

/// `process.ended`: the process ended normally; a crashed process leaves no such event.
public struct ProcessEnded: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      2, "process.ended",
      meaning: "The process ended in an orderly way; a process that crashed leaves no such event.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add("ended in an orderly way")
    _ = headline.change(of: "isRunning")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.process.isRunning = false
  }
}

/// `restart.required`: the app must restart before a change takes effect.
public struct RestartRequired: EventPayload {
  /// Why the app must be restarted.
  public var reason = RestartReason.firstPolicy
  /// The account that requires it, if any.
  public var account: AccountNumber?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      3, "restart.required",
      meaning: "The app must be restarted before something takes effect.",
      remedy: "Restart the app. Until then the new policy is not enforced.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add(reason)
    headline.cover(below: "/process/restart/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "reason", &event.reason, "why the app must be restarted")
    try field(2, "account", &event.account, cardinality: .single, "the account because of which, where there is one")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.process.restart == nil else { return }
    state.process.restart = PendingRestart(reason: event.reason, account: event.account, requestedBy: context.sequence)
  }
}

/// `restart.answered`: the app or the user answered the request for a restart.
public struct RestartAnswered: EventPayload {
  /// What the app, or its user, chose.
  public var answer = RestartAnswer.none
  /// By how many minutes the user postponed the restart; zero otherwise.
  public var postponedMinutes: UInt32 = 0

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(4, "restart.answered", meaning: "The app or the user answered the request for a restart.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add(answer)
    if postponedMinutes > 0 {
      headline.add(" by ")
      headline.add(Int(postponedMinutes), "minute")
    }
    headline.cover(below: "/process/restart/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "answer", &event.answer, "what the answer was")
    try field(
      2, "postponedMinutes", &event.postponedMinutes,
      "by how many minutes the user postponed the restart; zero otherwise")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard var restart = state.process.restart else { return }
    let pause = RetrySchedule.minutes(event.postponedMinutes)
    restart.answer = event.answer
    restart.dueTime =
      event.answer == .postponed
      ? state.due(at: context.moment.wallNanoseconds.advancedClamping(by: pause), after: pause, context) : nil
    state.process.restart = restart
  }
}

/// `launch.warned`: the user was warned that the account has no policy, and continued without one.
public struct LaunchWarned: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      5, "launch.warned",
      meaning: "The user was warned that the account has no policy, and goes on without one.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add("the account has no policy; the user goes on without one")
    _ = headline.change(of: "wasWarned")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.process.wasWarned = true
  }
}

/// `command.refused`: the rules refused a command from the app. Written only if the engine is set to do so, and only up
/// to a limit in each process.
public struct CommandRefused: EventPayload, Hashable {
  /// The name of the refused call or command.
  public var command: String
  /// The rule that refused it.
  public var rule: String
  /// The status code sent to the app's enrollment delegate, if any.
  public var code: EnrollmentStatusCode?
  /// The account named, if the journal knows it.
  public var account: AccountNumber?

  /// Creates the event; an engine writes it only if set to do so.
  public init(command: String, rule: String, code: EnrollmentStatusCode? = nil, account: AccountNumber? = nil) {
    self.command = command
    self.rule = rule
    self.code = code
    self.account = account
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      6, "command.refused", unknownReaders: .ignorable,
      meaning: "The rules refused a command of the app.",
      remedy: "Look the rule up, and let the app ask at another time, or for another account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(command: "", rule: "") }

  public func describe(in headline: Headline) {
    headline.add(.text(command))
    headline.add(" refused by ")
    headline.add(.text(rule))
    guard let code else { return }
    headline.add(", ")
    headline.add(code)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "command", &event.command, "what the app asked for, by the name of the call")
    try field(2, "rule", &event.rule, "the rule that refused it")
    try field(3, "code", &event.code, "the status code that the enrollment delegate got for it, where it got one")
    try field(4, "account", &event.account, "the account that it named, where the journal knows it")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    // Only for the reader of the journal.
  }
}

/// `clock.offsetChanged`: the device's local time has another offset from UTC than before, as after a journey or when
/// daylight saving time begins.
public struct ClockOffsetChanged: EventPayload {
  /// Local time minus UTC, in nanoseconds.
  public var utcOffset: Int64

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      7, "clock.offsetChanged",
      meaning: "The device's local time has another offset from UTC than before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(utcOffset: 0) }

  public func describe(in headline: Headline) {
    headline.add(utcOffset: utcOffset)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "utcOffset", &event.utcOffset, as: .duration, "local time minus UTC")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.process.utcOffset = event.utcOffset
  }
}

extension AppProtectionState {
  /// Ends the wait for a restart that this account's policy needed. One restart serves every first policy, so it passes
  /// to another account whose policy is waiting.
  mutating func dropRestart(for account: AccountNumber) {
    guard let restart = process.restart, restart.account == account && restart.reason == .firstPolicy else { return }
    if let waiting = policies.records.first(where: { !$0.isEnforced }) {
      process.restart?.account = waiting.account
    } else {
      process.restart = nil
    }
  }
}
