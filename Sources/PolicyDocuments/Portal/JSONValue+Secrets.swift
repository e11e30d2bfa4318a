import EventSourcing
import JSON

extension JSONValue {
  /// Whether a member below has the name of a secret, or a pair of name and value has it as its name.
  var holdsSecret: Bool {
    switch content {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: \.holdsSecret)
    case .object(let object):
      object.members.contains { member in
        Privacy.namesSecret(member.name) || member.value.holdsSecret
          || (["name", "key", "appconfigkey"].contains(member.name.lowercased())
            && member.value.string.map(Privacy.namesSecret) ?? false)
      }
    }
  }

  /// Whether a value is shown under no circumstances: it has the name of a secret, or is JSON that holds one.
  static func isSecret(_ text: String, named name: String) -> Bool {
    // Whether something is needed or allowed is no secret.
    guard !["", "null", "true", "false"].contains(text.lowercased()) else { return false }
    if Privacy.namesSecret(name) { return true }
    guard text.utf8.first.map({ $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) ?? false else { return false }
    return (try? JSONDocument.parse(text).value.holdsSecret) ?? false
  }
}
