import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// A journal and a spool beside it, in memory or in a temporary folder.
struct SharedFolder {
  let path: String
  let fileSystem: any FileSystem
  var sealing: Sealing?

  var journal: String { path + "/j" }
  var folder: String { path + "/s" }

  func store() throws -> EventStore<Ledger> {
    var options = StoreOptions()
    options.journal.preallocation = 0
    options.keyframeInterval = 0
    options.sealing = sealing
    do throws(HistoryError) {
      return try .open(at: journal, options: options, fileSystem: fileSystem)
    } catch {
      guard case .journal(let reason) = error, reason.code == .notAJournal else { throw error }
      return try .create(
        at: journal, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: fileSystem)
    }
  }

  func spool(_ session: UInt64, _ name: String = "share", sealing: Sealing? = nil) throws -> CommandSpool<Ledger> {
    try CommandSpool(
      at: folder, of: TemporaryJournal.id, name: name, session: session, process: 70 + session,
      sealing: sealing ?? self.sealing,
      fileSystem: fileSystem)
  }

  func drain() -> SpoolDrain<Ledger> {
    SpoolDrain(at: folder, of: TemporaryJournal.id, sealing: sealing, fileSystem: fileSystem)
  }

  var files: [String] { ((try? fileSystem.list(folder)) ?? []).sorted() }

  func contents(_ name: String) throws -> [UInt8] {
    let file = try fileSystem.open(folder + "/" + name, .read)
    defer { fileSystem.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try fileSystem.size(of: file)))
    _ = try bytes.withUnsafeMutableBytes { try fileSystem.read(file, into: $0, at: 0) }
    return bytes
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try fileSystem.open(folder + "/" + name, .replace)
    defer { fileSystem.close(file) }
    _ = try bytes.withUnsafeBytes { try fileSystem.write(file, $0, at: 0) }
  }

  /// What was noted, in the order of the events; the state keeps only the last of them.
  func notes() throws -> [String] {
    var notes: [String] = []
    var cursor = try History<Ledger>(at: journal, fileSystem: fileSystem).events()
    while let item = try cursor.next() {
      if case .event(let step) = item, case .noted(let text)? = step.record.event { notes.append(text) }
    }
    return notes
  }
}

@Suite("Commands that processes hand over")
struct SpoolTests {
  private static func folder() -> SharedFolder {
    SharedFolder(path: ".", fileSystem: RecordingFiles.make())
  }

  @Test("A command is carried out with its key and origin, its outcome is told, and its file is gone")
  func handover() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    let opened = try spool.submit(.open("Ada"), in: store.state, at: .seconds(5))
    let refused = try spool.submit(.close(9), in: store.state, at: .seconds(6))
    let idle = try spool.submit(.note([]), in: store.state, at: .seconds(7))
    #expect(try spool.outcome(of: opened) == nil)
    let report = try store.drain(shared.drain(), at: .seconds(10))
    expectEqual(report.commandCount, 3)
    #expect(report.setAside.isEmpty && report.waiting.isEmpty && !report.wasStopped)
    try expectEqual(spool.outcome(of: opened), .carriedOut(events: 1...1))
    try expectEqual(spool.outcome(of: refused), .refused(rule: "rules", explanation: "there is no account a9"))
    try expectEqual(spool.outcome(of: idle), .carriedOut(events: nil))
    expectEqual(shared.files, ["0000000000000001.outcomes"])
    let record = try #require(try store.recordedEvents(after: 0).first)
    expectEqual(record.envelope.attributes?.origin, CommandOrigin(process: 71, at: .seconds(5)))
    expectEqual(record.envelope.attributes?.metadata, [MetadataEntry("process", "share")])
    expectEqual(record.envelope.moment, .seconds(10))
    expectEqual(record.envelope.idempotencyKey, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    try expectEqual(store.drain(shared.drain(), at: .seconds(11)).commandCount, 0)
    try spool.close()
    #expect(shared.files.isEmpty)
    try expectEqual(spool.outcome(of: opened), .unknown)
  }

  @Test("Each process's commands keep their order, and those of several are ordered by their clocks")
  func order() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let (one, two) = (try shared.spool(2, "one"), try shared.spool(1, "two"))
    // The clock of the first goes back.
    for (number, second) in [10, 30, 20, 40].enumerated() {
      try one.submit(.note(["one \(number)"]), in: store.state, at: .seconds(Int64(second)))
      try two.submit(.note(["two \(number)"]), in: store.state, at: .seconds(Int64(second + 1)))
    }
    try store.drain(shared.drain(), at: .seconds(50))
    try expectEqual(shared.notes(), ["one 0", "two 0", "one 1", "one 2", "two 1", "two 2", "one 3", "two 3"])
  }

  @Test("More commands than one batch are all carried out, and only the newest outcomes are kept")
  func manyCommands() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    let tickets = try (0..<200).map { try spool.submit(.note(["\($0)"]), in: store.state, at: .seconds(1)) }
    try expectEqual(store.drain(shared.drain(), at: .seconds(2)).commandCount, 200)
    try expectEqual(shared.notes(), (0..<200).map { "\($0)" })
    try expectEqual(spool.outcome(of: tickets[0]), .unknown)
    try expectEqual(spool.outcome(of: tickets[199]), .carriedOut(events: 200...200))
  }

  @Test("Only so many commands wait, and only so many processes' outcomes stay")
  func limits() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    #expect(throws: SpoolError.keyTooLong(bytes: 65)) {
      try spool.submit(.start, in: store.state, at: .seconds(1), idempotencyKey: [UInt8](repeating: 1, count: 65))
    }
    let long = String(repeating: "x", count: CommandSpool<Ledger>.maximumCommandLength)
    #expect(throws: SpoolError.tooLarge(bytes: long.utf8.count + 5)) {
      try spool.submit(.note([long]), in: store.state, at: .seconds(1))
    }
    #expect(throws: SpoolError.nameInvalid("Ada Lovelace")) { try shared.spool(3, "Ada Lovelace") }
    for number in 0..<CommandSpool<Ledger>.maximumCommandCount {
      try spool.submit(.note(["\(number)"]), in: store.state, at: .seconds(1))
    }
    #expect(throws: SpoolError.full(count: 1024)) { try spool.submit(.start, in: store.state, at: .seconds(1)) }
    try store.drain(shared.drain(), at: .seconds(2))
    for session in 10..<100 {
      try shared.spool(UInt64(session)).submit(.note(["\(session)"]), in: store.state, at: .seconds(3))
      try store.drain(shared.drain(), at: .seconds(4))
    }
    #expect(shared.files.count <= 65)
    #expect(shared.files.contains("0000000000000063.outcomes"))
    #expect(!shared.files.contains("0000000000000001.outcomes"))
  }

  @Test("Every damaged byte of a file sets it aside with a reason, and blocks no other")
  func damage() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    let first = try spool.submit(.note(["first"]), in: store.state, at: .seconds(1))
    let name = try #require(shared.files.first)
    let whole = try shared.contents(name)
    let second = try spool.submit(.note(["second"]), in: store.state, at: .seconds(1))
    let next = try shared.contents(try #require(shared.files.last))
    let changes: [(String, [UInt8])] =
      whole.indices.map { index in
        var bytes = whole
        bytes[index] ^= 0x20
        return ("byte \(index)", bytes)
      } + whole.indices.map { ("length \($0)", Array(whole[..<$0])) } + [("another's", next), ("longer", whole + [0])]
    for (what, bytes) in changes {
      let other = SharedFolder(path: ".", fileSystem: RecordingFiles.make())
      let store = try other.store()
      let place = try other.spool(1)
      try other.write(bytes, to: name)
      try other.write(next, to: "\(second).command")
      let report = try store.drain(other.drain(), at: .seconds(2))
      if what == "byte 8" || what == "byte 9" {
        // A header that verifies is needed to say that a newer program wrote it.
        #expect(report.waiting.isEmpty)
      }
      expectEqual(report.setAside.count, 1, "\(what)")
      try expectEqual(other.notes(), ["second"], "\(what)")
      expectEqual(other.files, ["\(first).damaged", "0000000000000001.outcomes"], "\(what)")
      guard case .damaged(let reason)? = try place.outcome(of: first) else {
        Issue.record("\(what): no outcome")
        continue
      }
      try expectEqual(other.drain().setAside(), [SpoolNote(file: "\(first).damaged", reason: reason)], "\(what)")
    }
  }

  @Test("A newer program's command stays with those after it, is named, and is carried out by that program")
  func newerCommand() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let (one, two) = (try shared.spool(1), try shared.spool(2))
    let unknown = try one.submit(.note(["unknown"]), in: store.state, at: .seconds(1))
    let known = try shared.contents("\(unknown).command")
    var writer = WireWriter()
    writer.write(99, bool: true)
    var payload = try SpoolPayload(decoding: Array(known[64...]), isSealed: false)
    payload.command = writer.bytes
    let folder = SpoolFolder(path: shared.folder, of: TemporaryJournal.id, fileSystem: shared.fileSystem)
    try folder.put(payload.encoded, isSealed: false, at: unknown.place)
    try one.submit(.note(["after"]), in: store.state, at: .seconds(2))
    try two.submit(.note(["other"]), in: store.state, at: .seconds(3))
    let report = try store.drain(shared.drain(), at: .seconds(4))
    expectEqual(report.waiting, [SpoolNote(file: "\(unknown)", reason: "only a newer program knows the command")])
    try expectEqual(shared.notes(), ["other"])
    #expect(try one.outcome(of: unknown) == nil)
    // The newer program reads it as something else here.
    try shared.write(known, to: "\(unknown).command")
    try store.drain(shared.drain(), at: .seconds(5))
    try expectEqual(shared.notes(), ["other", "unknown", "after"])
  }

  @Test("The commands of another journal are set aside, and no other file is touched")
  func otherJournal() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let spool = try CommandSpool<Ledger>(
      at: shared.folder, of: id, name: "share", session: 5, fileSystem: shared.fileSystem)
    try spool.submit(.start, in: store.state, at: .seconds(1))
    for name in ["README", "x.command", "0000000000000001.command", "g000000000000001-00000000000000000001.command"] {
      try shared.write([1], to: name)
    }
    let report = try store.drain(shared.drain(), at: .seconds(2))
    expectEqual(report.setAside.map(\.reason), ["it is of another journal, \(id)"])
    expectEqual(store.lastSequence, 0)
    expectEqual(shared.files.count, 6)
  }

  @Test("A store that cannot write now leaves the commands")
  func suspended() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    let ticket = try spool.submit(.start, in: store.state, at: .seconds(1))
    try store.suspend()
    #expect(throws: SpoolError.journal(.suspended)) { try store.drain(shared.drain(), at: .seconds(2)) }
    #expect(try spool.outcome(of: ticket) == nil)
    try store.resume()
    try store.drain(shared.drain(), at: .seconds(2))
    try expectEqual(spool.outcome(of: ticket), .carriedOut(events: 1...1))
  }

  @Test("A repeated submission under one key is carried out once")
  func repeated() throws {
    let shared = Self.folder()
    let store = try shared.store()
    let spool = try shared.spool(1)
    let first = try spool.submit(.note(["x"]), in: store.state, at: .seconds(1), idempotencyKey: [7])
    let again = try spool.submit(.note(["x"]), in: store.state, at: .seconds(2), idempotencyKey: [7])
    let other = try spool.submit(.note(["y"]), in: store.state, at: .seconds(2), idempotencyKey: [7])
    try store.drain(shared.drain(), at: .seconds(3))
    try expectEqual(spool.outcome(of: first), .carriedOut(events: 1...1))
    try expectEqual(spool.outcome(of: again), .carriedOut(events: 1...1))
    guard case .refused(rule: "key", _)? = try spool.outcome(of: other) else {
      Issue.record("the key was used for another command")
      return
    }
    expectEqual(store.lastSequence, 1)
  }

  @Test("A task waits for the outcome, and ends when it is canceled")
  func waiting() async throws {
    let journal = try TemporaryJournal()
    let shared = SharedFolder(path: String(journal.path.dropLast("/journal".count)), fileSystem: PosixFileSystem())
    defer {
      for name in shared.files { try? shared.fileSystem.remove(shared.folder + "/" + name) }
      for name in (try? shared.fileSystem.list(shared.journal)) ?? [] {
        try? shared.fileSystem.remove(shared.journal + "/" + name)
      }
      try? shared.fileSystem.remove(shared.folder)
      try? shared.fileSystem.remove(shared.journal)
    }
    let store = try shared.store()
    let spool = try shared.spool(1)
    let ticket = try spool.submit(.start, in: store.state, at: .seconds(1))
    let outcome = Task { try await spool.waitForOutcome(of: ticket) }
    let never = Task { [state = store.state] in
      try await spool.waitForOutcome(of: try spool.submit(.start, in: state, at: .seconds(2)))
    }
    never.cancel()
    _ = try? await never.value
    try store.drain(shared.drain(), at: .seconds(3))
    try await expectEqual(outcome.value, .carriedOut(events: 1...1))
    try store.close()
  }
}
