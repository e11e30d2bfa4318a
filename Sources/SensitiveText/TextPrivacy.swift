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

  /// How the pseudonym of a text ends that is neither an address nor a GUID.
  package static let pseudonymEnd = "@text.invalid"

  /// Whether a text is the pseudonym of one that is neither an address nor a GUID, although it looks like an address.
  package static func isPseudonymOfOther(_ text: String) -> Bool { text.hasSuffix(pseudonymEnd) }

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
  /// The first labels of hosts that issue tokens, alone or before a hyphen, as in `login-us`.
  private static let authorities = ["login", "sts"]
  /// Where hosts issue tokens that are known without a scheme.
  private static let clouds = ["microsoftonline.com", "microsoftonline.us", "microsoftonline.de", "windows.net"]
  /// Where each tenant has a host.
  private static let tenantHosts = [".b2clogin.com", ".ciamlogin.com", ".onmicrosoft.com"]
  /// The parameters that name a tenant.
  private static let tenantParameters = ["domain_hint", "tenant", "tid", "whr"]
  /// How much of a path is looked at. A tenant is its first part, or its second.
  private static let maximumParts = 8
  /// How many links of authorities in one text are looked at. A text with more is not shown.
  private static let maximumLinks = 64

  /// Whether a text has a link such as `https://login.microsoftonline.com/contoso.com`, or the host of a tenant.
  private static func namesTenant(_ text: String) -> Bool {
    // JSON may write a slash as `\/`.
    let bytes = text.lowercased().utf8.filter { $0 != UInt8(ascii: "\\") }
    var rest = bytes[...]
    var links = 0
    while let start = rest.firstIndex(where: isOfHost) {
      let host = rest[start...].prefix(while: isOfHost)
      rest = rest[host.endIndex...]
      if tenantHosts.contains(where: { ends(host, with: $0) }) { return true }
      let isLink = bytes[..<start].suffix(2).elementsEqual("//".utf8)
      guard isAuthority(host, isLink: isLink) else { continue }
      links += 1
      if links > maximumLinks { return true }
      var link = rest.prefix { $0 > 0x20 && !"\"'<>),".utf8.contains($0) }
      if link.first == UInt8(ascii: ":") { link = link.dropFirst().drop { (0x30...0x39).contains($0) } }
      let path = link.prefix { !"?#&;".utf8.contains($0) }
      if pathNamesTenant(path) || queryNamesTenant(link[path.endIndex...]) { return true }
    }
    return false
  }

  private static func isAuthority(_ host: ArraySlice<UInt8>, isLink: Bool) -> Bool {
    if ends(host, with: ".accesscontrol.windows.net") { return true }
    let label = host.prefix { $0 != UInt8(ascii: ".") }
    guard label.count < host.count, isLink || clouds.contains(where: { ends(host, with: ".\($0)") })
    else { return false }
    return authorities.contains { name in
      label.starts(with: name.utf8) && (label.count == name.utf8.count || label.starts(with: "\(name)-".utf8))
    }
  }

  /// Whether the first part of a path is other than what all tenants share, or a later one is a domain or an identifier.
  private static func pathNamesTenant(_ path: ArraySlice<UInt8>) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: maximumParts)
    guard path.first == UInt8(ascii: "/"), let first = parts.first else { return false }
    return !isShared(first)
      || parts.prefix(maximumParts).contains { part in
        let end = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? []
        return part.allSatisfy { $0 == UInt8(ascii: ".") } || containsGUID(String(decoding: part, as: UTF8.self))
          || (end.count > 1 && end.count < part.count && end.allSatisfy { (0x61...0x7A).contains($0) })
      }
  }

  private static func queryNamesTenant(_ query: ArraySlice<UInt8>) -> Bool {
    query.split { "?#&;".utf8.contains($0) }.contains { parameter in
      let name = parameter.prefix { $0 != UInt8(ascii: "=") }
      let value = parameter[name.endIndex...].dropFirst()
      return !value.isEmpty && !isShared(value) && tenantParameters.contains { name.elementsEqual($0.utf8) }
    }
  }

  private static func isShared(_ name: ArraySlice<UInt8>) -> Bool { shared.contains { name.elementsEqual($0.utf8) } }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: byte >= 0x80
    }
  }

  private static func ends(_ host: ArraySlice<UInt8>, with suffix: String) -> Bool {
    host.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
