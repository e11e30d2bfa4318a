/// The place to which an app wants to save data (`IntuneMAMSaveLocation`; names and numbers are those of the SDK).
///
/// The question does not apply to a save in place. A place that people reach through the Files app or a file picker is
/// ``other``, not ``localDrive``.
public enum SaveLocation: UInt8, CaseIterable, Sendable {
  /// A place that is not an organization's, is not listed here, or is not known.
  case other = 0
  /// OneDrive for work or school.
  case oneDriveForBusiness = 1
  /// SharePoint, online or on premises.
  case sharePoint = 2
  /// Box.
  case box = 4
  /// Dropbox. No policy can list it.
  case dropbox = 8
  /// Google Drive. No policy can list it.
  case googleDrive = 16
  /// The app's sandbox, which only the app can reach.
  case localDrive = 32
  /// The photo library. It belongs to no account; an account given with it is ignored.
  case cameraRoll = 64
  /// Another place of the organization that is tied to an account.
  case accountDocument = 128

  /// The location with this name, such as `oneDriveForBusiness`; `nil` for none. Case-sensitive.
  public init?(name: some StringProtocol) {
    guard let location = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = location
  }

  /// The name: that of the case.
  public var name: String { "\(self)" }

  /// Whether no account can be tied to the location.
  public var isAccountless: Bool { self == .cameraRoll }

  /// The location's entry in a policy's list of exceptions; `nil` where no policy can list it.
  ///
  /// The entry for OneDrive covers SharePoint Online in the administration portal. The device compares bit by bit
  /// (`ManagedLocations`), and an app does not say which SharePoint it means, so each entry covers its own location only.
  public var storage: DataStorageLocation? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .box: .box
    case .localDrive: .localStorage
    case .cameraRoll: .photoLibrary
    case .other, .dropbox, .googleDrive, .accountDocument: nil
    }
  }
}
