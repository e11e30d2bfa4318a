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

  /// What the bytes of a header that does not verify say: a journal, and the domain of its events.
  struct Claim {
    var id: JournalID
    /// `nil` where they say that none is named.
    var domain: String?
  }

  /// A name as messages show it.
  static func quoted(_ name: String?) -> String { name.map { "\"\($0)\"" } ?? "none" }

  /// Reads a header that does not verify; `nil` where its magic, size, flag and name do not fit each other.
  ///
  /// - Parameters:
  ///   - sizes: the header's size in format 1.0, and now.
  ///   - offset: where the name is now.
  static func claim(in bytes: [UInt8], magic: UInt64, sizes: (Int, Int), at offset: Int) -> Claim? {
    guard let start = FixedRecord(bytes, size: sizes.0), start.integer(at: 0, as: UInt64.self) == magic,
      start.integer(at: 8, as: UInt16.self) == Format.majorVersion
    else { return nil }
    let isOfFormat10 = VersionedHeader.isOfFormat10(start)
    let size = isOfFormat10 ? sizes.0 : sizes.1
    guard start.integer(at: 12, as: UInt32.self) == UInt32(size), let record = FixedRecord(bytes, size: size),
      let id = JournalID(bytes: record.slice(at: 24, count: 16)),
      case .some(let domain) = read(record, at: isOfFormat10 ? nil : offset)
    else { return nil }
    return Claim(id: id, domain: domain)
  }
}

extension JournalIdentity {
  /// What the bytes of a `JOURNAL` that does not verify say of the domain.
  static func claimedDomain(in bytes: [UInt8]) -> DomainName.Claim? {
    DomainName.claim(
      in: bytes, magic: Format.identityMagic, sizes: (Format.smallestIdentitySize, Format.identitySize), at: 92)
  }
}

extension SegmentHeader {
  /// What the bytes of a header that does not verify say of the domain.
  static func claimedDomain(in bytes: [UInt8]) -> DomainName.Claim? {
    DomainName.claim(
      in: bytes, magic: Format.segmentMagic, sizes: (Format.smallestSegmentHeaderSize, Format.segmentHeaderSize),
      at: 156)
  }
}
