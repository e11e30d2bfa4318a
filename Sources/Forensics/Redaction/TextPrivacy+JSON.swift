import JSON
import SensitiveText

extension TextPrivacy {
  /// A text of JSON as it is shown: without the secrets in its texts, and byte for byte the same where there are none; `nil` where
  /// it identifies someone, also by characters that are written as escapes, and that is not revealed.
  package static func shown(json text: String, revealsPersons: Bool) -> String? {
    let signs = TextSigns(of: text)
    let hasEscapes = text.utf8.contains(UInt8(ascii: "\\"))
    if !revealsPersons, signs.allowPersons, identifies(text) { return nil }
    guard hasEscapes || signs.allowSecrets else { return text }
    guard let document = try? JSONDocument.parse(text) else { return withoutSecrets(text) }
    if !revealsPersons, hasEscapes, identifies(document.value) { return nil }
    let replaced = withoutSecrets(document.value)
    return replaced == document.value ? text : replaced.text(style: .compact)
  }

  /// Whether a text or a name in a value identifies someone.
  package static func identifies(_ value: JSONValue) -> Bool {
    switch value.content {
    case .null, .bool, .number: false
    case .string(let text): identifies(text)
    case .array(let elements): elements.contains { identifies($0) }
    case .object(let object): object.members.contains { identifies($0.name) || identifies($0.value) }
    }
  }

  /// A value without the secrets in its texts and names.
  package static func withoutSecrets(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .null, .bool, .number: value
    case .string(let text): .string(withoutSecrets(text))
    case .array(let elements): .array(elements.map { withoutSecrets($0) })
    case .object(let object):
      .object(object.members.map { JSONObject.Member(withoutSecrets($0.name), withoutSecrets($0.value)) })
    }
  }
}
