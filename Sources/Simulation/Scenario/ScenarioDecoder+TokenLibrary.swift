import AppProtection
import JSON

extension ScenarioDecoder {
  /// The names of the steps about the token library.
  static let tokenLibrarySteps = ["enrollmentIDs"]

  /// Reads a step about the token library; `nil` for a step about something else.
  func tokenLibraryStep(_ name: String, _ node: JSONNode) throws(JSONError) -> ScenarioStep.Action? {
    switch name {
    case "enrollmentIDs":
      var entries: [EnrollmentIDCache.Entry] = []
      for element in try node.elements() { entries.append(try enrollmentID(element)) }
      return .enrollmentIDs(entries)
    default: return nil
    }
  }

  /// An entry of the token library's cache; omitted values are taken from the account if possible.
  private func enrollmentID(_ node: JSONNode) throws(JSONError) -> EnrollmentIDCache.Entry {
    try node.expectMembers(["account", "tenantID", "objectID", "homeAccountID", "userID", "enrollmentID"])
    var entry = EnrollmentIDCache.Entry(enrollmentID: try node.required("enrollmentID").string())
    if let named = try node.optional("account") {
      let reference = try account(named).reference
      entry.objectID = reference.objectID?.description ?? ""
      entry.userID = reference.userPrincipalName ?? ""
    }
    if let tenant = try node.optional("tenantID") { entry.tenantID = try tenant.string() }
    if let object = try node.optional("objectID") { entry.objectID = try object.string() }
    if let user = try node.optional("userID") { entry.userID = try user.string() }
    if let home = try node.optional("homeAccountID") {
      entry.homeAccountID = try home.string()
    } else if !entry.objectID.isEmpty, !entry.tenantID.isEmpty {
      entry.homeAccountID = "\(entry.objectID).\(entry.tenantID)"
    }
    return entry
  }
}
