import AppProtection
import JSON

extension ScenarioDecoder {
  /// The names of the steps about named files and about work handed to other threads.
  static let fileSteps = [
    "openFile", "protectFile", "copyFile", "moveFile", "removeFile", "handOutFile", "createWork", "submitWork",
    "setWork",
    "finishWork",
  ]

  /// Reads a step about a named file or a piece of work; `nil` for a step about something else.
  func fileStep(_ name: String, _ node: JSONNode) throws(JSONError) -> ScenarioStep.Action? {
    switch name {
    case "openFile":
      guard node.value.object != nil else {
        return .file(.open(try label(node), .create, on: .thread(IdentityScope.mainThread)))
      }
      try node.expectMembers(["file", "access", "thread", "work"])
      let access = try node.optional("access")?.name(from: FileOwners.Access.allCases.map(\.rawValue))
      return .file(
        .open(
          try label(node.required("file")), access.flatMap(FileOwners.Access.init(rawValue:)) ?? .create,
          on: try place(node)))
    case "protectFile":
      try node.expectMembers(["file", "identity", "verify"])
      return .file(
        .protect(
          try label(node.required("file")), owner: try owner(node.required("identity")),
          verifies: try node.optional("verify")?.bool() ?? false))
    case "copyFile", "moveFile":
      try node.expectMembers(["file", "to", "thread", "work"])
      let (file, target) = (try label(node.required("file")), try label(node.required("to")))
      return .file(
        name == "copyFile"
          ? .copy(file, to: target, on: try place(node)) : .move(file, to: target, on: try place(node)))
    case "removeFile": return .file(.remove(try label(node)))
    case "handOutFile":
      try node.expectMembers(["file", "to", "account"])
      return .file(
        .handOut(
          try label(node.required("file")), to: try label(node.required("to")),
          account: try node.optional("account").map { (node) throws(JSONError) in try owner(node) } ?? ""))
    case "createWork":
      try node.expectMembers(["work", "kind", "thread", "inside"])
      let kind = try node.required("kind").name(from: WorkKind.allCases.map(\.rawValue))
      return .work(
        .create(
          try label(node.required("work")), WorkKind(rawValue: kind) ?? .block, on: try place(node, work: "inside")))
    case "submitWork":
      guard node.value.object != nil else {
        return .work(.submit(try label(node), on: .thread(IdentityScope.mainThread)))
      }
      try node.expectMembers(["work", "thread", "inside"])
      return .work(.submit(try label(node.required("work")), on: try place(node, work: "inside")))
    case "setWork":
      try node.expectMembers(["work", "identity"])
      let identity = try node.required("identity")
      return .work(.setIdentity(try label(node.required("work")), identity.isNull ? nil : try owner(identity)))
    case "finishWork": return .work(.finish(try label(node)))
    default: return nil
    }
  }

  /// Where the app's code runs; `member` names the work in which it does.
  private func place(_ node: JSONNode, work member: String = "work") throws(JSONError) -> FileStep.Place {
    let thread = try node.optional("thread")
    guard let work = try node.optional(member) else { return .thread(try threadLabel(thread)) }
    guard thread == nil else {
      throw node.error(
        .invalidValue, "work runs under its own identity on any thread", remedy: "write one of thread and \(member)")
    }
    return .work(try label(work))
  }

  private func threadLabel(_ node: JSONNode?) throws(JSONError) -> String {
    guard let node else { return IdentityScope.mainThread }
    guard case .thread(let label) = try thread(node) else { return IdentityScope.mainThread }
    return label
  }

  /// An account's name, or the empty text for no account.
  private func owner(_ node: JSONNode) throws(JSONError) -> String {
    node.value.string == "" ? "" : try account(node).name
  }

  /// The name of a file or of a piece of work.
  private func label(_ node: JSONNode) throws(JSONError) -> String {
    let label = try node.string()
    guard !label.isEmpty, label.utf8.count <= Self.longestLabel else {
      throw node.error(
        .invalidValue, "a name must have 1 to \(Self.longestLabel) bytes", remedy: "write a name such as \"report\"")
    }
    return label
  }

  private static let longestLabel = 1_024
}
