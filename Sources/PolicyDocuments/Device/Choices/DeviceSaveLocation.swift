import AppProtection

/// Where copies may be saved, as the bits of `ManagedLocations`.
///
/// The documentation assigns 128 to the photo library. In the SDK's enumeration of locations, 128 is the account's
/// document and 64 the camera roll, so both bits are ambiguous. Here 128 is the photo library, as documented, and 64 is
/// reported.
public enum DeviceSaveLocation: Int64, DeviceChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDrive = 1
  /// SharePoint on premises.
  case sharePoint = 2
  /// Box.
  case box = 4
  /// The app's own storage on the device.
  case localStorage = 32
  /// The photo library.
  case photoLibrary = 128

  /// The corresponding member in Graph.
  public var graph: DataStorageLocation {
    switch self {
    case .oneDrive: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .localStorage: .localStorage
    case .photoLibrary: .photoLibrary
    }
  }
}
