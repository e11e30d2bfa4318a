/// The place from which an app wants to open data (`IntuneMAMOpenLocation`; names and numbers are those of the SDK from
/// 15.1.0 on).
///
/// The question does not apply to opening in place. A file that comes through the Files app or a file picker comes from
/// ``other``, not from ``localStorage``.
public enum OpenLocation: UInt8, CaseIterable, Sendable {
  /// A place that is not an organization's, is not listed here, or is not known.
  case other = 0
  /// OneDrive for work or school.
  case oneDriveForBusiness = 1
  /// SharePoint, online or on premises.
  case sharePoint = 2
  /// A picture that the camera takes at this moment. It belongs to no account.
  case camera = 4
  /// The app's sandbox, which only the app can reach. No policy can list it.
  case localStorage = 8
  /// A picture of the photo library. It belongs to no account.
  case photos = 16
  /// Another place of the organization that is tied to an account. SDKs before 15.1.0 give it another number.
  case accountDocument = 32

  /// The location with this name, such as `photos`; `nil` for none. Case-sensitive.
  public init?(name: some StringProtocol) {
    guard let location = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = location
  }

  /// The name: that of the case.
  public var name: String { "\(self)" }

  /// Whether no account can be tied to the location.
  public var isAccountless: Bool { self == .camera || self == .photos }

  /// The location's entry in a policy's list of exceptions; `nil` where no policy can list it.
  public var ingestion: DataIngestionLocation? {
    switch self {
    case .oneDriveForBusiness: .oneDriveForBusiness
    case .sharePoint: .sharePoint
    case .camera: .camera
    case .photos: .photoLibrary
    case .other, .localStorage, .accountDocument: nil
    }
  }
}
