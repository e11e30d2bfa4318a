import AppProtection
import AppProtectionKit
import PolicyServices
import ServiceTesting
import Synchronization

/// A service of Graph in memory: answers by method and path, and what was sent.
final class ScriptedTransport: HTTPTransport {
  typealias Reply = Result<HTTPResponse, HTTPTransportError>

  private struct State {
    var replies: [String: [Reply]] = [:]
    var requests: [HTTPRequest] = []
  }

  private let state = Mutex(State())

  /// The service's root.
  static let root = "https://graph.contoso.com/beta"
  static let registrations = "/deviceAppManagement/managedAppRegistrations"

  /// Replies to a method and a path below the root, without its query; the last one is repeated.
  func script(_ request: String, _ replies: Reply...) {
    state.withLock { $0.replies[request] = replies }
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Methods and paths below the root, in order.
  var lines: [String] { requests.map(Self.line) }

  func send(_ request: HTTPRequest, maximumBodyLength: Int) async throws(HTTPTransportError) -> HTTPResponse {
    let reply = state.withLock { state -> Reply in
      state.requests.append(request)
      guard var replies = state.replies[Self.line(request)], let reply = replies.first else {
        return .success(HTTPResponse(404))
      }
      if replies.count > 1 { replies.removeFirst() }
      state.replies[Self.line(request)] = replies
      return reply
    }
    return try reply.get()
  }

  private static func line(_ request: HTTPRequest) -> String {
    let path = request.address.hasPrefix(root) ? String(request.address.dropFirst(root.count)) : request.address
    return "\(request.method) \(path.prefix { $0 != "?" })"
  }

  /// Alice, one registration of hers, and one policy.
  static func managed(registered isRegistered: Bool = true) -> ScriptedTransport {
    let transport = ScriptedTransport()
    transport.script("GET /users/\(TestFolder.alice)", .json("{\"id\": \"\(TestFolder.alice)\"}"))
    transport.script("GET \(registrations)", .json("{\"value\": [\(isRegistered ? registration("T_1") : "")]}"))
    transport.script("POST \(registrations)", .json(#"{"id": "T_new"}"#, status: 201))
    for id in ["T_1", "T_new"] {
      transport.script("PATCH \(registrations)/\(id)", .json("{}"))
      transport.script("DELETE \(registrations)/\(id)", .success(HTTPResponse(204)))
      transport.script("GET \(registrations)/\(id)/operations", .json(#"{"value": []}"#))
      transport.script(
        "GET \(registrations)/\(id)/intendedPolicies",
        .json("{\"value\": [\(TestFolder.policy("Basic", #""pinRequired": true"#))]}"))
    }
    return transport
  }

  static func registration(_ id: String, tag: String = "tag", bundle: String = "com.contoso.notes") -> String {
    """
    {"@odata.type": "#microsoft.graph.iosManagedAppRegistration", "id": "\(id)", "userId": "\(TestFolder.alice)",
     "deviceTag": "\(tag)", "appIdentifier": {"bundleId": "\(bundle)"}}
    """
  }
}

extension Result<HTTPResponse, HTTPTransportError> {
  static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
    .success(HTTPResponse(status, headers: headers, body: Array(text.utf8)))
  }

  static func status(_ status: Int, headers: [String: String] = [:]) -> Self {
    .success(HTTPResponse(status, headers: headers))
  }
}

/// A token library with answers that a test sets.
struct ScriptedTokens: AccessTokenSource {
  var answers: [AccessTokenAnswer] = [.token("token")]
  let demands = Notes<AccessTokenDemand>()

  func accessToken(for request: ServiceRequest, _ demand: AccessTokenDemand) async -> AccessTokenAnswer {
    demands.add(demand)
    return answers[min(demands.all.count, answers.count) - 1]
  }
}

extension ScriptedTransport {
  /// A service on this transport whose pauses are noted and end at once.
  func service(
    tokens: ScriptedTokens = ScriptedTokens(), retry: RetryPolicy = .none, pauses: Notes<Int64> = Notes(),
    random: @escaping @Sendable () -> UInt64 = { .max }
  ) throws -> HTTPService {
    let app = HTTPService.App(
      bundleID: "com.contoso.notes", version: "2.0", sdkVersion: "19.2.0", platformVersion: "17.0",
      deviceType: "iPhone", deviceTag: "tag")
    return HTTPService(
      at: try ServiceAddress(Self.root), app: app, tokens: tokens, transport: self, retry: retry, random: random,
      pause: ServicePause { pauses.add($0 / 1_000_000) })
  }
}
