import Expectations
import Testing

@testable import Journal

/// What it costs a follower to look again: what came, and nothing that grows with the journal.
@Suite("What a follower reads each time it is woken")
struct WakingTests {
  private struct Cost: Equatable {
    var reads: Int
    var bytes: Int
    var lists: Int
    var opens: Int
  }

  /// A journal of some segments, and a follower that is at its end.
  private final class Followed {
    let files = MemoryFileSystem(knowsHoles: false, stampsNames: true)
    let counting: CountingFileSystem
    let journal: JournalWriter
    private(set) var last: UInt64 = 0

    init(segments: Int, preallocation: UInt64, policy: SyncPolicy = .everyCommit) throws {
      counting = CountingFileSystem(files)
      var options = JournalOptions()
      options.syncPolicy = policy
      options.segmentSizeLimit = 1 << 10
      options.preallocation = 0
      var journal = try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
      while try JournalReader(path: "j", fileSystem: files).segments.count < segments {
        try Followed.append([UInt8](repeating: 1, count: 300), to: journal)
      }
      try journal.close()
      options.preallocation = preallocation
      options.segmentSizeLimit = 1 << 20
      journal = try JournalWriter.open(at: "j", options: options, fileSystem: files)
      try Followed.append([1], to: journal)
      self.journal = journal
    }

    static func append(_ payload: [UInt8], to journal: JournalWriter) throws {
      var batch = JournalBatch()
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }

    func follow(_ limit: ReadLimit) throws -> JournalFollower {
      var follower = try JournalReader(path: "j", fileSystem: files).reading(through: counting).follow(upTo: limit)
      try read(&follower)
      return follower
    }

    /// Reads everything that is there.
    func read(_ follower: inout JournalFollower) throws {
      while let item = try follower.nextIfThere() {
        guard case .event(let event) = item else {
          Issue.record("a finding about a sound journal: \(item)")
          continue
        }
        expectEqual(event.sequence, last + 1)
        last = event.sequence
      }
      expectEqual(last, journal.lastSequence)
    }

    /// What reading everything costs.
    func cost(_ follower: inout JournalFollower) throws -> Cost {
      let (reads, bytes) = (counting.reads, files.bytesRead)
      files.forgetCalls()
      try read(&follower)
      return Cost(
        reads: counting.reads - reads, bytes: files.bytesRead - bytes,
        lists: files.calls.count { $0.hasPrefix("list") }, opens: files.calls.count { $0.hasPrefix("open") })
    }
  }

  @Test(
    "A file whose header does not verify is not searched again for each segment that comes",
    arguments: [ReadLimit.written, .durable], [true, false])
  func damagedHeader(limit: ReadLimit, isEmpty: Bool) throws {
    let followed = try Followed(segments: 6, preallocation: 0)
    let damaged = followed.files.files.keys.filter { $0.hasSuffix(".seg") }.sorted()[3]
    // Zeros are read to the end: nothing in them is a frame that would end the search.
    followed.files.edit(damaged) { bytes in
      if isEmpty {
        bytes = [UInt8](repeating: 0, count: 1 << 20)
      } else {
        bytes.replaceSubrange(..<224, with: repeatElement(0, count: 224))
      }
    }
    var follower = try JournalReader(path: "j", fileSystem: followed.files).reading(through: followed.counting)
      .follow(upTo: limit)
    while try follower.nextIfThere() != nil {}
    for _ in 0..<3 {
      for _ in 0..<4 { try Followed.append([UInt8](repeating: 1, count: 300_000), to: followed.journal) }
      let before = followed.files.bytesRead
      var events = 0
      while let item = try follower.nextIfThere() { if case .event = item { events += 1 } }
      expectEqual(events, 4)
      // The events, twice, as where they are read again once they are durable, and some headers.
      #expect(followed.files.bytesRead - before < 2 * 4 * 300_000 + 200_000, "\(followed.files.bytesRead - before)")
    }
  }

  @Test(
    "As much as came, however many segments there are and however much space is reserved",
    arguments: [ReadLimit.written, .durable])
  func appended(limit: ReadLimit) throws {
    var costs: [Cost] = []
    for (segments, preallocation) in [(2, UInt64(16 << 10)), (60, 1 << 20)] {
      let followed = try Followed(segments: segments, preallocation: preallocation)
      var follower = try followed.follow(limit)
      for _ in 0..<20 {
        try Followed.append([UInt8](repeating: 2, count: 100), to: followed.journal)
        let cost = try followed.cost(&follower)
        #expect(cost.lists == 0 && cost.reads <= 6 && cost.bytes <= 12 << 10, "\(cost)")
        #expect(cost.opens <= (limit == .durable ? 2 : 0), "\(cost)")
        costs.append(cost)
      }
      // Woken for nothing.
      let idle = try followed.cost(&follower)
      #expect(idle.lists == 0 && idle.reads <= 3 && idle.bytes <= 6 << 10, "\(idle)")
      try followed.journal.close()
    }
    expectEqual(Array(costs[..<20]), Array(costs[20...]))
  }

  @Test("Events that are not durable yet are not read again until they may be")
  func waitingForSync() throws {
    let followed = try Followed(segments: 30, preallocation: 1 << 20, policy: .none)
    try followed.journal.sync()
    var follower = try followed.follow(.durable)
    for _ in 0..<5 {
      for _ in 0..<30 { try Followed.append([UInt8](repeating: 2, count: 900), to: followed.journal) }
      #expect(try follower.nextIfThere() == nil)
      let (reads, bytes) = (followed.counting.reads, followed.files.bytesRead)
      followed.files.forgetCalls()
      for _ in 0..<10 { #expect(try follower.nextIfThere() == nil) }
      #expect(followed.counting.reads - reads == 10 && followed.files.bytesRead - bytes <= 10 * Format.headSize)
      #expect(!followed.files.calls.contains { $0.hasPrefix("list") || $0.hasSuffix(".seg") })
      try followed.journal.sync()
      let cost = try followed.cost(&follower)
      #expect(cost.lists == 0 && cost.bytes < 120 << 10, "\(cost)")
    }
    try followed.journal.close()
  }

  @Test(
    "Names are listed after a while in any case, however often somebody asks within it",
    arguments: [ReadLimit.written, .durable])
  func namesAskedForOften(limit: ReadLimit) throws {
    let followed = try Followed(segments: 3, preallocation: 0, policy: .none)
    try followed.journal.sync()
    var follower = try followed.follow(limit)
    // The names are of interest to a reader of durable events as long as it waits for one.
    if limit == .durable { try Followed.append([2], to: followed.journal) }
    func lists() throws -> Int {
      followed.files.forgetCalls()
      #expect(try follower.nextIfThere() == nil)
      return followed.files.calls.count { $0.hasPrefix("list") }
    }
    _ = try lists()
    followed.files.advance(nanoseconds: JournalChanges.longestWait)
    try expectEqual(lists(), 1)
    var counts: [Int] = []
    for _ in 0..<8 {
      followed.files.advance(nanoseconds: JournalChanges.longestWait / 4)
      counts.append(try lists())
    }
    expectEqual(counts, [0, 0, 0, 1, 0, 0, 0, 1])
    try followed.journal.close()
  }

  @Test("Names are listed when they have changed, and after a while in any case")
  func names() throws {
    let followed = try Followed(segments: 3, preallocation: 0)
    var follower = try followed.follow(.written)
    try expectEqual(followed.cost(&follower).lists, 0)
    _ = try followed.files.open("j/another", .createOrUpdate)
    try expectEqual(followed.cost(&follower).lists, 1)
    try expectEqual(followed.cost(&follower).lists, 0)
    followed.files.advance(nanoseconds: JournalChanges.longestWait)
    #expect(try followed.cost(&follower).lists == 1)
    #expect(try followed.cost(&follower).lists == 0)
    followed.files.setFault { operation, _, _ in operation == "list" ? .error(OperatingSystem.deviceError) : nil }
    try followed.files.remove("j/another")
    #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
    followed.files.setFault(nil)
    try expectEqual(followed.cost(&follower).lists, 1, "a look that failed is none")
    try followed.journal.close()
  }

  @Test("The system's own file system stamps names that have not changed for a while, and no others")
  func posixStamps() throws {
    let files = PosixFileSystem()
    expectEqual(files.stampOfNames(in: "/usr"), files.stampOfNames(in: "/usr"))
    #expect(files.stampOfNames(in: "/there/is/nothing") == nil)
    try withTemporaryDirectory { path in
      for number in 0..<20 {
        let before = files.stampOfNames(in: path)
        files.close(try files.open("\(path)/\(number)", .createOrUpdate))
        let after = files.stampOfNames(in: path)
        #expect(before == nil || before != after)
      }
    }
  }
}
