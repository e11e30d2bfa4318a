import EventSourcing
import WireFormat

/// The process of the app that runs, or ran last, and the restart that something waits for.
public struct ProcessSlice: Equatable, Sendable {
  /// How often the app was launched.
  public internal(set) var launch: UInt64 = 0
  /// The event with which this process started; zero before the first.
  public internal(set) var startedBy: UInt64 = 0
  /// Whether it started and has not ended in an orderly way.
  public internal(set) var isRunning = false
  /// The device's boot session, where it is known.
  public internal(set) var bootSession: GUID?
  /// The version of the app.
  public internal(set) var appVersion = ""
  /// The version of the SDK whose rules apply.
  public internal(set) var sdkVersion = "" {
    didSet { sdk = SDKVersion(sdkVersion) }
  }
  /// What ``sdkVersion`` says, where it is a version. Follows from it, so that no decision reads the text.
  private(set) var sdk: SDKVersion?
  /// The version of the operating system.
  public internal(set) var osVersion = ""
  /// The device's model identifier.
  public internal(set) var deviceModel = ""
  /// Whether it is an app extension.
  public internal(set) var isExtension = false
  /// The revision of the rules in this process.
  public internal(set) var reducerRevision: UInt32 = 0
  /// Whether the user was warned in this process that there is no policy.
  public internal(set) var wasWarned = false
  /// The event that asked who signs in, while there is no answer.
  public internal(set) var loginQuestion: UInt64 = 0
  /// The restart that something waits for; the next process ends the wait.
  public internal(set) var restart: PendingRestart?
  /// The accounts whose policy this process has enforced, in the order of their numbers, those that have left included.
  public internal(set) var enforcedAccounts: [AccountNumber] = []

  init() {}

  /// Notes that this process enforces an account's policy.
  mutating func noteEnforcement(of account: AccountNumber) {
    guard !enforcedAccounts.contains(account) else { return }
    let place = enforcedAccounts.firstIndex { $0 > account } ?? enforcedAccounts.endIndex
    enforcedAccounts.insert(account, at: place)
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: launch)
    writer.write(2, unsigned: startedBy)
    writer.write(3, bool: isRunning)
    writer.write(4, guid: bootSession)
    writer.write(5, string: appVersion)
    writer.write(6, string: sdkVersion)
    writer.write(7, string: osVersion)
    writer.write(8, string: deviceModel)
    writer.write(9, bool: isExtension)
    writer.write(10, unsigned: UInt64(reducerRevision))
    writer.write(11, bool: wasWarned)
    writer.write(12, unsigned: loginQuestion)
    if let restart { writer.write(13) { restart.encode(into: &$0) } }
    for account in enforcedAccounts { writer.write(14, account: account) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: launch = try reader.unsigned(field)
      case 2: startedBy = try reader.unsigned(field)
      case 3: isRunning = try reader.bool(field)
      case 4: bootSession = try reader.guid(field)
      case 5: appVersion = try reader.string(field)
      case 6: sdkVersion = try reader.string(field)
      case 7: osVersion = try reader.string(field)
      case 8: deviceModel = try reader.string(field)
      case 9: isExtension = try reader.bool(field)
      case 10: reducerRevision = try reader.unsigned(field, as: UInt32.self)
      case 11: wasWarned = try reader.bool(field)
      case 12: loginQuestion = try reader.unsigned(field)
      case 13:
        restart = try reader.message(field) { (inner) throws(WireError) in try PendingRestart(from: &inner) }
      case 14: enforcedAccounts.append(try reader.require(try reader.account(field), field: 14))
      default: try reader.skip(field)
      }
    }
    sdk = SDKVersion(sdkVersion)
  }

  func tree() -> StateTree {
    .members([
      .init("launch", .integer(Int64(clamping: launch))),
      .init("startedBy", .pending(startedBy)),
      .init("isRunning", .bool(isRunning)),
      .init("bootSession", bootSession.map { .text($0.description) } ?? .unset),
      .init("appVersion", appVersion.isEmpty ? .unset : .text(appVersion)),
      .init("sdkVersion", sdkVersion.isEmpty ? .unset : .text(sdkVersion)),
      .init("osVersion", osVersion.isEmpty ? .unset : .text(osVersion)),
      .init("deviceModel", deviceModel.isEmpty ? .unset : .text(deviceModel)),
      .init("isExtension", .bool(isExtension)),
      .init("reducerRevision", .integer(Int64(reducerRevision))),
      .init("wasWarned", .bool(wasWarned)),
      .init("loginQuestion", .pending(loginQuestion)),
      .init("restart", restart?.tree() ?? .value(.unset)),
      .init(
        "enforcedAccounts",
        enforcedAccounts.isEmpty ? .unset : .list(enforcedAccounts.map { .name($0.description) })),
    ])
  }
}
