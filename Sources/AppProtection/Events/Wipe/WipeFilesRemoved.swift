import EventSourcing

/// `wipe.filesRemoved`: the engine removed every file that belonged to the account.
public struct WipeFilesRemoved: EventPayload {
  public var account: AccountNumber
  /// The number of files removed.
  public var count: UInt64 = 0

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .wipeFilesRemoved, "wipe.filesRemoved", meaning: "The engine removed every file that belonged to the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(Int(clamping: count), "file")
    headline.add(" removed")
    headline.tell(below: "/wipes/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "count", &event.count, "how many files were removed")
  }
}
