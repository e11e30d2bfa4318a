import EventSourcing

/// A setting that is a set of names, which Graph writes as one text with commas: `unmanaged,mdm`.
///
/// Bit 31 represents names that this program does not know; the document keeps the text that had them. A decision must
/// treat that bit as the most restrictive member.
public protocol PolicyFlags: OptionSet, Hashable, Sendable where RawValue == UInt64 {
  /// The set's name in the published schema.
  static var schemaName: String { get }
  /// The bits and their names in Graph, in ascending order; the first entry is the empty set with its name.
  static var names: [(number: UInt64, name: String)] { get }
}

extension PolicyFlags {
  /// Names that this program does not know.
  public static var unrecognized: Self { Self(rawValue: 1 << 31) }

  /// The bits and their names.
  static var descriptor: EnumerationDescriptor {
    assert(names.first?.number == 0 && names.isAscending { $0.number < $1.number }, "bits are not in order")
    assert(names.dropFirst().allSatisfy { $0.number.nonzeroBitCount == 1 }, "a name is not of one bit")
    return EnumerationDescriptor(schemaName, names + [(number: 1 << 31, name: "unrecognized")])
  }
}

/// The kinds of device management under which a policy applies; `appManagementLevel` in Graph.
public struct AppManagementLevels: PolicyFlags {
  /// The bits, as Graph numbers them.
  public let rawValue: UInt64

  /// Creates a set from bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Devices without management.
  public static let unmanaged = AppManagementLevels(rawValue: 1)
  /// Devices under mobile device management.
  public static let mdm = AppManagementLevels(rawValue: 2)

  /// The set's name in the published schema.
  public static let schemaName = "AppManagementLevels"
  /// The bits and their names in Graph.
  public static let names: [(number: UInt64, name: String)] = [
    (0, "unspecified"), (1, "unmanaged"), (2, "mdm"), (4, "androidEnterprise"),
    (8, "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode"), (16, "androidOpenSourceProjectUserAssociated"),
    (32, "androidOpenSourceProjectUserless"), (64, "unknownFutureValue"),
  ]
}

/// The protected browsers that open web links; `managedBrowserType` in Graph.
public struct ManagedBrowsers: PolicyFlags {
  /// The bits, as Graph numbers them.
  public let rawValue: UInt64

  /// Creates a set from bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Microsoft Edge.
  public static let microsoftEdge = ManagedBrowsers(rawValue: 1)

  /// The set's name in the published schema.
  public static let schemaName = "ManagedBrowsers"
  /// The bits and their names in Graph.
  public static let names: [(number: UInt64, name: String)] = [(0, "notConfigured"), (1, "microsoftEdge")]
}
