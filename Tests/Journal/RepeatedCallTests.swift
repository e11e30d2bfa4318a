import Synchronization
import SystemCalls
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is tried again, and how often.
@Suite("What is tried again")
struct RepeatedCallTests {
  @Test("A call that a signal interrupts is made again, and one that fails otherwise is not", arguments: [0, 1, 5])
  func interrupted(count: Int) {
    var calls = 0
    func call(_ result: Int, _ code: Int32) -> (value: Int, error: Int32) {
      calls = 0
      return SystemCalls.uninterrupted { () -> Int in
        calls += 1
        errno = calls <= count ? EINTR : code
        return calls <= count ? -1 : result
      }
    }
    for result in [0, 7] {
      #expect(call(result, 0) == (result, 0) && calls == count + 1)
    }
    for code in [EIO, ENOSPC, EAGAIN, EBADF] {
      #expect(call(-1, code) == (-1, code) && calls == count + 1)
    }
  }

  @Test(
    "Names are changed once, also when a signal interrupts the call before it was made or behind it",
    arguments: [0, 1, 3])
  func names(interruptions: Int) throws {
    try withTemporaryDirectory { path in
      for isDone in [false, true] where interruptions > 0 || !isDone {
        var (file, error) = Platform.open(path + "/a", .replace)
        #expect(error == 0)
        Platform.close(file)
        var calls = 0
        func interrupted(_ call: () -> Int32) -> Int32 {
          calls += 1
          guard calls <= interruptions else { return call() }
          if isDone { _ = call() }
          errno = EINTR
          return -1
        }
        #expect(SystemCalls.rename(path + "/a", path + "/b") { from, to in interrupted { rename(from, to) } } == 0)
        #expect(calls == interruptions + 1)
        (file, error) = Platform.open(path + "/b", .read)
        #expect(error == 0)
        Platform.close(file)
        calls = 0
        #expect(SystemCalls.remove(path + "/b") { path in interrupted { remove(path) } } == 0)
        #expect(Platform.open(path + "/b", .read).error == ENOENT)
      }
      #expect(SystemCalls.rename(path + "/no", path + "/b") == ENOENT && SystemCalls.remove(path + "/no") == ENOENT)
    }
  }

  @Test("A pause is as long as it should be, and every call on a file gives its result through the same loop")
  func calls() throws {
    let start = Platform.monotonicNanoseconds
    Platform.pause(nanoseconds: 2_000_000)
    #expect(Platform.monotonicNanoseconds - start >= 2_000_000)
    try withTemporaryDirectory { path in
      let (file, error) = Platform.open(path + "/a", .replace)
      #expect(error == 0)
      defer { Platform.close(file) }
      let bytes: [UInt8] = [1, 2, 3]
      #expect(bytes.withUnsafeBytes { SystemCalls.write(file, $0, at: 0) } == (3, 0))
      #expect(SystemCalls.setSize(file, 2) == 0 && SystemCalls.sync(file) == 0 && SystemCalls.lock(file) == 0)
      var read: [UInt8] = [0, 0, 0]
      #expect(read.withUnsafeMutableBytes { SystemCalls.read(file, $0, at: 0) } == (2, 0))
      #expect(read == [1, 2, 0] && SystemCalls.syncFolder(path) == 0)
      #expect(SystemCalls.createFolder(path + "/b") == 0 && SystemCalls.remove(path + "/b") == 0)
      #expect(Platform.open(path + "/c", .read) == (-1, ENOENT) && SystemCalls.syncFolder(path + "/c") == ENOENT)
      for number: Int32 in [-1] {
        #expect(SystemCalls.sync(number) == EBADF && SystemCalls.setSize(number, 1) == EBADF)
        #expect(SystemCalls.lock(number) == EBADF)
        #expect(bytes.withUnsafeBytes { SystemCalls.write(number, $0, at: 0) } == (-1, EBADF))
        #expect(read.withUnsafeMutableBytes { SystemCalls.read(number, $0, at: 0) } == (-1, EBADF))
      }
    }
  }

  @Test("A journal whose front is retired whenever it is verified is not verified for ever")
  func verifying() throws {
    let sample = try SampleJournal(count: 90)
    let files = sample.fileSystem
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    try journal.retire(before: 71, behind: journal.writeCheckpoint(sequence: 70, body: [1]))
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
      return isGone ? .error(Platform.noEntry) : nil
    }
    let reader = try JournalReader(path: "j", fileSystem: watched)
    do {
      _ = try reader.verify()
      Issue.record("it was verified")
    } catch {
      #expect(
        "\(error)" == "j: events were retired or taken back 100 times before they were read; verify a copy, or verify"
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
