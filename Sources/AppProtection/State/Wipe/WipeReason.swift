import EventSourcing

/// Why an account is wiped, as a number that wipe notices carry.
///
/// Two numbers are public (607 and 608, seen in field reports); no complete list is published. The numbers below 600
/// are this project's own for causes whose number is unknown. Every other number is kept and shown as it is.
public struct WipeReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt32

  /// Creates a reason; every number is one.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The service gave no reason.
  public static let unspecified = Self(rawValue: 0)
  /// The administrator ordered the wipe.
  public static let administrator = Self(rawValue: 1)
  /// A launch condition whose action is to wipe was not met.
  public static let conditionalLaunch = Self(rawValue: 2)
  /// Another managed account replaces this one.
  public static let accountSwitch = Self(rawValue: 3)
  /// 607: the app itself called `deregisterAndUnenroll` with a wipe.
  public static let appRequest = Self(rawValue: 607)
  /// 608: the offline interval was over.
  public static let offlineInterval = Self(rawValue: 608)

  /// The lowest number the service is known to use; numbers below it are this project's.
  static let firstPublished: UInt32 = 600

  /// The names of the known numbers, for the catalogue.
  public static let descriptor = EnumerationDescriptor(
    "WipeReason",
    [
      (0, "unspecified"), (1, "administrator"), (2, "conditionalLaunch"), (3, "accountSwitch"), (607, "appRequest"),
      (608, "offlineInterval"),
    ])

  /// The name, or `unknown(609)` for a number that is not in the list.
  public var name: String {
    Self.descriptor.name(of: UInt64(rawValue)) ?? "unknown(\(rawValue))"
  }

  /// Whether notices of the service carry the number; one below 600 is this project's own.
  public var isPublished: Bool { rawValue >= Self.firstPublished }

  /// What led to the wipe, as a phrase; `nil` for a number that is not in the list.
  public var meaning: String? {
    switch self {
    case .unspecified: "the service gave no reason"
    case .administrator: "the administrator ordered the wipe"
    case .conditionalLaunch: "a launch condition whose action is to wipe was not met"
    case .accountSwitch: "another managed account replaces this one"
    case .appRequest: "the app itself asked for the wipe when it deregistered the account"
    case .offlineInterval: "the interval before an offline wipe was over, and the service could not be asked"
    default: nil
    }
  }

  /// The name.
  public var description: String { name }
}

extension WipeReason: OpenEnumeration {
  /// The name.
  public var shown: StateValue { .name(name) }
}
