import EventSourcing

/// `wipe.requested`: the account's data must be wiped; the app's delegate is asked first.
public struct WipeRequested: EventPayload {
  public var account: AccountNumber
  /// The reason, as the number shown in wipe notices.
  public var reason = WipeReason.unspecified
  /// The wipe's origin.
  public var origin = WipeOrigin.service
  /// Whether the service is notified that the account leaves once the data is gone. In journals before revision 4, the
  /// service was notified first.
  public var precedesUnenrollment = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      120, "wipe.requested", meaning: "The account's data is to be wiped; the app's delegate is asked first."
    )
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("by ")
    headline.add(origin)
    headline.add(": ")
    headline.add(reason.rawValue)
    headline.add(" ")
    headline.add(name: reason.name)
    headline.addChange(of: "enrollment/status", before: ", ")
    headline.cover(below: "/wipes/")
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "reason", &event.reason, "why, as the number that wipe notices carry")
    try field(3, "origin", &event.origin, "who ordered it")
    try field(
      4, "precedesUnenrollment", &event.precedesUnenrollment,
      "whether the service is told that the account leaves once the data is gone")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard let account = state.accounts[event.account], account.enrollment.status.isRegistered,
      account.enrollment.status != .wiping
    else { return }
    var wipe = WipeRecord(
      account: event.account, reason: event.reason, origin: event.origin, requestedBy: context.sequence)
    wipe.precedesUnenrollment = event.precedesUnenrollment
    state.wipes.set(wipe)
    state.withdrawAddition(of: event.account)
    state.accounts.update(event.account) { account in
      account.enrollment.stopAsking()
      if !event.precedesUnenrollment {
        account.enrollment.unenrollmentRequest = 0
        account.enrollment.unenrollmentWipes = false
      }
      account.enrollment.status = .wiping
      if event.origin == .service {
        account.enrollment.lastCode = .wipeReceived
        account.enrollment.lastError = ""
        account.enrollment.lastCompletedCheckIn = context.moment.wallNanoseconds
      }
    }
  }
}

/// `wipe.delegateAnswered`: the app's delegate was asked to wipe the account's data and answered.
public struct WipeDelegateAnswered: EventPayload {
  public var account: AccountNumber
  /// Whether the delegate removed everything; otherwise the engine removes the account's files.
  public var removedEverything = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      121, "wipe.delegateAnswered",
      meaning: "The app's delegate was asked to wipe the account's data and answered.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(removedEverything ? "the app removed everything" : "the app leaves its files to the engine")
    headline.cover(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(
      2, "removedEverything", &event.removedEverything,
      "whether the delegate removed everything; otherwise the engine removes the account's files")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard !event.removedEverything else {
      state.beginUnenrollment(of: event.account, after: .requested)
      return
    }
    state.wipes.update(event.account) { if $0.phase == .requested { $0.phase = .removingFiles } }
  }
}

/// `wipe.filesRemoved`: the engine removed every file that belonged to the account.
public struct WipeFilesRemoved: EventPayload {
  public var account: AccountNumber
  /// The number of files removed.
  public var count: UInt64 = 0

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      122, "wipe.filesRemoved", meaning: "The engine removed every file that belonged to the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(Int(clamping: count), "file")
    headline.add(" removed")
    headline.cover(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "count", &event.count, "how many files were removed")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.wipes.update(event.account) { wipe in
      guard wipe.phase == .removingFiles else { return }
      wipe.count(event.count)
      wipe.lastError = ""
      wipe.retryDue = nil
    }
    state.beginUnenrollment(of: event.account, after: .removingFiles)
  }
}

/// `wipe.completed`: the account's data, policy and registration are gone.
public struct WipeCompleted: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(123, "wipe.completed", meaning: "The account's data, policy and registration are gone.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("data, policy and registration are gone")
    headline.addChange(of: "enrollment/status", before: ", ")
    headline.cover(below: "/wipes/")
    headline.cover(below: "/policies/")
    headline.cover(below: "/accounts/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard let wipe = state.wipes[event.account], wipe.phase != .completed else { return }
    state.wipes.update(event.account) { $0.phase = .completed }
    state.accounts.update(event.account) { $0.mayHaveOrganizationData = false }
    state.remove(event.account, code: .unenrollmentSuccess)
    state.endOverrides()
  }
}

/// `wipe.failed`: some files of the account could not be removed (215); the wipe is resumed.
public struct WipeFailed: PersonalEventPayload {
  public var account: AccountNumber
  /// The number of files removed.
  public var count: UInt64 = 0
  /// The file system's error text.
  @Personal public var error = ""
  /// When this process tries the removal again; absent if only the next process does.
  public var nextRetry: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      124, "wipe.failed",
      meaning: "Some files of the account could not be removed (215); the wipe is resumed.",
      remedy: "The wipe is taken up again every 30 minutes, when the user signs in, and at the next launch.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(EnrollmentStatusCode.failedToClearMamData)
    headline.add(said: $error)
    headline.add(", ")
    headline.add(Int(clamping: count), "file")
    headline.add(" removed")
    if let nextRetry {
      headline.add(", again ")
      headline.add(.time(nextRetry))
    } else {
      headline.add(", again in the next process")
    }
    headline.cover(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "count", &event.count, "how many files were removed")
    try field(3, "error", &event.$error, privacy: .account, "what the file system said")
    try field(
      4, "nextRetry", &event.nextRetry, as: .time,
      "when the removal is tried again while this process runs; absent where only the next one tries")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    let due = state.due(at: event.nextRetry, for: event.account, context)
    state.wipes.update(event.account) { wipe in
      guard wipe.phase == .removingFiles else { return }
      wipe.count(event.count)
      wipe.$lastError = event.$error
      wipe.retryDue = due
    }
  }
}

extension AppProtectionState {
  /// Once a leaving account's data is gone, removes what must not wait for the service: its policy, and everything that
  /// blocks other accounts. Only the notification of the service remains.
  fileprivate mutating func beginUnenrollment(of account: AccountNumber, after phase: WipePhase) {
    guard let wipe = wipes[account], wipe.phase == phase, wipe.precedesUnenrollment else { return }
    wipes.update(account) { $0.phase = .unenrolling }
    accounts.update(account) { account in
      account.mayHaveOrganizationData = false
      account.enrollment.status = .unenrolling
    }
    policies.remove(account)
    dropRestart(for: account)
  }

  /// Resumes at once the wipes that paused because files could not be removed, of one account or of all.
  mutating func resumeWipes(of account: AccountNumber? = nil) {
    // An unchanged slice is not touched, so that comparing it stays free.
    for wipe in wipes.records where wipe.retryDue != nil && (account ?? wipe.account) == wipe.account {
      wipes.update(wipe.account) { $0.retryDue = nil }
    }
  }
}

extension WipeRecord {
  /// When removing its files is tried again, if the wipe waits for that.
  var dueTime: DueTime? { phase == .removingFiles ? retryDue : nil }

  fileprivate mutating func count(_ files: UInt64) {
    let (sum, overflow) = filesRemoved.addingReportingOverflow(files)
    filesRemoved = overflow ? .max : sum
  }
}
