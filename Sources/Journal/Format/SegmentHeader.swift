import PlainText

/// How a segment ended, as the header of the next one states it.
public struct SegmentEnd: RawRepresentable, Hashable, Sendable {
  /// The number in the header.
  public let rawValue: UInt8

  /// Wraps a number; unknown ones are treated as ``torn``.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No earlier segment exists.
  public static let none = SegmentEnd(rawValue: 0)
  /// It was full, and ended with a footer.
  public static let sealed = SegmentEnd(rawValue: 1)
  /// A write was not finished; what follows the valid length was never acknowledged.
  public static let torn = SegmentEnd(rawValue: 2)
  /// The device failed to sync it, or nothing proved that it had been synced when another process took the journal
  /// over; what follows the valid length was written again to the next segment.
  public static let syncFailed = SegmentEnd(rawValue: 3)
  /// It was damaged, and the owner decided to continue after its verified prefix. Durable events were given up.
  public static let damaged = SegmentEnd(rawValue: 4)
}

/// The first bytes of a segment.
struct SegmentHeader: Hashable, Sendable {
  /// What is known about the previous segment.
  struct Predecessor: Hashable, Sendable {
    var end: SegmentEnd
    /// Everything before this offset verified and belongs to the history; everything after it does not.
    var validLength: UInt64
    /// Everything before this offset was synced.
    var durableLength: UInt64
    var eventCount: UInt32

    static let none = Predecessor(end: .none, validLength: 0, durableLength: 0, eventCount: 0)
  }

  var id: JournalID
  var ordinal: UInt64
  var firstSequence: UInt64
  var chainIn: UInt32
  var predecessor: Predecessor
  var createdNanoseconds: Int64
  /// The history digest before the first event; `nil` when none is kept.
  var digestIn: [UInt8]?
  /// The SHA-256 of the catalogue that follows the header; `nil` without one.
  var catalogDigest: [UInt8]?
  /// The name of the events' domain.
  var domain: String?
  /// Where frames begin: 128 bytes in format 1.0.
  var size: Int = Format.segmentHeaderSize

  /// The running history digest at the first event: the segment's catalogue is a step of its own. `nil` when none is
  /// kept.
  func beginDigest() -> HistoryDigest? {
    guard let digest = digestIn.map({ HistoryDigest($0) }) else { return nil }
    catalogDigest?.withUnsafeBytes { digest.add($0) }
    _ = digest.step()
    return digest
  }

  var seed: UInt32 { Checksum.segmentSeed(id, ordinal: ordinal) }

  /// The first event of the previous segment, derived from the count of its events; `nil` without one, or when it has
  /// more than the header can count.
  var firstOfPredecessor: UInt64? {
    let count = UInt64(predecessor.eventCount)
    return ordinal > 1 && predecessor.eventCount < .max && count < firstSequence ? firstSequence - count : nil
  }

  /// The result of reading a header.
  enum Reading {
    case sound(SegmentHeader)
    case unsupported(String)
    case damaged(String)
  }

  func encoded() -> [UInt8] {
    var record = FixedRecord(size: Format.segmentHeaderSize)
    record.set(Format.segmentMagic, at: 0)
    record.set(Format.majorVersion, at: 8)
    record.set(Format.minorVersion, at: 10)
    record.set(UInt32(Format.segmentHeaderSize), at: 12)
    record.set(digestIn == nil ? 0 : Format.historyDigestFlag, at: 16)
    record.set(domain == nil ? 0 : Format.domainFlag, at: 20)
    record.set(id.bytes, at: 24)
    record.set(ordinal, at: 40)
    record.set(firstSequence, at: 48)
    record.set(chainIn, at: 56)
    record.set(predecessor.end.rawValue, at: 60)
    record.set(predecessor.validLength, at: 64)
    record.set(predecessor.durableLength, at: 72)
    record.set(createdNanoseconds, at: 80)
    record.set(digestIn ?? HistoryDigest.initial, at: 88)
    record.set(predecessor.eventCount, at: 120)
    record.set(catalogDigest ?? HistoryDigest.initial, at: 124)
    record.set(DomainName.encoded(domain), at: 156)
    record.seal()
    return record.bytes
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    let check = VersionedHeader.check(
      bytes, magic: Format.segmentMagic, sizes: (Format.smallestSegmentHeaderSize, Format.segmentHeaderSize),
      knownFlags: Format.domainFlag)
    switch check {
    case .damaged(let why): return .damaged(why)
    case .unsupported(let what): return .unsupported(what)
    case .sound(let record):
      let ordinal = record.integer(at: 40, as: UInt64.self)
      let firstSequence = record.integer(at: 48, as: UInt64.self)
      guard let id = JournalID(bytes: record.slice(at: 24, count: 16)), ordinal > 0, firstSequence > 0,
        ordinal < Format.numberLimit, firstSequence <= Format.numberLimit
      else { return .damaged("its header has no possible number") }
      let isOfFormat10 = VersionedHeader.isOfFormat10(record)
      guard case .some(let domain) = DomainName.read(record, at: isOfFormat10 ? nil : 156) else {
        return .damaged("its domain's name is not one")
      }
      let hasCatalog = !isOfFormat10 && !record.isZero(124..<156)
      let hasDigest = record.integer(at: 16, as: UInt32.self) & Format.historyDigestFlag != 0
      return .sound(
        SegmentHeader(
          id: id, ordinal: ordinal, firstSequence: firstSequence, chainIn: record.integer(at: 56),
          predecessor: Predecessor(
            end: SegmentEnd(rawValue: record.integer(at: 60)), validLength: record.integer(at: 64),
            durableLength: record.integer(at: 72), eventCount: record.integer(at: 120)),
          createdNanoseconds: record.integer(at: 80), digestIn: hasDigest ? record.slice(at: 88, count: 32) : nil,
          catalogDigest: hasCatalog ? record.slice(at: 124, count: 32) : nil, domain: domain, size: record.bytes.count))
    }
  }
}

/// The name of a segment file: the number of its first event in 20 digits, then `.seg`.
///
/// A segment that supersedes one without any event has the same first event; its ordinal, in ten digits or more, is
/// added after a hyphen. Names order as their numbers do, the one without an ordinal first.
struct SegmentName: Hashable, Comparable, Sendable {
  var firstSequence: UInt64
  /// Zero when the name has none.
  var ordinal: UInt64
  /// The name that another program gave the file; `nil` where it has its own.
  var foreign: String?

  static func < (one: SegmentName, other: SegmentName) -> Bool {
    (one.firstSequence, one.ordinal) < (other.firstSequence, other.ordinal)
  }

  init(firstSequence: UInt64, ordinal: UInt64) {
    self.firstSequence = firstSequence
    self.ordinal = ordinal
  }

  /// Added to an ordinal for a name that no other file has, while a writer reinstalls a segment.
  static let step: UInt64 = 1 << 40

  /// Whether a segment of this ordinal may have the name.
  func fits(ordinal: UInt64) -> Bool {
    self.ordinal == 0 || (self.ordinal >= ordinal && (self.ordinal - ordinal) % Self.step == 0)
  }

  /// Reads a name; `nil` if it is not a segment's.
  init?(_ name: String) {
    if let sequence = Self.plainSequence(name) {
      self.init(firstSequence: sequence, ordinal: 0)
      return
    }
    guard name.hasSuffix(".seg") else { return nil }
    let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, first.utf8.count == 20, parts.count <= 2,
      let sequence = Self.number(first), sequence > 0, sequence <= Format.numberLimit
    else { return nil }
    var ordinal: UInt64 = 0
    if parts.count == 2 {
      guard parts[1].utf8.count >= 10, let number = Self.number(parts[1]), number > 0, number < Format.numberLimit
      else {
        return nil
      }
      ordinal = number
    }
    self.init(firstSequence: sequence, ordinal: ordinal)
    guard text == name else { return nil }
  }

  /// The number in a name of the usual form, 20 digits and `.seg`: a long journal has hundreds of them.
  private static func plainSequence(_ name: String) -> UInt64? {
    let utf8 = name.utf8
    guard utf8.count == 24 else { return nil }
    var sequence: UInt64 = 0
    var place = 0
    for byte in utf8 {
      if place < 20 {
        guard (0x30...0x39).contains(byte) else { return nil }
        let (tens, isTooLarge) = sequence.multipliedReportingOverflow(by: 10)
        guard !isTooLarge, tens <= Format.numberLimit else { return nil }
        sequence = tens + UInt64(byte - 0x30)
      }
      place += 1
    }
    guard name.hasSuffix(".seg") else { return nil }
    return sequence > 0 && sequence <= Format.numberLimit ? sequence : nil
  }

  var text: String {
    if let foreign { return foreign }
    let base = firstSequence.padded(to: 20)
    return ordinal == 0 ? base + ".seg" : base + "-" + ordinal.padded(to: 10) + ".seg"
  }

  /// Only ASCII digits: `UInt64(_:)` takes a plus sign too.
  static func number(_ digits: some StringProtocol) -> UInt64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(digits) : nil
  }
}
