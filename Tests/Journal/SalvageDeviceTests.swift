import Expectations
import Synchronization
import SystemCalls
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a salvage makes of devices that fail, of directories in its way, and of what it cannot hold.
@Suite("Salvage from failing devices")
struct SalvageDeviceTests {
  /// A journal of one segment whose events take 1,040 bytes each.
  private func largeEvents(_ count: Int) throws -> (files: [String: [UInt8]], segment: String) {
    let fileSystem = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: fileSystem)
    for number in 1...count {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1024), label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    return (fileSystem.files, "j/00000000000000000001.seg")
  }

  @Test(
    "Of a page that cannot be read only the events in it are lost, and they are named once, with the device's word",
    arguments: [false, true])
  func badPage(refusesWhole: Bool) throws {
    let (files, segment) = try largeEvents(60)
    let length = files[segment, default: []].count
    for pages in [[5], [2, 3], [1, 7, 12]] {
      let fileSystem = MemoryFileSystem(files)
      let ranges = pages.map { $0 * 4096..<min(($0 + 1) * 4096, length) }
      fileSystem.setUnreadable(segment, ranges, refusesWhole: refusesWhole)
      let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
      let hit = (1...60).filter { number in
        let frame = (224 + (number - 1) * 1040)..<(224 + number * 1040)
        return ranges.contains { $0.overlaps(frame) }
      }
      let lost = report.losses.compactMap(\.events).flatMap { Array($0) }
      expectEqual(lost, hit.map { UInt64($0) }, "pages \(pages)")
      #expect(report.losses.allSatisfy { $0.events != nil && $0.certainty == .certain }, "pages \(pages)")
      #expect(report.losses.allSatisfy { $0.cause.contains("are not to be had: the system refused the call (read: ") })
      let bytes = report.losses.compactMap(\.byteRange)
      #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
      expectEqual(report.salvagedCount, UInt64(60 - hit.count))
    }
  }

  @Test("A file whose length the device does not say is closed")
  func lengthless() throws {
    let (files, segment) = try largeEvents(4)
    let fileSystem = MemoryFileSystem(files)
    fileSystem.setFault { operation, path, _ in operation == "size" && path == segment ? .error(5) : nil }
    _ = try? Salvage(of: ["j"], fileSystem: fileSystem)
    expectEqual(fileSystem.openCount, 0)
  }

  @Test("After too many pages that cannot be read, the rest is said not to be searched")
  func manyBadPages() throws {
    let (files, segment) = try largeEvents(4)
    var bytes = files[segment, default: []]
    bytes += [UInt8](repeating: 0, count: 8192 - bytes.count)
    let start = bytes.count
    bytes += [UInt8](repeating: 0xFF, count: 4096 * 600)
    let fileSystem = MemoryFileSystem(files.merging([segment: bytes]) { $1 })
    let ranges = (0..<300).map { (start + $0 * 8192)..<(start + $0 * 8192 + 4096) }
    fileSystem.setUnreadable(segment, ranges, refusesWhole: false)
    let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
    #expect(report.salvagedCount == 4 && report.losses.count == PileScanner.maximumFailures)
    let last = try #require(report.losses.last)
    expectEqual(last.cause, "not searched, because the device failed too often before")
    expectEqual(last.byteRange, UInt64(start + 255 * 8192)..<UInt64(bytes.count))
  }

  @Test("A device that fails once and then delivers costs no event")
  func failsOnce() throws {
    let (files, segment) = try largeEvents(10)
    let fileSystem = MemoryFileSystem(files)
    let failed = Counter()
    fileSystem.setFault { operation, path, _ in
      // The first read is that of the file's first bytes.
      operation == "read" && path == segment && failed.next() == 2 ? .error(OperatingSystem.deviceError) : nil
    }
    let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
    #expect(report.salvagedCount == 10 && report.isComplete)
  }

  @Test("A directory that cannot be listed is not taken for an empty one, and loses nothing")
  func listingFails() throws {
    let sample = try SampleJournal(count: 9)
    let fileSystem = sample.fileSystem
    let salvage = try Salvage(of: ["j"], fileSystem: fileSystem)
    let before = fileSystem.files
    fileSystem.setFault { operation, path, _ in
      operation == "list" && path == "j" ? .error(OperatingSystem.deviceError) : nil
    }
    #expect(throws: JournalError.self) { try salvage.write(to: "j") }
    expectEqual(fileSystem.files, before)
  }

  @Test("A file in which no event ever is costs none, whatever keeps it from being opened; another may")
  func spareFiles() throws {
    let files = try SampleJournal(count: 9).files
    let errors = [(ENOENT, "no such file or directory"), (EACCES, "permission denied"), (ELOOP, nil)]
    for name in [Format.lockName, Keyframe.fileName, Format.keptName, Format.identityName, "other"] {
      // A regular file in the place of JOURNAL may hold what belongs to another place.
      for (code, what) in errors where name != Format.identityName || code == ELOOP {
        let fileSystem = MemoryFileSystem(files.merging(["j/" + name: [1]]) { $1 })
        fileSystem.setFault { operation, path, _ in
          guard path == "j/" + name else { return nil }
          // A link to itself is refused already when it is asked whether it is a directory.
          return operation == "open" || operation == "list" && code == ELOOP ? .error(code) : nil
        }
        let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "out")
        expectEqual(report.salvagedCount, 9)
        let found = report.files.first { $0.path == "j/" + name }
        guard name != "other" else {
          #expect(report.losses.map(\.file) == ["j/other"] && report.losses.allSatisfy { $0.certainty == .unknown })
          #expect(found?.note == nil)
          continue
        }
        #expect(report.losses == [] && report.isComplete, "\(name), \(code)")
        let reason = what.map { "it cannot be opened (\($0))" } ?? "it is not a regular file"
        expectEqual(found?.note, "\(reason), and no event is ever in it", "\(name), \(code)")
      }
    }
  }

  @Test("What another salvage puts into the target meanwhile stays there")
  func race() throws {
    let sample = try SampleJournal(count: 9)
    let fileSystem = sample.fileSystem
    let salvage = try Salvage(of: ["j"], fileSystem: fileSystem)
    let report = try salvage.write(to: "out")
    let before = fileSystem.files
    let listed = Counter()
    fileSystem.setFault { operation, path, _ in
      // As if the directory had appeared right after the look for it.
      operation == "list" && path == "out" && listed.next() == 1 ? .error(OperatingSystem.noEntry) : nil
    }
    #expect {
      try salvage.write(to: "out")
    } throws: {
      ($0 as? JournalError)?.code == .alreadyExists
    }
    for (path, bytes) in before where !path.hasSuffix("LOCK") { expectEqual(fileSystem.files[path], bytes, "\(path)") }
    try expectEqual(events(JournalReader(path: "out", fileSystem: fileSystem)).count, Int(report.salvagedCount))
  }

  @Test(
    "Wherever the target has no room or refuses a call, nothing is left there, or the error says what; then it works again",
    arguments: [(ENOSPC, false), (EFBIG, false), (EIO, false), (ENOSPC, true)])
  func refusedCalls(code: Int32, alsoRemoving: Bool) throws {
    let (files, _) = try largeEvents(12)
    var options = JournalOptions()
    options.segmentSizeLimit = 4 << 10
    options.preallocation = 0
    for number in 1... {
      let fileSystem = MemoryFileSystem(files)
      let salvage = try Salvage(of: ["j"], fileSystem: fileSystem)
      let calls = Counter()
      fileSystem.setFault { operation, path, _ in
        guard path.hasPrefix("out"), operation != "list" else { return nil }
        if operation == "remove" { return alsoRemoving ? .error(EIO) : nil }
        return calls.next() == number ? .error(code) : nil
      }
      var failure: JournalError?
      do throws(JournalError) { _ = try salvage.write(to: "out", options: options) } catch { failure = error }
      fileSystem.setFault(nil)
      guard let failure else {
        // The call was not needed, or there are no more of them.
        if calls.next() <= number { return }
        continue
      }
      let left = fileSystem.files.keys.filter { $0.hasPrefix("out/") }.sorted()
      #expect(alsoRemoving || left.isEmpty, "call \(number)")
      let expected =
        switch left.count {
        case 0: "; nothing is left in out"
        case 1: "; remove \(left[0]) first, which is left"
        default: "; remove out first, in which \(left.count) files are left, such as \(left[0].dropFirst(4))"
        }
      #expect("\(failure)".hasSuffix(expected), "call \(number)")
      for path in left { try fileSystem.remove(path) }
      try expectEqual(salvage.write(to: "out", options: options).salvagedCount, 12, "call \(number)")
    }
  }

  @Test("What a salvage left that was killed is not written over, and the next one says what it is")
  func killed() throws {
    let (files, _) = try largeEvents(12)
    let fileSystem = MemoryFileSystem(files)
    let salvage = try Salvage(of: ["j"], fileSystem: fileSystem)
    var unfinished = try salvage.write(to: "out").identity
    unfinished.isUnfinished = true
    let identity = unfinished.encoded()
    // Killed before there was a journal: it begins again.
    let beginning = MemoryFileSystem(files.merging(["new/LOCK": [], "new/JOURNAL.tmp": [1]]) { $1 })
    try expectEqual(Salvage(of: ["j"], fileSystem: beginning).write(to: "new").salvagedCount, 12)
    for names in [["JOURNAL"], ["JOURNAL", "LOCK", "00000000000000000001.seg"]] {
      var left = files
      for name in names { left["new/" + name] = name == "JOURNAL" ? identity : [1] }
      let ended = MemoryFileSystem(left)
      #expect {
        try Salvage(of: ["j"], fileSystem: ended).write(to: "new")
      } throws: {
        "\($0)"
          == "new: it holds an unfinished copy of \(names.count) files: another salvage is writing it, or was ended in the "
          + "middle; name one that does not exist yet; remove this one if no salvage is at work on it"
      }
      expectEqual(ended.files, left)
    }
  }

  @Test("Two segments of one event each whose headers are destroyed are found in one file")
  func twoPresumedSegments() throws {
    let fileSystem = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: fileSystem)
    for number in 1...6 {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(number), count: 900), label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    let segments = fileSystem.files.filter { $0.key.hasSuffix(".seg") }.sorted { $0.key < $1.key }.map(\.value)
    expectEqual(segments.count, 6)
    var pile: [UInt8] = []
    for (index, segment) in segments.enumerated() {
      // Of each only the header and the one event.
      var bytes = Array(segment.prefix(224 + 920))
      if index % 2 == 1 { bytes[40] ^= 1 }
      pile += bytes
    }
    let (events, report, _) = try salvaged(["p/all": pile], of: ["p"])
    #expect(events.count == 6 && report.losses == [] && report.salvagedCount == 6)
    #expect(events.allSatisfy { $1 == [UInt8](repeating: UInt8($0), count: 900) })
  }

  @Test("Directories that are not searched are named")
  func deepDirectories() throws {
    try withTemporaryDirectory { path in
      var deep = path
      var made: [String] = []
      defer { for path in made.reversed() { _ = rmdir(path) } }
      func folder(_ name: String) {
        deep += "/" + name
        _ = SystemCalls.createFolder(deep)
        made.append(deep)
      }
      for _ in 0...SalvageInputs.maximumDepth { folder("d") }
      let skipped = deep
      folder("e")
      let pile = try SalvageInputs.contents(of: [path], PosixFileSystem())
      expectEqual(pile.skipped.map(\.path), [skipped])
      expectEqual(pile.skipped.first?.cause, "not searched, because it is more than 16 directories deep")
    }
  }
}

/// Counts calls from wherever they come.
final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
