/// Carries one HTTP request. `PolicyServicesNetwork` has one on the system's URL loading; tests script one.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer.
  ///
  /// Must not follow redirects, must give up a body as soon as it is longer than `maximumBodyLength`, and must stop when
  /// the task is canceled.
  func send(_ request: HTTPRequest, maximumBodyLength: Int) async throws(HTTPTransportError) -> HTTPResponse
}

/// An HTTP request.
public struct HTTPRequest: Equatable, Sendable {
  /// `GET`, `POST`, `PATCH` or `DELETE`.
  public var method: String
  /// The absolute address.
  public var address: String
  /// The headers, in order.
  public var headers: [Header]
  /// The body; `nil` for none.
  public var body: [UInt8]?

  /// A header.
  public struct Header: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// A header with this name and value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request without a body unless given.
  public init(_ method: String, _ address: String, headers: [Header] = [], body: [UInt8]? = nil) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
  }
}

extension HTTPRequest.Header: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The header as it is sent, but for the token, which is a secret.
  public var description: String { "\(name): \(name.lowercased() == "authorization" ? "access token" : value)" }

  /// As ``description``.
  public var debugDescription: String { description }

  /// Never the token's text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An HTTP answer.
public struct HTTPResponse: Equatable, Sendable {
  /// The status.
  public var status: Int
  /// The headers by their names in lower case.
  public var headers: [String: String]
  /// The whole body.
  public var body: [UInt8]

  /// An answer with this status.
  public init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why no whole answer came.
public enum HTTPTransportError: Error, Equatable, Sendable {
  /// No connection, or it broke. The system's words.
  case unreachable(String)
  /// The connection is not secure: the certificate is not trusted, or does not name the host.
  case untrusted(String)
  /// Nothing came for too long, or the whole took too long.
  case timedOut(String)
  /// The body is longer than the limit.
  case tooLong
  /// The task was canceled.
  case canceled

  /// The trouble that it is to a service.
  var trouble: ServiceTrouble {
    switch self {
    case .unreachable(let text): .unreachable(text)
    case .untrusted(let text): .untrusted(text)
    case .timedOut(let text): .timedOut(text)
    case .tooLong: .unreadable("the answer is longer than a service's answers are")
    case .canceled: .canceled
    }
  }
}
