import Expectations
import Journal
import JournalSimulation
import Testing

@testable import EventSourcing

/// Files in memory that record what is done to them.
enum RecordingFiles {
  static func make() -> any FileSystem { RecordingFileSystem() }
}

/// After a crash of either side at any call, every command that was handed over is carried out exactly once and in order.
@Suite("A spool after a crash")
struct SpoolCrashTests {
  /// Two processes with a spool between them: with keys, one file is of the form that an earlier version wrote.
  struct Campaign: CustomTestStringConvertible {
    let keys: TestKeys?
    static let all = [Campaign(keys: nil), Campaign(keys: TestKeys())]

    var testDescription: String { keys == nil ? "unsealed" : "sealed" }

    /// What is carried out, in its order. What an earlier version wrote has to be submitted again.
    var texts: [String] { keys == nil ? ["a", "b", "c"] : ["a", "b", "earlier", "c"] }

    static let earlier = SpoolTicket(place: SpoolPlace(session: 2, number: 1), idempotencyKey: Array("earlier".utf8))

    func shared(_ files: RecordingFileSystem) -> SharedFolder {
      SharedFolder(path: ".", fileSystem: files, sealing: keys?.sealing)
    }

    func submitEarlier(_ files: RecordingFileSystem, in state: LedgerState) throws {
      guard keys != nil else { return }
      let spool = try SharedFolder(path: ".", fileSystem: files).spool(2)
      try spool.submit(.note(["earlier"]), in: state, at: .seconds(1), idempotencyKey: Self.earlier.idempotencyKey)
    }
  }

  /// One process hands over, and the other carries out. `submitted` receives each command that is durable, and `ended` each
  /// outcome that its process has learnt.
  private static func work(
    _ campaign: Campaign, _ files: RecordingFileSystem, submitted: (String) -> Void, ended: (String) -> Void
  ) throws {
    let shared = campaign.shared(files)
    let store = try shared.store()
    let spool = try shared.spool(1)
    func submit(_ text: String, _ key: [UInt8] = []) throws -> SpoolTicket {
      let ticket = try spool.submit(.note([text]), in: store.state, at: .seconds(1), idempotencyKey: key)
      submitted(text)
      return ticket
    }
    try campaign.submitEarlier(files, in: store.state)
    var tickets = [("a", try submit("a")), ("b", try submit("b"))]
    let drain = shared.drain()
    try store.drain(drain, at: .seconds(2))
    for (text, ticket) in tickets where try spool.outcome(of: ticket) != nil { ended(text) }
    // Refused: nothing of it is in the journal.
    try spool.submit(.close(99), in: store.state, at: .seconds(2))
    tickets = []
    if campaign.keys != nil, try spool.outcome(of: Campaign.earlier)?.asksForResubmission == true {
      tickets.append(("earlier", try submit("earlier", Campaign.earlier.idempotencyKey)))
    }
    tickets.append(("c", try submit("c")))
    try store.suspend()
    try store.resume()
    try store.drain(drain, at: .seconds(3))
    for (text, ticket) in tickets where try spool.outcome(of: ticket) != nil { ended(text) }
    try spool.close()
    try store.close()
  }

  /// Finishes what a crash left, and checks it.
  private static func check(
    _ campaign: Campaign, _ files: RecordingFileSystem, submitted: [String], ended: [String], _ what: String
  ) throws {
    let shared = campaign.shared(files)
    let store = try shared.store()
    let hasEarlier = shared.files.contains { $0.hasPrefix(Campaign.earlier.place.text) && !$0.hasSuffix(".tmp") }
    if shared.files.contains(Campaign.earlier.place.text + ".damaged") {
      // It was set aside only once its outcome was durable.
      try expectEqual(shared.spool(3).outcome(of: Campaign.earlier), .notSealed, "\(what)")
    }
    try store.drain(shared.drain(), at: .seconds(10))
    let notes = try shared.notes()
    // Commands that were not acknowledged may be there, but each at most once and in order. What is submitted again below may
    // be there before the rest, if the power is cut after that.
    let ordered = notes.filter { $0 != "earlier" }
    expectEqual(ordered, Array(["a", "b", "c"].prefix(ordered.count)), "\(what)")
    #expect(notes.count <= ordered.count + (campaign.keys == nil ? 0 : 1), "\(what)")
    if campaign.keys != nil, let last = notes.firstIndex(of: "c") {
      #expect(notes[..<last].contains("earlier"), "\(what)")
    }
    #expect(Set(submitted).isSubset(of: notes), "\(what)")
    #expect(Set(ended).isSubset(of: notes), "\(what)")
    let others = shared.files.filter { $0 != Campaign.earlier.place.text + ".damaged" }
    #expect(!others.contains { $0.hasSuffix(".command") || $0.hasSuffix(".damaged") }, "\(what)")
    #expect(!others.contains { $0.hasSuffix(".tmp") }, "\(what)")
    if hasEarlier {
      // Submitted again now, it is carried out once, also where that had been done before.
      let spool = try shared.spool(4)
      try expectEqual(spool.outcome(of: Campaign.earlier), .notSealed, "\(what)")
      try spool.submit(
        .note(["earlier"]), in: store.state, at: .seconds(11), idempotencyKey: Campaign.earlier.idempotencyKey)
      try store.drain(shared.drain(), at: .seconds(12))
      try expectEqual(shared.notes(), notes + (notes.contains("earlier") ? [] : ["earlier"]), "\(what)")
    }
    try store.close()
  }

  @Test("A power cut after any call", arguments: Campaign.all)
  func powerCuts(campaign: Campaign) throws {
    let files = RecordingFileSystem()
    var submitted: [(position: Int, text: String)] = []
    var ended: [(position: Int, text: String)] = []
    try Self.work(
      campaign, files, submitted: { submitted.append((files.position, $0)) },
      ended: { ended.append((files.position, $0)) })
    #expect(submitted.map(\.text) == campaign.texts && ended.map(\.text) == campaign.texts)
    expectEqual(files.openFileCount, 0)
    #expect(files.misuse.isEmpty)
    var count = 0
    try PowerCuts.forEach(of: files.operations, share: 29, randomCount: 4) { state in
      count += 1
      try Self.check(
        campaign, RecordingFileSystem(state.image),
        submitted: submitted.filter { $0.position <= state.position }.map(\.text),
        ended: ended.filter { $0.position <= state.position }.map(\.text),
        "cut after operation \(state.position), \(state.fates)")
    }
    #expect(count > 300)
  }

  @Test("A death at any call, and a power cut during what comes after it", arguments: Campaign.all)
  func deaths(campaign: Campaign) throws {
    for call in 1... {
      let files = RecordingFileSystem()
      files.setPlan(FaultPlan(at: call, .death))
      var submitted: [String] = []
      var ended: [String] = []
      do {
        try Self.work(campaign, files, submitted: { submitted.append($0) }, ended: { ended.append($0) })
      } catch is SpoolError {
      } catch is HistoryError {
      }
      if !files.isDead { break }
      let death = files.position
      files.revive()
      try Self.check(campaign, files, submitted: submitted, ended: ended, "death at call \(call)")
      guard call.isMultiple(of: 5) else { continue }
      try PowerCuts.forEach(of: files.operations, from: death, share: 61, randomCount: 2) { state in
        try Self.check(
          campaign, RecordingFileSystem(state.image), submitted: submitted, ended: ended,
          "death at call \(call), cut after operation \(state.position), \(state.fates)")
      }
    }
  }

  @Test("A call that fails is reported, and what is tried again is carried out once", arguments: Campaign.all)
  func failures(campaign: Campaign) throws {
    for call in 1... {
      let files = RecordingFileSystem()
      let shared = campaign.shared(files)
      let store = try shared.store()
      let spool = try shared.spool(1)
      let drain = shared.drain()
      let first = files.calls.count
      files.setPlan(FaultPlan(at: first + call, .error(call.isMultiple(of: 2) ? 5 : 28)))
      var refused = false
      for text in ["a", "b"] {
        do {
          try spool.submit(.note([text]), in: store.state, at: .seconds(1), idempotencyKey: Array(text.utf8))
        } catch {
          refused = true
          // A caller that passes a key may try again, whatever became of the first attempt.
          try spool.submit(.note([text]), in: store.state, at: .seconds(1), idempotencyKey: Array(text.utf8))
        }
      }
      do {
        try store.drain(drain, at: .seconds(2))
      } catch {
        refused = true
        try store.drain(drain, at: .seconds(2))
      }
      let isPassed = files.calls.count < first + call
      files.setPlan(nil)
      try expectEqual(shared.notes(), ["a", "b"], "call \(call)")
      #expect(!shared.files.contains { $0.hasSuffix(".command") || $0.hasSuffix(".damaged") }, "call \(call)")
      #expect(files.misuse.isEmpty)
      if isPassed {
        #expect(!refused)
        break
      }
    }
  }
}
