/// Why a request to the service did not succeed.
public struct ServiceFailure: Equatable, Sendable {
  /// The reason as a number; none of the known codes of success.
  public private(set) var code: EnrollmentStatusCode
  /// What the service or the token library said; it may name a person.
  public var error: String

  /// Creates a reason. A known code of success (100–104) is none: an answer that fails with success cannot be read, and
  /// becomes ``EnrollmentStatusCode/parsingFailure`` (206).
  public init(_ code: EnrollmentStatusCode, error: String = "") {
    self.code = code.classification == .success ? .parsingFailure : code
    self.error = error
  }
}
