import Expectations
import Journal
import JournalSimulation
import Testing
import WireFormat

@testable import EventSourcing

extension Customers: HandoverDomain {
  static func decodeCommand(from reader: inout WireReader) throws(WireError) -> BankCommand? {
    var name = ""
    var command: BankCommand?
    var email: String?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: name = try reader.string(field)
      case 2: email = try reader.string(field)
      case 3: command = .rename(name, to: try reader.string(field))
      case 4: command = .deposit(name, try reader.signed(field))
      case 5: command = .complain(name, try reader.string(field))
      default: return nil
      }
    }
    return command ?? .greet(name, email: email)
  }

  static func sealingAccounts(of command: BankCommand, in state: CustomerState) -> [UInt64] {
    let name =
      switch command {
      case .greet(let name, _), .rename(let name, _), .deposit(let name, _), .complain(let name, _): name
      }
    return state.customers.filter { $0.name == name }.map(\.number)
  }
}

@Suite("Commands that are handed over sealed")
struct SealedSpoolTests {
  private let files = RecordingFileSystem()
  private let keys = TestKeys()

  private func store() throws -> EventStore<Customers> {
    var options = StoreOptions()
    options.sealing = keys.sealing
    options.journal.preallocation = 0
    return try .create(
      at: "j", journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func spool(sealed: Bool = true) throws -> CommandSpool<Customers> {
    try CommandSpool(
      at: "s", of: TemporaryJournal.id, name: "share", session: 1, sealing: sealed ? keys.sealing : nil,
      fileSystem: files)
  }

  private func drain() -> SpoolDrain<Customers> {
    SpoolDrain(at: "s", of: TemporaryJournal.id, sealing: keys.sealing, fileSystem: files)
  }

  /// Whether a text was ever in a file, even one that is gone.
  private func holds(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return files.allContents.contains { bytes in
      bytes.indices.contains { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
    }
  }

  @Test("No text of a person reaches a file, and the commands are carried out")
  func sealed() throws {
    let (store, spool) = (try store(), try spool())
    try spool.submit(.greet("Ada Lovelace", email: "ada@example.com"), in: store.state, at: .seconds(1))
    try store.drain(drain(), at: .seconds(2))
    let ticket = try spool.submit(.complain("Ada Lovelace", "too slow"), in: store.state, at: .seconds(3))
    try spool.submit(.deposit("Ada Lovelace", 5), in: store.state, at: .seconds(3))
    try store.drain(drain(), at: .seconds(4))
    expectEqual(store.state.lastComplaint, "too slow")
    // Greeting is worth a cent.
    expectEqual(store.state.customers.map(\.cents), [6])
    try expectEqual(spool.outcome(of: ticket), .carriedOut(events: 3...3))
    for text in ["Ada Lovelace", "ada@example.com", "too slow"] { #expect(!holds(text)) }
  }

  @Test("The command of a person who is erased before it is carried out goes with the key")
  func erased() throws {
    let (store, spool) = (try store(), try spool())
    try store.append(.greet("Ada"), at: .seconds(1))
    try store.append(.greet("Bob"), at: .seconds(2))
    let ada = try spool.submit(.complain("Ada", "secret"), in: store.state, at: .seconds(3))
    let bob = try spool.submit(.complain("Bob", "loud"), in: store.state, at: .seconds(3))
    let state = store.state
    keys.destroy(1)
    #expect(throws: SpoolError.erased(account: 1)) {
      try spool.submit(.complain("Ada", "late"), in: state, at: .seconds(4))
    }
    try store.drain(drain(), at: .seconds(5))
    try expectEqual(spool.outcome(of: ada), .erased)
    try expectEqual(spool.outcome(of: bob), .carriedOut(events: 5...5))
    expectEqual(store.state.lastComplaint, "loud")
  }

  @Test("Keys that cannot be read now leave the commands, and a process without keys hands none over")
  func lockedKeys() throws {
    let (store, spool) = (try store(), try spool())
    try store.append(.greet("Ada"), at: .seconds(1))
    let ticket = try spool.submit(.deposit("Ada", 1), in: store.state, at: .seconds(2))
    keys.fail(true)
    #expect(throws: SpoolError.sealing(TestKeys.error)) { try store.drain(drain(), at: .seconds(3)) }
    keys.fail(false)
    let keyless = SpoolDrain<Customers>(at: "s", of: TemporaryJournal.id, fileSystem: files)
    #expect(throws: SpoolError.sealing(.withoutKeys)) { try store.drain(keyless, at: .seconds(3)) }
    #expect(throws: SpoolError.sealing(.withoutKeys)) {
      try self.spool(sealed: false).submit(.deposit("Ada", 1), in: store.state, at: .seconds(4))
    }
    try store.drain(drain(), at: .seconds(5))
    try expectEqual(spool.outcome(of: ticket), .carriedOut(events: 3...3))
  }

  @Test("A sealed command does not open at another place")
  func moved() throws {
    let (store, spool) = (try store(), try spool())
    try store.append(.greet("Ada"), at: .seconds(1))
    let ticket = try spool.submit(.deposit("Ada", 1), in: store.state, at: .seconds(2))
    let folder = SpoolFolder(path: "s", of: TemporaryJournal.id, fileSystem: files)
    guard case .payload(let bytes, _, true) = try folder.command(at: ticket.place) else {
      Issue.record("the file is not sealed")
      return
    }
    try folder.put(bytes, isSealed: true, at: SpoolPlace(session: 1, number: 2))
    let report = try store.drain(drain(), at: .seconds(3))
    expectEqual(report.setAside.map(\.reason), ["it was sealed for another place, or changed"])
    expectEqual(store.state.customers.map(\.cents), [2])
  }

  @Test("The explanation of a refusal is sealed too")
  func refusal() throws {
    let (store, spool) = (try store(), try spool())
    let ticket = try spool.submit(.deposit("Nobody", 1), in: store.state, at: .seconds(2))
    try store.drain(drain(), at: .seconds(3))
    try expectEqual(spool.outcome(of: ticket), .refused(rule: "rules", explanation: "no customer has this name"))
    #expect(!holds("no customer has this name"))
  }
}
