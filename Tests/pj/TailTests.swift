import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import pj
@testable import PolicyCommands

/// `pj log -n N`, with and without `-f`: the last lines are those of the whole log, whatever is wrong with the journal.
@Suite("The end of a log")
struct TailTests {
  /// A way to damage a copy of a golden journal of four segments, with keyframes beside it.
  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Which file, counted among the names in their order.
    let file: Int
    /// The bytes that are left of it; `nil` removes the file.
    let change: @Sendable ([UInt8]) -> [UInt8]?

    init(_ description: String, _ file: Int, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
      (testDescription, self.file, self.change) = (description, file, change)
    }

    static func flip(_ file: Int, at index: Int) -> Damage {
      Damage("file \(file), byte \(index)", file) {
        var bytes = $0
        bytes[index < 0 ? bytes.count + index : index] ^= 0x10
        return bytes
      }
    }

    static func cut(_ file: Int, by count: Int) -> Damage {
      Damage("file \(file) without its last \(count) bytes", file) { Array($0.dropLast(count)) }
    }
  }

  static let damages: [Damage] =
    [Damage("nothing", 0) { $0 }]
    + (0...2).flatMap { file in [30, 400, 5_003, 11_001, 15_500, -3].map { Damage.flip(file, at: $0) } }
    + [400, 1_777, 3_001, -90, -200, -500].map { Damage.flip(3, at: $0) }
    + [1, 90, 200, 500, 3_000].map { Damage.cut(3, by: $0) } + [Damage.cut(1, by: 8_000), .cut(4, by: 300)]
    + (0...6).map { file in Damage("file \(file) is missing", file) { _ in nil } }
    + [
      Damage("a kilobyte of zeros in the second segment", 1) {
        $0[..<4096] + [UInt8](repeating: 0, count: 1024) + $0[5120...]
      },
      Damage("zeros after the end", 3) { $0 + [UInt8](repeating: 0, count: 8192) },
      Damage("garbage after the end", 3) { $0 + [1, 2, 3] },
      Damage("garbage after the first segment", 0) { $0 + [UInt8](repeating: 7, count: 900) },
      .flip(4, at: 30), .flip(4, at: 540), .flip(5, at: 30), .flip(6, at: 3_000),
    ]

  /// Gives `body` a damaged journal and the rows of its whole log.
  private func withDamaged(_ damage: Damage, _ body: (String, [LogRow]) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try Self.copy(to: path, with: damage)
      guard let journal = try? JournalInput(path, .withoutPauses) else { return }
      var rows: [LogRow] = []
      _ = try Self.pass(journal).run(EventFilter()) { entry in
        rows.append(LogJSON(.on).row(entry))
        return true
      }
      #expect(rows.contains { $0.isMatch })
      try body(path, rows)
    }
  }

  /// Copies the golden journal, adds keyframes, and damages the copy.
  static func copy(to path: String, with damage: Damage? = nil) throws {
    try TestFiles.copy(Repository.journal("framework-history"), to: path)
    _ = TestFiles.shell("rm \(path)/LOCK")
    #expect(try History<AppProtectionMachine>(at: path).rebuildKeyframes(every: 8) > 2)
    let names = try TestFiles.names(in: path).filter { $0 != "LOCK" }
    expectEqual(names.count, 7, "the damages name the files: \(names)")
    guard let damage else { return }
    let name = names[damage.file]
    if let bytes = damage.change(try TestFiles.read("\(path)/\(name)")) {
      try TestFiles.write(bytes, to: "\(path)/\(name)")
    } else {
      expectEqual(TestFiles.shell("rm \(path)/\(name)"), 0)
    }
  }

  private static func pass(_ journal: JournalInput) -> LogPass {
    LogPass(journal: journal, lower: 1, upper: nil, redaction: .on, context: 0)
  }

  @Test("The last events are the last of the whole log, whatever is damaged", arguments: TestFiles.share(of: damages))
  func tail(damage: Damage) throws {
    try withDamaged(damage) { path, rows in
      for (limit, isReversed) in [(1, false), (6, true), (40, false), (250, false), (1000, false)] {
        let expected = (LogTail.last(limit, of: rows) ?? rows[...]).map { String(decoding: $0.text, as: UTF8.self) }
        let output = TextOutput()
        _ = try LogTail(limit: limit, isReversed: isReversed).print(
          Self.pass(try JournalInput(path, .withoutPauses)), EventFilter(), LogJSON(.on), LogPrinter(output, nil))
        let lines = output.text.split(separator: "\n").map(String.init)
        expectEqual(lines, isReversed ? expected.reversed() : expected, "the last \(limit)")
      }
    }
  }

  @Test(
    "Following begins with the same lines", arguments: damages.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
  )
  func following(damage: Damage) throws {
    try withDamaged(damage) { path, rows in
      for limit in [1, 40] {
        let expected = (LogTail.last(limit, of: rows) ?? rows[...]).map { String(decoding: $0.text, as: UTF8.self) }
        let output = "\(path)-\(limit)"
        let descriptor = try TestFiles.create(output)
        var environment = ToolEnvironment.withoutPauses
        environment.whenFollowing = { changes in
          let isStarted = PosixFileSystem().startThread {
            try? TestFiles.waitUntil(output, holds: expected.last ?? "")
            changes.stop()
          }
          if !isStarted { changes.stop() }
        }
        let code = PolicyJournalTool.shell.run(
          ["log", "-j", "-f", "-n", "\(limit)", path], output: TextOutput(descriptor: descriptor, isTerminal: false),
          notes: TextOutput(), environment: environment)
        let lines = String(decoding: try TestFiles.read(output), as: UTF8.self).split(separator: "\n").map(String.init)
        expectEqual(lines.dropFirst().dropLast(), expected[...], "the last \(limit)")
        expectEqual(code, .interrupted)
      }
    }
  }

  @Test("A wake-up reads what came and HEAD, and opens nothing anew")
  func wakeUps() throws {
    let files = CountingFileSystem(PosixFileSystem())
    let reader = try JournalReader(path: Repository.journal("framework-history"), fileSystem: files)
    var closedEnd = reader.closedEnd
    try expectEqual(closedEnd.lastSequence(), reader.durableSequence)
    let before = files.reads
    for _ in 0..<10 { #expect(try closedEnd.lastSequence() != nil) }
    expectEqual(files.reads, before + 10)
  }

  @Test("Garbage that comes after the end of a closed journal is told, as the log tells it")
  func garbage() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("interrupted-wipe"), to: path)
      let segment = "\(path)/00000000000000000001.seg"
      let output = "\(folder)/output"
      let descriptor = try TestFiles.create(output)
      var environment = ToolEnvironment.withoutPauses
      environment.whenFollowing = { changes in
        let isStarted = PosixFileSystem().startThread {
          try? TestFiles.waitUntil(output, holds: "\"seq\":21,")
          try? TestFiles.append([9, 9, 9, 9], to: segment)
          try? TestFiles.waitUntil(output, holds: "\"kind\":\"finding\"")
          changes.stop()
        }
        if !isStarted { changes.stop() }
      }
      let notes = TextOutput()
      _ = PolicyJournalTool.shell.run(
        ["log", "-j", "-f", path], output: TextOutput(descriptor: descriptor, isTerminal: false), notes: notes,
        environment: environment)
      let finding = "{\"kind\":\"finding\""
      let told = String(decoding: try TestFiles.read(output), as: UTF8.self).split(separator: "\n").filter {
        $0.hasPrefix(finding)
      }
      #expect(told.count == 1 && told == ToolRun("log", "-j", path).lines.filter { $0.hasPrefix(finding) })
    }
  }
}
