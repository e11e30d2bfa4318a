import AppProtection
import AppProtectionKit
import JSON
import PolicyDocuments

/// The requests of one attempt at an operation, with one token.
struct GraphExchange {
  private let service: HTTPService
  private let request: ServiceRequest
  private let operation: ServiceOperation
  private let token: String

  init(_ service: HTTPService, _ request: ServiceRequest, _ operation: ServiceOperation, token: String) {
    self.service = service
    self.request = request
    self.operation = operation
    self.token = token
  }

  /// A user of the directory.
  struct User {
    var reference: AccountReference
    var id: GUID
    var isEnabled: Bool
  }

  // MARK: Resources

  /// The account's user: `GET /users/{id or name}`.
  func user() async throws(ServiceTrouble) -> User {
    guard let name = request.objectID?.description ?? request.userPrincipalName else {
      throw .refused(.nilAccount, "the account has neither an object id nor a name")
    }
    let response = try await send(
      "GET", service.address.resource(["users", name], query: [("$select", "id,userPrincipalName,accountEnabled")]))
    // 207 is also the code for a name without an object id (I#412); an enrolled account's user was deleted.
    if response.status == 404 {
      throw operation == .enroll || operation == .remediate
        ? .refused(.nilAccount, "the directory does not know the account") : .gone
    }
    let root = try json(check(response)).root
    return try decode { () throws(JSONError) in
      let id = try root.required("id")
      guard let objectID = GUID(try id.string()) else {
        throw id.error(.invalidValue, "this is not an object id", remedy: "check the address of the service")
      }
      let name = try root.present("userPrincipalName")?.string()
      return User(
        reference: AccountReference(objectID: objectID, userPrincipalName: name), id: objectID,
        isEnabled: try root.present("accountEnabled")?.bool() ?? true)
    }
  }

  /// The id of the app's registration for a user: `GET /deviceAppManagement/managedAppRegistrations`. Of several, the
  /// first by id.
  func registration(of user: User) async throws(ServiceTrouble) -> String? {
    let address = service.address.resource(
      ["deviceAppManagement", "managedAppRegistrations"], query: [("$filter", "userId eq '\(user.id)'")])
    var ids: [String] = []
    for page in try await pages(from: address) {
      for case .registration(let registration) in try read(page).others {
        guard registration.bundleID?.lowercased() == service.app.bundleID.lowercased(),
          registration.texts["deviceTag"] == service.app.deviceTag,
          registration.texts["userId"].flatMap({ GUID($0) }) == user.id, let id = registration.texts["id"]
        else { continue }
        ids.append(id)
      }
    }
    return ids.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The id of the app's registration, which is created if there is none:
  /// `POST /deviceAppManagement/managedAppRegistrations`.
  func register(_ user: User) async throws(ServiceTrouble) -> String {
    if let id = try await registration(of: user) { return id }
    let app = service.app
    var body = reported
    body["userId"] = .string("\(user.id)")
    body["deviceTag"] = .string(app.deviceTag)
    body["deviceType"] = .string(app.deviceType)
    body["appIdentifier"] = [
      "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": .string(app.bundleID),
    ]
    let address = service.address.resource(["deviceAppManagement", "managedAppRegistrations"])
    let response = try await send("POST", address, JSONValue(.object(body)))
    // Another process of the app was faster.
    if response.status == 409, let id = try await registration(of: user) { return id }
    let root = try json(check(response)).root
    return try decode { () throws(JSONError) in try root.required("id").string() }
  }

  /// Tells the service which versions the app has: `PATCH …/managedAppRegistrations/{id}`.
  func report(_ registration: String) async throws(ServiceTrouble) {
    _ = try check(await send("PATCH", resource(registration), JSONValue(.object(reported))), isRecord: true)
  }

  /// Deletes a registration: `DELETE …/managedAppRegistrations/{id}`.
  func delete(_ registration: String) async throws(ServiceTrouble) {
    _ = try check(await send("DELETE", resource(registration)), isRecord: true)
  }

  /// What the service has for a registration: first a wipe, which is an operation, then the policies.
  func answer(_ registration: String) async throws(ServiceTrouble) -> ServiceAnswer {
    for wipe in try await wipes(of: registration) {
      switch wipe.state {
      // Repeated until it is acknowledged: the answer may be lost with the process.
      case .pending: return .wipe()
      // Recorded by the account's last stay, which ended with it.
      case .active: if operation == .enroll { _ = try? await set(wipe, of: registration, to: .done) }
      case .done: break
      }
    }
    return try await intendedPolicies(of: registration).answer
  }

  /// Tells the administrator that the wipes of a registration are recorded, and will be carried out.
  func acknowledgeWipes(of registration: String) async throws(ServiceTrouble) {
    for wipe in try await wipes(of: registration) where wipe.state == .pending {
      try await set(wipe, of: registration, to: .active)
    }
  }

  /// An operation that wipes an account's data.
  private struct Wipe {
    var id: String?
    var state: State

    /// The members of Graph's actionState that matter; every other one is like `done`.
    enum State: String { case pending, active, done }
  }

  /// The wipes among a registration's operations: `GET …/managedAppRegistrations/{id}/operations`. Graph describes an
  /// operation by free texts: by this project's assumption, a wipe's name is `wipe` and its state one of actionState.
  private func wipes(of registration: String) async throws(ServiceTrouble) -> [Wipe] {
    var wipes: [Wipe] = []
    for page in try await pages(from: resource(registration, "operations"), isRecord: true) {
      wipes += try decode { () throws(JSONError) in
        var found: [Wipe] = []
        for node in try page.root.required("value").elements() {
          guard try node.present("displayName")?.string().lowercased() == "wipe" else { continue }
          let state = try node.present("state")?.string().lowercased() ?? "pending"
          found.append(Wipe(id: try node.present("id")?.string(), state: Wipe.State(rawValue: state) ?? .done))
        }
        return found
      }
    }
    return wipes
  }

  /// Tells the administrator how far a wipe is: `PATCH …/managedAppRegistrations/{id}/operations/{id}`.
  private func set(_ wipe: Wipe, of registration: String, to state: Wipe.State) async throws(ServiceTrouble) {
    guard let id = wipe.id else { return }
    let body: JSONValue = ["@odata.type": "#microsoft.graph.managedAppOperation", "state": .string(state.rawValue)]
    _ = try check(await send("PATCH", resource(registration, "operations", id), body), isRecord: true)
  }

  /// What the administrator intends for a registration: `GET …/managedAppRegistrations/{id}/intendedPolicies`.
  func intendedPolicies(of registration: String) async throws(ServiceTrouble) -> TargetedDocuments {
    var documents = TargetedDocuments()
    for page in try await pages(from: resource(registration, "intendedPolicies"), isRecord: true) {
      documents.add(try read(page))
    }
    documents.policies.sort { ($0.about.id ?? "").utf8.lexicographicallyPrecedes(($1.about.id ?? "").utf8) }
    documents.configurations.sort { ($0.id ?? "").utf8.lexicographicallyPrecedes(($1.id ?? "").utf8) }
    return documents.limited(to: service.app.bundleID)
  }

  /// A registration with the policies that the app had at its last check-in, those that the administrator intends, and
  /// its operations.
  func details(of registration: String) async throws(ServiceTrouble) -> AppRegistration? {
    var object = try json(check(await send("GET", resource(registration)), isRecord: true)).value.object ?? JSONObject()
    object["@odata.type"] = "#microsoft.graph.iosManagedAppRegistration"
    for name in ["appliedPolicies", "intendedPolicies", "operations"] {
      let pages = try await pages(from: resource(registration, name), isRecord: true)
      object[name] = .array(pages.flatMap { $0.value.object?["value"]?.array ?? [] })
    }
    let document = try decode { () throws(JSONError) in try JSONDocument.parse(JSONValue(.object(object)).description) }
    for case .registration(let registration) in try read(document).others { return registration }
    return nil
  }

  private func resource(_ registration: String, _ rest: String...) -> String {
    service.address.resource(["deviceAppManagement", "managedAppRegistrations", registration] + rest)
  }

  private var reported: JSONObject {
    let app = service.app
    return JSONObject([
      .init("@odata.type", "#microsoft.graph.iosManagedAppRegistration"),
      .init("applicationVersion", .string(app.version)), .init("managementSdkVersion", .string(app.sdkVersion)),
      .init("platformVersion", .string(app.platformVersion)),
    ])
  }

  // MARK: Requests

  private func send(_ method: String, _ address: String, _ body: JSONValue? = nil) async throws(ServiceTrouble)
    -> HTTPResponse
  {
    var request = HTTPRequest(method, address)
    request.headers = [
      .init("Authorization", "Bearer \(token)"), .init("Accept", "application/json"),
      .init("client-request-id", requestID), .init("x-client-operation", operation.rawValue),
    ]
    if let body {
      request.headers.append(.init("Content-Type", "application/json"))
      request.body = Array(body.description.utf8)
    }
    do throws(HTTPTransportError) {
      return try await service.transport.send(request, maximumBodyLength: HTTPService.maximumBodyLength)
    } catch {
      throw error.trouble
    }
  }

  /// Graph's name of a request in its logs. A repetition has the name of the first: it is made of the app, the device and
  /// the event that announced the request.
  private var requestID: String {
    func hash(_ texts: String...) -> UInt64 {
      // FNV-1a.
      texts.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let words = [
      hash(service.app.deviceTag, service.app.bundleID), hash("\(request.account)", "\(request.intent)"),
    ]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    return GUID(bytes: bytes).map { "\($0)" } ?? ""
  }

  /// The answer if it is one of success. Where the resource is a registration, 404 says that the record is gone.
  private func check(_ response: HTTPResponse, isRecord: Bool = false) throws(ServiceTrouble) -> HTTPResponse {
    if (200..<300).contains(response.status) { return response }
    if isRecord && response.status == 404 { throw .gone }
    let error = try? JSONDocument.parse(response.body).root.present("error")
    let code = (try? error?.present("code")?.string()) ?? nil
    let text = (try? error?.present("message")?.string()) ?? nil
    let challenge = response.headers["www-authenticate"]
    let trouble = HTTPStatus.trouble(
      response.status, code: code, text: Self.shown(text ?? code ?? ""),
      retryAfter: response.headers["retry-after"].flatMap { Int64($0) }, challenge: challenge)
    // A token that the service refuses may be old; one that the library just made is refused for good.
    if response.status == 401, case .signInRequired(let text) = trouble { throw .tokenRefused(text) }
    throw trouble
  }

  /// The pages of a list, each parsed. The link to the next page must stay on the service's host.
  private func pages(from first: String, isRecord: Bool = false) async throws(ServiceTrouble) -> [JSONDocument] {
    var pages: [JSONDocument] = []
    var address = first
    while true {
      let page = try json(check(await send("GET", address), isRecord: isRecord))
      let link = try decode { () throws(JSONError) in
        _ = try page.root.required("value").elements()
        return try page.root.present("@odata.nextLink")?.string()
      }
      pages.append(page)
      guard let link else { return pages }
      guard service.address.covers(link) else {
        throw .unreadable("the list continues at another host or path, which must not receive the token")
      }
      guard pages.count < HTTPService.maximumPages else {
        throw .unreadable("the list has more than \(HTTPService.maximumPages) pages")
      }
      address = link
    }
  }

  private func json(_ response: HTTPResponse) throws(ServiceTrouble) -> JSONDocument {
    try decode { () throws(JSONError) in try JSONDocument.parse(response.body) }
  }

  private func decode<Value>(_ body: () throws(JSONError) -> Value) throws(ServiceTrouble) -> Value {
    do throws(JSONError) { return try body() } catch { throw .unreadable("the answer, \(error)") }
  }

  private func read(_ page: JSONDocument) throws(ServiceTrouble) -> GraphDocument {
    do throws(PolicyDocumentError) {
      return try GraphDocument.read(page, including: .everything)
    } catch {
      throw .unreadable("the answer, \(error)")
    }
  }

  /// A text of the service, shortened and on one line.
  private static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.prefix(300).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
