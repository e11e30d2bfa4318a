import EventSourcing

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
      .wipeFailed, "wipe.failed",
      meaning: "Some files of the account could not be removed (215); the wipe is resumed.",
      remedy: "The wipe is taken up again every 30 minutes, when the user signs in, and at the next launch.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
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
    headline.tell(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "count", &event.count, "how many files were removed")
    try field(3, "error", &event.$error, privacy: .account, "what the file system said")
    try field(
      4, "nextRetry", &event.nextRetry, as: .time,
      "when the removal is tried again while this process runs; absent where only the next one tries")
  }
}
