import Cryptography
import EventSourcing
import JSON
import PlainText
import SensitiveText

/// Replaces personal values by pseudonyms: HMAC-SHA-256 (RFC 2104) of the value under a key that only the exporter has.
///
/// Equal values have equal pseudonyms, and texts that differ only in case have pseudonyms that differ only in case, so that
/// rules and readers that compare them find the same. Placeholders in a text, and the domains above that of an address, stay
/// recognisable for the same reason. A pseudonym is replaced by itself: what was redacted once stays as it is.
public struct Pseudonyms: Sendable {
  /// The length of a key in bytes, 32.
  public static let keyByteCount = 32
  /// What stands for a secret, whose pseudonym would serve no reader.
  static let secret = "withheld"

  private static let keyByteCounts = 16...1024

  private let key: KeyBytes

  /// Pseudonyms under a key of 16 bytes or more; `nil` for a shorter one. The caller's array stays as it is.
  public init?(key: [UInt8]) {
    guard Self.keyByteCounts.contains(key.count) else { return nil }
    self.key = KeyBytes(copying: key)
  }

  /// Pseudonyms under a key that was read for them; clears the array.
  package init?(taking key: inout [UInt8]) {
    let taken = KeyBytes(taking: &key)
    guard Self.keyByteCounts.contains(taken.count) else { return nil }
    self.key = taken
  }

  /// Pseudonyms under a key from the system's random number generator, which no other export has.
  public init() {
    key = KeyBytes(count: Self.keyByteCount) { bytes in
      var generator = SystemRandomNumberGenerator()
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...UInt8.max, using: &generator) }
    }
  }

  /// What a value is, so that equal bytes of two kinds have different codes.
  private enum Purpose: UInt8 {
    case name = 1
    case nameCase, guid, bytes
  }

  private func code(_ purpose: Purpose, _ bytes: [UInt8]) -> [UInt8] {
    HMACSHA256.requiredCode(of: [purpose.rawValue] + bytes, key: key)
  }

  // MARK: Texts

  private static let letterCount = 16
  private static let addressEnd = ".invalid"
  /// How many domains the pseudonym of an address names, its own and those above it.
  private static let maximumDomains = 8

  /// The pseudonym of a text. That of an address is one, of the domain `invalid` (RFC 2606), and that of a GUID a GUID.
  func text(_ text: String) -> String {
    if text == Self.secret || Self.isPseudonym(text) || Placeholders.isPlain(text) { return text }
    if let guid = Self.guid(text) { return Self.text(ofGUID: self.guid(guid)) }
    let names = Placeholders.names(in: text).map { name in
      "{{\(Placeholders.isPlainName(name.utf8) ? String(name) : "t" + letters(String(name)))}}"
    }
    // Rules look for placeholders that were never filled in, and whether a text begins with one.
    let pseudonym = names.joined() + "t" + letters(text) + TextPrivacy.pseudonymEnd
    if Placeholders.begin(text) { return names.isEmpty ? "{{}}" + pseudonym : pseudonym }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let isAddress =
      parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
    guard isAddress || !names.isEmpty else { return pseudonym }
    guard names.isEmpty else { return "-" + pseudonym }
    return "p\(letters(String(parts[0])))@\(domain(parts[1]))\(Self.addressEnd)"
  }

  /// The pseudonym of a domain, before that of the domain above it, and so on up to one of two labels: so the names of one
  /// organization are recognisable.
  private func domain(_ domain: Substring) -> String {
    var rest = domain
    var pseudonyms = ["d" + letters(String(domain))]
    while pseudonyms.count < Self.maximumDomains, let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      guard rest.contains(".") else { break }
      pseudonyms.append("d" + letters(String(rest)))
    }
    return pseudonyms.joined(separator: ".")
  }

  /// A text that is public by its kind: itself without the secrets in its links, or its pseudonym where it identifies someone.
  package func shown(_ text: String) -> String {
    TextPrivacy.identifies(text) ? self.text(text) : TextPrivacy.withoutSecrets(text)
  }

  /// An error at a path, as it leaves: see ``ErrorText``.
  package func shown(error: String, of path: String) -> String { ErrorText.shown(error, of: path, shown) }

  /// Sixteen letters from a to p for a text in lower case; where it has others, some of them are capitals.
  private func letters(_ text: String) -> String {
    let lowered = text.lowercased()
    let code = code(.name, Array(lowered.utf8)).prefix(Self.letterCount / 2)
    let nibbles = code.flatMap { [$0 >> 4, $0 & 15] }
    var capitals: UInt16 = 0
    if !lowered.utf8.elementsEqual(text.utf8) {
      let bits = self.code(.nameCase, Array(text.utf8))
      capitals = max(1, UInt16(bits[0]) << 8 | UInt16(bits[1]))
    }
    let letters = nibbles.enumerated().map { index, nibble in
      (capitals >> UInt16(index) & 1 == 1 ? UInt8(ascii: "A") : UInt8(ascii: "a")) + nibble
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Whether a text is a pseudonym.
  static func isPseudonym(_ text: String) -> Bool {
    func isName(_ name: some Collection<UInt8>, _ first: UInt8) -> Bool {
      name.count == letterCount + 1 && name.first == first
        && name.dropFirst().allSatisfy { 0x61...0x70 ~= $0 | 0x20 && $0 >= 0x41 }
    }
    let bare = withoutPlaceholders(text)
    if bare.hasSuffix(TextPrivacy.pseudonymEnd) {
      return isName(bare.utf8.dropLast(TextPrivacy.pseudonymEnd.utf8.count), UInt8(ascii: "t"))
    }
    guard text.hasSuffix(addressEnd) else { return guid(text).map(isPseudonym) ?? false }
    let parts = text.utf8.dropLast(addressEnd.utf8.count).split(
      separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return parts.count == 2 && isName(parts[0], UInt8(ascii: "p"))
      && parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
        isName($0, UInt8(ascii: "d"))
      }
  }

  /// A pseudonym without the placeholders that precede it; any other text as it is.
  private static func withoutPlaceholders(_ text: String) -> Substring {
    let body = text.hasPrefix("-{{") ? text.dropFirst() : text[...]
    guard body.hasPrefix("{{"), let end = body.ranges(of: "}}").last?.upperBound else { return text[...] }
    let names = body[..<end].split(separator: "}}", omittingEmptySubsequences: true)
    let arePlain = names.allSatisfy { $0.hasPrefix("{{") && Placeholders.isPlainName($0.utf8.dropFirst(2)) }
    return arePlain ? body[end...] : text[...]
  }

  // MARK: GUIDs

  /// The beginning of every pseudonym of 16 bytes.
  private static let mark: [UInt8] = Array("pjrd".utf8)

  /// The pseudonym of a GUID, of version 8 (RFC 9562); that of any other bytes has their length cut to 16.
  func guid(_ bytes: [UInt8]) -> [UInt8] {
    if Self.isPseudonym(bytes) { return bytes }
    var pseudonym = Self.mark + code(.guid, bytes).prefix(12)
    pseudonym[6] = pseudonym[6] & 0x0F | 0x80
    pseudonym[8] = pseudonym[8] & 0x3F | 0x80
    return pseudonym
  }

  /// Whether 16 bytes are a pseudonym.
  static func isPseudonym(_ bytes: [UInt8]) -> Bool {
    bytes.count == 16 && bytes.starts(with: mark) && bytes[6] & 0xF0 == 0x80 && bytes[8] & 0xC0 == 0x80
  }

  /// The pseudonym of bytes.
  func bytes(_ bytes: [UInt8]) -> [UInt8] { bytes.isEmpty ? [] : guid(bytes) }

  /// The pseudonym of eight bytes that belong to other bytes: a fingerprint of them. It stays as it is where those are a
  /// pseudonym already.
  func fingerprint(_ bytes: [UInt8], of others: [UInt8]) -> [UInt8] {
    bytes.isEmpty || Self.isPseudonym(others) ? bytes : Array(code(.bytes, bytes).prefix(bytes.count))
  }

  /// The bytes of a text that is a GUID: `8-4-4-4-12` hexadecimal digits.
  private static func guid(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    guard text.utf8.count == 36 else { return nil }
    for (index, character) in text.utf8.enumerated() {
      guard ![8, 13, 18, 23].contains(index) else {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return bytes
  }

  private static func text(ofGUID bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(hexadecimal: [byte])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

// MARK: - Documents

extension Pseudonyms {
  /// A text of JSON with pseudonyms in place of what is personal, and byte for byte the same where nothing is.
  ///
  /// - Parameter isPersonal: Whether all its texts and longer numbers are personal; otherwise only those that identify someone.
  func json(_ text: String, isPersonal: Bool) -> String {
    guard let document = try? JSONDocument.parse(text) else {
      guard isPersonal || TextPrivacy.identifies(text) else { return TextPrivacy.withoutSecrets(text) }
      return JSONValue.string(self.text(text)).text(style: .compact)
    }
    let replaced = value(document.value, isPersonal)
    return replaced == document.value ? text : replaced.text(style: .compact)
  }

  private func value(_ value: JSONValue, _ isPersonal: Bool) -> JSONValue {
    switch value.content {
    case .null, .bool: return value
    case .number(let number):
      return isPersonal && Privacy.canBePersonal(number.text) ? .string(text(number.text)) : value
    case .string(let text):
      if !isPersonal { return .string(shown(text)) }
      return Privacy.canBePersonal(text) ? .string(self.text(text)) : value
    case .array(let elements): return .array(elements.map { self.value($0, isPersonal) })
    case .object(let object):
      return .object(
        object.members.map { member in
          JSONObject.Member(shown(member.name), self.value(member.value, isPersonal))
        })
    }
  }
}
