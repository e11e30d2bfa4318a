import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport
import Simulation
import WireFormat

/// The edits that a command line asks for, of the events of one journal.
struct EditInput {
  typealias Machine = AppProtectionMachine

  /// What is different.
  private(set) var edits = HistoryEdits<Machine>()
  /// The same in words, as they were typed.
  private(set) var words: [String] = []
  /// The accounts that they name.
  private(set) var accounts: [AccountNumber] = []
  /// What the app's settings are changed by, in order.
  private var settingChanges: [@Sendable (inout AppSettings) -> Void] = []
  private let context: CommandContext
  private let journal: JournalInput
  /// Where the imagined history can begin.
  private let beginning: HistoryBeginning
  /// The last event that is known.
  private let last: UInt64

  /// The options that edit a history, in the order in which they apply.
  static let options = ["drop", "replace", "policy", "setting", "move", "insert"]

  /// Reads the edits.
  init(
    _ journal: JournalInput, from beginning: HistoryBeginning, upTo last: UInt64, _ context: CommandContext
  ) throws(Failure) {
    (self.context, self.journal, self.beginning, self.last) = (context, journal, beginning, last)
    for option in Self.options {
      let values = context.arguments.values(of: option)
      for value in values {
        words.append("--\(option) \(value)")
        try apply(option, value)
      }
      if option == "setting", !values.isEmpty { try changeFirstSettings() }
    }
  }

  private mutating func apply(_ option: String, _ value: String) throws(Failure) {
    switch option {
    case "drop":
      let dropped = try dropped(value)
      try change(option) { (edits) throws(EditError) in
        switch dropped {
        case .events(let events): try edits.drop(events)
        case .matching(let condition): try edits.drop(where: condition)
        }
      }
    case "replace":
      let (place, text) = try Self.split(option, value, "POSITION=EVENT")
      let sequence = try event(place, option)
      let content = try content(text, option, at: sequence - 1)
      try change(option) { (edits) throws(EditError) in try edits.replace(sequence, with: content) }
    case "move":
      let (place, target) = try Self.split(option, value, "POSITION=POSITION")
      let record = try record(try event(place, option))
      let sequence = try self.place(target, option)
      try change(option) { (edits) throws(EditError) in try edits.move(record, after: sequence) }
    case "insert":
      let (place, text) = try Self.split(option, value, "POSITION=EVENT")
      let sequence = try self.place(place, option)
      let content = try content(text, option, at: sequence)
      try change(option) { (edits) throws(EditError) in try edits.insert(content, after: sequence) }
    case "policy": try usePolicy(value)
    case _: try useSetting(value)
    }
  }

  private mutating func change(
    _ option: String, _ body: (inout HistoryEdits<Machine>) throws(EditError) -> Void
  ) throws(Failure) {
    do throws(EditError) {
      try body(&edits)
    } catch {
      throw Failure(.wrongUse, "--\(option): \(error)", next: "pj help whatif")
    }
  }

  private static func split(_ option: String, _ value: String, _ form: String) throws(Failure) -> (String, String) {
    guard let sign = value.firstIndex(of: "=") else {
      throw Failure(.wrongUse, "--\(option) \(value): write it as \(form)", next: "pj help whatif")
    }
    return (String(value[..<sign]), String(value[value.index(after: sign)...]))
  }

  // MARK: Places

  /// The event at a position.
  private func event(_ word: String, _ option: String) throws(Failure) -> UInt64 {
    let position = try PositionInput.position(word)
    let resolver = try journal.positions.resolver(for: [position])
    let sequence: UInt64
    do throws(PositionError) {
      sequence = try resolver.event(position)
    } catch {
      throw journal.positions.failure(error)
    }
    return try within(sequence, option, isEvent: true)
  }

  /// The event after which something goes.
  private func place(_ word: String, _ option: String) throws(Failure) -> UInt64 {
    let position = try PositionInput.position(word)
    if position == .start { return beginning.sequence }
    return try within(
      position == .end ? last : try journal.positions.sequence(of: position, mayPrecede: true, context), option,
      isEvent: false)
  }

  private func within(_ sequence: UInt64, _ option: String, isEvent: Bool) throws(Failure) -> UInt64 {
    let first = beginning.sequence + (isEvent ? 1 : 0)
    guard sequence >= first else {
      if let from = context.arguments.value(of: "from") {
        throw Failure(
          .wrongUse,
          "--\(option): event \(sequence) comes before event \(beginning.sequence + 1), with which the other history begins (--from \(from))",
          next: "pj whatif with an earlier --from, or without one")
      }
      throw Failure(
        .wrongUse,
        "--\(option): the state before event \(beginning.sequence + 1) is that of events that are not kept, so that no event before it can be edited",
        next: "pj log \(journal.path.shellWord)")
    }
    guard sequence <= last else {
      throw Failure(
        .wrongUse, "--\(option): event \(sequence) comes after event \(last), with which what is read ends",
        next: "pj log \(journal.path.shellWord)")
    }
    return sequence
  }

  /// An event as it was recorded.
  private func record(_ sequence: UInt64) throws(Failure) -> RecordedEvent<AppProtectionEvent> {
    do throws(HistoryError) {
      var cursor = try journal.protectionHistory.events(after: sequence - 1)
      while let item = try cursor.next() {
        if case .event(let step) = item, step.record.sequence == sequence { return step.record }
      }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    throw Failure(.partial, "\(journal.path): event \(sequence) is lost", next: "pj log \(journal.path.shellWord)")
  }

  // MARK: What is dropped

  private enum Dropped {
    case events(ClosedRange<UInt64>)
    case matching(@Sendable (RecordedEvent<AppProtectionEvent>) -> Bool)
  }

  /// A condition, a pattern of types, or a position or a range.
  private func dropped(_ value: String) throws(Failure) -> Dropped {
    if value.contains("=") {
      do throws(FilterError) {
        let condition = try FilterExpression(value)
        if let field = condition.tests.map(\.field).first(where: { $0.needsStates }) {
          throw FilterError(
            "\(field.rawValue) depends on states, which differ in an imagined history",
            remedy: "use type, account, seq, cause or process")
        }
        return .matching { record in condition.holds(for: FilterSubject(record)) == true }
      } catch {
        throw Failure(error, option: "--drop")
      }
    }
    if value.contains("*") || value.contains("?") {
      let pattern = Glob(value)
      let names = AppProtectionEvent.catalog.entries.map(\.name) + [StateMigration.descriptor.name]
      guard names.contains(where: pattern.matches) else {
        let word = String(value.prefix { $0 != "." })
        let near = EditDistance.nearest(to: word, in: names.map { String($0.prefix { $0 != "." }) }, limit: 1).first
        throw Failure(
          .wrongUse, "--drop \(value) matches no event type" + (near.map { "; nearest: \($0).*" } ?? ""),
          next: "pj schema")
      }
      return .matching { pattern.matches($0.typeName) }
    }
    let range = try PositionInput.range(value)
    let (lower, upper, reasonForNothing) = try journal.positions.bounds(of: range)
    if let reasonForNothing {
      throw Failure(.wrongUse, "--drop \(value): \(reasonForNothing)", next: "pj help positions")
    }
    let first = max(lower, beginning.sequence + 1)
    let end = min(upper ?? last, last)
    guard first <= end else {
      let place =
        context.arguments.value(of: "from").map { " after the beginning of the other history (--from \($0))" } ?? ""
      throw Failure(.wrongUse, "--drop \(value): no event lies there\(place)", next: "pj help positions")
    }
    // A range may begin before the other history does, unless what lies there is not kept.
    let isCut = lower == 1 || context.arguments.isGiven("from")
    return .events(try within(isCut ? first : lower, "drop", isEvent: true)...end)
  }

  // MARK: What is put in

  /// An event or a step in JSON; with @ before it, the file that holds it; - for standard input.
  private mutating func content(
    _ text: String, _ option: String, at sequence: UInt64
  ) throws(Failure) -> HistoryEdits<Machine>.Content {
    let bytes: [UInt8]
    var name = "--\(option)"
    if text == "-" || text.hasPrefix("@") {
      name = text == "-" ? "-" : String(text.dropFirst())
      bytes = try FileInput.bytes(of: name, context)
    } else {
      bytes = Array(text.utf8)
    }
    do throws(JSONError) {
      let node = try JSONDocument.parse(bytes).root
      if try node.object().members.contains(where: { $0.name == "type" || $0.name == "data" }) {
        let event = try EventText<AppProtectionEvent>(node)
        accounts += Self.accounts(in: event.event)
        return .event(event.event, at: event.moment)
      }
      let state = state(after: sequence)
      return .command(
        try ScenarioStep.command(
          node, accounts: state.accounts.records.map(\.account), settings: state.settings.app,
          facts: state.launch.device), at: nil)
    } catch {
      throw Failure(.wrongUse, "\(name): \(error)", next: "pj help whatif")
    }
  }

  /// The accounts that an event names.
  private static func accounts(in event: AppProtectionEvent) -> [AccountNumber] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    let fields = MessageFields(writer.bytes, as: AppProtectionEvent.catalog[event.type]?.body)
    return EventAccounts.numbers(in: fields).compactMap { UInt32(exactly: $0).flatMap { AccountNumber($0) } }
  }

  /// The state of the real history there, for what a step refers to; the one at the beginning if it is unknown.
  private func state(after sequence: UInt64) -> AppProtectionState {
    guard sequence > beginning.sequence else { return beginning.state.protection }
    return (try? journal.protectionHistory.state(at: .sequence(sequence)).state) ?? beginning.state.protection
  }

  // MARK: Policies and settings

  /// `a1=FILE`: whatever policy the account gets, it gets this one.
  private mutating func usePolicy(_ value: String) throws(Failure) {
    let (word, path) = try Self.split("policy", value, "ACCOUNT=FILE")
    let account = try account(word, "policy")
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
    try replace(of: account, by: "policy") { _ in policy }
  }

  /// An account, in whatever form a question takes it.
  private mutating func account(_ word: String, _ option: String) throws(Failure) -> AccountNumber {
    guard let account = AccountNumber(word) else {
      throw Failure(
        .wrongUse, "--\(option): \"\(word)\" does not name an account; write one such as a1",
        next: "pj state \(journal.path.shellWord) --path /accounts")
    }
    accounts.append(account)
    return account
  }

  private mutating func replace(
    of account: AccountNumber, by option: String, _ change: @escaping @Sendable (PolicyDocument) -> PolicyDocument
  ) throws(Failure) {
    try self.change(option) { (edits) throws(EditError) in
      try edits.rewrite { event, _ in Machine.rewriting(event, policyOf: account, change) }
      try edits.rewriteBeginning { Machine.replacePolicy(of: account, in: &$0, change) }
    }
  }

  /// `KEY=VALUE`: a setting of the app, or `a1/KEY=VALUE`: one of an account's policy.
  private mutating func useSetting(_ text: String) throws(Failure) {
    var (key, word) = try Self.split("setting", text, "KEY=VALUE")
    for prefix in ["/settings/assumptions/", "/settings/", "/policies/"] where key.hasPrefix(prefix) {
      key.removeFirst(prefix.count)
      break
    }
    let value = (try? JSONDocument.parse(word).value) ?? .string(word)
    let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      let setting = try policySetting(parts[1], value)
      try replace(of: try account(parts[0], "setting"), by: "setting") { policy in
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
    try self.change("setting") { (edits) throws(EditError) in
      try edits.rewrite { event, _ in Machine.rewriting(event, settings: change) }
    }
  }

  /// Lets the history begin with the settings, all of them by one event: a state before the first event has no settings.
  private mutating func changeFirstSettings() throws(Failure) {
    let changes = settingChanges
    let first = Machine.changingSettings(in: beginning.state.protection) { settings in
      for change in changes { change(&settings) }
    }
    guard let first else { return }
    let place = beginning.sequence
    try change("setting") { (edits) throws(EditError) in try edits.insert(.event(first, at: nil), after: place) }
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

extension FilterTest.Field {
  /// Whether a test of it needs the states around an event.
  fileprivate var needsStates: Bool {
    switch self {
    case .path, .finding, .text: true
    case .type, .account, .seq, .cause, .process: false
    }
  }
}

extension FilterSubject {
  /// What is known of an event without the states around it.
  fileprivate init(_ record: RecordedEvent<AppProtectionEvent>) {
    self.init(
      sequence: record.sequence, type: record.typeName, cause: record.envelope.cause,
      process: record.envelope.process,
      accounts: {
        EventAccounts.numbers(in: record.fields).map { AccountNames(pseudonym: EventAccounts.pseudonym($0)) }
      }, changedPaths: { nil }, findings: { nil }, shownText: { [] })
  }
}
