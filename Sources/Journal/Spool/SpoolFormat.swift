import PlainText

/// The numbers of a spool's files, which `CommandSpools` in the documentation of EventSourcing specifies.
enum SpoolFormat {
  static let commandMagic: UInt64 = 0x0A1A_0A0D_4D4A_508A
  static let outcomesMagic: UInt64 = 0x0A1A_0A0D_4F4A_508A

  static let headerSize = 64
  static let maximumPayloadLength = 4 << 20
  /// The feature of a command that is sealed together with everything else in its payload: bit 0.
  static let sealedFeature: UInt32 = 1 << 0

  static let commandSuffix = ".command"
  static let asideSuffix = ".damaged"
  static let outcomesSuffix = ".outcomes"
  /// What `JournalDirectory` adds to the name of a file until it is complete.
  static let unfinishedSuffix = ".tmp"
}

/// The place of a command in a spool: the number of a session, which one process has for itself, and a number that counts the
/// commands of the session from 1.
package struct SpoolPlace: Hashable, Comparable, Sendable {
  package var session: UInt64
  package var number: UInt64

  package init(session: UInt64, number: UInt64) {
    self.session = session
    self.number = number
  }

  package static func < (one: SpoolPlace, other: SpoolPlace) -> Bool {
    (one.session, one.number) < (other.session, other.number)
  }

  /// The session as file names begin: 16 hexadecimal digits.
  static func text(_ session: UInt64) -> String { session.padded(to: 16, radix: 16) }

  /// The session that a file name begins with.
  static func session(_ text: some StringProtocol) -> UInt64? {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return UInt64(text, radix: 16)
  }

  /// The name of the command's file without its suffix: the session, a hyphen, and 20 digits.
  package var text: String { Self.text(session) + "-" + number.padded(to: 20) }

  /// Reads a name without its suffix.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = Self.session(parts[0]), parts[1].utf8.count == 20,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(parts[1]), number > 0
    else { return nil }
    self.init(session: session, number: number)
  }
}

/// What a file of a spool holds.
package enum SpoolContent: Equatable, Sendable {
  /// Its payload, the number in its header, and whether the header says that keys seal all of the payload.
  case payload([UInt8], number: UInt64, isSealed: Bool)
  /// Why it is not what its writer wrote, or not of this journal, in a sentence without a full stop.
  case damaged(String)
  /// It verifies, and needs what this program does not know.
  case unsupported(String)
  /// There is no such file.
  case missing
}

/// The header of a spool's file, and the checks of the whole file.
struct SpoolFile {
  static func encoded(
    _ magic: UInt64, of journal: JournalID, at place: SpoolPlace, payload: [UInt8], isSealed: Bool = false
  ) -> [UInt8] {
    var record = FixedRecord(size: SpoolFormat.headerSize)
    record.set(magic, at: 0)
    record.set(Format.majorVersion, at: 8)
    record.set(UInt16(0), at: 10)
    record.set(UInt32(SpoolFormat.headerSize), at: 12)
    record.set(journal.bytes, at: 16)
    record.set(place.session, at: 32)
    record.set(place.number, at: 40)
    record.set(UInt32(payload.count), at: 48)
    record.set(Checksum.crc32(0, payload), at: 52)
    record.set(isSealed ? SpoolFormat.sealedFeature : 0, at: 56)
    record.seal()
    return record.bytes + payload
  }

  /// Checks a whole file.
  ///
  /// - Parameters:
  ///   - bytes: its bytes, at most one more than the longest file has.
  ///   - number: the number that its name states; `nil` if the name states none.
  static func content(
    _ bytes: [UInt8], _ magic: UInt64, of journal: JournalID, session: UInt64, number: UInt64?
  ) -> SpoolContent {
    let size = SpoolFormat.headerSize
    let known = magic == SpoolFormat.commandMagic ? SpoolFormat.sealedFeature : 0
    switch SmallHeader.check(bytes, magic: magic, size: size, flags: 56, known: known) {
    case .damaged: return .damaged("its header does not verify")
    case .unsupported(let what, let id):
      return id == journal ? .unsupported("it needs \(what)") : .damaged("it is of another journal, \(id)")
    case .sound(let record, let id):
      guard id == journal else { return .damaged("it is of another journal, \(id)") }
      let stated: UInt64 = record.integer(at: 40)
      guard record.integer(at: 32) == session, number ?? stated == stated else {
        return .damaged("its header states another place than its name")
      }
      guard UInt64(bytes.count) == UInt64(size) + UInt64(record.integer(at: 48, as: UInt32.self)) else {
        return .damaged("its length is not what its header says")
      }
      let payload = Array(bytes[size...])
      guard Checksum.crc32(0, payload) == record.integer(at: 52, as: UInt32.self) else {
        return .damaged("the checksum of its payload is wrong")
      }
      let isSealed = record.integer(at: 56) & SpoolFormat.sealedFeature != 0
      return .payload(payload, number: stated, isSealed: isSealed)
    }
  }
}
