/// A domain's name in a header: 64 bytes, padded with zeros; all zero without a domain.
enum DomainName {
  static let maximumLength = 63

  static func isValid(_ name: some Collection<UInt8>) -> Bool {
    (1...maximumLength).contains(name.count)
      && name.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
  }

  static func encoded(_ name: String?) -> [UInt8] {
    let bytes = Array((name ?? "").utf8.prefix(maximumLength))
    return bytes + repeatElement(0, count: Format.domainNameSize - bytes.count)
  }

  /// The name that a header states; `nil` when it is not one, or the header's flag says otherwise.
  ///
  /// - Parameter offset: `nil` for a header of format 1.0, which names no domain.
  static func read(_ record: FixedRecord, at offset: Int?) -> String?? {
    let isStated = record.integer(at: 20, as: UInt32.self) & Format.domainFlag != 0
    guard let offset else { return isStated ? nil : .some(nil) }
    let field = record.slice(at: offset, count: Format.domainNameSize)
    let name = field.prefix { $0 != 0 }
    guard field[name.count...].allSatisfy({ $0 == 0 }), isStated == !name.isEmpty, name.isEmpty || isValid(name) else {
      return nil
    }
    return .some(isStated ? String(decoding: name, as: UTF8.self) : nil)
  }
}
