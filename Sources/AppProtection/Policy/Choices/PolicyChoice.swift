import EventSourcing

/// A setting with a closed list of names, as Graph's enumerations are.
///
/// Graph reserves the right to add members. An unknown name or number becomes ``unrecognized`` instead of failing the
/// whole document, and the document keeps the original. A decision must treat ``unrecognized`` as the most restrictive
/// member: block, do not transfer, do not add to an allow list.
public protocol PolicyChoice: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// A name or number that this program does not know.
  static var unrecognized: Self { get }
  /// The enumeration's name in the published schema.
  static var schemaName: String { get }
  /// The member's number in Graph, which is also its number on the wire.
  var number: UInt64 { get }
  /// How strict the member is where policies are combined: more is stricter. ``unrecognized`` is the strictest.
  var strictness: UInt64 { get }
}

extension PolicyChoice {
  /// The number of ``unrecognized`` on the wire. Graph's own numbers stay far below it.
  public static var unrecognizedNumber: UInt64 { 127 }

  /// The member with this number; ``unrecognized`` if none has it.
  public init(number: UInt64) {
    self = Self.allCases.first { $0.number == number } ?? .unrecognized
  }

  /// The ``number``: most enumerations of Graph are ordered from the loosest member to the strictest.
  public var strictness: UInt64 { self == .unrecognized ? .max : number }

  /// The names of all numbers.
  public static var descriptor: EnumerationDescriptor {
    let members = allCases.map { (number: $0.number, name: $0.rawValue) }.sorted { $0.number < $1.number }
    assert(members.isAscending { $0.number < $1.number }, "two members have one number")
    return EnumerationDescriptor(schemaName, members)
  }

  /// Whether the program knows what the member means; `false` also for Graph's placeholder `unknownFutureValue`.
  public var isRecognized: Bool { self != .unrecognized && rawValue != "unknownFutureValue" }
}

/// The group of apps to which a policy applies. `targetedManagedAppGroupType` in Graph.
public enum AppGroupType: String, PolicyChoice {
  /// The apps on its list.
  case selectedPublicApps
  /// All core Microsoft apps.
  case allCoreMicrosoftApps
  /// All Microsoft apps.
  case allMicrosoftApps
  /// All apps.
  case allApps
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .selectedPublicApps: 0
    case .allCoreMicrosoftApps: 1
    case .allMicrosoftApps: 2
    case .allApps: 4
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "AppGroupType"
}

/// Whether a feature of the operating system may be used. `iosManagedAppConfigurationState` in Graph.
public enum FeatureConfigurationState: String, PolicyChoice {
  /// It may.
  case notBlocked
  /// It may not.
  case blocked
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .notBlocked: 0
    case .blocked: 1
    case .unknownFutureValue: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// A later member of Graph is as strict as an unknown one.
  public var strictness: UInt64 {
    switch self {
    case .notBlocked: 0
    case .blocked: 1
    case .unknownFutureValue, .unrecognized: .max
    }
  }

  /// The name in the published schema.
  public static let schemaName = "FeatureConfigurationState"
}
