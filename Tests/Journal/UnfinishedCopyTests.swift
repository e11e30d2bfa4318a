import Expectations
import Testing

@testable import Journal

/// A salvage that is ended in the middle leaves a copy that nothing takes for a journal.
@Suite("Unfinished copies")
struct UnfinishedCopyTests {
  /// What became of one file of a copy.
  struct Loss: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    /// What is left of its bytes; `nil` when the file is gone.
    let change: @Sendable ([UInt8]) -> [UInt8]?

    init(_ description: String, _ file: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
      (testDescription, self.file, self.change) = (description, file, change)
    }

    /// A copy without one of the files that say whether it is finished.
    static let all = [
      Loss("nothing is lost", "LOCK") { $0 },
      Loss("JOURNAL is gone", "JOURNAL") { _ in nil },
      Loss("JOURNAL is damaged", "JOURNAL") { $0.map { ~$0 } },
      Loss("JOURNAL is cut short", "JOURNAL") { Array($0.prefix(20)) },
      Loss("JOURNAL is another journal's", "JOURNAL") { _ in
        let id = JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none
        return JournalIdentity(id: id, createdNanoseconds: 1, parent: nil, keepsHistoryDigest: true).encoded()
      },
      Loss("HEAD is gone", "HEAD") { _ in nil },
      Loss("HEAD is damaged", "HEAD") { $0.map { ~$0 } },
      Loss("HEAD lacks its second slot", "HEAD") { Array($0.prefix(512)) },
    ]
  }

  /// A journal, and what its salvages leave.
  private static let salvages = Result {
    let sample = try SampleJournal(count: 24)
    return (sample: sample, states: try states(sample.files))
  }

  /// What is in the target directory when all calls fail from the first, the second, ... on, and when none does.
  private static func states(_ files: [String: [UInt8]]) throws -> [[String: [UInt8]]] {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    // Each call may be the last one: the salvage is ended before it.
    var states: [[String: [UInt8]]] = []
    for number in 1... {
      let ended = MemoryFileSystem(files)
      let calls = Counter()
      ended.setFault { operation, path, _ in
        path.hasPrefix("out") && calls.next() >= number ? .error(OperatingSystem.deviceError) : nil
      }
      let copy = try Salvage(of: ["j"], fileSystem: ended)
      let isWhole = (try? copy.write(to: "out", options: options)) != nil
      ended.setFault(nil)
      states.append(ended.files.filter { $0.key.hasPrefix("out/") && !$0.key.hasSuffix("LOCK") })
      if isWhole { break }
    }
    return states
  }

  @Test(
    "Wherever a salvage is ended, readers, writers and salvages take its copy for unfinished, or all events are there",
    arguments: Loss.all)
  func everyCall(loss: Loss) throws {
    let states = try Self.salvages.get().states
    #expect(states.count > 40)
    var (refused, whole) = (0, 0)
    for (number, before) in states.enumerated() {
      var state = before
      state["out/\(loss.file)"] = before["out/\(loss.file)"].flatMap(loss.change)
      let hasSegments = state.keys.contains { $0.hasSuffix(".seg") }
      // Without a segment nothing tells another journal from this one.
      guard hasSegments || !loss.testDescription.hasSuffix("another journal's") else { continue }
      let fileSystem = MemoryFileSystem(state)
      if let reader = try? JournalReader(path: "out", fileSystem: fileSystem) {
        // Everything was there when it was said to be.
        try expectEqual(reader.verify().eventCount, 24, "\(number)")
        whole += 1
        continue
      }
      for open in [
        { _ = try JournalReader(path: "out", fileSystem: fileSystem) },
        { try JournalWriter.open(at: "out", fileSystem: fileSystem).close() },
      ] where hasSegments {
        #expect {
          try open()
        } throws: {
          let place = loss.file == "JOURNAL" ? "HEAD, byte 44" : "JOURNAL, byte 20"
          return ($0 as? JournalError)?.code == .damaged
            && "\($0)"
              == "\(place): the command that writes this journal is still at work, or was ended before the journal was "
              + "complete; wait for it; if it was ended, remove this journal and run the command again"
        }
      }
      refused += 1
      guard let again = try? Salvage(of: ["out"], fileSystem: fileSystem), !again.journals.isEmpty else { continue }
      #expect(again.files.contains { $0.note?.contains("was not finished") ?? false }, "\(number)")
      guard let report = try? again.write(to: "again") else { continue }
      guard report.knowsEnd else {
        #expect(report.identity.lastKnownOfParent != nil && report.unknownEnd == .unfinishedCopy, "\(number)")
        continue
      }
      // A HEAD that is still to be put in place may say that all is there, when it is.
      #expect(state["out/HEAD.tmp"] != nil && report.isComplete && report.salvagedCount == 24, "\(number)")
    }
    #expect(refused > 20 && whole > 0)
  }

  @Test("The mark goes from HEAD before it goes from JOURNAL, and nothing else changes with it")
  func marks() throws {
    func marks(_ state: [String: [UInt8]]) -> [Bool] {
      guard case .sound(let identity) = JournalIdentity.read(state["out/JOURNAL"] ?? []) else { return [] }
      return [identity.isUnfinished, HeadReceipt.read(state["out/HEAD"] ?? [], of: identity.id).saysUnfinished]
    }
    let (sample, states) = try Self.salvages.get()
    let isHeadThere = states.firstIndex { $0["out/HEAD"] != nil } ?? 0
    var seen: [[Bool]] = []
    for state in states[isHeadThere...] where marks(state) != seen.last { seen.append(marks(state)) }
    expectEqual(seen, [[true, true], [true, false], [false, false]])
    let whole = try #require(states.last)
    let before = try #require(states.last { marks($0) == [true, true] })
    expectEqual(whole.filter { before[$0.key] != $0.value }.keys.sorted(), ["out/HEAD", "out/JOURNAL"])
    let reader = try JournalReader(path: "out", fileSystem: MemoryFileSystem(whole))
    #expect(try reader.verify().isSound && reader.verify().eventCount == 24 && reader.wasClosed)
    // The original beside it says how far it reached.
    let both = MemoryFileSystem(sample.files.merging(states[states.count / 2]) { $1 })
    let report = try Salvage(of: ["j", "out"], fileSystem: both).write(to: "again")
    #expect(report.isComplete && report.knowsEnd && report.salvagedCount == 24)
  }

  @Test("A salvage to a place with an unfinished copy says what it is, also where JOURNAL is lost")
  func target() throws {
    let (sample, states) = try Self.salvages.get()
    for name in ["JOURNAL", "HEAD"] {
      var files = states[states.count / 2].merging(sample.files) { $1 }
      files["out/\(name)"] = nil
      #expect {
        try Salvage(of: ["j"], fileSystem: MemoryFileSystem(files)).write(to: "out")
      } throws: {
        "\($0)".contains("it holds an unfinished copy of")
      }
    }
  }

  @Test("No segment header has the flag of an unfinished copy")
  func segmentFlag() throws {
    let sample = try SampleJournal(count: 7)
    let path = "j/00000000000000000001.seg"
    var record = try #require(FixedRecord(Array((sample.files[path] ?? []).prefix(224)), size: 224))
    record.set(Format.unfinishedFlag, at: 20)
    record.seal()
    var files = sample.files
    files[path]?.replaceSubrange(..<224, with: record.bytes)
    let fileSystem = MemoryFileSystem(files)
    #expect {
      _ = try JournalReader(path: "j", fileSystem: fileSystem)
    } throws: {
      ($0 as? JournalError)?.code == .unsupportedFormat
    }
  }
}
