/// Why a request to the service did not succeed.
public struct ServiceFailure: Equatable, Sendable {
  /// The reason as a number.
  public var code: EnrollmentStatusCode
  /// What the service or the token library said; it may name a person.
  public var error: String

  /// Creates a reason.
  public init(_ code: EnrollmentStatusCode, error: String = "") {
    self.code = code
    self.error = error
  }
}
