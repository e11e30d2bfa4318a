import AppProtection
import PolicyServices
import Testing

/// The reply to a request for policies, and what it becomes.
struct HTTPOutcomeCase: Sendable, CustomTestStringConvertible {
  /// As the page words it.
  var name: String
  /// The service's reply, or the token library's.
  var reply: Reply
  /// The codes of enrolling and checking in; 220 for a record that is gone.
  var enroll: UInt32
  var checkIn: UInt32
  /// The outcomes of a silent remediation and of one with the user.
  var silent: ComplianceStatus
  var asked: ComplianceStatus

  enum Reply: Sendable {
    case service(ScriptedTransport.Reply)
    case tokens(AccessTokenAnswer)
  }

  var testDescription: String { name }

  private init(
    _ name: String, _ reply: Reply, _ enroll: UInt32, _ checkIn: UInt32, _ silent: ComplianceStatus,
    _ asked: ComplianceStatus? = nil
  ) {
    (self.name, self.reply, self.enroll, self.checkIn) = (name, reply, enroll, checkIn)
    (self.silent, self.asked) = (silent, asked ?? silent)
  }

  private static func status(_ status: Int, headers: [String: String] = [:], error: String? = nil) -> Reply {
    let body = error.map { "{\"error\": {\"code\": \"\($0)\"}}" } ?? ""
    return .service(.json(body, status: status, headers: headers))
  }

  static let all = [
    Self("no connection, or one that breaks", .service(.failure(.unreachable("no route"))), 205, 212, .networkFailure),
    Self("a certificate that is not trusted", .service(.failure(.untrusted("self-signed"))), 205, 212, .networkFailure),
    Self("no answer in time", .service(.failure(.timedOut("30 s"))), 216, 216, .networkFailure),
    Self("a canceled task", .service(.failure(.canceled)), 205, 212, .networkFailure),
    Self("an answer that is too long", .service(.failure(.tooLong)), 206, 206, .serviceFailure),
    Self("an answer that is not JSON, or of another form", .service(.json("{")), 206, 206, .serviceFailure),
    Self("302, and every other redirect", status(302), 204, 204, .serviceFailure),
    Self("400, and what is not listed", status(400), 201, 201, .serviceFailure),
    Self("401 for a renewed token", status(401), 203, 203, .interactionRequired, .serviceFailure),
    Self("403", status(403), 201, 201, .serviceFailure),
    Self(
      "403 with `error=\"insufficient_claims\"`: conditional access",
      status(403, headers: ["www-authenticate": "Bearer error=\"insufficient_claims\""]), 203, 203,
      .interactionRequired,
      .notCompliant),
    Self(
      "403 with a status code's name, as `licensedNotTargeted`", status(403, error: "licensedNotTargeted"), 225, 225,
      .serviceFailure),
    Self("403 with a status code's number, as `299`", status(403, error: "299"), 299, 299, .serviceFailure),
    Self("403 with the number of a success", status(403, error: "100"), 201, 201, .serviceFailure),
    Self("404 for a registration, 410", status(410), 220, 220, .serviceFailure),
    Self("408", status(408), 216, 216, .networkFailure),
    Self("429", status(429), 205, 212, .serviceFailure),
    Self("500 to 599", status(503), 205, 212, .serviceFailure),
    Self(
      "a token only for a sign-in", .tokens(.interactionRequired("")), 203, 203, .interactionRequired, .serviceFailure),
    Self("no token, −50004", .tokens(.denied(error: -50004, "")), 203, 203, .interactionRequired, .notCompliant),
    Self("no token, another error", .tokens(.denied(error: -50000, "")), 217, 217, .serviceFailure),
    Self("a token that no header may have", .tokens(.token("a\r\nb: c")), 217, 217, .serviceFailure),
    Self("no connection of the token library", .tokens(.unreachable("")), 205, 212, .networkFailure),
    Self("a canceled sign-in", .tokens(.canceled), 219, 219, .userCancelled),
  ]

  /// The page's table.
  static var table: String {
    let rows = all.map { example in
      let outcome =
        example.silent == example.asked
        ? "\(example.asked.rawValue)" : "\(example.silent.rawValue), \(example.asked.rawValue)"
      return "| \(example.name) | \(example.enroll) | \(example.checkIn) | \(outcome) |"
    }
    return (["| outcome | enroll | check-in | remediation |", "|---|---|---|---|"] + rows).joined(separator: "\n")
  }
}
