import EventSourcing

/// The launch conditions. Those that can fail are listed in the order in which findings of one severity count
/// (``LaunchOrder/endingFirst``); their numbers never change.
public enum LaunchRule: Int, WireEnumeration {
  /// Every condition is met.
  case met = 0
  /// A wipe of the account was ordered and is not complete.
  case pendingWipe = 1
  /// The account was out of touch until its data is removed.
  case offlineWipe = 2
  /// The device is jailbroken.
  case jailbreak = 3
  /// The SDK is too old.
  case sdkVersion = 4
  /// The app is too old.
  case appVersion = 5
  /// The operating system is too old.
  case osMinimum = 6
  /// The operating system is too new.
  case osMaximum = 7
  /// The device's model is not allowed.
  case deviceModel = 8
  /// Threat defense reports too great a threat, or does not report.
  case threatLevel = 9
  /// The service confirmed that the account is disabled or deleted.
  case accountDisabled = 10
  /// The keychain cannot be read.
  case keychain = 11
  /// Encryption needs a device passcode, and none is set.
  case devicePasscode = 12
  /// The account was out of touch until access ends.
  case offlineAccess = 13
  /// The PIN was wrong too often.
  case pinAttempts = 14
  /// The account's user is not at work.
  case clockOut = 15
  /// A PIN is needed, and none is set.
  case pinMissing = 16
  /// The PIN is too old.
  case pinExpired = 17
  /// The policy does not allow the PIN.
  case pinQuality = 18
  /// The app must ask for the PIN, or for biometrics in its place.
  case pin = 19
  /// The user must sign in with the account.
  case signIn = 20
  /// No policy is enforced for the account.
  case unmanaged = 21

  /// The stable name, such as `launch.jailbreak`.
  public var id: String { "launch.\(name)" }

  /// The ``id``: trees and decisions use the same name.
  public var shownName: String { id }

  /// The condition, as a statement that holds where the rule applies.
  public var statement: String { "\(row.statement)" }

  /// The version of the SDK that introduced the rule; an older one does not apply it. `nil` if every version has it.
  var introduced: SDKVersion? { row.introduced }

  /// The member of ``Assumptions`` on which the rule as a whole rests; `nil` where it is published.
  public var assumption: String? { row.assumption.map { "\($0)" } }

  /// Everything about one rule except the settings and facts that it compares.
  private struct Row {
    let statement: StaticString
    let introduced: SDKVersion?
    let assumption: StaticString?

    init(_ statement: StaticString, since introduced: SDKVersion? = nil, assumes assumption: StaticString? = nil) {
      self.statement = statement
      self.introduced = introduced
      self.assumption = assumption
    }
  }

  private var row: Row {
    switch self {
    case .met: Row("every launch condition is met")
    case .pendingWipe: Row("a wipe of the account is under way")
    case .offlineWipe: Row("the interval before an offline wipe is over")
    case .jailbreak: Row("the device is jailbroken, which is not allowed")
    case .sdkVersion: Row("the SDK is older than the policy asks for")
    case .appVersion: Row("the app is older than the policy asks for")
    case .osMinimum: Row("the operating system is older than the policy asks for")
    case .osMaximum: Row("the operating system is newer than the policy allows", since: SDKVersion(14, 4, 0))
    case .deviceModel: Row("the device's model is not among those that are allowed")
    case .threatLevel:
      Row(
        "the device's threat level is above the one that is allowed, or not known", since: SDKVersion(12, 0, 15))
    case .accountDisabled: Row("the account is disabled or deleted, says the service")
    case .keychain: Row("the keychain cannot be read")
    case .devicePasscode:
      Row(
        "encryption is required, which needs a device passcode, and there is none",
        assumes: "encryptionNeedsDevicePasscode")
    case .offlineAccess: Row("the interval of offline access is over")
    case .pinAttempts: Row("the PIN was wrong as often as the policy accepts")
    case .clockOut: Row("the account's user is not at work, and the grace period is over")
    case .pinMissing: Row("a PIN is required, and none was chosen")
    case .pinExpired: Row("the PIN is older than the policy allows")
    case .pinQuality: Row("the PIN is weaker than the policy asks for", assumes: "policyChangeNeedsNewPIN")
    case .pin: Row("the PIN was not asked within the recheck period", assumes: "recheckRunsFromLastOpening")
    case .signIn: Row("the user has not signed in within the recheck period", assumes: "recheckRunsFromLastOpening")
    case .unmanaged: Row("no policy is enforced for the account")
    }
  }

  /// The rules, in the order in which findings of one severity count.
  static func ranked(_ order: LaunchOrder) -> [LaunchRule] {
    assert(Set(versionsFirst) == Set(endingFirst) && versionsFirst.count == endingFirst.count, "an order lacks a rule")
    return order == .versionsFirst ? versionsFirst : endingFirst
  }

  private static let endingFirst = allCases.filter { $0 != .met && $0 != .unmanaged }
  private static let versionsFirst: [LaunchRule] = {
    let versions: [LaunchRule] = [.sdkVersion, .appVersion, .osMinimum, .osMaximum]
    return versions + endingFirst.filter { !versions.contains($0) }
  }()
}
