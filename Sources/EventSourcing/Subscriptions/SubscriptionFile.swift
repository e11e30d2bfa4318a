import Journal
import WireFormat

/// Where a subscription stands.
struct SubscriptionRecord: Equatable, Sendable {
  /// The last event that is done, parked or passed over.
  var position: UInt64
  /// The journal's chain after it.
  var chain: UInt32
  /// How the next event has failed.
  var failure: ParkedEvent?
  var parked: [ParkedEvent] = []

  /// Goes on to the next event.
  mutating func pass(_ sequence: UInt64, chain: UInt32) {
    position = sequence
    self.chain = chain
    failure = nil
  }

  /// Why a subscription that stands here still needs events that would be retired; `nil` if it does not.
  ///
  /// - Parameters:
  ///   - name: The subscription.
  ///   - first: The first event that is kept. A subscription whose next events are already gone does not count.
  ///   - last: The last event that would go.
  func refusal(of name: String, from first: UInt64, upTo last: UInt64) -> JournalError? {
    if position < last, position + 1 >= first {
      return JournalError(
        .subscription, "the subscription \(name) is at event \(position), and events up to \(last) would go",
        remedy: "let it come that far, or remove it, then retire again")
    }
    if let event = parked.first(where: { $0.sequence >= first }), event.sequence <= last {
      return JournalError(
        .subscription, "the subscription \(name) has parked event \(event.sequence), and events up to \(last) would go",
        remedy: "try what is parked again or drop it, then retire again")
    }
    return nil
  }
}

/// The file that a subscription has in the journal's folder, which no reader of the journal takes for its own:
///
/// | field | type | |
/// |---|---|---|
/// | 1 | `bytes` | the journal's identity |
/// | 2 | `uint64` | the last event that is done |
/// | 3 | `uint64` | the journal's chain after it |
/// | 4 | message | the next event, if it has failed |
/// | 5 | messages | the parked events |
/// | 15 | `bytes` | the SHA-256 of all before; last |
///
/// An event that failed has its number (1), the attempts (2), the error's text (3), when it failed first, by both clocks
/// (4, 5), and whether it is tried again next (6).
struct SubscriptionFile: Sendable {
  /// The longest file that is read. One with as many parked events as can be, and the longest texts, is a quarter of it.
  private static var maximumLength: UInt64 { 1 << 20 }

  private static let ending = ".subscription"
  private static let lockEnding = ".lock"

  let path: String
  let folder: String
  let fileSystem: any FileSystem

  init(_ name: String, in folder: String, _ fileSystem: any FileSystem) {
    path = "\(folder)/\(name)\(Self.ending)"
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// The names of the subscriptions that stand somewhere in a journal, in their order.
  static func names(in folder: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> [String] {
    try fileSystem.list(folder).filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.utf8.count)) }
      .filter(\.isSubscriberName).sorted()
  }

  /// The file on which the right to the subscription is a lock.
  var lockPath: String { path + Self.lockEnding }

  /// Whether the file is there, and not only that of the lock, which stays when a removal fails halfway.
  ///
  /// - Throws: `unknown` if neither is.
  @discardableResult
  func requireThere(for name: String) throws(SubscriptionError) -> Bool {
    let names: [String]
    do throws(FileSystemError) {
      names = try fileSystem.list(folder)
    } catch {
      throw .file(name, path, error)
    }
    if names.contains(name + Self.ending) { return true }
    guard names.contains(name + Self.ending + Self.lockEnding) else { throw .unknown(name) }
    return false
  }

  /// Removes the file, so that no power cut brings it back, also where an earlier call did only half of that.
  func remove(for name: String) throws(SubscriptionError) {
    let isThere = try requireThere(for: name)
    do throws(FileSystemError) {
      if isThere { try fileSystem.remove(path) }
      try fileSystem.syncDirectory(folder)
    } catch {
      throw .file(name, path, error)
    }
  }

  /// Reads the file; `nil` if there is none.
  func read(for name: String) throws(SubscriptionError) -> (journal: JournalID, record: SubscriptionRecord)? {
    let bytes: [UInt8]?
    do {
      bytes = try fileSystem.wholeFile(at: path, in: folder, upTo: Self.maximumLength)
    } catch {
      throw .file(name, path, error)
    }
    guard let bytes else { return nil }
    guard let found = try? Self.decode(bytes) else { throw .damaged(name, in: path) }
    return found
  }

  /// Writes the file, so that a power cut leaves the old one or the new one.
  func write(_ record: SubscriptionRecord, of journal: JournalID, for name: String) throws(SubscriptionError) {
    let bytes = Self.encode(record, of: journal)
    do throws(FileSystemError) {
      try fileSystem.replaceFile(at: path, in: folder, with: bytes)
    } catch {
      throw .file(name, path, error)
    }
  }

  private static func encode(_ record: SubscriptionRecord, of journal: JournalID) -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, bytes: journal.bytes)
    writer.write(2, unsigned: record.position)
    writer.write(3, unsigned: UInt64(record.chain))
    if let failure = record.failure { write(4, failure, to: &writer) }
    for parked in record.parked { write(5, parked, to: &writer) }
    writer.write(15, bytes: Digest.sha256(writer.bytes).bytes)
    return writer.bytes
  }

  private static func write(_ field: Int, _ event: ParkedEvent, to writer: inout WireWriter) {
    writer.write(field) { writer in
      writer.write(1, unsigned: event.sequence)
      writer.write(2, unsigned: UInt64(event.attempts))
      writer.write(3, string: event.error)
      writer.write(4, signed: event.since.wallNanoseconds)
      writer.write(5, signed: event.since.uptimeNanoseconds)
      writer.write(6, unsigned: event.isDue ? 1 : 0)
    }
  }

  /// What a file says; `nil` if that cannot be trusted.
  private static func decode(_ bytes: [UInt8]) throws(WireError) -> (journal: JournalID, record: SubscriptionRecord)? {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      var journal: JournalID?
      var record = SubscriptionRecord(position: 0, chain: 0)
      while let field = try reader.nextField() {
        switch field.number {
        case 1: journal = JournalID(bytes: try reader.bytes(field))
        case 2: record.position = try reader.unsigned(field)
        case 3: record.chain = try reader.unsigned(field, as: UInt32.self)
        case 4: record.failure = try event(field, &reader)
        case 5: record.parked.append(try event(field, &reader))
        case 15:
          let digest = try reader.bytes(field)
          let isWhole = reader.isAtEnd && digest == Digest.sha256([UInt8](bytes[..<field.offset])).bytes
          guard isWhole, let journal else { return nil }
          return record.isPossible ? (journal, record) : nil
        default: try reader.skip(field)
        }
      }
      return nil
    }
  }

  private static func event(
    _ field: WireReader.Field, _ reader: inout WireReader
  ) throws(WireError) -> ParkedEvent {
    try reader.message(field) { (reader) throws(WireError) in
      var (sequence, attempts, error): (UInt64, UInt32, String) = (0, 0, "")
      var since = Moment(wallNanoseconds: 0)
      var isDue = false
      while let field = try reader.nextField() {
        switch field.number {
        case 1: sequence = try reader.unsigned(field)
        case 2: attempts = try reader.unsigned(field, as: UInt32.self)
        case 3: error = try reader.string(field)
        case 4: since.wallNanoseconds = try reader.signed(field)
        case 5: since.uptimeNanoseconds = try reader.signed(field)
        case 6: isDue = try reader.bool(field)
        default: try reader.skip(field)
        }
      }
      var event = ParkedEvent(sequence: sequence, attempts: Int(attempts), error: error, since: since)
      event.isDue = isDue
      return event
    }
  }
}

extension SubscriptionRecord {
  /// Whether a subscription may have written it.
  fileprivate var isPossible: Bool {
    guard parked.count <= SubscriptionPolicy.highestParkingLimit else { return false }
    var last: UInt64 = 0
    for event in parked {
      guard event.sequence > last, event.sequence <= position else { return false }
      last = event.sequence
    }
    return true
  }
}
