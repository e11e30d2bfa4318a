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

extension OpenLocation {
  /// Reads a number as the SDK of its time meant it, such as one of an old log (H: `IntuneMAMOpenLocation`).
  ///
  /// A document of an account is 64 before 12.6.1, 16 before 15.1.0, and 32 from then on, when 16 became the photo
  /// library. All other numbers have stayed the same.
  ///
  /// - Parameters:
  ///   - number: the number.
  ///   - sdkVersion: the version of the SDK that wrote it, such as 14.6.1. One that cannot be read counts as the newest.
  /// - Returns: `nil` for a number that this SDK does not have.
  public init?(number: UInt64, sdkVersion: String) {
    let version = SDKVersion(sdkVersion)
    let accountDocument: UInt64
    if let version, version < SDKVersion(12, 6, 1) {
      accountDocument = 64
    } else if let version, version < SDKVersion(15, 1, 0) {
      accountDocument = 16
    } else {
      accountDocument = 32
    }
    if number == accountDocument {
      self = .accountDocument
      return
    }
    guard let location = UInt8(exactly: number).flatMap(Self.init(rawValue:)), location != .accountDocument,
      location != .photos || accountDocument == 32
    else { return nil }
    self = location
  }
}
