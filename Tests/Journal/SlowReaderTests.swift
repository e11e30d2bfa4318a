import Expectations
import Testing

@testable import Journal

/// Readers that fall after the writer, or whose reads fail: they find what a reader finds that comes later.
@Suite("A reader that falls after")
struct SlowReaderTests {
  private func append(_ count: Int, bytes: Int, to journal: JournalWriter) throws {
    var batch = JournalBatch()
    for number in 0..<count {
      try batch.append(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number) | 1, count: bytes), label: 1)
      if number % 3 != 1 { try journal.append(&batch) }
    }
    if !batch.isEmpty { try journal.append(&batch) }
  }

  private struct Options: Sendable {
    var segmentSize: UInt64?
    var preallocation: UInt64?
    var policy = SyncPolicy.everyCommit
  }

  @Test(
    "It finds no damage in a sound journal, wherever it stood when the writer went on",
    arguments: [
      Options(), Options(policy: .none), Options(segmentSize: 1 << 16), Options(segmentSize: 1 << 14, policy: .none),
      Options(segmentSize: 1 << 14, preallocation: 0), Options(segmentSize: 1 << 14, preallocation: 1 << 20),
    ])
  private func staysBehind(choice: Options) throws {
    var options = JournalOptions()
    if let size = choice.segmentSize { options.segmentSizeLimit = size }
    if let size = choice.preallocation { options.preallocation = size }
    options.syncPolicy = choice.policy
    for (read, more, bytes) in [
      (0, 5, 100), (1, 30, 100), (20, 30, 100), (60, 1000, 100), (7, 90, 2000), (3, 40, 9000),
    ] {
      let files = MemoryFileSystem()
      let journal = try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
      try append(max(read, 20), bytes: bytes, to: journal)
      var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
      var findings: [Finding] = []
      func drain(_ limit: Int) throws {
        for _ in 0..<limit {
          guard let item = try cursor.next() else { return }
          if case .finding(let finding) = item { findings.append(finding) }
        }
      }
      try drain(read)
      for _ in 0..<3 {
        try append(more, bytes: bytes, to: journal)
        try drain(more / 2)
      }
      try drain(.max)
      expectEqual(findings, [], "\(read) read, \(more) of \(bytes) bytes appended")
      expectEqual(cursor.lastSequence, journal.lastSequence, "\(read) read, \(more) of \(bytes) bytes appended")
      try journal.close()
    }
  }

  @Test("Verifying again and again finds nothing in a journal that is written at full speed")
  func verifyWhileWriting() async throws {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 14
    options.preallocation = 1 << 12
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
    let writer = Task {
      for _ in 0..<60 { try append(20, bytes: 60, to: journal) }
    }
    var findings: [Finding] = []
    while journal.lastSequence < 1200 {
      findings += try JournalReader(path: "j", fileSystem: files).verify().findings
      await Task.yield()
    }
    try await writer.value
    expectEqual(findings, [])
    try journal.close()
  }

  /// Everything a cursor serves, asking again whenever a call fails.
  private func reading(_ files: MemoryFileSystem) throws -> (items: [String], failures: Int) {
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: files)
    var cursor = try reader.cursor(beyondDamage: true)
    var items: [String] = []
    var failures = 0
    while true {
      do {
        switch try cursor.next() {
        case .event(let event)?: items.append("event \(event.sequence) \(Array(event.payload))")
        case .finding(let finding)?: items.append("\(finding.verdict) \(finding)")
        case nil: return (items, failures)
        }
      } catch {
        failures += 1
        guard failures < 5 else { throw error }
      }
    }
  }

  @Test("A read that fails once and is tried again changes nothing of what is found", arguments: [0, 1, 2])
  func retriedRead(segment: Int) throws {
    let sample = try SampleJournal(count: 60)
    let path = try #require(sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted().dropFirst(segment).first)
    for place in [200, 333, 500, 1000] {
      var files = sample.files
      files[path]?[place] ^= 4
      let undisturbed = MemoryFileSystem(files)
      let expected = try reading(undisturbed).items
      #expect(expected.count > 55 && expected.contains { !$0.hasPrefix("event") })
      let start = MemoryFileSystem(files)
      _ = try JournalReader(path: SampleJournal.path, fileSystem: start).cursor(beyondDamage: true)
      // Not every failure is seen: a block that cannot be read at once is read frame by frame.
      var failures = 0
      for failing in (start.calls.count + 1)...undisturbed.calls.count {
        let disturbed = MemoryFileSystem(files)
        disturbed.setFault { _, _, count in count == failing ? .error(OperatingSystem.deviceError) : nil }
        let found = try reading(disturbed)
        failures += found.failures
        expectEqual(found.items, expected, "call \(failing) failed, byte \(place)")
      }
      #expect(failures > 5)
    }
  }

  @Test("It waits once for a segment that does not grow, and not at each of its holes")
  func manyHoles() throws {
    let sample = try SampleJournal(count: 400, policy: .none, closing: false, segmentSize: 1 << 20)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    var files = sample.files
    for place in stride(from: 600, to: files[path]?.count ?? 0, by: 300) { files[path]?[place] ^= 1 }
    let memory = MemoryFileSystem(files)
    let report = try JournalReader(path: SampleJournal.path, fileSystem: memory).verify()
    #expect(report.findings.count > 20)
    #expect(memory.pauses <= 10, "\(memory.pauses)")
  }
}
