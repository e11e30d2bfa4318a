import Expectations
import Journal
import JournalSimulation
import Testing
import WireFormat

@testable import EventSourcing

/// What a process can do that may write the spool's folder and has no keys. The journal's id is in its files, and checksums
/// need no key.
@Suite("Spool files that are not sealed")
struct SpoolForgeryTests {
  /// A journal of customers and its spool.
  private struct Bank {
    let shared = SharedFolder(path: ".", fileSystem: RecordingFiles.make())
    let sealing: Sealing?
    let store: EventStore<Customers>

    init(_ sealing: Sealing?) throws {
      self.sealing = sealing
      var options = StoreOptions()
      options.sealing = sealing
      options.journal.preallocation = 0
      store = try .create(
        at: shared.journal, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options,
        fileSystem: shared.fileSystem)
      try SpoolFolder(path: shared.folder, of: TemporaryJournal.id, fileSystem: shared.fileSystem).create()
    }

    var folder: SpoolFolder {
      SpoolFolder(path: shared.folder, of: TemporaryJournal.id, fileSystem: shared.fileSystem)
    }

    func spool(_ session: UInt64 = 0xA1, of journal: JournalID = TemporaryJournal.id) throws -> CommandSpool<Customers>
    {
      try CommandSpool(
        at: shared.folder, of: journal, name: "share", session: session, process: 7, sealing: sealing,
        fileSystem: shared.fileSystem)
    }

    @discardableResult
    func drain() throws -> DrainReport {
      try store.drain(
        SpoolDrain(
          at: shared.folder, of: TemporaryJournal.id, sealing: sealing, fileSystem: shared.fileSystem),
        at: .seconds(50))
    }

    /// Writes a file with sums that are right.
    func forge(_ payload: [UInt8], isSealed: Bool, session: UInt64 = 0xA1, number: UInt64 = 1) throws {
      try folder.put(payload, isSealed: isSealed, at: SpoolPlace(session: session, number: number))
    }

    /// The payload of an unsealed command, made without any key.
    static func unsealed(_ command: BankCommand) -> [UInt8] {
      var writer = WireWriter()
      Customers.encode(command, into: &writer)
      let origin = CommandOrigin(process: 7, at: .seconds(1))
      return SpoolPayload(
        idempotencyKey: [9], origin: origin, processName: "share", isSealed: false, command: { _ in writer.bytes }
      ).encoded
    }
  }

  private static func payload(_ file: [UInt8]) -> [UInt8] { Array(file[64...]) }

  // MARK: Forms

  @Test("Commands and outcomes are sealed as the page says, byte for byte")
  func published() throws {
    let bank = try Bank(SpoolGoldens.sealing)
    let spool = try bank.spool()
    try spool.submit(.greet("Ada Lovelace", email: "ada@example.com"), in: bank.store.state, at: .seconds(5))
    try expectEqual(bank.shared.contents("\(SpoolGoldens.names[0]).command"), SpoolGoldens.sealed[0])
    try bank.drain()
    try spool.submit(.complain("Ada Lovelace", "too slow"), in: bank.store.state, at: .seconds(7))
    try expectEqual(bank.shared.contents("\(SpoolGoldens.names[1]).command"), SpoolGoldens.sealed[1])
    try bank.drain()
    let refused = try spool.submit(.deposit("Nobody", 1), in: bank.store.state, at: .seconds(9))
    try bank.drain()
    try expectEqual(bank.shared.contents("00000000000000a1.outcomes"), SpoolGoldens.outcomes)
    try expectEqual(spool.outcome(of: refused), .refused(rule: "rules", explanation: "no customer has this name"))
  }

  @Test("Without keys, files are written and carried out as they always were")
  func unsealedJournal() throws {
    let bank = try Bank(nil)
    let spool = try bank.spool()
    try spool.submit(.greet("Ada Lovelace", email: "ada@example.com"), in: bank.store.state, at: .seconds(5))
    try expectEqual(bank.shared.contents("\(SpoolGoldens.names[0]).command"), SpoolGoldens.unsealed[0])
    let other = try Bank(nil)
    for (name, file) in zip(SpoolGoldens.names, SpoolGoldens.unsealed) {
      try other.shared.write(file, to: "\(name).command")
    }
    #expect(try other.drain().setAside.isEmpty)
    #expect(
      other.store.state.customers.map(\.name) == ["Ada Lovelace"] && other.store.state.lastComplaint == "too slow")
  }

  @Test("What the first version sealed, and what is unsealed, is set aside, and submitted again is carried out once")
  func earlierForms() throws {
    for files in [SpoolGoldens.earlierSealed, SpoolGoldens.unsealed] {
      let bank = try Bank(SpoolGoldens.sealing)
      for (name, file) in zip(SpoolGoldens.names, files) { try bank.shared.write(file, to: "\(name).command") }
      let report = try bank.drain()
      let reason = "not sealed for this version; submit again"
      expectEqual(report.setAside, SpoolGoldens.names.map { SpoolNote(file: $0, reason: reason) })
      expectEqual(bank.store.lastSequence, 0)
      let spool = try bank.spool(0xA2)
      let asides = try SpoolDrain<Customers>(
        at: bank.shared.folder, of: TemporaryJournal.id, sealing: bank.sealing, fileSystem: bank.shared.fileSystem
      ).setAside()
      expectEqual(asides.map(\.reason), [reason, reason])
      let ticket = SpoolTicket(place: SpoolPlace(session: 0xA1, number: 1), idempotencyKey: [5])
      let outcome = try #require(try spool.outcome(of: ticket))
      #expect(outcome.asksForResubmission && outcome.description == "not carried out: \(reason)")
      for _ in 1...2 {
        let again = try spool.submit(
          .greet("Ada Lovelace"), in: bank.store.state, at: .seconds(6), idempotencyKey: ticket.idempotencyKey)
        try bank.drain()
        try expectEqual(spool.outcome(of: again), .carriedOut(events: 1...2))
      }
    }
  }

  @Test("The explanation that the first version sealed is still read")
  func earlierOutcomes() throws {
    let bank = try Bank(SpoolGoldens.sealing)
    try bank.shared.write(SpoolGoldens.earlierOutcomes, to: "00000000000000a1.outcomes")
    let spool = try bank.spool(0xA2)
    let refusal = CommandOutcome.refused(rule: "rules", explanation: "no customer has this name")
    let ticket = SpoolTicket(place: SpoolPlace(session: 0xA1, number: 3), idempotencyKey: [5])
    try expectEqual(spool.outcome(of: ticket), refusal)
    try bank.forge([], isSealed: false, number: 4)
    try bank.drain()
    try expectEqual(spool.outcome(of: ticket), refusal)
  }

  @Test("A file with a feature that this program does not know waits, as new files wait for older programs")
  func nextFeature() throws {
    let bank = try Bank(SpoolGoldens.sealing)
    for (number, flags) in [UInt32(2), 3, 1 << 31].enumerated() {
      let file = SpoolGoldens.sealed[0]
      var header = FixedRecord(size: 64)
      header.set(Array(file[..<64]), at: 0)
      header.set(flags, at: 56)
      header.set(UInt64(number + 1), at: 32)
      header.seal()
      try bank.shared.write(
        header.bytes + Self.payload(file), to: "000000000000000\(number + 1)-00000000000000000001.command")
    }
    let report = try bank.drain()
    expectEqual(
      report.waiting.map(\.reason),
      [
        "it needs the feature of bit 1", "it needs the feature of bit 1", "it needs the feature of bit 31",
      ])
    #expect(report.commandCount == 0 && bank.shared.files.count == 3)
  }

  // MARK: Forgeries

  @Test("A forged command changes nothing, and no outcome tells whether the journal knows a person")
  func forged() throws {
    var outcomes: [[UInt8]] = []
    for name in ["Ada", "Mallory"] {
      let bank = try Bank(TestKeys().sealing)
      try bank.store.append(.greet("Ada"), at: .seconds(1))
      let state = bank.store.state
      try bank.forge(Bank.unsealed(.deposit(name, 99)), isSealed: false)
      try bank.forge([1, 2, 3], isSealed: false, number: 2)
      let report = try bank.drain()
      #expect(report.setAside.count == 2 && bank.store.state == state && bank.store.lastSequence == 2)
      outcomes.append(try bank.shared.contents("00000000000000a1.outcomes"))
    }
    expectEqual(outcomes[0], outcomes[1])
  }

  @Test("A file that only claims to be sealed is set aside, whether an account is known, erased or neither")
  func falselySealed() throws {
    let keys = TestKeys()
    let bank = try Bank(keys.sealing)
    for name in ["Ada", "Bob"] { try bank.store.append(.greet(name), at: .seconds(1)) }
    keys.destroy(2)
    let before = bank.store.lastSequence
    let origin = CommandOrigin(process: 7, at: .seconds(1))
    let forger = try #require(SealingKey(bytes: [UInt8](repeating: 1, count: 32)))
    for account in 0...3 as ClosedRange<UInt64> {
      let place = SpoolPlace(session: 0xA1, number: account + 1)
      let payload = SpoolPayload(
        idempotencyKey: [9], origin: origin, processName: "share", isSealed: true
      ) { plain in
        let use = SealedValue.Use(
          domain: "bank spool 161 \(place.number)", kind: 255, privacy: .account, bound: plain)
        return SealedValue(
          sealing: [10, 0], for: account, use, key: forger, nonce: [UInt8](repeating: 2, count: 12)
        ).bytes
      }
      try bank.forge(payload.encoded, isSealed: true, number: place.number)
    }
    // Nor is a plain command taken that only claims to be sealed.
    try bank.forge(Bank.unsealed(.deposit("Ada", 99)), isSealed: true, number: 5)
    let reasons = try bank.drain().setAside.map(\.reason)
    #expect(reasons.count == 5 && Set(reasons.prefix(4)) == ["it was sealed for another place, or changed"])
    expectEqual(bank.store.lastSequence, before)
  }

  @Test("No bit of a genuine file can be changed, also with sums that are right; unchanged, it is carried out once")
  func changed() throws {
    let genuine = SpoolGoldens.sealed[0]
    let payload = Self.payload(genuine)
    let bank = try Bank(SpoolGoldens.sealing)
    var changes = payload.indices.map { index in
      var bytes = payload
      bytes[index] ^= 2
      return bytes
    }
    // A second key after the command, before it, and in the place of a field that is not known.
    let plain = Int(payload.firstIndex(of: 0x3A) ?? 0)
    changes.append(payload + [0x0A, 1, 7])
    changes.append(payload[..<plain] + [0x0A, 1, 7] + payload[plain...])
    changes.append(payload[..<plain] + [0x40, 1] + payload[plain...])
    for (index, bytes) in changes.enumerated() {
      try bank.forge(bytes, isSealed: true, session: UInt64(index) + 1000)
      // At its own place, too.
      try bank.forge(bytes, isSealed: true)
      let report = try bank.drain()
      expectEqual(report.setAside.count, 2, "\(index)")
      for name in bank.shared.files { try bank.shared.fileSystem.remove("\(bank.shared.folder)/\(name)") }
    }
    expectEqual(bank.store.lastSequence, 0)
    // Replayed, with the outcomes gone.
    for _ in 1...2 {
      try bank.shared.write(genuine, to: "\(SpoolGoldens.names[0]).command")
      #expect(try bank.drain().setAside.isEmpty)
      expectEqual(bank.store.lastSequence, 2)
      try bank.shared.fileSystem.remove("\(bank.shared.folder)/00000000000000a1.outcomes")
    }
  }

  @Test("A command for a fork's parent is not carried out by the fork, which has the parent's keys")
  func otherJournal() throws {
    let bank = try Bank(SpoolGoldens.sealing)
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let ticket = try bank.spool(of: id).submit(.greet("Ada"), in: bank.store.state, at: .seconds(1))
    let file = try bank.shared.contents("\(ticket).command")
    try bank.forge(Self.payload(file), isSealed: true)
    try expectEqual(bank.drain().setAside.map(\.reason), ["it was sealed for another place, or changed"])
  }

  // MARK: Limits

  @Test("The longest payloads are written and read back, and longer ones are refused and change nothing")
  func longestFiles() throws {
    let bank = try Bank(nil)
    let place = SpoolPlace(session: 1, number: 1)
    let longest = [UInt8](repeating: 7, count: SpoolFolder.maximumPayloadLength)
    try bank.folder.putOutcomes(longest, upTo: place)
    try bank.folder.put(longest, isSealed: true, at: place)
    let codes = [
      #expect(throws: JournalError.self) { try bank.folder.putOutcomes(longest + [7], upTo: place) },
      #expect(throws: JournalError.self) { try bank.folder.put(longest + [7], isSealed: true, at: place) },
    ].map { $0?.code }
    expectEqual(codes, [.tooLarge, .tooLarge])
    try expectEqual(bank.folder.outcomes(of: 1), .payload(longest, number: 1, isSealed: false))
    try expectEqual(bank.folder.command(at: place), .payload(longest, number: 1, isSealed: true))
  }

  @Test("The outcomes of any commands fit into their file: long explanations are cut, and the oldest outcomes go")
  func longestOutcomes() throws {
    let bank = try Bank(nil)
    let long = String(repeating: "ä€", count: 1 << 16)
    var outcomes = SpoolOutcomes(session: 1)
    for number in 1...64 as ClosedRange<UInt64> {
      outcomes.add(.init(number: number, outcome: .refused(rule: "rule", explanation: long)), sealing: nil)
    }
    try bank.folder.putOutcomes(outcomes.payload, upTo: SpoolPlace(session: 1, number: 64))
    let read = try #require(try bank.folder.readOutcomes(of: 1))
    for number in [1, 64] as [UInt64] {
      guard case .refused("rule", let text)? = try read.outcome(of: number, sealing: nil) else {
        Issue.record("outcome \(number) is gone")
        return
      }
      #expect(text.hasSuffix("…") && long.hasPrefix(text.dropLast()))
      #expect((16_380...16_384).contains(text.utf8.count))
    }

    // An earlier version kept texts of any length.
    var writer = WireWriter()
    for number in 1...4 as ClosedRange<UInt64> {
      writer.write(1) { entry in
        entry.write(1, unsigned: number)
        entry.write(2, unsigned: 2)
        entry.write(5, string: "rule")
        entry.write(6, string: String(repeating: "x", count: (1 << 20) - 64))
      }
    }
    var full = try SpoolOutcomes(session: 2, last: 4, decoding: writer.bytes)
    for number in 5...7 as ClosedRange<UInt64> {
      full.add(.init(number: number, outcome: .refused(rule: "rule", explanation: long)), sealing: nil)
    }
    try bank.folder.putOutcomes(full.payload, upTo: SpoolPlace(session: 2, number: full.last))
    let kept = try #require(try bank.folder.readOutcomes(of: 2))
    try expectEqual(kept.outcome(of: 1, sealing: nil), .unknown)
    for number in 2...7 as ClosedRange<UInt64> {
      #expect(try kept.outcome(of: number, sealing: nil) != .unknown, "\(number)")
    }
    #expect(try kept.outcome(of: 8, sealing: nil) == nil)
  }

  @Test("Sixty-four outcomes fit even if as many accounts' keys seal each as can")
  func mostAccounts() {
    let layers = (SpoolSealing.maximumAccountCount + 1) * SealedValue.minimumByteCount
    let entry = SpoolOutcomes.maximumTextLength + layers + SpoolOutcomes.maximumRuleLength + 100
    #expect(SpoolOutcomes.maximumCount * entry <= SpoolFolder.maximumPayloadLength)
  }
}
