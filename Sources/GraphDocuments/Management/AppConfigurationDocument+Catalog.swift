import AppProtection
import JSON

extension AppConfigurationDocument.Setting {
  /// Reads a setting of the settings catalog (Graph: `deviceManagementConfigurationSettingInstance`) and its child
  /// settings.
  ///
  /// A choice becomes the name of its option without that of its setting; the values of a list are joined with commas.
  static func catalog(_ instance: JSONNode) throws(JSONError) -> [AppConfigurationDocument.Setting] {
    let key = try instance.required("settingDefinitionId").string()
    var texts: [String] = []
    var below: [AppConfigurationDocument.Setting] = []
    var isSecret = false
    var isChoice = false
    for name in [
      "simpleSettingValue", "simpleSettingCollectionValue", "choiceSettingValue", "choiceSettingCollectionValue",
      "groupSettingValue", "groupSettingCollectionValue",
    ] {
      guard let member = try instance.present(name) else { continue }
      for value in member.value.array == nil ? [member] : try member.elements() {
        if try value.text("@odata.type")?.hasSuffix("SecretSettingValue") == true { isSecret = true }
        if let scalar = try value.present("value") {
          texts.append(text(of: scalar.value, in: key))
          // Only an option of this very setting is certainly none of an administrator's texts.
          isChoice =
            name.hasPrefix("choice") && (isChoice || texts.count == 1)
            && scalar.value.string.map { $0.hasPrefix("\(key)_") && !JSONExcerpt.containsAddress($0) } == true
        }
        for child in try value.present("children")?.elements() ?? [] { below += try catalog(child) }
      }
    }
    let value = texts.isEmpty ? nil : texts.joined(separator: ", ")
    return [
      AppConfigurationDocument.Setting(
        key: key, type: nil, value: value, isSecret: isSecret, isChoice: isChoice, isFromCatalog: true)
    ] + below
  }

  private static func text(of value: JSONValue, in key: String) -> String {
    guard let text = value.string else { return value.number?.text ?? value.description }
    return text.hasPrefix("\(key)_") ? String(text.dropFirst(key.count + 1)) : text
  }
}
