import Expectations
import Testing
import WireFormat

@testable import EventSourcing
@testable import Journal

/// Openings that are refused: whatever the reason, no byte and no stamp of the folder changes.
@Suite("Refused openings")
struct RefusedOpeningTests {
  /// How the journal was left, and whether its lock file is there.
  enum Leaving: CaseIterable, Sendable {
    case closed, leftOpen, withoutLock
  }

  /// Why a journal is refused.
  enum Reason: CaseIterable, Sendable {
    case otherDomain, unknownEvent, unknownVersion, unknownFeature, undecodableEvent, foreignPayload, unknownSlice
    case unknownField, otherRevision, laterRevision, otherMigration, laterFormat, laterHeader, laterReceipt, missingKeys
    case unreadableKeys, damage
  }

  @Test("A refused opening changes no byte and no stamp of the folder", arguments: Reason.allCases, Leaving.allCases)
  func refusal(reason: Reason, leaving: Leaving) throws {
    let (journal, words, open) = try refused(reason)
    switch leaving {
    case .closed: break
    case .leftOpen: try leaveOpen(journal)
    case .withoutLock: try journal.remove("LOCK")
    }
    let before = try journal.stamps()
    #expect("\(reason) \(leaving): opened") {
      try open(journal)
    } throws: {
      "\($0)".contains(words)
    }
    try expectEqual(journal.stamps(), before, "\(reason) \(leaving)")
    #expect(before["HEAD"] != nil && (before["LOCK"] == nil) == (leaving == .withoutLock))
  }

  private typealias Case = (journal: TemporaryJournal, words: String, open: (TemporaryJournal) throws -> Void)

  /// A journal that is refused, what the refusal says, and how it is opened.
  private func refused(_ reason: Reason) throws -> Case {
    func open<Machine: Decider>(
      _ machine: Machine.Type, _ change: @escaping (inout StoreOptions) -> Void = { _ in }
    ) -> (TemporaryJournal) throws -> Void {
      { journal in try journal.open(Machine.self, change).close() }
    }
    switch reason {
    case .otherDomain: return (try ledger(), "is of the domain", open(Bank<Bank1>.self))
    case .unknownEvent:
      return (try ledger { $0.type = 99 }, "the unknown type 99", open(Ledger.self))
    case .unknownVersion: return (try ledger { $0.version = 9 }, "has version 9", open(Ledger.self))
    case .unknownFeature:
      let features = EnvelopeFeatures(rawValue: 1 << 40)
      return (try ledger { $0.features = features }, "the feature of bit 40", open(Ledger.self))
    case .undecodableEvent:
      return (try ledger { $0.body = [0xFF] }, "has a body that cannot be read", open(Ledger.self))
    case .foreignPayload:
      let journal = try ledger()
      try journal.appendRaw(payloads: [[0xFF]])
      return (journal, "has an unreadable envelope", open(Ledger.self))
    case .unknownSlice: return (try bank(Bank6.self), "has the slice closed", open(Bank<Bank5>.self))
    case .unknownField:
      return (try bank(Bank5.self, isRetired: true), "field 1.4 of the slice accounts", open(Bank<Bank4>.self))
    case .otherRevision: return (try bank(Bank1.self, isRetired: true), "bring it forward", open(Bank<Bank7>.self))
    case .laterRevision:
      return (try migrated(), "took the state over to revision 2", open(Bank<Bank3>.self))
    case .otherMigration: return (try migrated(), "records another state", open(Bank<Bank4Changed>.self))
    case .laterFormat: return (try ledger(in: "JOURNAL", at: 8, 2), "version", open(Ledger.self))
    case .laterHeader:
      return (try ledger(in: "00000000000000000001.seg", at: 20, 1 << 9), "the feature of bit 9", open(Ledger.self))
    case .laterReceipt: return (try laterReceipt(), "HEAD", open(Ledger.self))
    case .missingKeys: return (try customers(TestKeys()), "no keys for it", open(Customers.self))
    case .unreadableKeys:
      let keys = TestKeys()
      let journal = try customers(keys)
      keys.fail(true)
      return (journal, "the keys cannot be read", open(Customers.self) { $0.sealing = keys.sealing })
    case .damage:
      let journal = try ledger()
      try journal.damage(event: 3)
      return (journal, "the checksum of event 3 is wrong", open(Ledger.self))
    }
  }

  /// The story, with a further event in the middle that is not quite one of the ledger's.
  private func ledger(_ change: (inout Envelope) -> Void) throws -> TemporaryJournal {
    let journal = try ledger()
    var envelope = Envelope(type: 3, at: .seconds(800))
    (envelope.unknownReaders, envelope.body) = (.mustUnderstand, [10, 1, 0x61])
    change(&envelope)
    try journal.appendRaw([envelope])
    return journal
  }

  private func ledger() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    try store.tell()
    try store.close()
    return journal
  }

  /// The story, with another number in one header.
  private func ledger(in name: String, at offset: Int, _ value: UInt32) throws -> TemporaryJournal {
    let journal = try ledger()
    var bytes = try journal.contents(name)
    let size = name == Format.identityName ? Format.identitySize : Format.segmentHeaderSize
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    seal(&bytes, with: Checksum.crc32(0, bytes[..<(size - 4)]), at: size - 4)
    try journal.write(bytes, to: name)
    return journal
  }

  /// The story, with an unknown incompatible flag in both receipts.
  private func laterReceipt() throws -> TemporaryJournal {
    let journal = try ledger()
    var bytes = try journal.contents("HEAD")
    for slot in Format.headSlotOffsets {
      bytes[slot + 51] = 0x80
      let seed = Checksum.crc32(0, TemporaryJournal.id.bytes)
      seal(&bytes, with: Checksum.crc32(seed, bytes[slot..<(slot + 60)]), at: slot + 60)
    }
    try journal.write(bytes, to: "HEAD")
    return journal
  }

  private func seal(_ bytes: inout [UInt8], with sum: UInt32, at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
  }

  /// A journal that one program of the bank wrote, with a limit or a further account where the program knows them.
  private func bank<Program: BankProgram>(_ program: Program.Type, isRetired: Bool = false) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Bank<Program>.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    try store.append(.opened(account: 1, owner: "Ada"), at: .seconds(1))
    if Program.number > 4 { try store.append(.limited(account: 1, cents: 5), at: .seconds(2)) }
    for euros: Int64 in 1...60 { try store.append(.deposited(account: 1, amount: euros), at: .seconds(2 + euros)) }
    if isRetired { try store.retire(before: 40, keepingStates: true) }
    try store.close()
    return journal
  }

  /// A journal whose state program 4 took over, without the checkpoint that program 4 wrote then.
  private func migrated() throws -> TemporaryJournal {
    let journal = try bank(Bank1.self, isRetired: true)
    try journal.open(Bank<Bank4>.self).close()
    let checkpoints = try journal.history(Bank<Bank4>.self).reader.checkpoints()
    try journal.remove(checkpoints[0].file)
    return journal
  }

  private func customers(_ keys: TestKeys) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    try store.append(.greet("Ada", email: nil), at: .seconds(1), idempotencyKey: [1])
    try store.close()
    return journal
  }

  /// Replaces both receipts by ones that say the journal was not closed.
  private func leaveOpen(_ journal: TemporaryJournal) throws {
    var bytes = try journal.contents("HEAD")
    for slot in Format.headSlotOffsets {
      bytes[slot + 44] &= 0xFE
      let seed = Checksum.crc32(0, TemporaryJournal.id.bytes)
      seal(&bytes, with: Checksum.crc32(seed, bytes[slot..<(slot + 60)]), at: slot + 60)
    }
    try journal.write(bytes, to: "HEAD")
    let segments = journal.files.filter { $0.hasSuffix(".seg") }
    let last = try #require(segments.last)
    // Space that a writer had reserved.
    try journal.write(try journal.contents(last) + [UInt8](repeating: 0, count: 4096), to: last)
  }
}
