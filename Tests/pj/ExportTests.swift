import EventSourcing
import Forensics
import JSON
import Journal
import Testing

@testable import pj

/// A journal goes into one file, and comes out of it again.
@Suite("Exports")
struct ExportTests {
  /// The events of a journal: number, chain, whether it ends a batch, bytes.
  static func events(of path: String) throws -> [String] {
    var cursor = try JournalReader(path: path).cursor(beyondDamage: true)
    var events: [String] = []
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      events.append("\(event.sequence) \(event.chain) \(event.isLastOfBatch) \(Array(event.payload))")
    }
    return events
  }

  /// Exports a journal, imports the file and exports that again; gives both files and the journal to `body`.
  static func roundTrip(
    _ journal: String, _ options: [String] = [], code: ExitCode = .done,
    _ body: (_ file: [UInt8], _ again: [UInt8], _ imported: String) throws -> Void
  ) throws {
    try TestFiles.withTemporaryFolder { folder in
      let (one, two, imported) = ("\(folder)/one.pjx", "\(folder)/two.pjx", "\(folder)/imported")
      let export = ToolRun(["export", journal, "-o", one] + options)
      #expect(export.code == code, "\(export.notes)")
      let importing = ToolRun("import", one, "-o", imported)
      #expect(importing.code == code, "\(importing.notes)")
      let again = ToolRun(["export", imported, "-o", two] + options.filter { $0 == "--reveal" })
      #expect(again.code == code, "\(again.notes)")
      try body(try TestFiles.read(one), try TestFiles.read(two), imported)
    }
  }

  /// Journals of every kind: golden ones, a fork, one whose beginning is retired, one of another domain, one of format 1.0.
  static func withJournals(_ body: (String) throws -> Void) throws {
    for name in Repository.journals where name != "damaged-frame" { try body(Repository.journal(name)) }
    try OtherDomainTests.withBank { try body($0) }
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      #expect(ToolRun("fork", journal, "41", "\(folder)/fork").code == .done)
      try body("\(folder)/fork")
      try TestFiles.copy(journal, to: "\(folder)/retired")
    }
  }

  @Test("An export with everything gives a journal with the same identity and events, and exports to the same file")
  func lossless() throws {
    try Self.withJournals { path in
      try Self.roundTrip(path, ["--reveal"]) { file, again, imported in
        #expect(file == again, "\(path)")
        let events = (try Self.events(of: imported), try Self.events(of: path))
        #expect(events.0 == events.1, "\(path)")
        let identities = (try JournalReader(path: imported).identity, try JournalReader(path: path).identity)
        #expect(identities.0 == identities.1)
        #expect(ToolRun("verify", imported).code == .done)
        let check = (ToolRun("check", path).code, ToolRun("check", imported).code)
        #expect(check.0 == check.1)
      }
    }
  }

  @Test("An imported redacted file keeps its pseudonyms")
  func redactedTwice() throws {
    try Self.withJournals { path in
      try Self.roundTrip(path) { file, again, imported in
        #expect(file == again, "\(path)")
        #expect(ToolRun("verify", imported).code == .done)
        let counts = (try Self.events(of: imported).count, try Self.events(of: path).count)
        #expect(counts.0 == counts.1)
      }
    }
  }

  @Test("A damaged journal exports what can be read, and says what is lost")
  func damaged() throws {
    try Self.roundTrip(Repository.journal("damaged-frame"), ["--reveal"], code: .partial) { file, again, imported in
      #expect(file == again)
      let lines = ToolRun("log", imported).output
      #expect(lines.contains("lost"))
      let events = try Self.events(of: Repository.journal("damaged-frame"))
      let kept = try Self.events(of: imported).filter { !$0.hasSuffix("[]") }
      #expect(kept.map { $0.split(separator: " ").last } == events.map { $0.split(separator: " ").last })
    }
  }

  @Test("The key decides the pseudonyms: one key gives one file, and no key gives another each time")
  func keys() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("first-enrollment")
      try TestFiles.write(Array("0123456789abcdef".utf8), to: "\(folder)/key")
      let key = "30313233343536373839616263646566"
      for (index, options) in [["--key", key], ["--key", "\(folder)/key"], [], []].enumerated() {
        #expect(ToolRun(["export", journal, "-o", "\(folder)/\(index)"] + options).code == .done)
      }
      let files = try (0..<4).map { try TestFiles.read("\(folder)/\($0)") }
      #expect(files[0] == files[1])
      #expect(Set(files).count == 3)
      #expect(ToolRun("export", journal, "-o", "\(folder)/5", "--key", "12ab").code == .unreadable)
      try TestFiles.write([1, 2, 3], to: "\(folder)/short")
      #expect(ToolRun("export", journal, "-o", "\(folder)/5", "--key", "\(folder)/short").code == .wrongUse)
      #expect(ToolRun("export", journal, "-o", "\(folder)/5", "--key", key, "--reveal").code == .wrongUse)
      #expect(ToolRun("export", journal, "-o", "\(folder)/1").code == .wrongUse)
      #expect(try !TestFiles.names(in: folder).contains("5"))
    }
  }

  @Test("A preview lists fields with what becomes of them, and writes nothing")
  func preview() throws {
    let journal = Repository.journal("first-enrollment")
    let run = ToolRun("export", journal, "--preview")
    #expect(run.code == .done)
    #expect(run.output.contains("userPrincipalName") && run.output.contains("pseudonym"))
    #expect(run.output.contains("nothing is written"))
    let records = ToolRun("export", journal, "--preview", "-j").records.compactMap { $0?.object }
    #expect(records.contains { $0["field"]?.string == "objectID" && $0["leavesAs"]?.string == "pseudonym" })
    #expect(ToolRun("export", journal, "--preview", "--reveal").output.contains("would leave as they are"))
    #expect(ToolRun("export", journal).code == .wrongUse)
    #expect(ToolRun("export", journal, "--preview", "-o", "x").code == .wrongUse)
  }

  @Test("A range is a journal of its own that knows the state before it")
  func ranges() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      #expect(ToolRun("export", journal, "100..200", "-o", "\(folder)/part", "--reveal").code == .done)
      let part = ToolRun("state", "\(folder)/part", "--flat", "--reveal")
      #expect(part.code == .done, "\(part.notes)")
      #expect(part.output == ToolRun("state", journal, "--at", "200", "--flat", "--reveal").output)
      #expect(ToolRun("log", "\(folder)/part", "-j").lines.count { $0.contains(#""kind":"event""#) } == 101)
      #expect(ToolRun("export", journal, "100..200", "-o", "\(folder)/redacted").code == .done)
      #expect(ToolRun("state", "\(folder)/redacted").code == .done)
      #expect(ToolRun("export", journal, "9000..", "-o", "\(folder)/none").code != .done)
    }
  }

  // MARK: Opening

  @Test(
    "Every command prints of an export without redaction what it prints of the journal",
    arguments: [
      ["log", "J"], ["log", "J", "-j"], ["show", "J", "1", "end"], ["state", "J"], ["state", "J@10", "--flat"],
      ["diff", "J", "3..9"], ["blame", "J", "/accounts/*/status"], ["explain", "J", "managed(a1)", "--when"],
      ["bisect", "J", "--where", "managed(a1) = true"], ["check", "J", "-j"], ["log", "J", "-n", "2", "--reveal"],
    ])
  func opened(words: [String]) throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("interrupted-wipe")
      let file = "\(folder)/field.pjx"
      #expect(ToolRun("export", journal, "-o", file, "--reveal").code == .done)
      let (one, two) = (ToolRun(Self.words(words, journal)), ToolRun(Self.words(words, file)))
      #expect(two.output.replacing(file, with: journal) == one.output)
      #expect(two.notes.replacing(file, with: journal) == one.notes)
      #expect(two.code == one.code)
    }
  }

  /// Words with a path in place of `J`, also before a position.
  private static func words(_ words: [String], _ path: String) -> [String] {
    words.map { $0 == "J" ? path : $0.hasPrefix("J@") ? path + $0.dropFirst() : $0 }
  }

  @Test("An export opens from standard input, compressed or not")
  func standardInput() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("first-enrollment")
      #expect(ToolRun("export", journal, "-o", "\(folder)/a.pjx", "--reveal").code == .done)
      #expect(TestFiles.shell("gzip -dc < \(folder)/a.pjx > \(folder)/plain") == 0)
      for name in ["a.pjx", "plain"] {
        let bytes = try TestFiles.read("\(folder)/\(name)")
        var environment = ToolEnvironment.withoutPauses
        environment.readStandardInput = { _ in .bytes(bytes) }
        #expect(ToolRun(["log", "-"], environment: environment).output == ToolRun("log", journal).output)
        #expect(ToolRun(["import", "-", "-o", "\(folder)/\(name).pj"], environment: environment).code == .done)
      }
      var environment = ToolEnvironment.withoutPauses
      environment.readStandardInput = { _ in .bytes([]) }
      #expect(ToolRun(["log", "-"], environment: environment).code == .unreadable)
    }
  }

  @Test("What only a folder can be used for is refused with the command that makes one")
  func foldersOnly() throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = "\(folder)/field.pjx"
      #expect(ToolRun("export", Repository.journal("first-enrollment"), "-o", file).code == .done)
      for words in [["retire", file, "5"], ["check", file, "--rebuild"], ["log", file, "-f"]] {
        let run = ToolRun(words)
        #expect(run.code == .wrongUse && run.notes.contains(", and this is a file. Next: pj import"), "\(words): \(run.notes)")
      }
      #expect(ToolRun("fork", file, "3", "\(folder)/fork").code == .done)
      #expect(ToolRun("salvage", file, "-o", "\(folder)/salvaged").code == .done)
      #expect(ToolRun("compare", file, file).code == .done)
      #expect(ToolRun("verify", file).code == .done)
    }
  }
}
