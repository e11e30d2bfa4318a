import EventSourcing

/// The current or last process of the app, and the pending restart.
public struct ProcessSlice: FieldTree {
  /// The number of launches.
  public internal(set) var launch: UInt64 = 0
  /// The event that started this process; zero before the first.
  public internal(set) var startedBy: UInt64 = 0
  /// Whether the process started and has not ended normally.
  public internal(set) var isRunning = false
  /// The device's boot session, if known.
  public internal(set) var bootSession: GUID?
  /// The version of the app.
  public package(set) var appVersion = ""
  /// The version of the SDK whose rules apply.
  public package(set) var sdkVersion = "" {
    didSet { sdk = SDKVersion(sdkVersion) }
  }
  /// The version in ``sdkVersion``, if it is one. Parsed once, so that decisions need not read the text.
  private(set) var sdk: SDKVersion?
  /// The version of the operating system.
  public package(set) var osVersion = ""
  /// The device's model identifier.
  public internal(set) var deviceModel = ""
  /// Whether it is an app extension.
  public internal(set) var isExtension = false
  /// The revision of the rules in this process.
  public internal(set) var reducerRevision: UInt32 = 0
  /// Local time minus UTC, in nanoseconds; `nil` if unknown.
  public internal(set) var utcOffset: Int64?
  /// Whether this process warned the user about the missing policy.
  public internal(set) var wasWarned = false
  /// The event that asked who signs in, until it is answered.
  public internal(set) var loginQuestion: UInt64 = 0
  /// The pending restart; the next process ends the wait.
  public internal(set) var restart: PendingRestart?
  /// The accounts whose policy this process has enforced, including those that have left, in the order of their
  /// numbers.
  public internal(set) var enforcedAccounts: [AccountNumber] = []

  init() {}

  /// Records that this process enforces an account's policy.
  mutating func recordEnforcement(of account: AccountNumber) {
    guard !enforcedAccounts.contains(account) else { return }
    let place = enforcedAccounts.firstIndex { $0 > account } ?? enforcedAccounts.endIndex
    enforcedAccounts.insert(account, at: place)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }
  public static var derivedProperties: [String] { ["sdk"] }

  public static func visit<V: FieldVisitor>(_ process: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "launch", &process.launch)
    try field(2, "startedBy", &process.startedBy, as: .sequence)
    try field(3, "isRunning", &process.isRunning)
    try field(4, "bootSession", &process.bootSession)
    try field(5, "appVersion", &process.appVersion)
    // Set only if it changed, because setting it parses the version again.
    var version = process.sdkVersion
    try field(6, "sdkVersion", &version)
    if version != process.sdkVersion { process.sdkVersion = version }
    try field(7, "osVersion", &process.osVersion)
    try field(8, "deviceModel", &process.deviceModel)
    try field(9, "isExtension", &process.isExtension)
    try field(10, "reducerRevision", &process.reducerRevision)
    try field(11, "wasWarned", &process.wasWarned)
    try field(12, "loginQuestion", &process.loginQuestion, as: .sequence)
    try field(13, "restart", &process.restart)
    try field(14, "enforcedAccounts", &process.enforcedAccounts)
    try field(15, "utcOffset", &process.utcOffset, as: .duration)
  }
}

extension ProcessSlice {
  /// Whether the process decided by the rules of an earlier revision. What those wrote keeps its meaning.
  package func isRevision(before revision: UInt32) -> Bool { reducerRevision < revision }

  /// Whether the SDK is known to be older than a version. An unknown SDK version counts as the newest.
  package func isSDK(before version: SDKVersion) -> Bool {
    sdk.map { $0 < version } ?? false
  }
}
