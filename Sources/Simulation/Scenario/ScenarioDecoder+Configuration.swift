import AppProtection
import JSON

extension ScenarioDecoder {
  /// `{"account": NAME, "is": bool}`: whether an account must be the only managed one.
  func exclusivity(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .setExclusivity(try account(node).reference, true) }
    try node.expectMembers(["account", "is"])
    return .setExclusivity(try account(node.required("account")).reference, try node.required("is").bool())
  }

  /// `{"account": NAME, "default": {KEY: VALUE}, "targeted": [{KEY: VALUE}]}`: an account's configuration from the
  /// service.
  func configuration(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(["account", "default", "targeted"])
    var entries: [ConfigurationEntry] = []
    if let tenant = try node.optional("default") {
      entries.append(ConfigurationEntry(try values(tenant), isDefault: true))
    }
    if let targeted = try node.optional("targeted") {
      for element in try targeted.elements() { entries.append(ConfigurationEntry(try values(element))) }
    }
    return .deliverConfiguration(try account(node.required("account")).reference, entries)
  }

  /// `{KEY: VALUE}` or `{"values": {KEY: VALUE}, "source"}`, or `null`: the app's configuration from device management.
  func deviceConfiguration(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    if node.isNull { return .setDeviceConfiguration(nil) }
    guard let named = try node.optional("values"), named.value.object != nil else {
      return .setDeviceConfiguration(try values(node))
    }
    try node.expectMembers(["values", "source"])
    return .setDeviceConfiguration(try values(named), source: try node.optional("source")?.member() ?? .mdm)
  }

  /// Configuration values in a scenario: text, true or false, or a whole number.
  private func values(_ node: JSONNode) throws(JSONError) -> [ConfigurationValue] {
    var values: [ConfigurationValue] = []
    for (key, value) in try node.members() {
      if let text = value.value.string {
        values.append(ConfigurationValue(key, text))
      } else if let flag = value.value.bool {
        values.append(ConfigurationValue(key, flag))
      } else {
        values.append(ConfigurationValue(key, try value.integer() as Int64))
      }
    }
    return values
  }
}
