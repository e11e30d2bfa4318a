/// From where data may be opened into organization documents although opening is blocked.
/// `managedAppDataIngestionLocation` in Graph.
public enum DataIngestionLocation: String, PolicyChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDriveForBusiness
  /// SharePoint on premises.
  case sharePoint
  /// The camera.
  case camera
  /// The photo library.
  case photoLibrary
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .camera: 3
    case .photoLibrary: 4
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataIngestionLocation"
}
