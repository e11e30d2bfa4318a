/// Why a request to the service did not succeed.
public struct ServiceFailure: Equatable, Sendable {
  /// The reason as a number; never a known success code.
  public private(set) var code: EnrollmentStatusCode
  /// The error text from the service or the token library; it may name a person.
  public var error: String

  /// Creates a failure. A failure with a known success code (100–104) is unreadable and becomes
  /// ``EnrollmentStatusCode/parsingFailure`` (206).
  public init(_ code: EnrollmentStatusCode, error: String = "") {
    self.code = code.classification == .success ? .parsingFailure : code
    self.error = error
  }
}
