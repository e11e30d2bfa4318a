import AppProtection
import EventSourcing
import JSON

/// The lists of a service folder: `users.json`, and what the other lists say about its users and groups.
struct ServiceFolderLists {
  /// The most entries in a list.
  static let maximumCount = 10_000

  private(set) var users: [ServiceUser] = []
  private var groups: [String] = []
  /// How every user can be named, in lower case.
  private var names: Set<String> = []

  /// Reads `users.json`.
  init(_ root: JSONNode) throws(JSONError) {
    try root.expectMembers(["groups", "users"])
    for node in try Self.elements(root.optional("groups")) { groups.append(try Self.text(node)) }
    for node in try Self.elements(root.required("users")) { users.append(try user(node)) }
  }

  private mutating func user(_ node: JSONNode) throws(JSONError) -> ServiceUser {
    try node.expectMembers(["id", "userPrincipalName", "groups", "accountEnabled", "isLicensed", "clockStatus"])
    var reference = AccountReference()
    if let id = try node.present("id") {
      guard let objectID = GUID(try id.string()) else {
        throw id.error(.invalidValue, "this is not an object id", remedy: "write 8-4-4-4-12 hexadecimal digits")
      }
      reference.objectID = objectID
    }
    if let name = try node.present("userPrincipalName") {
      reference.userPrincipalName = try name.string()
      guard reference.isUsable else {
        throw name.error(.invalidValue, "this is not a user principal name", remedy: "write one with an @ inside")
      }
    }
    guard reference.isUsable else {
      throw node.error(.missingMember, "the user has no name", remedy: "add id, userPrincipalName, or both")
    }
    for name in [reference.objectID?.description, reference.userPrincipalName?.lowercased()].compactMap({ $0 }) {
      guard names.insert(name).inserted else {
        throw node.error(.duplicateMember, "another user has the same id or name", remedy: "keep one of them")
      }
    }
    var user = ServiceUser(reference)
    for node in try Self.elements(node.optional("groups")) { user.groups.append(try node.name(from: groups)) }
    user.isEnabled = try node.present("accountEnabled")?.bool() ?? true
    user.isLicensed = try node.present("isLicensed")?.bool() ?? true
    if let status = try node.present("clockStatus") {
      let name = try status.name(from: ClockStatus.allCases.map { "\($0)" })
      user.clockStatus = ClockStatus.allCases.first { "\($0)" == name } ?? .notConfigured
    }
    return user
  }

  /// Reads `assignments.json`.
  func assignments(_ root: JSONNode, of documents: [String]) throws(JSONError) -> [ServiceAssignment] {
    try root.expectMembers(["assignments"])
    var assignments: [ServiceAssignment] = []
    for node in try Self.elements(root.required("assignments")) {
      try node.expectMembers(["document", "everyone", "groups", "excludedGroups", "users"])
      var assignment = ServiceAssignment(document: try node.required("document").name(from: documents))
      assignment.targetsEveryone = try node.present("everyone")?.bool() ?? false
      for node in try Self.elements(node.optional("groups")) { assignment.groups.append(try node.name(from: groups)) }
      for node in try Self.elements(node.optional("excludedGroups")) {
        assignment.excludedGroups.append(try node.name(from: groups))
      }
      assignment.users = try references(node.optional("users"))
      assignments.append(assignment)
    }
    return assignments
  }

  /// Reads `wipes.json`: the users whose wipe is not over.
  func wipes(_ root: JSONNode) throws(JSONError) -> [AccountReference] {
    try root.expectMembers(["wipes"])
    var wipes: [AccountReference] = []
    for node in try Self.elements(root.required("wipes")) {
      try node.expectMembers(["user", "status"])
      let user = try reference(node.required("user"))
      // The members of Graph's actionState.
      let states = ["none", "pending", "canceled", "active", "done", "failed", "notSupported"]
      let status = try node.present("status")?.name(from: states) ?? "pending"
      if status == "pending" || status == "active" { wipes.append(user) }
    }
    return wipes
  }

  /// Reads `faults.json`.
  func faults(_ root: JSONNode) throws(JSONError) -> [ServiceFault] {
    try root.expectMembers(["faults"])
    var faults: [ServiceFault] = []
    for node in try Self.elements(root.required("faults")) {
      let name = try node.required("fault").name(from: ServiceFault.names)
      var members = ["fault", "users", "requests", "times"]
      let kind: ServiceFault.Kind
      switch name {
      case "slow":
        members.append("milliseconds")
        kind = .slow(milliseconds: try node.required("milliseconds").integer(in: 0...600_000))
      case "code":
        members.append("code")
        kind = .code(EnrollmentStatusCode(rawValue: try node.required("code").integer(in: 200...999)))
      case "status":
        members.append("status")
        kind = .status(try node.required("status").integer(in: 400...599))
      case "tooManyRequests":
        members.append("retryAfterSeconds")
        kind = .tooManyRequests(retryAfterSeconds: try node.required("retryAfterSeconds").integer(in: 0...86_400))
      case let name: kind = Self.plain[name] ?? .offline
      }
      try node.expectMembers(members)
      var fault = ServiceFault(kind)
      fault.users = try references(node.optional("users"))
      for node in try Self.elements(node.optional("requests")) {
        let name = try node.name(from: ServiceOperation.allCases.map(\.rawValue))
        fault.operations += ServiceOperation(rawValue: name).map { [$0] } ?? []
      }
      fault.times = try node.present("times")?.integer(in: 1...1_000)
      faults.append(fault)
    }
    return faults
  }

  /// The faults without a number of their own.
  private static let plain: [String: ServiceFault.Kind] = [
    "offline": .offline, "gone": .gone, "wrongJSON": .wrongJSON, "conditionalAccess": .conditionalAccess, "cut": .cut,
    "hugeBody": .hugeBody, "endlessBody": .endlessBody, "drip": .drip, "redirect": .redirect,
  ]

  private func references(_ node: JSONNode?) throws(JSONError) -> [AccountReference] {
    var references: [AccountReference] = []
    for node in try Self.elements(node) { references.append(try reference(node)) }
    return references
  }

  /// A user of `users.json`, by object id or name.
  private func reference(_ node: JSONNode) throws(JSONError) -> AccountReference {
    let text = try node.string()
    guard let reference = AccountReference(text), names.contains(GUID(text)?.description ?? text.lowercased()) else {
      throw node.error(
        .invalidValue, "users.json lists no such user", remedy: "check the spelling, or add the user to users.json")
    }
    return reference
  }

  /// A list of texts or objects; empty if it is `null` or absent.
  private static func elements(_ node: JSONNode?) throws(JSONError) -> [JSONNode] {
    guard let node, !node.isNull else { return [] }
    let elements = try node.elements()
    guard elements.count <= maximumCount else {
      throw node.error(
        .outOfRange, "the list has more than \(maximumCount) entries", remedy: "keep what the test needs")
    }
    return elements
  }

  /// A group's name.
  private static func text(_ node: JSONNode) throws(JSONError) -> String {
    let text = try node.string()
    guard !text.isEmpty, text.utf8.count <= 256 else {
      throw node.error(.invalidValue, "a group needs a name of 1 to 256 bytes", remedy: "write a shorter name")
    }
    return text
  }
}
