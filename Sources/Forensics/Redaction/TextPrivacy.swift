import JSON

/// Decides for every output what is personal and what is secret in a text that is shown by its field's class.
///
/// ``Redaction`` and ``Pseudonyms`` ask it, so that a value that one output replaces by a pseudonym is withheld in all others, and
/// a secret in all.
package enum TextPrivacy {
  /// How often a text is decoded to look for what is encoded in it.
  private static let maximumDepth = 4

  /// Whether a text identifies someone: it has an address in it, or the link of an authority that issues tokens to the users of one
  /// tenant, whose name is the domain of its users.
  package static func identifies(_ text: String) -> Bool { !isPlain(text) && identifies(text, 0) }

  private static func identifies(_ text: String, _ depth: Int) -> Bool {
    if JSONExcerpt.containsAddress(text) || namesTenant(text) { return true }
    guard let decoded = PercentEncoding.decoded(Array(text.utf8)[...]) else { return false }
    return depth == maximumDepth || identifies(String(decoding: decoded, as: UTF8.self), depth + 1)
  }

  /// A text with `(secret)` in place of each secret in its links and query strings.
  package static func withoutSecrets(_ text: String) -> String {
    isPlain(text) ? text : LinkSecrets.replaced(text) ?? text
  }

  /// Whether a text has a secret in a link or query string.
  package static func holdsSecret(_ text: String) -> Bool { !isPlain(text) && LinkSecrets.replaced(text) != nil }

  /// Whether a text has neither what an address, nor what a link with a host, nor what a parameter needs. Hardly any text has.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var (signs, slashes) = (0, 0)
      // Without branches, so that the processor takes many bytes at a time.
      for byte in bytes {
        signs &+= byte == UInt8(ascii: "@") ? 1 : 0
        signs &+= byte == UInt8(ascii: "=") ? 1 : 0
        signs &+= byte == UInt8(ascii: "%") ? 1 : 0
        slashes &+= byte == UInt8(ascii: "/") ? 1 : 0
      }
      return signs == 0 && slashes < 2
    }
  }

  // MARK: Tenants

  /// What stands in place of a tenant for accounts of any.
  private static let shared = ["common", "organizations", "consumers"]

  /// Whether a text has a link such as `https://login.microsoftonline.com/contoso.com`.
  private static func namesTenant(_ text: String) -> Bool {
    var rest = Array(text.lowercased().utf8)[...]
    while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
      rest = rest[(slash + 1)...]
      guard rest.first == UInt8(ascii: "/") else { continue }
      let host = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") && !endsSegment($0) }
      guard host.starts(with: "login.".utf8) || host.starts(with: "sts.".utf8) else { continue }
      let path = rest[host.endIndex...]
      guard path.first == UInt8(ascii: "/") else { continue }
      let segment = path.drop { $0 == UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "/") && !endsSegment($0) }
      let name = String(decoding: segment, as: UTF8.self)
      if !name.isEmpty, !shared.contains(name) { return true }
    }
    return false
  }

  /// Whether a character ends a host or a part of a path.
  private static func endsSegment(_ byte: UInt8) -> Bool { byte <= 0x20 || "?#&\"'\\<>),;".utf8.contains(byte) }
}

// MARK: - Documents

extension TextPrivacy {
  /// Whether a text of JSON identifies someone, also where its characters are written as escapes.
  package static func identifies(json text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "\\")), let document = try? JSONDocument.parse(text) else {
      return identifies(text)
    }
    return identifies(text) || identifies(document.value)
  }

  /// A text of JSON without the secrets in its texts, and byte for byte the same where there are none.
  package static func withoutSecrets(json text: String) -> String {
    guard !isPlain(text) || text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    guard let document = try? JSONDocument.parse(text) else { return withoutSecrets(text) }
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
    case .string(let text): holdsSecret(text) ? .string(withoutSecrets(text)) : value
    case .array(let elements): .array(elements.map { withoutSecrets($0) })
    case .object(let object):
      .object(object.members.map { JSONObject.Member(withoutSecrets($0.name), withoutSecrets($0.value)) })
    }
  }
}
