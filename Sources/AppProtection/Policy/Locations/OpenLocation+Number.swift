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
