import AppProtection
import AppProtectionKit
import EventSourcing
import JSON
import GraphDocuments

/// The requests of one attempt at an operation, with one token.
struct GraphExchange {
  private let service: HTTPService
  private let request: ServiceRequest
  private let operation: ServiceOperation
  /// Carries the token, and does not print it.
  private let authorization: HTTPRequest.Header
  private static let scheme = "Bearer "

  init(_ service: HTTPService, _ request: ServiceRequest, _ operation: ServiceOperation, token: String) {
    self.service = service
    self.request = request
    self.operation = operation
    authorization = HTTPRequest.Header("Authorization", Self.scheme + token)
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
    let address: String
    do throws(ServiceAddress.Mistake) {
      address = try service.address.resource(
        ["users", name], query: [("$select", "id,userPrincipalName,accountEnabled")])
    } catch {
      throw .refused(.nilAccount, "\(error): no directory has an account of this name; check the name")
    }
    let response = try await send("GET", address)
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

  /// The ids of the app's registrations for a user, in order: `GET /deviceAppManagement/managedAppRegistrations`. One,
  /// unless a slow server carried out a registration of which its client had given up the answer.
  func registrations(of user: User) async throws(ServiceTrouble) -> [String] {
    let address = try resource(query: [("$filter", "userId eq '\(user.id)'")])
    let ids = try await list(from: address) { (page) throws(ServiceTrouble) in
      try read(page).others.compactMap { other -> String? in
        guard case .registration(let registration) = other,
          registration.bundleID?.lowercased() == service.app.bundleID.lowercased(),
          registration.texts["deviceTag"] == service.app.deviceTag,
          registration.texts["userId"].flatMap({ GUID($0) }) == user.id
        else { return nil }
        return registration.texts["id"]
      }
    }
    return ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The ids of the app's registrations, one of which is created if there is none:
  /// `POST /deviceAppManagement/managedAppRegistrations`.
  func register(_ user: User) async throws(ServiceTrouble) -> [String] {
    let known = try await registrations(of: user)
    if !known.isEmpty { return known }
    let app = service.app
    var body = reported
    body["userId"] = .string("\(user.id)")
    body["deviceTag"] = .string(app.deviceTag)
    body["deviceType"] = .string(app.deviceType)
    body["appIdentifier"] = [
      "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": .string(app.bundleID),
    ]
    let response = try await send("POST", resource(), JSONValue(.object(body)))
    if response.status == 409 {
      // Another process of the app was faster.
      let found = try await registrations(of: user)
      if !found.isEmpty { return found }
    }
    let root = try json(check(response)).root
    return try decode { () throws(JSONError) in [try root.required("id").string()] }
  }

  /// Tells the service which versions the app has: `PATCH …/managedAppRegistrations/{id}`.
  func report(_ registration: String) async throws(ServiceTrouble) {
    _ = try check(await send("PATCH", resource(registration), JSONValue(.object(reported))), isRecord: true)
  }

  /// Deletes registrations: `DELETE …/managedAppRegistrations/{id}`. One that is gone already is deleted.
  func delete(_ registrations: some Sequence<String>) async throws(ServiceTrouble) {
    for registration in registrations {
      do throws(ServiceTrouble) {
        _ = try check(await send("DELETE", resource(registration)), isRecord: true)
      } catch {
        guard error == .gone else { throw error }
      }
    }
  }

  /// What the service has for the app's registrations: first a wipe, which is an operation of any of them, then the
  /// policies of the first. The others are deleted, or would keep their policies and orders for ever; one that cannot be
  /// deleted now is deleted at the next check-in.
  func answer(_ registrations: [String]) async throws(ServiceTrouble) -> ServiceAnswer {
    guard let first = registrations.first else { throw .gone }
    for wipe in try await wipes(of: registrations) {
      switch wipe.state {
      // Repeated until it is acknowledged: the answer may be lost with the process.
      case .pending: return .wipe()
      // Recorded by the account's last stay, which ended with it.
      case .active: if operation == .enroll { _ = try? await set(wipe, to: .done) }
      case .done: break
      }
    }
    _ = try? await delete(registrations.dropFirst())
    return try await intendedPolicies(of: first).answer(to: request, operation)
  }

  /// Tells the administrator that the wipes of the registrations are recorded, and will be carried out.
  func acknowledgeWipes(of registrations: [String]) async throws(ServiceTrouble) {
    for wipe in try await wipes(of: registrations) where wipe.state == .pending { try await set(wipe, to: .active) }
  }

  /// An operation that wipes an account's data.
  private struct Wipe {
    var registration: String
    var id: String?
    var state: State

    /// The members of Graph's actionState that matter; every other one is like `done`.
    enum State: String { case pending, active, done }
  }

  /// The wipes among the registrations' operations: `GET …/managedAppRegistrations/{id}/operations`. Graph describes an
  /// operation by free texts: by this project's assumption, a wipe's name is `wipe` and its state one of actionState.
  private func wipes(of registrations: [String]) async throws(ServiceTrouble) -> [Wipe] {
    var found: [Wipe] = []
    for registration in registrations {
      do throws(ServiceTrouble) {
        found += try await wipes(of: registration)
      } catch {
        // One of several was deleted meanwhile, and orders nothing.
        guard error == .gone, registration != registrations.first else { throw error }
      }
    }
    return found
  }

  private func wipes(of registration: String) async throws(ServiceTrouble) -> [Wipe] {
    try await list(from: resource(registration, "operations"), isRecord: true) { (page) throws(ServiceTrouble) in
      try decode { () throws(JSONError) in
        var found: [Wipe] = []
        for node in try page.root.required("value").elements() {
          guard try node.present("displayName")?.string().lowercased() == "wipe" else { continue }
          let state = try node.present("state")?.string().lowercased() ?? "pending"
          found.append(
            Wipe(
              registration: registration, id: try node.present("id")?.string(),
              state: Wipe.State(rawValue: state) ?? .done))
        }
        return found
      }
    }
  }

  /// Tells the administrator how far a wipe is: `PATCH …/managedAppRegistrations/{id}/operations/{id}`.
  private func set(_ wipe: Wipe, to state: Wipe.State) async throws(ServiceTrouble) {
    guard let id = wipe.id else { return }
    let body: JSONValue = ["@odata.type": "#microsoft.graph.managedAppOperation", "state": .string(state.rawValue)]
    _ = try check(await send("PATCH", resource(wipe.registration, "operations", id), body), isRecord: true)
  }

  /// What the administrator intends for a registration: `GET …/managedAppRegistrations/{id}/intendedPolicies`.
  func intendedPolicies(of registration: String) async throws(ServiceTrouble) -> TargetedDocuments {
    var documents = TargetedDocuments()
    let pages = try await list(from: resource(registration, "intendedPolicies"), isRecord: true) {
      (page) throws(ServiceTrouble) in [try Self.requireKnown(read(page))]
    }
    for page in pages { documents.add(page) }
    documents.policies.sort { ($0.about.id ?? "").utf8.lexicographicallyPrecedes(($1.about.id ?? "").utf8) }
    documents.configurations.sort { ($0.id ?? "").utf8.lexicographicallyPrecedes(($1.id ?? "").utf8) }
    return documents.limited(to: service.app.bundleID)
  }

  /// A page of policies, if everything in it is understood or for another platform. What the rest forbids is unknown: it
  /// must not count as "no policy".
  private static func requireKnown(_ page: GraphDocument) throws(ServiceTrouble) -> GraphDocument {
    for refusal in page.refusals {
      if case .platform? = refusal.foreignKind { continue }
      throw .unreadable("the answer, \(refusal)")
    }
    for other in page.others {
      if case .appConfiguration = other { continue }
      throw .unreadable("the answer lists \(other.kindName.lowercased()) among the policies")
    }
    return page
  }

  /// A registration with the policies that the app had at its last check-in, those that the administrator intends, and
  /// its operations.
  func details(of registration: String) async throws(ServiceTrouble) -> AppRegistration? {
    var object = try json(check(await send("GET", resource(registration)), isRecord: true)).value.object ?? JSONObject()
    object["@odata.type"] = "#microsoft.graph.iosManagedAppRegistration"
    for name in ["appliedPolicies", "intendedPolicies", "operations"] {
      let entries = try await list(from: resource(registration, name), isRecord: true) {
        (page) throws(ServiceTrouble) in page.value.object?["value"]?.array ?? []
      }
      object[name] = .array(entries)
    }
    let document = try decode { () throws(JSONError) in try JSONDocument.parse(JSONValue(.object(object)).description) }
    for case .registration(let registration) in try read(document).others { return registration }
    return nil
  }

  /// The address of the registrations, or of what is below them. The service itself chose their ids.
  private func resource(
    _ ids: String..., query: [(name: String, value: String)] = []
  ) throws(ServiceTrouble) -> String {
    do throws(ServiceAddress.Mistake) {
      return try service.address.resource(["deviceAppManagement", "managedAppRegistrations"] + ids, query: query)
    } catch {
      throw .unreadable("the answer has an id that names nothing: \(error)")
    }
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
      authorization, .init("Accept", "application/json"),
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
      response.status, code: code, text: shown(text ?? code ?? ""),
      retryAfter: response.retryAfterSeconds, challenge: challenge)
    // A token that the service refuses may be old; one that the library just made is refused for good.
    if response.status == 401, case .signInRequired(let text) = trouble { throw .tokenRefused(text) }
    throw trouble
  }

  /// The entries of a list, read page by page, so that no more than one page is in memory. The link to the next page must
  /// stay on the service's host.
  private func list<Entry>(
    from first: String, isRecord: Bool = false, _ entries: (JSONDocument) throws(ServiceTrouble) -> [Entry]
  ) async throws(ServiceTrouble) -> [Entry] {
    var found: [Entry] = []
    var address = first
    var length = 0
    for _ in 0..<HTTPService.maximumPages {
      let response = try check(await send("GET", address), isRecord: isRecord)
      length += response.body.count
      guard length <= HTTPService.maximumListLength else {
        throw .unreadable("the list is longer than \(HTTPService.maximumListLength >> 20) MiB")
      }
      let page = try json(response)
      let link = try decode { () throws(JSONError) in
        _ = try page.root.required("value").elements()
        return try page.root.present("@odata.nextLink")?.string()
      }
      found += try entries(page)
      guard let link else { return found }
      if let detour = service.address.detour(of: link) {
        throw .unreadable("the list continues \(detour), which must not receive the token")
      }
      address = link
    }
    throw .unreadable("the list has more than \(HTTPService.maximumPages) pages")
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

  /// A text of the service, shortened, on one line, and without the token, which a server may repeat.
  private func shown(_ text: String) -> String {
    var text = text
    let token = authorization.value.dropFirst(Self.scheme.count)
    // A shorter one is that of a test, and a word of the text.
    if token.utf8.count >= 16 { text.replace(token, with: "‹token›") }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.prefix(300).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
