import Expectations
import Synchronization
import Testing

@testable import Journal

/// What is tried again, and how often.
@Suite("What is tried again")
struct RepeatedCallTests {
  @Test("A pause is as long as it should be")
  func pause() {
    let start = OperatingSystem.monotonicNanoseconds
    OperatingSystem.pause(nanoseconds: 2_000_000)
    #expect(OperatingSystem.monotonicNanoseconds - start >= 2_000_000)
  }

  @Test("A journal whose front is retired whenever it is verified is not verified for ever")
  func verifying() throws {
    let sample = try SampleJournal(count: 90)
    let files = sample.fileSystem
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    try journal.retire(before: 71, after: journal.writeCheckpoint(sequence: 70, body: [1]))
    try journal.close()
    let first = "j/00000000000000000001.seg"
    var contents = files.files
    for (path, bytes) in sample.files where path.hasSuffix(".seg") && contents[path] == nil { contents[path] = bytes }
    let watched = MemoryFileSystem(contents)
    // Each time KEPT is not there yet when the journal is looked at, and the first segment gone when it is read.
    let counts = Mutex((kept: 0, segment: 0))
    watched.setFault { operation, path, _ in
      guard operation == "open" else { return nil }
      let isGone = counts.withLock { counts in
        if path == "j/KEPT" {
          counts.kept += 1
          return counts.kept % 2 == 1
        }
        guard path == first else { return false }
        counts.segment += 1
        return counts.segment % 3 == 0
      }
      return isGone ? .error(OperatingSystem.noEntry) : nil
    }
    let reader = try JournalReader(path: "j", fileSystem: watched)
    do {
      _ = try reader.verify()
      Issue.record("it was verified")
    } catch {
      expectEqual(
        "\(error)",
        "j: events were retired or taken back 100 times before they were read; verify a copy, or verify"
          + " again while less is changed")
    }
    watched.setFault(nil)
    #expect(try JournalReader(path: "j", fileSystem: watched).verify().isSound)
  }

  @Test("Keyframes with a tebibyte of zeros among them are looked through without reading it")
  func sparseKeyframes() throws {
    let sample = try SampleJournal(count: 12)
    let files = sample.fileSystem
    _ = try files.open("j/KEYFRAMES", .replace)
    files.edit("j/KEYFRAMES") { $0 = [UInt8](repeating: 3, count: 5000) }
    files.extend("j/KEYFRAMES", by: 1 << 40)
    let keyframes = try #require(try JournalReader(path: "j", fileSystem: files).keyframes())
    files.forgetCalls()
    guard case .unreadable(let pages, let error)? = keyframes.next(after: nil) else {
      Issue.record("there is a keyframe")
      return
    }
    #expect(pages == 0..<(1 << 28) + 1 && error.code == .badCheckpoint)
    #expect(files.calls.count < 10)
    #expect(keyframes.next(after: .unreadable(pages: pages, error)) == nil)
  }
}
