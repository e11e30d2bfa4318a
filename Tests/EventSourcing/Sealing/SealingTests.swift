import Expectations
import CZlib
import Journal
import Testing
import WireFormat

@testable import EventSourcing

@Suite("Personal data that is sealed")
struct SealingTests {
  /// What must not stay on the disk, and the key under which the first command came.
  private static let person = ["Ada Lovelace", "ada@example.com", "Countess Ada", "the engine is rude"]
  private static let commandKey = Array("ada@example.com/1".utf8)
  private static let command = BankCommand.greet("Ada Lovelace", email: "ada@example.com")

  /// A history with a checkpoint and keyframes, about one person and another, with what seals it.
  private func journal(_ sealing: Sealing?) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) {
      $0.sealing = sealing
      $0.keyframeInterval = 4
    }
    try store.append(Self.command, at: .seconds(1), idempotencyKey: Self.commandKey)
    try store.append(.greet("Bob", email: "bob@example.com"), at: .seconds(2))
    try store.append(.rename("Ada Lovelace", to: "Countess Ada"), at: .seconds(3))
    try store.append(.complain("Countess Ada", "the engine is rude"), at: .seconds(4))
    try store.checkpoint()
    for second in 5...12 { try store.append(.deposit("Bob", Int64(second)), at: .seconds(Int64(second))) }
    try store.append(.deposit("Countess Ada", 7), at: .seconds(13))
    try store.close()
    return journal
  }

  /// The texts of the person in any file, as it is or inflated.
  private func found(in journal: TemporaryJournal) throws -> Set<String> {
    var found: Set<String> = []
    func search(_ bytes: [UInt8], _ file: String) {
      for text in Self.person + [String(decoding: Self.commandKey, as: UTF8.self)] {
        let text = Array(text.utf8)
        guard let first = text.first else { continue }
        for place in bytes.indices where bytes[place] == first && bytes[place...].starts(with: text) {
          found.insert(file + ": " + String(decoding: text, as: UTF8.self))
        }
      }
    }
    for file in journal.files {
      let bytes = try journal.contents(file)
      search(bytes, file)
      // Every place where a zlib stream may begin.
      for place in bytes.indices where bytes[place] == 0x78 {
        var inflated = [UInt8](repeating: 0, count: 1 << 20)
        var (count, taken) = (UInt(inflated.count), UInt(bytes.count - place))
        guard uncompress2(&inflated, &count, Array(bytes[place...]), &taken) == Z_OK else { continue }
        search(Array(inflated[..<Int(count)]), file)
      }
    }
    return found
  }

  @Test("No byte of a person reaches a file of a sealed journal, and a plain one has them in each kind of file")
  func files() throws {
    let plain = try found(in: journal(nil))
    for file in ["00000000000000000001.seg", "KEYFRAMES"] {
      #expect(plain.contains("\(file): Countess Ada") && plain.contains("\(file): the engine is rude"), "\(plain)")
    }
    #expect(plain.contains { $0.contains(".chk") || $0.contains("checkpoint") || $0.contains(".ckp") }, "\(plain)")
    #expect(plain.contains("00000000000000000001.seg: ada@example.com/1"))
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    try expectEqual(found(in: journal), [])
    try expectEqual(journal.files, self.journal(nil).files)
    // Neither does going on after the person was erased.
    keys.destroy(1)
    let store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    try store.append(Self.command, at: .seconds(20), idempotencyKey: Self.commandKey)
    try store.append(.deposit("Bob", 3), at: .seconds(21))
    try store.checkpoint()
    try store.close()
    try expectEqual(found(in: journal), [])
  }

  @Test("A journal verifies, folds and compares the same with its keys, without, and after a person was erased")
  func sameWithoutKeys() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    var history = try journal.history(Customers.self)
    let last = try history.lastSequence()
    func readings(_ history: History<Customers>) throws -> [StateDigest] {
      try (0...last).map { StateDigest(of: try history.state(at: .sequence($0)).state) }
    }
    let sealed = try readings(history)
    let states = try (0...last).map { try history.state(at: .sequence($0)).state }
    history.sealing = keys.sealing
    try expectEqual(readings(history), sealed)
    for (sequence, state) in states.enumerated() {
      let opened = try history.state(at: .sequence(UInt64(sequence))).state
      #expect(opened == state && opened.changes(to: state).changes.filter { $0.before == $0.after } == [])
    }
    for isErased in [false, true] {
      if isErased { keys.destroy(1) }
      try expectEqual(readings(history), sealed)
      try expectEqual(history.reader.verify().findings, [])
      let report = try history.check()
      #expect(report.isSound && report.checkpointsCompared == 1 && report.keyframesCompared > 0)
      #expect(report.digestsCompared > 10)
      let customers = try history.state(at: .end).state.customers
      expectEqual(customers.map(\.cents), [8, 69])
      expectEqual(customers.map(\.name), [isErased ? "" : "Countess Ada", "Bob"])
      expectEqual(customers.map(\.email), [isErased ? nil : "ada@example.com", "bob@example.com"])
      expectEqual(customers.map(\.$name.isErased), [isErased, false])
    }
  }

  @Test("What cannot be opened is shown as sealed without keys, as erased without the right one, and never as empty")
  func shown() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    var history = try journal.history(Customers.self)
    func name(_ place: String = "/customers/1/name") throws -> StateValue? {
      guard case .value(let value)? = try history.state(at: .end).state.tree()[path: place] else { return nil }
      return value
    }
    guard case .sealed(let mark, isErased: false)? = try name() else {
      Issue.record("\(String(describing: try name()))")
      return
    }
    history.sealing = keys.sealing
    try expectEqual(name(), .personal("Countess Ada", .account))
    keys.destroy(1)
    try expectEqual(name(), .sealed(mark: mark, isErased: true))
    try expectEqual(name("/customers/2/name"), .personal("Bob", .account))
    // A record says so without keys, from its bytes.
    var cursor = try history.events()
    guard case .event(let step)? = try cursor.next() else { return }
    guard case .sealed(let value)? = step.record.fields["name"]?.values.first else {
      Issue.record("\(step.record.fields)")
      return
    }
    expectEqual(value.account, 1)
    guard case .sealed? = step.record.fields["email"]?.values.first else {
      Issue.record("\(step.record.fields)")
      return
    }
  }

  @Test("A program that does not know sealed values refuses the events that have some, and no others")
  func features() throws {
    let journal = try journal(TestKeys().sealing)
    var (sealed, keyed): ([UInt64], [UInt64]) = ([], [])
    var cursor = try journal.history(Customers.self).events()
    while case .event(let step)? = try cursor.next() {
      if step.record.envelope.features.contains(.sealedValues) { sealed.append(step.record.sequence) }
      if step.record.envelope.features.contains(.sealedCommand) { keyed.append(step.record.sequence) }
      #expect(step.record.envelope.features.unknown.isEmpty)
    }
    #expect(sealed == [1, 3, 5, 6] && keyed == [1, 2])
    let plainJournal = try self.journal(nil)
    var plain = try plainJournal.history(Customers.self).events()
    while case .event(let step)? = try plain.next() { #expect(step.record.envelope.features.isEmpty) }
  }

  @Test("Rules know a person by the opened text, and one who returns after erasure is new")
  func deciding() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    var store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    let known = try store.append(.greet("Countess Ada"), at: .seconds(30))
    expectEqual(known.events.map(\.event), [.deposited(customer: 1, cents: 1)])
    // What is shown to the app is open at once, and equal to what a reader finds.
    let complaint = try store.append(.complain("Countess Ada", "again"), at: .seconds(31))
    guard case .complained(1, let text)? = complaint.events.first?.event else { return }
    #expect(text.wrappedValue == "again" && text.sealed != nil && store.state.lastComplaint == "again")
    guard case .complained(1, let recorded)? = try store.recordedEvents(after: store.lastSequence - 1).first?.event
    else { return }
    #expect(recorded == text && recorded.wrappedValue == "again")
    try store.close()
    keys.destroy(1)
    store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    #expect(store.state.lastComplaint == "" && store.state.$lastComplaint.isErased)
    #expect(throws: StoreError<BankRejection>.rejected(.unknownCustomer)) {
      try store.append(.deposit("Countess Ada", 1), at: .seconds(32))
    }
    let returned = try store.append(.greet("Countess Ada"), at: .seconds(33))
    expectEqual(returned.events.map(\.event.sealingAccount), [3, 3])
    expectEqual(store.state.customers.map(\.name), ["", "Bob", "Countess Ada"])
    try store.close()
    #expect(try journal.history(Customers.self).check().isSound)
  }

  @Test("A repeated command is recognised by an HMAC of its key, also after reopening and after erasure")
  func repetition() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    for isErased in [false, true] {
      if isErased { keys.destroy(1) }
      let store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
      let again = try store.append(Self.command, at: .seconds(40), idempotencyKey: Self.commandKey)
      #expect(again.isRepetition && again.events.map(\.sequence) == [1, 2])
      guard case .opened(1, let name, _)? = again.events.first?.event else { return }
      expectEqual(name.wrappedValue, isErased ? "" : "Ada Lovelace")
      #expect(throws: StoreError<BankRejection>.keyReused(sequence: 1)) {
        try store.append(.greet("Eve"), at: .seconds(41), idempotencyKey: Self.commandKey)
      }
      try store.close()
    }
  }

  @Test("A journal that began plainly goes on sealed, and recognises its earlier commands")
  func laterKeys() throws {
    let journal = try journal(nil)
    let keys = TestKeys()
    let store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    #expect(try store.append(Self.command, at: .seconds(50), idempotencyKey: Self.commandKey).isRepetition)
    #expect(try !store.append(.complain("Bob", "secret"), at: .seconds(51)).isRepetition)
    #expect(store.state.customers.map(\.$name.sealed) == [nil, nil] && store.state.$lastComplaint.sealed != nil)
    try store.close()
    #expect(try journal.history(Customers.self).check().isSound)
  }

  @Test("A store without its keys is told so, and writes nothing")
  func failingKeys() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    keys.fail(true)
    for key in [[], Self.commandKey] {
      #expect(throws: StoreError<BankRejection>.sealing(TestKeys.error)) {
        try store.append(Self.command, at: .seconds(1), idempotencyKey: key)
      }
    }
    #expect(store.lastSequence == 0 && store.state == CustomerState())
    keys.fail(false)
    try store.append(Self.command, at: .seconds(1))
    expectEqual(store.lastSequence, 2)
    try store.close()
  }

  @Test("Keys that cannot be read stop opening, reading and feeds, and erase no person")
  func unreadableKeys() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    let store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    var history = try journal.history(Customers.self)
    history.sealing = keys.sealing
    var feed = store.events(after: 0).makeAsyncIterator()
    keys.fail(true)
    let error = HistoryError.sealing(TestKeys.error)
    #expect(throws: error) { try feed.nextIfThere() }
    #expect(throws: error) { try store.recordedEvents(after: 0) }
    #expect(throws: error) { try history.state(at: .end) }
    try store.close()
    #expect(throws: error) { try journal.open(Customers.self) { $0.sealing = keys.sealing } }
    expectEqual("\(error)", "the keys cannot be read. Unlock the device.")
    keys.fail(false)
    try expectEqual(feed.nextIfThere()?.sequence, 1)
    try expectEqual(history.state(at: .end).state.customers.map(\.name), ["Countess Ada", "Bob"])
    let again = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    expectEqual(again.state.customers.map(\.name), ["Countess Ada", "Bob"])
    try again.close()
  }

  @Test("A store without keys does not open a sealed journal, and one that may open it refuses every command")
  func withoutKeys() async throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    let before = try journal.stamps()
    #expect(throws: HistoryError.sealing(.withoutKeys)) { try journal.open(Customers.self) }
    try expectEqual(journal.stamps(), before)
    try expectEqual(journal.history(Customers.self).state(at: .end).state.customers.map(\.cents), [8, 69])
    let store = try journal.open(Customers.self) { $0.onMissingKeys = .refuseCommands }
    let last = store.lastSequence
    #expect(store.state.customers.map(\.cents) == [8, 69] && store.state.customers.map(\.name) == ["", ""])
    try expectEqual(store.recordedEvents(after: 0).count, Int(last))
    for (command, key) in [
      (Self.command, Self.commandKey), (Self.command, []), (.greet("Eve"), []), (.deposit("Bob", 1), []),
    ] {
      #expect(throws: StoreError<BankRejection>.sealing(.withoutKeys)) {
        try store.append(command, at: .seconds(60), idempotencyKey: key)
      }
    }
    await #expect(throws: StoreError<BankRejection>.sealing(.withoutKeys)) {
      try await store.submit(.greet("Eve"), at: .seconds(61))
    }
    try store.checkpoint()
    expectEqual(store.lastSequence, last)
    try store.close()
    let again = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    #expect(try again.append(Self.command, at: .seconds(62), idempotencyKey: Self.commandKey).isRepetition)
    try again.close()
  }

  @Test("A command that only the keys recognise is never carried out twice, even where no sealed value is left")
  func repetitionWithoutKeys() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    var store = try journal.create(Customers.self)
    try store.append(.greet("Bob"), at: .seconds(1))
    try store.close()
    store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    let deposit = BankCommand.deposit("Bob", 5)
    try store.append(deposit, at: .seconds(2), idempotencyKey: Self.commandKey)
    #expect(!store.state.holdsSealedValues)
    try store.close()
    for stored in [false, true] {
      if stored {
        store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
        try store.checkpoint()
        try store.close()
      }
      #expect(throws: HistoryError.sealing(.withoutKeys)) { try journal.open(Customers.self) }
      store = try journal.open(Customers.self) { $0.onMissingKeys = .refuseCommands }
      expectEqual(store.opening.checkpoint, stored ? store.lastSequence : nil)
      #expect(throws: StoreError<BankRejection>.sealing(.withoutKeys)) {
        try store.append(deposit, at: .seconds(3), idempotencyKey: Self.commandKey)
      }
      try store.close()
    }
    store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    #expect(try store.append(deposit, at: .seconds(4), idempotencyKey: Self.commandKey).isRepetition)
    expectEqual(store.state.customers.map(\.cents), [6])
    try store.close()
  }

  @Test(
    "A sealed journal is retired and forked before and after a person was erased, and stays sound",
    arguments: [false, true])
  func retiringAndForking(isErased: Bool) throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    var store = try journal.create(Customers.self) {
      $0.sealing = keys.sealing
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    try store.append(Self.command, at: .seconds(1), idempotencyKey: Self.commandKey)
    try store.append(.greet("Bob", email: "bob@example.com"), at: .seconds(2))
    for second: Int64 in 3...60 { try store.append(.deposit("Bob", second), at: .seconds(second)) }
    try store.close()
    if isErased { keys.destroy(1) }
    // Retiring needs no keys.
    store = try journal.open(Customers.self) { $0.onMissingKeys = .refuseCommands }
    let digest = StateDigest(of: store.state)
    let first = try store.retire(before: 40, keepingStates: true)
    #expect(first > 2)
    try store.close()
    var history = try journal.history(Customers.self)
    #expect(try history.check().isSound && history.reader.verify().findings == [])
    try expectEqual(StateDigest(of: history.state(at: .end).state), digest)
    history.sealing = keys.sealing
    try expectEqual(history.state(at: .end).state.customers.map(\.name), [isErased ? "" : "Ada Lovelace", "Bob"])

    let fork = try TemporaryJournal()
    let id = try #require(JournalID(bytes: [UInt8](2...17)))
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    #expect(throws: HistoryError.sealing(.withoutKeys)) {
      try EventStore.fork(
        from: history, at: 50, to: fork.path, journalID: id, createdNanoseconds: 1, options: options)
    }
    #expect(throws: (any Error).self) { try PosixFileSystem().list(fork.path) }
    options.sealing = keys.sealing
    keys.fail(true)
    let failure = HistoryError.sealing(TestKeys.error)
    #expect(throws: failure) {
      try EventStore.fork(
        from: history, at: 50, to: fork.path, journalID: id, createdNanoseconds: 1, options: options)
    }
    #expect(throws: (any Error).self) { try PosixFileSystem().list(fork.path) }
    keys.fail(false)
    let forked = try EventStore.fork(
      from: history, at: 50, to: fork.path, journalID: id, createdNanoseconds: 1, options: options)
    #expect(forked.opening.checkpoint == 50 && forked.opening.replayedEvents == 0)
    try expectEqual(StateDigest(of: forked.state), StateDigest(of: history.state(at: .sequence(50)).state))
    expectEqual(forked.state.customers.map(\.name), [isErased ? "" : "Ada Lovelace", "Bob"])
    // The parent's commands are recognised; their events are retired or the parent's.
    #expect(throws: StoreError<BankRejection>.keyReused(sequence: 1)) {
      try forked.append(.greet("Eve"), at: .seconds(70), idempotencyKey: Self.commandKey)
    }
    try forked.append(.greet("Ada Lovelace"), at: .seconds(71))
    expectEqual(
      forked.state.customers.map(\.name), isErased ? ["", "Bob", "Ada Lovelace"] : ["Ada Lovelace", "Bob"])
    try forked.close()
    #expect(try fork.history(Customers.self).check().isSound)
  }

  @Test("A sealed value that was moved to another account is not opened")
  func moved() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    let result = try store.append(Self.command, at: .seconds(1))
    try store.close()
    guard case .opened(1, let name, let email)? = result.events.first?.event else { return }
    let moved = try keys.sealing.opened(CustomerEvent.opened(customer: 2, name: name, email: email))
    guard case .opened(2, let there, _) = moved else { return }
    #expect(there.isErased && there.wrappedValue == "" && there.sealed == name.sealed)
    guard
      case .opened(1, let here, _) = try keys.sealing.opened(
        CustomerEvent.opened(customer: 1, name: name, email: email))
    else { return }
    expectEqual(here.wrappedValue, "Ada Lovelace")
  }

  @Test("Failed and repeated commands never reuse a nonce")
  func nonces() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    var nonces: [[UInt8]] = []
    func note(_ events: [CustomerEvent]) {
      for case .opened(_, let name, let email) in events {
        nonces += [name.sealed, email.sealed].compactMap { $0.map { Array($0.bytes[10..<22]) } }
      }
    }
    for _ in 0..<3 {
      var explanation = Explanation()
      try store.append(Self.command, at: .seconds(1), explanation: &explanation) { events in
        note(events)
        return false
      }
    }
    expectEqual(store.lastSequence, 0)
    note(try store.append(Self.command, at: .seconds(1)).events.map(\.event))
    #expect(nonces.count == 8 && Set(nonces).count == 8)
    try store.close()
  }

  @Test("A plain personal field has the bytes of a plain field")
  func plainBytes() {
    var writer = WireWriter()
    let event = CustomerEvent.opened(
      customer: 1, name: Personal(wrappedValue: "Ada"), email: Personal(wrappedValue: ""))
    event.encodeBody(into: &writer)
    expectEqual(writer.bytes, [8, 1, 18, 3, 0x41, 0x64, 0x61, 26, 0])
    let decoded = try? WireReader.decode(writer.bytes) { (reader) throws(WireError) in
      try CustomerEvent.decode(type: 1, version: 1, body: &reader)
    }
    expectEqual(decoded, event)
    let email = CustomerEvent.catalog[1]?.body.fields.last
    #expect(email?.cardinality == .optional && email?.privacy == .account)
    guard case .string? = email?.type else {
      Issue.record("\(String(describing: email))")
      return
    }
  }

  @Test("Setting a sealed property makes it plain")
  func setting() throws {
    let keys = TestKeys()
    let journal = try journal(keys.sealing)
    let store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    var state = store.state
    #expect(state.$lastComplaint.sealed != nil)
    state.lastComplaint = "other"
    #expect(state.$lastComplaint.sealed == nil && state.$lastComplaint.isReadable)
    try store.close()
  }
}
