import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport
import ReplayTool
import Simulation

/// The edits of a history that only app protection has: other policies and settings, and steps of a scenario in the place of
/// events.
final class ProtectionEdits: OwnEdits {
  private typealias Machine = AppProtectionMachine
  private typealias Edits = DomainEdits<AppProtectionMachine>

  /// The accounts that the value at hand names.
  private var accounts: [UInt64] = []
  /// What the app's settings are changed by, in order.
  private var settingChanges: [@Sendable (inout AppSettings) -> Void] = []

  static let descriptions = [
    OptionDescription(
      "policy", value: "ACCOUNT=FILE", repeatable: true, completion: .file,
      "Whatever policy the account got, let it get this one."),
    OptionDescription(
      "setting", value: "KEY=VALUE", repeatable: true,
      "Another setting of the app, or with a1/KEY one of an account's policy, in Graph's words."),
  ]

  func apply(
    _ option: String, _ value: String, of journal: JournalInput, to edits: any EditedHistory, _ context: CommandContext
  ) throws(Failure) -> [UInt64] {
    accounts = []
    guard let edits = edits as? Edits else { return accounts }
    if option == "policy" {
      try usePolicy(value, journal, edits, context)
    } else {
      try useSetting(value, journal, edits)
    }
    return accounts
  }

  func finish(_ option: String, in beginning: HistoryBeginning, _ edits: any EditedHistory) throws(Failure) {
    guard option == "setting", let edits = edits as? Edits else { return }
    try changeFirstSettings(beginning, edits)
  }

  func command(_ node: JSONNode, in state: AnyState) throws(JSONError) -> EditContent {
    let state = state.protection
    let command = try ScenarioStep.command(
      node, accounts: state.accounts.records.map(\.account), settings: state.settings.app, facts: state.launch.device)
    return EditContent(HistoryEdits<AppProtectionMachine>.Content.command(command, at: nil))
  }

  /// `a1=FILE`: whatever policy the account gets, it gets this one.
  private func usePolicy(_ value: String, _ journal: JournalInput, _ edits: Edits, _ context: CommandContext)
    throws(Failure)
  {
    let (word, path) = try EditInput.split("policy", value, "ACCOUNT=FILE")
    let account = try account(word, "policy", journal)
    let bytes = try FileInput.bytes(of: path, context)
    let file: PolicyFile
    do throws(PolicyDocumentError) {
      file = try PolicyFile.read(bytes, name: path)
    } catch {
      throw Failure(document: error)
    }
    guard let item = file.policies.first, file.policies.count == 1 else {
      throw Failure(
        .wrongUse, "\(path): the document holds \(file.policies.count) policies; one is needed",
        next: "pj policy show \(path.shellWord)")
    }
    // Nothing can be decided by a policy of which a part is unknown.
    guard item.lost.isEmpty else {
      throw Failure(
        .unreadable, "\(path): the value of \(item.lost.sorted().joined(separator: ", ")) is unknown",
        next: "pj policy lint \(path.shellWord)")
    }
    let policy = item.policy
    try replace(of: account, by: "policy", edits) { _ in policy }
  }

  /// An account, in whatever form a question takes it.
  private func account(_ word: String, _ option: String, _ journal: JournalInput) throws(Failure) -> AccountNumber {
    guard let account = AccountNumber(word) else {
      throw Failure(
        .wrongUse, "--\(option): \"\(word)\" does not name an account; write one such as a1",
        next: "pj state \(journal.path.shellWord) --path /accounts")
    }
    accounts.append(UInt64(account.rawValue))
    return account
  }

  private func replace(
    of account: AccountNumber, by option: String, _ edits: Edits,
    _ change: @escaping @Sendable (PolicyDocument) -> PolicyDocument
  ) throws(Failure) {
    try EditInput.change(option) { () throws(EditError) in
      try edits.edits.rewrite { event, _ in Machine.rewriting(event, policyOf: account, change) }
      try edits.edits.rewriteBeginning { Machine.replacePolicy(of: account, in: &$0, change) }
    }
  }

  /// `KEY=VALUE`: a setting of the app, or `a1/KEY=VALUE`: one of an account's policy.
  private func useSetting(_ text: String, _ journal: JournalInput, _ edits: Edits) throws(Failure) {
    var (key, word) = try EditInput.split("setting", text, "KEY=VALUE")
    for prefix in ["/settings/assumptions/", "/settings/", "/policies/"] where key.hasPrefix(prefix) {
      key.removeFirst(prefix.count)
      break
    }
    let value = (try? JSONDocument.parse(word).value) ?? .string(word)
    let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      let setting = try policySetting(parts[1], value)
      try replace(of: try account(parts[0], "setting", journal), by: "setting", edits) { policy in
        var policy = policy
        policy[setting.property] = setting.value
        return policy
      }
      return
    }
    let node = JSONNode(.object([.init(key, value)]))
    do throws(JSONError) {
      var settings = AppSettings()
      try settings.read(from: node)
    } catch {
      throw Failure(.wrongUse, "--setting: \(error.message); \(error.remedy)", next: "pj help whatif")
    }
    let change: @Sendable (inout AppSettings) -> Void = { try? $0.read(from: node) }
    settingChanges.append(change)
    try EditInput.change("setting") { () throws(EditError) in
      try edits.edits.rewrite { event, _ in Machine.rewriting(event, settings: change) }
    }
  }

  /// Lets the history begin with the settings, all of them by one event: a state before the first event has no settings.
  private func changeFirstSettings(_ beginning: HistoryBeginning, _ edits: Edits) throws(Failure) {
    let changes = settingChanges
    let first = Machine.changingSettings(in: beginning.state.protection) { settings in
      for change in changes { change(&settings) }
    }
    guard let first else { return }
    let place = beginning.sequence
    try EditInput.change("setting") { () throws(EditError) in
      try edits.edits.insert(.event(first, at: nil), after: place)
    }
  }

  /// A setting of a policy, read as Graph writes it.
  private func policySetting(
    _ name: String, _ value: JSONValue
  ) throws(Failure) -> (property: PolicyProperty, value: PolicySetting) {
    guard let property = PolicyProperty.named(name) else {
      let near = EditDistance.nearest(to: name, in: PolicyProperty.all.map(\.name), limit: 1).first
      throw Failure(
        .wrongUse, "--setting: no policy has the setting \"\(name)\"" + (near.map { "; nearest: \($0)" } ?? ""),
        next: "pj help policy")
    }
    if value.isNull { return (property, .null) }
    let entity = JSONValue.object([
      .init("@odata.type", "#microsoft.graph.iosManagedAppProtection"), .init(name, value),
    ])
    let document: GraphDocument
    do throws(PolicyDocumentError) {
      document = try GraphDocument.read(JSONNode(entity))
    } catch {
      throw Failure(.wrongUse, "--setting: \(error)", next: "pj help policy")
    }
    guard let setting = document.policies.first?.policy[property], case .value = setting else {
      throw Failure(
        .wrongUse, "--setting: \(value.text(style: .compact)) is not a value of \(name)", next: "pj help policy")
    }
    return (property, setting)
  }
}
