import AppProtection

/// Where data may be opened from, as the bits of `OpenDataFromManagedLocations`. Bit 8, local storage, has no
/// counterpart in Graph.
public enum DeviceOpenLocation: Int64, DeviceChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDrive = 1
  /// SharePoint on premises.
  case sharePoint = 2
  /// The camera.
  case camera = 4
  /// The photo library.
  case photos = 16

  /// The corresponding member in Graph.
  public var graph: DataIngestionLocation {
    switch self {
    case .oneDrive: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .camera: .camera
    case .photos: .photoLibrary
    }
  }
}
