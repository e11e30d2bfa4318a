import AppProtection
import Cryptography
import EventSourcing
import GraphDocuments
import JSON
import Journal
import PlainText

/// Reads a scenario from JSON, and single steps.
struct ScenarioDecoder {
  let file: String
  /// The accounts in the order written; read before the steps.
  var accounts: [ScenarioAccount] = []
  /// The names of the policies; read before the steps.
  var policyNames: [String] = []
  /// The app's settings as of the step being read.
  var settings = AppSettings()
  /// Those of the app's settings that questions need; read before the steps.
  var protection = ProtectionSettings()
  /// What the app knows about the device as of the step being read.
  var facts = DeviceFacts()

  init(file: String) {
    self.file = file
  }

  mutating func scenario(_ text: [UInt8]) throws -> Scenario {
    let (root, elements) = try JSONDocument.parse(text, streaming: "steps")
    try root.expectMembers([
      "scenario", "title", "teaches", "journal", "app", "device", "accounts", "policies", "start", "steps",
    ])
    let version = try root.required("scenario")
    guard try version.integer(in: 1...Int.max) == Scenario.formatVersion else {
      throw version.error(
        .invalidValue, "this program reads scenarios of version \(Scenario.formatVersion)",
        remedy: "use a newer program, or write the scenario in version \(Scenario.formatVersion)")
    }
    accounts = try decodeAccounts(root)
    let policies = try decodePolicies(root)
    policyNames = policies.map(\.name)
    let app = try app(root)
    (settings, protection) = (app.settings, app.protection)
    return Scenario(
      file: file,
      title: try root.required("title").string(),
      teaches: try root.optional("teaches")?.string() ?? "",
      journal: try journalSettings(root, elements),
      app: app,
      device: try device(root),
      accounts: accounts,
      policies: policies,
      startNanoseconds: try time(root.required("start")),
      steps: try steps(root, elements))
  }

  // MARK: Surroundings

  /// What surrounds the steps of a scenario, alone.
  mutating func situation(_ text: [UInt8]) throws -> Situation {
    let root = try JSONDocument.parse(text).root
    try root.expectMembers(["app", "device", "accounts", "policies"])
    var situation = Situation()
    situation.app = try app(root)
    situation.device = try device(root, situation.device)
    let named = try decodeAccounts(root)
    if !named.isEmpty { situation.accounts = named }
    situation.policies = try decodePolicies(root)
    for (name, policy) in try root.optional("policies")?.members() ?? []
    where !situation.accounts.contains(where: { $0.name == name }) {
      throw policy.error(
        .invalidValue, "no account is named \(JSONValue.string(name)), whose policy this would be",
        remedy: "name it in accounts, or remove the policy")
    }
    return situation
  }

  private func journalSettings(
    _ root: JSONNode, _ elements: JSONElements
  ) throws(JSONError) -> Scenario.JournalSettings {
    var settings = Scenario.JournalSettings(id: try Self.identity(root, elements))
    guard let node = try root.optional("journal") else { return settings }
    try node.expectMembers(["id", "segmentSize", "sync"])
    if let id = try node.optional("id") { settings.id = JournalID(bytes: try guid(id).bytes) ?? .none }
    if let size = try node.optional("segmentSize") { settings.segmentSize = try size.integer(in: 4_096...1 << 30) }
    if let sync = try node.optional("sync") {
      settings.sync =
        Scenario.Sync(rawValue: try sync.name(from: Scenario.Sync.allCases.map(\.rawValue))) ?? .everyCommit
    }
    return settings
  }

  /// The identity of a journal that is given none, derived solely from the scenario's contents: its members in order,
  /// without white space.
  private static func identity(_ root: JSONNode, _ elements: JSONElements) throws(JSONError) -> JournalID {
    var hash = RunningSHA256()
    func add(_ text: String) { Array(text.utf8).withUnsafeBytes { hash.add($0) } }
    for (number, member) in try root.members().enumerated() {
      add((number == 0 ? "{" : ",") + JSONValue.string(member.name).description + ":")
      guard member.name == "steps", elements.count > 0 else {
        add(member.node.value.description)
        continue
      }
      var (cursor, separator) = (elements.cursor(), "[")
      while let element = try cursor.next() {
        add(separator + element.value.description)
        separator = ","
      }
      add("]")
    }
    add("}")
    return JournalID(bytes: Array(hash.digest.prefix(16))) ?? .none
  }

  private func app(_ root: JSONNode) throws(JSONError) -> Scenario.App {
    var app = Scenario.App()
    guard let node = try root.optional("app") else { return app }
    try node.expectMembers(
      ["version", "isExtension", "recordsRefusals"] + Self.settingNames + Self.protectionSettingNames)
    if let version = try node.optional("version") { app.version = try version.string() }
    if let flag = try node.optional("isExtension") { app.isExtension = try flag.bool() }
    if let flag = try node.optional("recordsRefusals") { app.recordsRefusals = try flag.bool() }
    try read(settings: &app.settings, from: node)
    app.protection = try protectionSettings(node)
    return app
  }

  /// - Parameter standard: What the device is without what the text says.
  private mutating func device(
    _ root: JSONNode, _ standard: Scenario.Device = Scenario.Device()
  ) throws(JSONError) -> Scenario.Device {
    var device = standard
    guard let node = try root.optional("device") else { return device }
    try node.expectMembers(["os", "model", "sdk"] + Self.deviceFactNames)
    if let os = try node.optional("os") { device.os = try os.string() }
    if let model = try node.optional("model") { device.model = try model.string() }
    if let sdk = try node.optional("sdk") { device.sdk = try sdk.string() }
    try read(facts: &facts, from: node)
    device.facts = facts == DeviceFacts() ? nil : facts
    return device
  }

  private func decodeAccounts(_ root: JSONNode) throws(JSONError) -> [ScenarioAccount] {
    guard let node = try root.optional("accounts") else { return [] }
    var accounts: [ScenarioAccount] = []
    for (name, account) in try node.members() {
      guard Self.isPlain(name), AccountNumber(name) == nil, !Self.reservedNames.contains(name) else {
        throw account.error(
          .invalidValue, "\(JSONValue.string(name)) cannot be the name of an account",
          remedy: "use letters, digits, - and _, and neither a journal's own a1 nor a word of paths such as ui")
      }
      try account.expectMembers(["objectID", "upn"])
      let reference = AccountReference(
        objectID: try account.optional("objectID").map { (node) throws(JSONError) in try guid(node) },
        userPrincipalName: try account.optional("upn")?.string())
      if let same = accounts.first(where: { $0.reference.isSame(as: reference) }) {
        throw account.error(
          .invalidValue,
          "\(JSONValue.string(same.name)) is the same account: same objectID, or same upn and no other objectID",
          remedy: "use one account, or give each a separate objectID")
      }
      accounts.append(ScenarioAccount(name: name, reference: reference))
    }
    return accounts
  }

  private func decodePolicies(_ root: JSONNode) throws -> [Scenario.Policy] {
    guard let node = try root.optional("policies") else { return [] }
    return try node.members().map { name, policy in
      try policy.expectMembers(["path", "document"])
      switch (try policy.optional("path"), try policy.optional("document")) {
      case (let path?, nil):
        return Scenario.Policy(name: name, document: try document(at: path))
      case (nil, let document?):
        return Scenario.Policy(name: name, document: try self.document(document))
      default:
        throw policy.error(
          .invalidValue, "a policy needs one of path and document",
          remedy: "name a file, or write the document here")
      }
    }
  }

  /// The steps. A pass over them finds the first mistake; another one carries them out.
  private func steps(_ root: JSONNode, _ elements: JSONElements) throws -> ScenarioSteps {
    _ = try root.required("steps").elements()
    let steps = ScenarioSteps(elements, self)
    try steps.forEach { _ in }
    return steps
  }

  private func document(_ node: JSONNode) throws -> PolicyDocument {
    let document: GraphDocument
    do throws(PolicyDocumentError) {
      document = try GraphDocument.read(node)
    } catch {
      throw ScenarioError(error, in: file)
    }
    return try Self.policy(of: document, at: node)
  }

  /// The only policy in a file named relative to the scenario's folder.
  private func document(at node: JSONNode) throws -> PolicyDocument {
    let path = Scenario.path(try node.string(), besides: file)
    let bytes = try Scenario.bytes(of: path, namedAt: node.position, in: file)
    let document: GraphDocument
    do throws(PolicyDocumentError) {
      document = try GraphDocument.read(bytes, file: path)
    } catch {
      throw ScenarioError(error, in: path)
    }
    return try Self.policy(of: document, at: node)
  }

  private static func policy(of document: GraphDocument, at node: JSONNode) throws(JSONError) -> PolicyDocument {
    guard let policy = document.policies.first, document.policies.count == 1 else {
      throw node.error(
        .invalidValue, "this needs exactly one policy, but the document has \(document.policies.count)",
        remedy: "name a file, or write a document, that contains a single policy")
    }
    return policy.policy
  }

  // MARK: Single values

  static let settingNames =
    [
      "multiIdentity", "autoEnrollOnLaunch", "policyRequired", "warnsWhenPolicyAbsent", "maximumManagedAccounts",
      "firstPolicyNeedsNoRestart", "retryProfile",
    ] + Assumptions.descriptor.fields.map(\.name)

  /// Overwrites the settings named in `node`.
  func read(settings: inout AppSettings, from node: JSONNode) throws(JSONError) {
    func flag(_ name: String, _ setting: inout Bool) throws(JSONError) {
      if let value = try node.optional(name) { setting = try value.bool() }
    }
    try flag("multiIdentity", &settings.multiIdentity)
    try flag("autoEnrollOnLaunch", &settings.autoEnrollOnLaunch)
    try flag("policyRequired", &settings.policyRequired)
    try flag("warnsWhenPolicyAbsent", &settings.warnsWhenPolicyAbsent)
    try flag("firstPolicyNeedsNoRestart", &settings.firstPolicyNeedsNoRestart)
    if let count = try node.optional("maximumManagedAccounts") {
      settings.maximumManagedAccounts = try count.integer(in: 1...UInt32.max)
    }
    if let profile = try node.optional("retryProfile") { settings.retryProfile = try profile.member() }
    for choice in Assumptions.descriptor.fields {
      guard let value = try node.optional(choice.name) else { continue }
      guard settings.assumptions.set(choice.number, to: try number(of: choice.type, value)) else {
        throw value.error(.invalidValue, "this is not a value of \(choice.name)", remedy: "see the page on assumptions")
      }
    }
  }

  /// The number of a choice's value: a status code is used as it is; other values are looked up by their member's name.
  private func number(of type: FieldType, _ node: JSONNode) throws(JSONError) -> UInt64 {
    switch type {
    case .enumeration(let codes) where codes.name == EnrollmentStatusCode.schemaName:
      return try node.integer(in: 100...999)
    case .enumeration(let choices):
      let name = try node.name(from: choices.members.map(\.name))
      return choices.members.first { $0.name == name }?.number ?? 0
    // Every other choice is a flag.
    case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence,
      .message:
      return try node.bool() ? 1 : 0
    }
  }

  /// The account with this name in the scenario.
  func account(_ node: JSONNode) throws(JSONError) -> ScenarioAccount {
    let name = try node.name(from: accounts.map(\.name))
    guard let account = accounts.first(where: { $0.name == name }) else {
      throw node.error(.invalidValue, "no account has this name", remedy: "add it to accounts")
    }
    return account
  }

  func time(_ node: JSONNode) throws(JSONError) -> Int64 {
    let text = try node.string()
    guard let time = try? CivilTime.nanoseconds(rfc3339: text), ScenarioTime.range.contains(time) else {
      throw node.error(
        .invalidValue, "this is not a point in time between 1678 and 2261",
        remedy: "write a date and time with its offset, such as \"2020-03-05T09:00:00Z\"")
    }
    return time
  }

  func duration(_ node: JSONNode) throws(JSONError) -> Int64 {
    let text = try node.string()
    do throws(PolicyTextError) {
      return try PolicyDuration(text).nanoseconds
    } catch {
      throw node.error(.invalidValue, error.message, remedy: error.remedy)
    }
  }

  func guid(_ node: JSONNode) throws(JSONError) -> GUID {
    guard let guid = GUID(try node.string()) else {
      throw node.error(
        .invalidValue, "this is not a GUID", remedy: "write 32 hexadecimal digits as 8-4-4-4-12")
    }
    return guid
  }

  /// Words that take the place of account names in paths, callbacks and pending work.
  private static let reservedNames = Set(
    AppProtectionState.sliceNames + [
      "clock", "pin", "ui", "windows", "threads", "queue", "requests", "device", "none", "nothing", "unmanaged",
      "unset",
    ])

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.unicodeScalars.allSatisfy { scalar in
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
          || scalar == "-" || scalar == "_"
      }
  }
}
