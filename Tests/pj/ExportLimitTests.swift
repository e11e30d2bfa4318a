import Expectations
import AppProtection
import EventSourcing
import JSON
import PlainText
import Testing
import WireFormat

@testable import CommandSupport
@testable import Forensics
@testable import Journal

/// What is written can be read, and neither fills the memory.
@Suite("Limits of exports")
struct ExportLimitTests {
  private typealias Machine = AppProtectionMachine

  /// Lets HEAD claim an event at the place where the journal ends.
  private static func claim(_ sequence: UInt64, _ journal: String) throws {
    let id = try JournalReader(path: journal).identity.id
    var bytes = try TestFiles.read("\(journal)/HEAD")
    var receipt = try #require(HeadReceipt.read(bytes, of: id).newest)
    receipt.sequence = sequence
    let place = Format.headSlotOffsets[Int(receipt.generation % 2)]
    bytes.replaceSubrange(place..<place + Format.headSlotSize, with: receipt.encoded(for: id))
    try TestFiles.write(bytes, to: "\(journal)/HEAD")
  }

  @Test(
    "A journal that claims more events than its bytes hold is not sound, and no export has more than readers accept",
    arguments: [40_000_000, 2_000_000_000, 1 << 60] as [UInt64])
  func claims(sequence: UInt64) throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: journal)
      try Self.claim(sequence, journal)
      let verified = ToolRun("verify", journal)
      #expect(verified.code == .different && !verified.output.contains("Sound"), "\(verified.output)")
      let run = ToolRun("export", journal, "-o", "\(folder)/a.pjx")
      #expect(run.code == .unreadable && run.notes.contains("it has more than 16777216 events"), "\(run.notes)")
      #expect(try !TestFiles.names(in: folder).contains("a.pjx"))
      #expect(ToolRun("export", journal, "1..5", "-o", "\(folder)/b.pjx").code != .unreadable)
      #expect(ToolRun("log", "\(folder)/b.pjx", "--oneline").lines.count >= 5)
    }
  }

  /// Exports a golden journal under limits; returns the file, or why there is none.
  private static func export(_ name: String, _ limits: ExportFormat.Limits) throws -> Result<[UInt8], JournalError> {
    let history = try History<Machine>(at: Repository.journal(name))
    var export = HistoryExport(history)
    export.pseudonyms = nil
    export.limits = limits
    let report = try history.reader.verify()
    var bytes: [UInt8] = []
    do throws(HistoryError) {
      _ = try export.write(report) { bytes += $0 }
    } catch {
      guard case .journal(let error) = error else { throw error }
      return .failure(error)
    }
    return .success(bytes)
  }

  /// The lines of an export of a golden journal.
  private static func lines(_ name: String) throws -> [String] {
    let gzip = GzipReader(try export(name, ExportFormat.Limits()).get())
    var text: [UInt8] = []
    while let piece = gzip.next() { text += piece }
    return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A run of lost events has the chain and the digest of as many events without content")
  func lostRuns() {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    for count in [0, 1, 2, 3, 31, 1 << 14, 40_001] as [UInt64] {
      var chain: UInt32 = 0x1234_5678
      var (content, run) = (ExportChecksum(), ExportChecksum())
      for _ in 0..<count {
        chain = HistoryChain.value(after: chain, nothing)
        content.add(event: nothing)
      }
      run.add(lost: count)
      #expect(LostRun.chain(after: 0x1234_5678, count: count) == chain && run.hex == content.hex, "\(count)")
    }
  }

  @Test("More lost events than a short line may ask for in memory are only imported")
  func manyLost() throws {
    var lines = try Array(Self.lines("first-enrollment").prefix { !$0.contains("\"seq\":3,") })
    lines.append("{\"kind\":\"gap\",\"from\":3,\"to\":16000000}\n")
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let history = try ExportReader.read(bytes, limits: PackedInput.limits)
    #expect(history.lastSequence == 16_000_000 && history.lostCount == 15_999_998)
    try expectEqual(ExportReader.read(bytes, limits: PackedInput.limitsInMemory).lastSequence, 2)
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(bytes, to: "\(folder)/a.pjx")
      let run = ToolRun("log", "\(folder)/a.pjx", "--oneline")
      #expect(run.code == .partial && run.lines.count >= 2, "\(run)")
      #expect(
        run.notes.contains(
          "with the lost events 3 to 16000000, it has more than 1048576 lost events; only what precedes that is known"),
        "\(run.notes)")
      #expect(run.notes.contains("pj import"), "\(run.notes)")
    }
  }

  @Test("Lost events of all runs count together: as many as the limit says are read and written, and not one more")
  func lostTogether() throws {
    let start = try Array(Self.lines("first-enrollment").prefix { !$0.contains("\"seq\":3,") })
    for (runs, count) in [
      ([1_048_576], 1_048_576), ([1_048_577], 0), ([524_288, 524_288], 1_048_576), ([524_288, 524_289], 524_288),
      ([1_048_576, 1], 1_048_576),
    ] as [([UInt64], UInt64)] {
      var (lines, last) = (start, 2 as UInt64)
      for run in runs {
        lines.append(#"{"kind":"gap","from":\#(last + 1),"to":\#(last + run)}"#)
        last += run
      }
      let bytes = Array((lines + [""]).joined(separator: "\n").utf8)
      try expectEqual(ExportReader.read(bytes, limits: PackedInput.limitsInMemory).lostCount, count, "\(runs)")
    }
    let whole = try Self.export("damaged-frame", ExportFormat.Limits()).get()
    let lost = try ExportReader.read(whole).lostCount
    try #require(lost > 0)
    try expectEqual(Self.export("damaged-frame", ExportFormat.Limits(lostEvents: lost)).get(), whole)
    #expect(try !Self.export("damaged-frame", ExportFormat.Limits(lostEvents: lost - 1)).isWritten)
  }

  @Test("The writer refuses what the reader refuses, and in the same words")
  func agreement() throws {
    let journal = "framework-history"
    let whole = try Self.export(journal, ExportFormat.Limits()).get()
    let history = try ExportReader.read(whole)
    let text = try Self.lines(journal).reduce(0) { $0 + $1.utf8.count + 1 }
    let payloads = history.payloads.reduce(0) { $0 + $1.count }
    var cases: [(ExportFormat.Limits, String)] = []
    cases.append((ExportFormat.Limits(fileBytes: whole.count - 1), "it has more than"))
    cases.append((ExportFormat.Limits(textBytes: text / 2), "it decompresses to more than"))
    cases.append((ExportFormat.Limits(events: history.eventCount - 1), "it has more than 377 events"))
    cases.append((ExportFormat.Limits(contentBytes: payloads - 1), "its events and records have more than"))
    for (limits, reason) in cases {
      guard case .failure(let error) = try Self.export(journal, limits) else {
        Issue.record("written: \(reason)")
        continue
      }
      #expect(error.code == .tooLarge && error.message.contains(reason), "\(error)")
      do throws(ExchangeError) {
        _ = try ExportReader.read(whole, limits: limits)
        Issue.record("read: \(reason)")
      } catch {
        #expect(error.code == .tooLarge && error.message.contains(reason), "\(error)")
      }
    }
    let longest = try Self.lines(journal).map(\.utf8.count).max() ?? 0
    let atLimit = ExportFormat.Limits(lineBytes: longest)
    try expectEqual(Self.export(journal, atLimit).get(), whole)
    try expectEqual(ExportReader.read(whole, limits: atLimit).ending, .complete)
    let below = ExportFormat.Limits(lineBytes: longest - 1)
    #expect(try !Self.export(journal, below).isWritten)
    #expect(try ExportReader.read(whole, limits: below).ending != .complete)
  }

  @Test(
    "The least content that readers must take is the least under which an export is written",
    arguments: ["framework-history", "damaged-frame"])
  func leastContent(journal: String) throws {
    let whole = try Self.export(journal, ExportFormat.Limits()).get()
    var (refused, read) = (0, 1 << 24)
    while read - refused > 1 {
      let middle = (refused + read) / 2
      if (try? ExportReader.read(whole, limits: ExportFormat.Limits(contentBytes: middle))) != nil {
        read = middle
      } else {
        refused = middle
      }
    }
    try expectEqual(Self.export(journal, ExportFormat.Limits(contentBytes: read)).get(), whole)
    #expect(try !Self.export(journal, ExportFormat.Limits(contentBytes: refused)).isWritten)
  }

  @Test(
    "Everything that is held counts, not only the last of it",
    arguments: [#"{"kind":"damage","cause":"X"}"#, #"{"kind":"note","text":"X"}"#, "catalog", "checkpoint"])
  func held(line: String) throws {
    var lines = try Self.lines("first-enrollment")
    let filling = [UInt8](repeating: 7, count: 30_000)
    let record =
      switch line {
      case "catalog":
        #"{"kind":"catalog","from":1,"sha256":"\#(Digest.sha256(filling).hex)","bytes":"\#(Base64.text(filling))"}"#
      case "checkpoint": #"{"kind":"checkpoint","seq":1,"bytes":"\#(Base64.text(filling))"}"#
      default: line.replacing("X", with: String(repeating: "x", count: 30_000))
      }
    lines.insert(contentsOf: repeatElement(record, count: 5), at: 1)
    let file = Array((lines.joined(separator: "\n") + "\n").utf8)
    do throws(ExchangeError) {
      _ = try ExportReader.read(file, limits: ExportFormat.Limits(contentBytes: 100_000))
      Issue.record("read")
    } catch {
      expectEqual(error.code, .tooLarge, "\(error)")
    }
  }

  @Test("A gap of more events than are read says so")
  func gap() throws {
    let lines = try Self.lines("first-enrollment").dropLast()
    let last = try JournalReader(path: Repository.journal("first-enrollment")).durableSequence
    let gap = #"{"kind":"gap","from":\#(last + 1),"to":40000000}"#
    let file = Array((lines + [gap, ""]).joined(separator: "\n").utf8)
    let reason =
      "line \(lines.count + 1): with the lost events \(last + 1) to 40000000, it has more than 16777216 events"
    try expectEqual(ExportReader.read(file).ending, .cut(line: lines.count + 1, reason: reason))
  }

  @Test("What an import keeps can be read again, or is refused")
  func sidecar() throws {
    let files = MemoryFiles()
    do throws(JournalError) {
      try ExportSidecar.write([UInt8](repeating: 0x20, count: (64 << 20) + 1), to: "j", files)
      Issue.record("written")
    } catch {
      expectEqual(error.code, .tooLarge)
      #expect(try ExportSidecar.contents(of: "j", files) == nil)
    }
  }

  @Test("What an import keeps of the deepest record that is read can be read again")
  func deepest() throws {
    func deep(_ depth: Int) throws(JSONError) -> JSONObject {
      let brackets = (0..<depth - 1).map { _ in "[" } + (0..<depth - 1).map { _ in "]" }
      return try JSONDocument.parse(#"{"unknown":\#(brackets.joined())}"#).root.object()
    }
    let limit = JSONDocument.Limits().depth
    #expect(throws: JSONError.self) { try deep(limit + 1) }
    let deepest = try deep(limit)
    var (start, additions) = (deepest, ExportAdditions())
    start["redacted"] = .bool(false)
    additions.keep(deepest, of: "event", at: 1)
    let line = JSONValue(.object(deepest)).text(style: .compact)
    let sidecar = ExportSidecar(
      end: .init(sequence: 1, chain: 7), start: start, records: [.init(after: 0, line: line)], additions: additions)
    let read = try #require(try ExportSidecar.read(sidecar.bytes).sidecar)
    #expect(read.start == start && read.records.map(\.line) == [line])
    expectEqual(JSONObject(read.additions.members(of: "event", at: 1)), deepest)
  }
}

extension Result {
  fileprivate var isWritten: Bool { if case .success = self { true } else { false } }
}
