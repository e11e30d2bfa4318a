import Synchronization
import SystemCalls
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let sampleID = JournalID(bytes: Array(0..<16)) ?? .none

/// Runs a test in a directory of its own, which is gone afterwards.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  var template = Array("/tmp/journal-tests-XXXXXX".utf8CString)
  let path = try template.withUnsafeMutableBufferPointer { buffer in
    let base = try #require(buffer.baseAddress)
    return String(cString: try #require(mkdtemp(base)))
  }
  defer {
    for name in SystemCalls.names(in: path).0 { _ = SystemCalls.remove(path + "/" + name) }
    _ = rmdir(path)
  }
  return try body(path)
}

/// The payloads that a reader serves.
func events(_ reader: JournalReader, beyondDamage: Bool = false) throws -> [[UInt8]] {
  var cursor = try reader.cursor(beyondDamage: beyondDamage)
  var payloads: [[UInt8]] = []
  while let item = try cursor.next() {
    if case .event(let event) = item { payloads.append(Array(event.payload)) }
  }
  return payloads
}

/// A small journal in memory and what belongs into it.
struct SampleJournal {
  static let path = "j"
  var files: [String: [UInt8]]
  var payloads: [[UInt8]]
  /// How many leading events the writer was told are durable.
  var durable: UInt64

  var fileSystem: MemoryFileSystem { MemoryFileSystem(files) }

  /// The payload of an event: lengths 1 to 50, because a payload without bytes stands for a lost event; bytes that look
  /// like nothing else.
  static func payload(_ sequence: Int) -> [UInt8] {
    (0..<max((sequence * 7) % 51, 1)).map { UInt8(truncatingIfNeeded: $0 * 31 + sequence * 17 + 1) }
  }

  /// Writes `count` events in batches of one, two, three, ... events, and a checkpoint in the middle.
  ///
  /// - Parameter batchesPerBlock: closes the journal and opens it again after so many batches, which gives a segment as
  ///   many anchors.
  init(
    count: Int = 40, policy: SyncPolicy = .everyCommit, closing: Bool = true, segmentSize: UInt64 = 1 << 10,
    preallocation: UInt64 = 0, embedding: [UInt8]? = nil, batchesPerBlock: Int = .max
  ) throws {
    let fileSystem = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = segmentSize
    options.syncPolicy = policy
    options.preallocation = preallocation
    var journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 99, options: options, fileSystem: fileSystem)
    var batch = JournalBatch()
    payloads = []
    var size = 1
    var batches = 0
    while payloads.count < count {
      for _ in 0..<min(size, count - payloads.count) {
        let payload =
          payloads.count == count / 2 ? embedding ?? Self.payload(payloads.count) : Self.payload(payloads.count)
        try batch.append(payload: payload, label: Int64(payloads.count))
        payloads.append(payload)
      }
      try journal.append(&batch)
      if size == 3, policy == .everyCommit {
        try journal.writeCheckpoint(sequence: journal.lastSequence, body: [7, 8])
      }
      size = size % 4 + 1
      batches += 1
      if batches % batchesPerBlock == 0, payloads.count < count {
        try journal.close()
        journal = try JournalWriter.open(at: Self.path, options: options, fileSystem: fileSystem)
      }
    }
    durable = journal.durableSequence
    if closing {
      try journal.close()
      durable = UInt64(count)
    }
    files = fileSystem.files
    files["\(Self.path)/LOCK"] = nil
  }

  /// How many anchors each segment has.
  func anchorsPerSegment() throws -> [Int] {
    let reader = try JournalReader(path: Self.path, fileSystem: fileSystem)
    let walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: false)
    var counts: [Int] = []
    while true {
      switch try walker.next() {
      case .segment: counts.append(0)
      case .record(let record) where record.type == .anchor: counts[counts.count - 1] += 1
      case .end: return counts
      default: continue
      }
    }
  }

  /// The events that a reader of changed files serves, or the error that stopped it.
  struct Reading {
    var report: VerificationReport
    var prefix: [UInt64: [UInt8]]
    var all: [UInt64: [UInt8]]
  }

  /// Reads changed files in every way.
  static func read(_ files: [String: [UInt8]]) throws -> Reading {
    let reader = try JournalReader(path: path, fileSystem: MemoryFileSystem(files))
    func serve(_ beyondDamage: Bool) throws -> [UInt64: [UInt8]] {
      var cursor = try reader.cursor(beyondDamage: beyondDamage)
      var events: [UInt64: [UInt8]] = [:]
      while let item = try cursor.next() {
        if case .event(let event) = item { events[event.sequence] = Array(event.payload) }
      }
      return events
    }
    return Reading(report: try reader.verify(), prefix: try serve(false), all: try serve(true))
  }

  /// How many served events are not the ones that were appended.
  func wrong(_ events: [UInt64: [UInt8]]) -> Int {
    events.count { sequence, payload in
      sequence < 1 || sequence > payloads.count || payloads[Int(sequence) - 1] != payload
    }
  }
}

extension OperatingSystem {
  /// The permission bits of a path.
  static func mode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
  }

  static func makePipe(_ path: String) -> Int32 { mkfifo(path, 0o600) }
  static func makeLink(to target: String, at path: String) -> Int32 { symlink(target, path) }

  static func removeEmptyDirectory(_ path: String) -> Int32 { rmdir(path) }
}
