/// A body in the file `KEYFRAMES`: bytes derived from the history up to an event.
public struct Keyframe: Hashable, Sendable {
  /// The last event that went into it.
  public let sequence: UInt64
  /// The chain value after that event: a history with another value there is not the one it was derived from.
  public let chain: UInt32
  /// The length of the body in bytes.
  public let bodyLength: Int
  /// The page of the file with which it begins.
  let page: UInt64
  let bodyChecksum: UInt32

  /// How many pages it takes.
  var pageCount: UInt64 { max(1, UInt64((bodyLength + Self.bodySize - 1) / Self.bodySize)) }
  /// The page after it.
  var end: UInt64 { page + pageCount }

  static let fileName = "KEYFRAMES"
  static let pageSize = 4096
  static let headerSize = 80
  /// The bytes of the body in one page.
  static let bodySize = pageSize - headerSize
  /// The maximum length of a body, in bytes.
  static let maximumBodyLength = 64 << 20

  init(sequence: UInt64, chain: UInt32, page: UInt64, body: [UInt8]) {
    self.sequence = sequence
    self.chain = chain
    self.page = page
    bodyLength = body.count
    bodyChecksum = Checksum.crc32(0, body)
  }

  /// The beginning of a page.
  static func header(_ bytes: [UInt8]) -> SmallHeader {
    SmallHeader.check(bytes, magic: Format.keyframesMagic, size: headerSize, flags: 68, stated: pageSize)
  }

  /// Reads the header of a page; `nil` when it does not verify there, needs a newer program, or is of another journal.
  init?(_ bytes: [UInt8], at page: UInt64, of id: JournalID) {
    guard case .sound(let record, id) = Self.header(bytes),
      record.integer(at: 32, as: UInt64.self) == page, record.integer(at: 48, as: UInt64.self) < Format.numberLimit,
      record.integer(at: 56, as: UInt32.self) <= UInt32(Self.maximumBodyLength)
    else { return nil }
    self.page = record.integer(at: 40)
    sequence = record.integer(at: 48)
    bodyLength = Int(record.integer(at: 56, as: UInt32.self))
    chain = record.integer(at: 60)
    bodyChecksum = record.integer(at: 64)
    guard self.page <= page, page - self.page < pageCount else { return nil }
  }

  /// The pages of a body, each after a header that says which entry it belongs to, so that no content of a body can be
  /// mistaken for a header.
  func encoded(_ body: [UInt8], of id: JournalID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(pageCount) * Self.pageSize)
    for index in 0..<Int(pageCount) {
      var record = FixedRecord(size: Self.headerSize)
      record.set(Format.keyframesMagic, at: 0)
      record.set(Format.majorVersion, at: 8)
      record.set(Format.minorVersion, at: 10)
      record.set(UInt32(Self.pageSize), at: 12)
      record.set(id.bytes, at: 16)
      record.set(page + UInt64(index), at: 32)
      record.set(page, at: 40)
      record.set(sequence, at: 48)
      record.set(UInt32(bodyLength), at: 56)
      record.set(chain, at: 60)
      record.set(bodyChecksum, at: 64)
      record.seal()
      bytes += record.bytes
      bytes += body[min(body.count, index * Self.bodySize)..<min(body.count, (index + 1) * Self.bodySize)]
      bytes += repeatElement(0, count: (index + 1) * Self.pageSize - bytes.count)
    }
    return bytes
  }
}
