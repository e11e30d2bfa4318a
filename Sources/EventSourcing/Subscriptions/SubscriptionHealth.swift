import Journal

/// How a subscription is doing.
public struct SubscriptionHealth: Equatable, Sendable {
  /// The subscription.
  public let name: String
  /// The last event that is done, parked or passed over.
  public let position: UInt64
  /// Number of events after it. Where another program writes the journal, of those that were there when this one last read.
  public let lag: UInt64
  /// How often the next event has failed.
  public let attempts: Int
  /// Why it does not move: the work for the next event failed, or the loop ended with this error. `nil` while nothing keeps it.
  public let lastError: SubscriptionError?
  /// Since when.
  public let failingSince: Moment?
  /// Number of events that are parked.
  public let parkedCount: Int
}

/// Why a subscription does not move, or is refused.
public struct SubscriptionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A stable name of the kind of error, for code that treats kinds differently.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `gone`.
    public let name: String

    /// Creates a code; use the static members.
    public init(_ name: String) { self.name = name }

    /// The code's name.
    public var description: String { name }

    /// The work for an event failed. It is tried again.
    public static let work = Code("work")
    /// An event failed too often, and no more can be parked.
    public static let full = Code("full")
    /// Another program, or another part of this one, has the subscription.
    public static let taken = Code("taken")
    /// Another loop of this program follows it.
    public static let inUse = Code("inUse")
    /// The stored position is of another journal, or of another history of it.
    public static let otherHistory = Code("otherHistory")
    /// The stored position cannot be used.
    public static let damaged = Code("damaged")
    /// The next events are retired.
    public static let gone = Code("gone")
    /// The place to begin does not exist.
    public static let start = Code("start")
    /// An event cannot be read.
    public static let events = Code("events")
    /// The keys of personal data cannot be read now.
    public static let keys = Code("keys")
    /// A file cannot be read or written.
    public static let file = Code("file")
    /// Its name cannot be one.
    public static let name = Code("name")
    /// An event is not parked.
    public static let notParked = Code("notParked")
    /// An event is not the next one, or has not failed.
    public static let notFailed = Code("notFailed")
    /// No subscription of this name has a stored position.
    public static let unknown = Code("unknown")
    /// It cannot begin now, as events are being retired.
    public static let busy = Code("busy")
  }

  /// The kind of error.
  public let code: Code
  /// The subscription's name.
  public let subscription: String
  /// The event that it is about, if it is about one.
  public let event: UInt64?
  /// One clause: what is wrong.
  public let message: String
  /// One clause: what to do about it.
  public let remedy: String

  /// The reason and the next step.
  public var description: String { "the subscription \(subscription) \(message); \(remedy)" }

  init(_ code: Code, _ subscription: String, event: UInt64? = nil, _ message: String, remedy: String) {
    self.code = code
    self.subscription = subscription
    self.event = event
    self.message = message
    self.remedy = remedy
  }
}

extension SubscriptionError {
  /// What to do where a stored position cannot be used.
  private static let beginning = "pass `startingAt` and `discardingStored: true`"

  static func work(_ name: String, _ failure: ParkedEvent, parks: Bool) -> Self {
    Self(
      .work, name, event: failure.sequence, "failed at event \(failure.sequence): \(failure.error)",
      remedy: parks ? "it is tried again, and then parked" : "it is tried again, and is never parked")
  }

  static func full(_ name: String, _ failure: ParkedEvent, count: Int) -> Self {
    Self(
      .full, name, event: failure.sequence,
      "stops before event \(failure.sequence), which failed \(failure.attempts) times: \(failure.error); \(count)"
        + " \(count == 1 ? "other is" : "others are") parked, which is the limit",
      remedy: "try these again or drop them, or skip this one, then go on")
  }

  static func stopped(_ name: String, _ failure: ParkedEvent) -> Self {
    Self(
      .full, name, event: failure.sequence,
      "stops before event \(failure.sequence), which failed \(failure.attempts) times: \(failure.error); its policy parks none",
      remedy: "remove the cause, or skip this one, then go on")
  }

  static func taken(_ name: String, by owner: String) -> Self {
    Self(.taken, name, "is already open in \(owner)", remedy: "end it there, or give this one another name")
  }

  static func busy(_ name: String, _ holder: String) -> Self {
    Self(
      .busy, name, "cannot begin while \(holder) retires events, or begins another one", remedy: "try again")
  }

  static func unknown(_ name: String) -> Self {
    Self(
      .unknown, name, "is unknown: no position of it is stored", remedy: "check its name, or leave it as it is")
  }

  static func inUse(_ name: String) -> Self {
    Self(.inUse, name, "is followed by another loop already", remedy: "end that one, or use its events")
  }

  static func otherJournal(_ name: String, in file: String) -> Self {
    Self(.otherHistory, name, "has a position in another journal in \(file)", remedy: beginning)
  }

  static func otherHistory(_ name: String, at position: UInt64) -> Self {
    Self(
      .otherHistory, name, event: position,
      "has come up to event \(position), and the journal no longer has that event as it was: it was cut back, restored from a"
        + " copy, or damaged",
      remedy: "verify the journal, find out which events were taken twice or not at all, then \(beginning)")
  }

  static func damaged(_ name: String, in file: String) -> Self {
    Self(.damaged, name, "has a position that cannot be read in \(file)", remedy: beginning)
  }

  static func gone(_ name: String, after position: UInt64, first: UInt64) -> Self {
    Self(
      .gone, name, event: position + 1, "needs the events \(position + 1)–\(first - 1) next, which are retired",
      remedy: beginning)
  }

  static func start(_ name: String, _ sequence: UInt64) -> Self {
    Self(
      .start, name, event: sequence, "cannot begin after event \(sequence), which the journal does not have",
      remedy: "begin at the first kept event, at the end, or after an event in between")
  }

  static func history(_ name: String, _ error: HistoryError) -> Self {
    if case .sealing(let error) = error {
      return Self(
        .keys, name, "cannot open personal data: \(error.message)", remedy: "try again once the keys can be read")
    }
    var place = ""
    if case .damaged(_, let finding?) = error { place = " (\(finding.file), byte \(finding.byteRange.lowerBound))" }
    return Self(
      .events, name, event: error.lastDerivable.map { $0 + 1 }, "cannot read the events: \(error.message)\(place)",
      remedy: "verify the journal, and restore it from a copy if it is damaged")
  }

  /// Reads the history for a subscription.
  static func reading<Value: ~Copyable>(
    for name: String, _ body: () throws(HistoryError) -> Value
  ) throws(SubscriptionError) -> Value {
    do throws(HistoryError) {
      return try body()
    } catch {
      throw .history(name, error)
    }
  }

  static func file(_ name: String, _ file: String, _ error: any Error) -> Self {
    Self(
      .file, name, "cannot use its file \(file): \(error)",
      remedy: "free some space or check the permissions, then try again")
  }

  static func name(_ name: String) -> Self {
    Self(
      .name, "\"\(name)\"", "has a name that is not 1 to 63 lower-case letters, digits, dots and hyphens",
      remedy: "rename it")
  }

  static func notParked(_ name: String, _ sequence: UInt64) -> Self {
    Self(
      .notParked, name, event: sequence, "has not parked event \(sequence)",
      remedy: "choose one of those that are parked")
  }

  static func notFailed(_ name: String, _ sequence: UInt64) -> Self {
    Self(
      .notFailed, name, event: sequence, "has not failed at event \(sequence)",
      remedy: "skip only the event that it failed at last")
  }
}

extension JournalError.Code {
  /// A subscription keeps events from being retired.
  public static let subscription = JournalError.Code("subscription")
}
