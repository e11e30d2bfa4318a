import AppProtection
import JSON

extension FieldLog {
  /// Reads the JSON file of diagnostic information.
  mutating func readInformation(_ bytes: [UInt8], _ file: String) {
    let root: JSONNode
    do throws(JSONError) {
      root = try JSONDocument.parse(bytes).root
    } catch {
      return skip(Place(file, ":\(error.position.line)"), "the file is not JSON: \(error.message)")
    }
    guard let members = try? root.members() else { return skip(Place(file), "the file is not an object") }
    var accounts: [String] = []
    for (name, node) in members where name == "DataStore" { accounts = readStore(node, file) }
    for (name, node) in members {
      examined += 1
      let place = Place(file, ": \(node.path)")
      switch name {
      case "DataStore": break
      case "EMM-UPN", "MDMEnrolledUser": readDeviceAccount(node, place)
      case "RegisteredAccountsNotTargeted":
        for element in node.value.array ?? [] {
          guard let account = element.string.flatMap({ Self.name($0) }) else {
            skip(place, "the value names no account")
            continue
          }
          add(Fact(account: account, content: .registration, place: place))
        }
      case "EffectivePolicies": readPolicies(node, accounts, place)
      default: skip(place, "no event records this value")
      }
    }
  }

  /// Reads what the app stores for each account; returns the accounts.
  private mutating func readStore(_ store: JSONNode, _ file: String) -> [String] {
    guard let members = try? store.members() else {
      skip(Place(file, ": \(store.path)"), "the value is not an object")
      return []
    }
    var accounts: [String] = []
    for (index, (name, node)) in members.enumerated() {
      // Not by its name, which may be a person's.
      let place = Place(file, ": account \(index + 1) of DataStore")
      guard let account = Self.name(name) else {
        skip(place, "the name is not that of an account")
        continue
      }
      accounts.append(account)
      add(Fact(account: account, content: .registration, place: place))
      for (setting, value) in (try? node.members()) ?? [] {
        examined += 1
        let shown = JSONExcerpt.isWithheld(setting) ? JSONExcerpt.withheld : setting
        let place = Place(file, "\(place.part), \(shown)")
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

  private mutating func readDeviceAccount(_ node: JSONNode, _ place: Place) {
    guard let text = node.value.string, let account = Self.name(text) else {
      return skip(place, "the value names no account")
    }
    add(Fact(account: account, content: .deviceAccount, place: place))
  }

  private mutating func readPolicies(_ node: JSONNode, _ accounts: [String], _ place: Place) {
    let text = node.value.text(style: .compact)
    let document: DeviceDocument
    do throws(PolicyDocumentError) {
      document = try DeviceDocument.read(Array(text.utf8))
    } catch {
      return skip(place, "no policy can be read: \(error.message)")
    }
    for item in document.policies {
      let named = accounts.filter { item.path.lowercased().contains($0) }
      guard let account = named.count == 1 ? named.first : accounts.count == 1 ? accounts.first : nil else {
        skip(place, "the account of the policy is not certain")
        continue
      }
      let inferred: [Inference] = named.count == 1 ? [] : [.account]
      add(Fact(account: account, content: .policy(item.policy.policy), place: place, inferred: inferred))
    }
  }

  /// The account that a value stands for: a hash, or a name that was not replaced.
  private static func name(_ text: String) -> String? {
    if let hash = account(in: text) { return hash }
    let isName = !text.isEmpty && text.count <= 128 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isName && !["none", "null", "(null)", "no", "false", "true", "0", "1"].contains(text.lowercased())
      ? text.lowercased() : nil
  }
}
