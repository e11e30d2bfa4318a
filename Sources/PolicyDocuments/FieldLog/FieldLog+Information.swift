import AppProtection
import JSON

extension FieldLog {
  /// Where a tree of values comes from.
  struct Origin {
    var file: String
    /// The line where it begins; `nil` for a whole file.
    var line: Int?
    /// The time of the line that it belongs to.
    var time: Int64?
    /// The accounts that it names.
    var accounts: [String] = []
    /// Whether it holds the policies of several apps.
    var hasSeveralApps = false

    /// The place of a value in it.
    func place(_ node: JSONNode) -> Place { Place(file, "\(line.map { ":\($0)" } ?? ""): \(node.path)") }
  }

  /// How deep known blocks are looked for in unknown ones.
  private static let deepest = 6

  /// Reads a tree of values: a diagnostic file, a block of one, or entries of the unified log.
  mutating func read(_ root: JSONNode, _ origin: Origin) {
    if let elements = try? root.elements() {
      if elements.contains(where: { Self.isEntry($0) }) {
        for element in elements { readEntry(element, origin) }
      } else if Self.isConfiguration(root) {
        readConfiguration(root, origin)
      } else {
        skip(origin.place(root), "the value is not an object")
      }
      return
    }
    guard let members = try? root.members() else { return skip(origin.place(root), "the file is not an object") }
    guard !Self.isEntry(root) else { return readEntry(root, origin) }
    var origin = origin
    for (name, node) in members where FieldLogBlock.named(name)?.meaning == .store {
      origin.accounts += readStore(node, origin)
    }
    readMembers(members, origin, depth: 0)
  }

  private mutating func readMembers(_ members: [(name: String, node: JSONNode)], _ origin: Origin, depth: Int) {
    var origin = origin
    origin.hasSeveralApps =
      origin.hasSeveralApps
      || members.count { FieldLogBlock.named($0.name)?.meaning == .policyOfApp } > 1
    for (name, node) in members {
      examined += 1
      guard let block = FieldLogBlock.named(name) else {
        readUnknown(node, origin, depth: depth)
        continue
      }
      read(block, name, node, origin)
    }
  }

  private mutating func readUnknown(_ node: JSONNode, _ origin: Origin, depth: Int) {
    if Self.isConfiguration(node) { return readConfiguration(node, origin) }
    let members = (try? node.members()) ?? []
    guard depth < Self.deepest, members.contains(where: { Self.holdsKnown($0.name, $0.node, depth) }) else {
      return skip(origin.place(node), "no event records this value")
    }
    readMembers(members, origin, depth: depth + 1)
  }

  private static func holdsKnown(_ name: String, _ node: JSONNode, _ depth: Int) -> Bool {
    if FieldLogBlock.named(name) != nil || isConfiguration(node) { return true }
    guard depth < deepest else { return false }
    return ((try? node.members()) ?? []).contains { holdsKnown($0.name, $0.node, depth + 1) }
  }

  private mutating func read(_ block: FieldLogBlock, _ name: String, _ node: JSONNode, _ origin: Origin) {
    let place = origin.place(node)
    switch block.meaning {
    case .store: break
    case .configuration: readConfiguration(node, origin)
    case .policy: readPolicies(node, origin)
    case .policyOfApp:
      guard isOfThisApp(name, origin) else { return skip(place, "the policy is another app's") }
      let members = (try? node.members()) ?? []
      let owner = members.first { $0.name == "IntuneIdentityOID" || $0.name == "IntuneIdentityUPN" }
      readPolicies(node, origin, of: owner?.node.value.string.flatMap { Self.name($0) })
    case .deviceAccount:
      guard let account = node.value.string.flatMap({ Self.name($0) }) else {
        return skip(place, "the value names no account")
      }
      add(Fact(time: origin.time, account: account, content: .deviceAccount, place: place))
    case .registrations:
      for element in node.value.array ?? [] {
        guard let account = element.string.flatMap({ Self.name($0) }) else {
          skip(place, "the value names no account")
          continue
        }
        add(Fact(time: origin.time, account: account, content: .registration, place: place))
      }
    case .completedCheckIn:
      guard let time = Self.time(of: node) else { return skip(place, "the value is not a time") }
      add(
        Fact(
          time: time, account: Self.only(origin.accounts), content: .contact, place: place, inferred: [.unchangedPolicy]
        ))
    case .version(let version):
      let text = node.value.string ?? ""
      guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        return skip(place, "the value is not a version")
      }
      versions[version] = versions[version] ?? text
    case .known(let reason): skip(place, reason)
    }
  }

  /// Whether a block of one app is that of the app whose files are read: by their names, or because there is no other.
  private func isOfThisApp(_ name: String, _ origin: Origin) -> Bool {
    guard origin.hasSeveralApps, let bundle = FieldLogBlock.bundle(in: name) else { return true }
    return origin.file.lowercased().contains(bundle)
  }

  // MARK: - Accounts

  /// Reads what the app stores for each account; returns the accounts.
  private mutating func readStore(_ store: JSONNode, _ origin: Origin) -> [String] {
    guard let members = try? store.members() else {
      skip(origin.place(store), "the value is not an object")
      return []
    }
    var accounts: [String] = []
    for (index, (name, node)) in members.enumerated() {
      // Not by its name, which may be a person's.
      let place = Place(origin.file, ": account \(index + 1) of DataStore")
      guard let account = Self.name(name) else {
        skip(place, "the name is not that of an account")
        continue
      }
      accounts.append(account)
      add(Fact(account: account, content: .registration, place: place))
      for (setting, value) in (try? node.members()) ?? [] {
        examined += 1
        let shown = JSONExcerpt.isWithheld(setting) ? JSONExcerpt.withheld : setting
        let place = Place(origin.file, "\(place.part), \(shown)")
        let isOffline = setting.lowercased().hasPrefix("offlinegraceperiod")
        guard isOffline, setting.lowercased().hasSuffix("-successtimestamp") else {
          skip(place, "no event records this value")
          continue
        }
        guard let time = value.value.string.flatMap({ FieldLogTime.nanoseconds(since2001: $0) }) else {
          skip(place, "the value is not a time")
          continue
        }
        add(Fact(time: time, account: account, content: .contact, place: place, inferred: [.unchangedPolicy]))
      }
    }
    return accounts
  }

  private static func only(_ accounts: [String]) -> String? { accounts.count == 1 ? accounts.first : nil }

  /// The time that a value is: a date, or seconds since 2001.
  private static func time(of node: JSONNode) -> Int64? {
    node.value.string.flatMap { FieldLogTime.nanoseconds(since2001: $0) ?? FieldLogTime($0)?.nanoseconds }
  }

  /// The account that a value stands for: a hash, or a name that was not replaced.
  private static func name(_ text: String) -> String? {
    if let hash = account(in: text) { return hash }
    let isName = !text.isEmpty && text.count <= 128 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isName && !["none", "null", "(null)", "no", "false", "true", "0", "1"].contains(text.lowercased())
      ? text.lowercased() : nil
  }

  // MARK: - Policies and configurations

  /// Reads policies.
  ///
  /// - Parameter owner: The account that the block names.
  private mutating func readPolicies(_ node: JSONNode, _ origin: Origin, of owner: String? = nil) {
    let place = origin.place(node)
    let document: DeviceDocument
    do throws(PolicyDocumentError) {
      document = try DeviceDocument.read(Array(node.value.text(style: .compact).utf8))
    } catch {
      return skip(place, "no policy can be read: \(error.message)")
    }
    for item in document.policies {
      let named = origin.accounts.filter { item.path.lowercased().contains($0) }
      let account = owner ?? (named.count == 1 ? named.first : Self.only(origin.accounts))
      guard account != nil || origin.accounts.isEmpty else {
        skip(place, "the account of the policy is not certain")
        continue
      }
      let isSaid = owner != nil || named.count == 1 || account == nil
      add(
        Fact(
          time: origin.time, account: account, content: .policy(item.policy.policy), place: place,
          inferred: isSaid ? [] : [.account]))
    }
  }

  /// Whether a value is a list of names and values.
  private static func isConfiguration(_ node: JSONNode) -> Bool {
    guard let elements = node.value.array, !elements.isEmpty else { return false }
    return elements.allSatisfy { $0.object?["Name"]?.string != nil && $0.object?["Value"] != nil }
  }

  private mutating func readConfiguration(_ node: JSONNode, _ origin: Origin) {
    var values: [ConfigurationValue] = []
    var account: String?
    func text(_ value: JSONValue) -> String? {
      value.string ?? value.bool.map { "\($0)" } ?? value.number?.text
    }
    let pairs =
      node.value.array.map { elements in
        elements.compactMap { element in
          element.object.flatMap { pair in pair["Name"]?.string.map { (name: $0, value: pair["Value"] ?? .null) } }
        }
      } ?? ((try? node.members()) ?? []).map { (name: $0.name, value: $0.node.value) }
    var total = 0
    for (name, value) in pairs {
      guard let text = text(value), !name.isEmpty, name.utf8.count <= ConfigurationValue.maximumLength,
        text.utf8.count <= ConfigurationValue.maximumLength, values.count < ConfigurationValue.maximumCount
      else {
        skip(origin.place(node), "a value of the configuration is not a text")
        continue
      }
      total += name.utf8.count + text.utf8.count
      guard total <= ConfigurationValue.maximumTotalLength else {
        return skip(origin.place(node), "the configuration is too long")
      }
      values.append(ConfigurationValue(name, text))
      if ["IntuneMAMUPN", "IntuneMAMOID"].contains(name) { account = account ?? Self.name(text) }
    }
    guard !values.isEmpty else { return skip(origin.place(node), "the configuration is empty") }
    let place = origin.place(node)
    // Only device management names the user in a configuration.
    if let account { add(Fact(time: origin.time, account: account, content: .deviceAccount, place: place)) }
    add(
      Fact(
        time: origin.time, account: account ?? Self.only(origin.accounts), content: .configuration(values), place: place
      ))
  }

  // MARK: - Entries of the unified log

  /// Whether a value is an entry of the unified log, as `log show --style json` has it.
  private static func isEntry(_ node: JSONNode) -> Bool { node.value.object?["eventMessage"] != nil }

  private mutating func readEntry(_ node: JSONNode, _ origin: Origin) {
    examined += 1
    guard let entry = node.value.object, let message = entry["eventMessage"]?.string else {
      return skip(origin.place(node), "the entry has no message")
    }
    let path = entry["processImagePath"]?.string ?? entry["process"]?.string ?? ""
    let number = entry["processID"]?.number.map { "[\($0.text)]" } ?? ""
    var line = FieldLogLine(message, year: nil)
    line.process = path.isEmpty ? "" : "\(path.split(separator: "/").last ?? "")\(number)"
    line.time = entry["timestamp"]?.string.flatMap { FieldLogTime($0) }
    read(line, origin.place(node), isLast: false)
  }
}
