/// The content of the file `JOURNAL`: which journal this is, and where it comes from.
public struct JournalIdentity: Hashable, Sendable {
  /// The journal that another one was forked from, and the place of the fork.
  public struct Parent: Hashable, Sendable {
    /// The parent's identity.
    public var id: JournalID
    /// The last event of the parent that belongs to the fork's history too.
    public var sequence: UInt64
    /// The parent's chain value after that event.
    public var chain: UInt32

    /// Names a place in a journal.
    public init(id: JournalID, sequence: UInt64, chain: UInt32) {
      self.id = id
      self.sequence = sequence
      self.chain = chain
    }
  }

  /// The journal's identity.
  public var id: JournalID
  /// When it was created: nanoseconds since 1970-01-01T00:00:00Z, as its creator gave them.
  public var createdNanoseconds: Int64
  /// Where it was forked from; `nil` when its first event is number 1.
  public var parent: Parent?
  /// Whether the journal keeps the running SHA-256 of its history.
  public var keepsHistoryDigest: Bool
  /// Whether a ``Salvage`` wrote the journal: its original events are those of its parent under the same numbers, even
  /// after ``Parent/sequence``, except for events without a payload, which mark lost ones.
  public var isSalvaged = false
  /// The last event of the parent that a ``Salvage`` knew of, when no evidence showed how far the parent reached:
  /// others may have followed it. `nil` when its end was known, and when the journal is not salvaged.
  public var lastKnownOfParent: UInt64?
  /// The events before the first one that were lost, in order: the others before it were retired, or are in a fork's
  /// parent. `nil` where `JOURNAL` says nothing about them, as in a journal that is not salvaged, and in one that a salvage
  /// of an earlier version wrote. See ``JournalReader/lostBeforeFirst``.
  public var lostBeforeFirst: [ClosedRange<UInt64>]?

  /// The name of the events' domain; `nil` in a journal that names none, as those of format 1.0.
  public var domain: String?
  /// Whether nothing that is left of `JOURNAL` and the headers says which domain it is, if any. Such a journal can be read,
  /// and is not written to.
  public var isDomainUnknown = false

  /// Whether the program that makes the journal is still writing it, or ended before it had written everything. Only that
  /// program and a ``Salvage`` accept such a journal.
  var isUnfinished = false

  /// A finished journal's identity.
  package init(
    finished id: JournalID, createdNanoseconds: Int64, parent: Parent?, keepsHistoryDigest: Bool, isSalvaged: Bool,
    lastKnownOfParent: UInt64?, lostBeforeFirst: [ClosedRange<UInt64>]? = nil, domain: String?
  ) {
    self.id = id
    self.createdNanoseconds = createdNanoseconds
    self.parent = parent
    self.keepsHistoryDigest = keepsHistoryDigest
    self.isSalvaged = isSalvaged
    self.lastKnownOfParent = lastKnownOfParent
    self.lostBeforeFirst = lostBeforeFirst
    self.domain = domain
  }

  init(
    id: JournalID, createdNanoseconds: Int64, parent: Parent? = nil, keepsHistoryDigest: Bool, isSalvaged: Bool = false,
    lastKnownOfParent: UInt64? = nil, lostBeforeFirst: [ClosedRange<UInt64>]? = nil, domain: String? = nil,
    isUnfinished: Bool = false
  ) {
    self.init(
      finished: id, createdNanoseconds: createdNanoseconds, parent: parent, keepsHistoryDigest: keepsHistoryDigest,
      isSalvaged: isSalvaged, lastKnownOfParent: lastKnownOfParent, lostBeforeFirst: lostBeforeFirst, domain: domain)
    self.isUnfinished = isUnfinished
  }

  /// The result of reading the file.
  enum Reading {
    case sound(JournalIdentity)
    case unsupported(String)
    case damaged(String)
  }

  func encoded() -> [UInt8] {
    let lost = lostBeforeFirst?.fitting(Format.maximumLostStretches) ?? []
    let size = Format.identitySize + Format.lostStretchSize * lost.count
    var record = FixedRecord(size: size)
    record.set(Format.identityMagic, at: 0)
    record.set(Format.majorVersion, at: 8)
    record.set(Format.minorVersion, at: 10)
    record.set(UInt32(size), at: 12)
    record.set(flags, at: 16)
    record.set((isUnfinished ? Format.unfinishedFlag : 0) | (domain != nil ? Format.domainFlag : 0), at: 20)
    record.set(id.bytes, at: 24)
    record.set(createdNanoseconds, at: 40)
    if let parent {
      record.set(parent.id.bytes, at: 48)
      record.set(parent.sequence, at: 64)
      record.set(parent.chain, at: 72)
    }
    record.set(lastKnownOfParent ?? 0, at: 76)
    record.set(UInt32(lost.count), at: 84)
    record.set(DomainName.encoded(domain), at: 92)
    for (index, events) in lost.enumerated() {
      record.set(events.lowerBound, at: Self.lostStretches + Format.lostStretchSize * index)
      record.set(events.upperBound, at: Self.lostStretches + Format.lostStretchSize * index + 8)
    }
    record.seal()
    return record.bytes
  }

  private var flags: UInt32 {
    (keepsHistoryDigest ? Format.historyDigestFlag : 0) | (isSalvaged ? Format.salvagedFlag : 0)
      | (lastKnownOfParent != nil ? Format.unknownEndFlag : 0)
      | (lostBeforeFirst != nil ? Format.recordedBeginningFlag : 0)
  }

  /// Where the stretches of lost events begin.
  private static let lostStretches = 156

  /// The stretches of lost events before the first one; `nil` where these cannot be that.
  private static func lostStretches(_ record: FixedRecord, upTo last: UInt64) -> [ClosedRange<UInt64>]? {
    let count = record.integer(at: 84, as: UInt32.self)
    guard count <= Format.maximumLostStretches,
      lostStretches + Format.lostStretchSize * Int(count) + 4 <= record.bytes.count
    else { return nil }
    var stretches: [ClosedRange<UInt64>] = []
    for index in 0..<Int(count) {
      let place = lostStretches + Format.lostStretchSize * index
      let (lower, upper) = (record.integer(at: place, as: UInt64.self), record.integer(at: place + 8, as: UInt64.self))
      guard lower > stretches.last?.upperBound ?? 0, lower <= upper, upper <= last else { return nil }
      stretches.append(lower...upper)
    }
    return stretches
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    let check = VersionedHeader.check(
      bytes, magic: Format.identityMagic, sizes: (Format.smallestIdentitySize, Format.identitySize), exactly: true,
      knownFlags: Format.unfinishedFlag | Format.domainFlag)
    switch check {
    case .damaged(let why): return .damaged(why)
    case .unsupported(let what): return .unsupported(what)
    case .sound(let record):
      guard let id = JournalID(bytes: record.slice(at: 24, count: 16)),
        let parentID = JournalID(bytes: record.slice(at: 48, count: 16))
      else { return .damaged("its identity is cut short") }
      guard parentID == .none || record.integer(at: 64, as: UInt64.self) < Format.numberLimit else {
        return .damaged("its parent has no possible number")
      }
      guard case .some(let domain) = DomainName.read(record, at: VersionedHeader.isOfFormat10(record) ? nil : 92) else {
        return .damaged("its domain's name is not one")
      }
      let parent =
        parentID == .none
        ? nil : Parent(id: parentID, sequence: record.integer(at: 64), chain: record.integer(at: 72))
      let flags = record.integer(at: 16, as: UInt32.self)
      let isSalvaged = flags & Format.salvagedFlag != 0
      var lost: [ClosedRange<UInt64>]?
      if flags & Format.recordedBeginningFlag != 0, let parent, !VersionedHeader.isOfFormat10(record) {
        lost = lostStretches(record, upTo: parent.sequence)
        guard lost != nil else { return .damaged("the events that it calls lost are not possible") }
      }
      let hasUnknownEnd = isSalvaged && flags & Format.unknownEndFlag != 0
      return .sound(
        JournalIdentity(
          id: id, createdNanoseconds: record.integer(at: 40), parent: parent,
          keepsHistoryDigest: flags & Format.historyDigestFlag != 0, isSalvaged: isSalvaged,
          lastKnownOfParent: hasUnknownEnd ? record.integer(at: 76) : nil, lostBeforeFirst: lost, domain: domain,
          isUnfinished: record.integer(at: 20, as: UInt32.self) & Format.unfinishedFlag != 0))
    }
  }
}

/// The part that the identity file and segment headers begin and end with, the same in every version: magic, version,
/// header size, feature flags, and a checksum in the header's last four bytes.
///
/// The checksum is judged before the version, so that a flipped bit in the version is damage and not a newer format.
enum VersionedHeader {
  case sound(FixedRecord)
  case unsupported(String)
  case damaged(String)

  /// - Parameters:
  ///   - sizes: the smallest headers of format 1.0, and of later minor versions.
  ///   - knownFlags: the incompatible features that this program understands.
  static func check(
    _ bytes: [UInt8], magic: UInt64, sizes: (first: Int, later: Int), exactly: Bool = false, knownFlags: UInt32
  ) -> VersionedHeader {
    guard let start = FixedRecord(bytes, size: 24) else { return .damaged("its header is cut short") }
    guard start.integer(at: 0, as: UInt64.self) == magic else { return .damaged("its magic number is wrong") }
    let claimed = Int(start.integer(at: 12, as: UInt32.self))
    let size = isOfFormat10(start) ? sizes.first : sizes.later
    guard claimed >= size, claimed <= Format.maximumHeaderSize, claimed % 8 == 0,
      let record = FixedRecord(bytes, size: claimed)
    else {
      return .damaged("its header size is wrong")
    }
    guard record.isSealed() else { return .damaged("the checksum of its header is wrong") }
    let major = record.integer(at: 8, as: UInt16.self)
    guard major == Format.majorVersion else {
      return .unsupported("format version \(major).\(record.integer(at: 10, as: UInt16.self))")
    }
    if let what = Features.unknown(in: record, at: 20, besides: knownFlags) { return .unsupported(what) }
    guard !exactly || bytes.count == claimed else { return .damaged("there are bytes after its end") }
    return .sound(record)
  }

  /// Whether a header says that it is of minor version 0.
  static func isOfFormat10(_ record: FixedRecord) -> Bool { record.integer(at: 10, as: UInt16.self) == 0 }
}
