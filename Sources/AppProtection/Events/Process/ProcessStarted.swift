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
      .processStarted, "process.started", version: 2,
      meaning: "A process of the app started; what waited for a restart applies from here on.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add(isExtension ? "extension, launch " : "launch ")
    headline.add(launch)
    headline.add(appVersion, after: ": app ")
    headline.add(sdkVersion, after: ", SDK ")
    headline.add(osVersion, after: ", OS ")
    headline.add(deviceModel, after: ", ")
    headline.tell(below: "/process/")
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
}
