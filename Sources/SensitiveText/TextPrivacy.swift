/// Decides for every output what is personal and what is secret in a text that is shown by its field's class.
///
/// Every output asks it, so that a value that one replaces by a pseudonym is withheld in all others, and a secret in all.
package enum TextPrivacy {
  /// How often a text is decoded to look for what is encoded in it.
  private static let maximumDepth = 4

  /// Whether a text identifies someone: it has an address in it, or the link of an authority that issues tokens to the users of one
  /// tenant, whose name is the domain of its users.
  package static func identifies(_ text: String) -> Bool {
    TextSigns(of: text).allowPersons && identifies(text, 0)
  }

  private static func identifies(_ text: String, _ depth: Int) -> Bool {
    if containsAddress(text) || namesTenant(text) { return true }
    guard let decoded = PercentEncoding.decoded(Array(text.utf8)[...]) else { return false }
    return depth == maximumDepth || identifies(String(decoding: decoded, as: UTF8.self), depth + 1)
  }

  /// A text with `(secret)` in place of each secret in its links and query strings.
  package static func withoutSecrets(_ text: String) -> String {
    TextSigns(of: text).allowSecrets ? LinkSecrets.replaced(text) ?? text : text
  }

  /// Whether a text has a secret in a link or query string.
  package static func holdsSecret(_ text: String) -> Bool {
    TextSigns(of: text).allowSecrets && LinkSecrets.replaced(text) != nil
  }

  /// A text as it is shown: with `(secret)` in place of each secret in its links; `nil` where it identifies someone, and that is
  /// not revealed.
  package static func shown(_ text: String, revealsPersons: Bool) -> String? {
    let signs = TextSigns(of: text)
    if !revealsPersons, signs.allowPersons, identifies(text, 0) { return nil }
    return signs.allowSecrets ? LinkSecrets.replaced(text) ?? text : text
  }

  // MARK: Addresses and identifiers

  /// The names of OData's annotations, which follow `@odata.` (OData JSON Format 4.01, 4.6; 4.0, 4.5 and 8.5).
  private static let annotations = [
    "associationLink", "bind", "collectionAnnotations", "context", "count", "deltaLink", "editLink", "etag", "id",
    "mediaContentType", "mediaEditLink", "mediaEtag", "mediaReadLink", "metadataEtag", "navigationLink", "nextLink",
    "readLink", "removed", "type",
  ]

  /// Whether a text contains an `@` other than before the name of an annotation of OData's.
  package static func containsAddress(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return false }
    return text.split(separator: "@", omittingEmptySubsequences: false).dropFirst().contains { rest in
      !annotations.contains { name in
        guard rest.hasPrefix("odata.\(name)") else { return false }
        return rest.dropFirst(name.count + 6).unicodeScalars.first.map { !$0.properties.isAlphabetic && $0 != "." }
          ?? true
      }
    }
  }

  /// Whether a text contains hexadecimal digits grouped as 8-4-4-4-12.
  package static func containsGUID(_ text: String) -> Bool {
    let lengths = [8, 4, 4, 4, 12]
    var groups: [Int] = []
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66:
        digits += 1
        if digits == 12, groups.suffix(4) == lengths.prefix(4) { return true }
      case UInt8(ascii: "-"):
        // The first group may be preceded by more digits.
        groups.append(groups.isEmpty || groups.count >= 4 ? min(digits, 8) : digits)
        groups = Array(groups.suffix(4))
        digits = 0
      default:
        groups.removeAll()
        digits = 0
      }
    }
    return false
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
