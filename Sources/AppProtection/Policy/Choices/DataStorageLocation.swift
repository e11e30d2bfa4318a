/// Where copies of organization data may be saved although saving copies is blocked.
/// `managedAppDataStorageLocation` in Graph.
public enum DataStorageLocation: String, PolicyChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDriveForBusiness
  /// SharePoint on premises.
  case sharePoint
  /// Box.
  case box
  /// The app's own storage on the device.
  case localStorage
  /// The photo library.
  case photoLibrary
  /// iManage.
  case iManage
  /// Egnyte.
  case egnyte
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .box: 3
    case .localStorage: 6
    case .photoLibrary: 7
    case .iManage: 8
    case .egnyte: 9
    case .unknownFutureValue: 10
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataStorageLocation"
}
