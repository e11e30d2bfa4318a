import AppProtection

/// A fault that an administrator switches on, to see how an app lives with it.
public struct ServiceFault: Equatable, Sendable {
  /// What goes wrong. Those that only HTTP can show end in the same code in a directory service.
  public enum Kind: Equatable, Sendable {
    /// The service cannot be reached.
    case offline
    /// The answer is late by this many milliseconds. A directory service waits, too.
    case slow(milliseconds: Int64)
    /// The service refuses with this status code.
    case code(EnrollmentStatusCode)
    /// The service has no record of the account.
    case gone
    /// The answer is not JSON.
    case wrongJSON
    /// Conditional access refuses a token (−50004).
    case conditionalAccess
    /// The connection ends in the middle of the answer.
    case cut
    /// The service answers with this HTTP status, from 400 to 599.
    case status(Int)
    /// The service answers 429, and asks for this pause.
    case tooManyRequests(retryAfterSeconds: Int64)
    /// The answer is longer than any client accepts, and says so.
    case hugeBody
    /// The answer never ends.
    case endlessBody
    /// The answer comes byte by byte, and never ends.
    case drip
    /// The service answers with a redirect to another host.
    case redirect
  }

  /// What goes wrong.
  public var kind: Kind
  /// The users concerned; empty for all.
  public var users: [AccountReference] = []
  /// The operations concerned; empty for all.
  public var operations: [ServiceOperation] = []
  /// How many HTTP requests fail before they succeed; `nil` for all. A directory service does not retry, so that it
  /// leaves such a fault out.
  public var times: Int?

  /// A fault for every user and operation.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  func concerns(_ user: AccountReference, _ operation: ServiceOperation) -> Bool {
    (users.isEmpty || users.contains { $0.isSame(as: user) }) && (operations.isEmpty || operations.contains(operation))
  }

  /// The trouble that the fault ends in; `nil` for one that only delays.
  var trouble: ServiceTrouble? {
    switch kind {
    case .offline: .unreachable("the service is switched off (fault: offline)")
    case .slow: nil
    case .code(let code): .refused(code, "the service refuses with \(code.rawValue) (fault: code)")
    case .gone: .gone
    case .wrongJSON: .unreadable("the answer is not JSON (fault: wrongJSON)")
    case .conditionalAccess: .protectionRequired("conditional access refuses a token (fault: conditionalAccess)")
    case .cut: .unreachable("the connection ended in the middle of the answer (fault: cut)")
    case .status(let status): HTTPStatus.trouble(status, code: nil, text: "fault: status", retryAfter: nil)
    case .tooManyRequests(let seconds): .unavailable("too many requests (fault: tooManyRequests)", retryAfter: seconds)
    case .hugeBody, .endlessBody: .unreadable("the answer is too long (fault: \(name))")
    case .drip: .timedOut("the answer takes too long (fault: drip)")
    case .redirect: .moved("the service redirects to another host (fault: redirect)")
    }
  }

  /// Every kind as it is written in a folder, in the order of the page.
  static let names = [
    "offline", "slow", "code", "gone", "wrongJSON", "conditionalAccess", "cut", "status", "tooManyRequests", "hugeBody",
    "endlessBody", "drip", "redirect",
  ]

  /// The kind as it is written in a folder.
  var name: String {
    switch kind {
    case .offline: "offline"
    case .slow: "slow"
    case .code: "code"
    case .gone: "gone"
    case .wrongJSON: "wrongJSON"
    case .conditionalAccess: "conditionalAccess"
    case .cut: "cut"
    case .status: "status"
    case .tooManyRequests: "tooManyRequests"
    case .hugeBody: "hugeBody"
    case .endlessBody: "endlessBody"
    case .drip: "drip"
    case .redirect: "redirect"
    }
  }
}
