import Testing

@testable import Journal

/// A salvage that is ended in the middle leaves a copy that nothing takes for a journal.
@Suite("Unfinished copies")
struct UnfinishedCopyTests {
  /// What is in the target directory when all calls fail from the first, the second, ... on, and when none does.
  private func states(_ files: [String: [UInt8]]) throws -> [[String: [UInt8]]] {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    // Each call may be the last one: the salvage is ended before it.
    var states: [[String: [UInt8]]] = []
    for number in 1... {
      let ended = MemoryFileSystem(files)
      let calls = Counter()
      ended.setFault { operation, path, _ in
        path.hasPrefix("out") && calls.next() >= number ? .error(Platform.deviceError) : nil
      }
      let copy = try Salvage(of: ["j"], fileSystem: ended)
      let isWhole = (try? copy.write(to: "out", options: options)) != nil
      ended.setFault(nil)
      states.append(ended.files.filter { $0.key.hasPrefix("out/") && !$0.key.hasSuffix("LOCK") })
      if isWhole { break }
    }
    return states
  }

  @Test("Wherever a salvage is ended, its copy is refused by readers and writers, and a salvage of it knows no end")
  func everyCall() throws {
    let sample = try SampleJournal(count: 24)
    let states = try states(sample.files)
    #expect(states.count > 40)
    var unfinished = 0
    for (number, state) in states.dropLast().enumerated() where state["out/JOURNAL"] != nil {
      let fileSystem = MemoryFileSystem(state)
      if case .sound(let identity) = JournalIdentity.read(state["out/JOURNAL"] ?? []), !identity.isUnfinished {
        // Everything was there when it was said to be.
        #expect(try JournalReader(path: "out", fileSystem: fileSystem).verify().eventCount == 24)
        continue
      }
      for open in [
        { _ = try JournalReader(path: "out", fileSystem: fileSystem) },
        { try Journal.open(at: "out", fileSystem: fileSystem).close() },
      ] {
        #expect {
          try open()
        } throws: {
          ($0 as? JournalError)?.code == .damaged
            && "\($0)"
              == "JOURNAL, byte 20: the salvage that writes this copy is still at work, or was ended before the copy was "
              + "complete; wait for it; if it was ended, remove the copy and salvage the original files again"
        }
      }
      unfinished += 1
      guard let again = try? Salvage(of: ["out"], fileSystem: fileSystem) else { continue }
      #expect(again.files.contains { $0.note?.contains("was not finished") ?? false }, "\(number)")
      guard let report = try? again.write(to: "again") else { continue }
      #expect(!report.knowsEnd && report.identity.lastKnownOfParent != nil, "\(number)")
    }
    #expect(unfinished > 20)
    let whole = try #require(states.last)
    let reader = try JournalReader(path: "out", fileSystem: MemoryFileSystem(whole))
    #expect(try reader.verify().isSound && reader.verify().eventCount == 24 && !reader.identity.isUnfinished)
    // The original beside it says how far it reached.
    let both = MemoryFileSystem(sample.files.merging(states[states.count / 2]) { $1 })
    let report = try Salvage(of: ["j", "out"], fileSystem: both).write(to: "again")
    #expect(report.isComplete && report.knowsEnd && report.salvagedCount == 24)
  }

  @Test("No segment header has the flag of an unfinished copy")
  func segmentFlag() throws {
    let sample = try SampleJournal(count: 7)
    let path = "j/00000000000000000001.seg"
    var record = try #require(FixedRecord(Array((sample.files[path] ?? []).prefix(128)), size: 128))
    record.set(Format.unfinishedFlag, at: 20)
    record.seal()
    var files = sample.files
    files[path]?.replaceSubrange(..<128, with: record.bytes)
    let fileSystem = MemoryFileSystem(files)
    #expect {
      _ = try JournalReader(path: "j", fileSystem: fileSystem)
    } throws: {
      ($0 as? JournalError)?.code == .unsupportedFormat
    }
  }
}
