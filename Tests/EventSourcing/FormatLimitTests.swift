import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// Whatever a store and a spool take, readers take; what they would not, is refused by name.
@Suite("Limits of what a store and a spool write")
struct FormatLimitTests {
  @Test("The longest sealed text that an event holds is opened again, and a longer one is refused and changes nothing")
  func sealedText() throws {
    let keys = TestKeys()
    let journal = try TemporaryJournal()
    var store = try journal.create(Customers.self) {
      $0.sealing = keys.sealing
      $0.keyframeInterval = 0
    }
    try store.append(.greet("Ada"), at: .seconds(1))
    func complain(_ count: Int) throws {
      try store.append(.complain("Ada", String(repeating: "x", count: count)), at: .seconds(2))
    }
    func lastPayload() throws -> Int {
      var cursor = try JournalReader(path: journal.path).cursor(after: store.lastSequence - 1)
      guard case .event(let event)? = try cursor.next() else { return 0 }
      return event.payload.count
    }
    let some = 4 << 20
    try complain(some)
    let longest = JournalBatch.maximumPayloadLength - (try lastPayload() - some)
    try complain(longest)
    try expectEqual(lastPayload(), JournalBatch.maximumPayloadLength)
    let last = store.lastSequence
    let error = #expect(throws: StoreError<BankRejection>.self) { try complain(longest + 1) }
    guard case .journal(let reason)? = error else {
      Issue.record("the journal refused nothing")
      return
    }
    #expect(reason.code == .tooLarge && store.lastSequence == last)
    try store.close()
    store = try journal.open(Customers.self) { $0.sealing = keys.sealing }
    #expect(store.state.lastComplaint.utf8.count == longest && store.lastSequence == last)
    try store.close()
  }

  // MARK: The spool

  /// A sealed journal of customers and its spool.
  private struct Shop {
    let shared = SharedFolder(path: ".", fileSystem: RecordingFiles.make())
    let keys = TestKeys()
    let store: EventStore<Customers>
    let spool: CommandSpool<Customers>

    init() throws {
      var options = StoreOptions()
      options.sealing = keys.sealing
      options.journal.preallocation = 0
      options.keyframeInterval = 0
      store = try .create(
        at: shared.journal, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options,
        fileSystem: shared.fileSystem)
      spool = try CommandSpool(
        at: shared.folder, of: TemporaryJournal.id,
        name: String(repeating: "p", count: CommandAttributes.maximumKeyLength),
        session: .max, process: .max, sealing: keys.sealing, fileSystem: shared.fileSystem)
    }

    func drain() throws -> DrainReport {
      try store.drain(
        SpoolDrain(at: shared.folder, of: TemporaryJournal.id, sealing: keys.sealing, fileSystem: shared.fileSystem),
        at: .seconds(50))
    }

    func submit(_ command: BankCommand, in state: CustomerState? = nil) throws(SpoolError) -> SpoolTicket {
      try spool.submit(
        command, in: state ?? store.state, at: Moment(wallNanoseconds: .max, uptimeNanoseconds: .max),
        idempotencyKey: [UInt8](repeating: 7, count: IdempotencyWindow.maximumKeyLength))
    }
  }

  @Test("The longest command is sealed, opened and carried out, and a longer one is refused")
  func longestCommand() throws {
    let shop = try Shop()
    var writer = WireWriter()
    Customers.encode(.greet(String(repeating: "x", count: 1 << 20)), into: &writer)
    let name = String(
      repeating: "x", count: CommandSpool<Customers>.maximumCommandLength - (writer.bytes.count - 1 << 20))
    #expect(throws: SpoolError.self) { try shop.submit(.greet(name + "x")) }
    let ticket = try shop.submit(.greet(name))
    #expect(try shop.drain().commandCount == 1 && shop.spool.outcome(of: ticket) == .carriedOut(events: 1...2))
    expectEqual(shop.store.state.customers.first?.name, name)
    try shop.store.close()
  }

  @Test("A command that names as many accounts as seal one is opened, and so is its outcome; one more is refused")
  func mostAccounts() throws {
    let shop = try Shop()
    var state = CustomerState()
    for number in 1...UInt64(SpoolSealing.maximumAccountCount) {
      var customer = BankCustomer(number: number)
      customer.name = "Ada"
      state.customers.set(customer)
    }
    let ticket = try shop.submit(.deposit("Ada", 1), in: state)
    let report = try shop.drain()
    #expect(report.setAside.isEmpty && report.commandCount == 1)
    guard case .refused(_, let explanation)? = try shop.spool.outcome(of: ticket) else {
      Issue.record("the outcome cannot be read")
      return
    }
    #expect(explanation.contains("no customer has this name"))
    var customer = BankCustomer(number: UInt64(SpoolSealing.maximumAccountCount) + 1)
    customer.name = "Ada"
    state.customers.set(customer)
    #expect(throws: SpoolError.self) { try shop.submit(.deposit("Ada", 1), in: state) }
    try shop.store.close()
  }
}
