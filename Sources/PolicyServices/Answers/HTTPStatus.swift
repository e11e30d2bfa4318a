import AppProtection

/// What the status of an HTTP answer means for an app.
enum HTTPStatus {
  /// The trouble after a status other than success.
  ///
  /// - Parameters:
  ///   - code: `error.code` of Graph's error document. The name or the number of a status code of the domain counts for
  ///     more than the HTTP status.
  ///   - text: What the message should add.
  ///   - retryAfter: The pause that the service asks for, in seconds.
  ///   - challenge: The header `WWW-Authenticate`, which names a refusal by conditional access.
  static func trouble(
    _ status: Int, code: String?, text: String, retryAfter: Int64?, challenge: String? = nil
  ) -> ServiceTrouble {
    let message = text.isEmpty ? "HTTP status \(status)" : "HTTP status \(status): \(text)"
    if let named = code.flatMap(statusCode) { return .refused(named, message) }
    // Graph, error responses: a refusal by conditional access is 403 with error=insufficient_claims; a token that must
    // be renewed for its claims is 401 with the same.
    if challenge?.contains("insufficient_claims") == true { return .protectionRequired(message) }
    return switch status {
    case 300..<400, 404: .moved(message)
    case 401: .signInRequired(message)
    case 408: .timedOut(message)
    case 410: .gone
    case 429, 500..<600: .unavailable(message, retryAfter: retryAfter)
    default: .rejected(message)
    }
  }

  /// The status code with this name or number, unless it is one of success.
  private static func statusCode(_ text: String) -> EnrollmentStatusCode? {
    let code =
      EnrollmentStatusCode.table.first { $0.name == text }?.code
      ?? UInt32(text).map(EnrollmentStatusCode.init(rawValue:))
    return code.flatMap { (200...999).contains($0.rawValue) ? $0 : nil }
  }
}
