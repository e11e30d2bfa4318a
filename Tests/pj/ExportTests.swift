import Expectations
import EventSourcing
import Forensics
import Journal
import JSON
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

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
      expectEqual(export.code, code, "\(export.notes)")
      let importing = ToolRun("import", one, "-o", imported)
      expectEqual(importing.code, code, "\(importing.notes)")
      let again = ToolRun(["export", imported, "-o", two] + options.filter { $0 == "--reveal" })
      expectEqual(again.code, code, "\(again.notes)")
      try body(try TestFiles.read(one), try TestFiles.read(two), imported)
    }
  }

  /// Journals of every kind: golden ones, a fork, one whose beginning is retired, one of another domain, one of format 1.0.
  static func withJournals(_ body: (String) throws -> Void) throws {
    for name in Repository.journals where name != "damaged-frame" { try body(Repository.journal(name)) }
    try OtherDomainTests.withBank { try body($0) }
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      expectEqual(ToolRun("fork", journal, "41", "\(folder)/fork").code, .done)
      try body("\(folder)/fork")
      try TestFiles.copy(journal, to: "\(folder)/retired")
    }
  }

  @Test("An export with everything gives a journal with the same identity and events, and exports to the same file")
  func lossless() throws {
    try Self.withJournals { path in
      try Self.roundTrip(path, ["--reveal"]) { file, again, imported in
        expectEqual(file, again, "\(path)")
        let events = (try Self.events(of: imported), try Self.events(of: path))
        expectEqual(events.0, events.1, "\(path)")
        let identities = (try JournalReader(path: imported).identity, try JournalReader(path: path).identity)
        expectEqual(identities.0, identities.1)
        expectEqual(ToolRun("verify", imported).code, .done)
        let check = (ToolRun("check", path).code, ToolRun("check", imported).code)
        expectEqual(check.0, check.1)
      }
    }
  }

  @Test("An imported redacted file keeps its pseudonyms")
  func redactedTwice() throws {
    try Self.withJournals { path in
      try Self.roundTrip(path) { file, again, imported in
        expectEqual(file, again, "\(path)")
        expectEqual(ToolRun("verify", imported).code, .done)
        let counts = (try Self.events(of: imported).count, try Self.events(of: path).count)
        expectEqual(counts.0, counts.1)
      }
    }
  }

  @Test("A damaged journal exports what can be read, and says what is lost")
  func damaged() throws {
    try Self.roundTrip(Repository.journal("damaged-frame"), ["--reveal"], code: .partial) { file, again, imported in
      expectEqual(file, again)
      let lines = ToolRun("log", imported).output
      #expect(lines.contains("lost"))
      let events = try Self.events(of: Repository.journal("damaged-frame"))
      let kept = try Self.events(of: imported).filter { !$0.hasSuffix("[]") }
      expectEqual(kept.map { $0.split(separator: " ").last }, events.map { $0.split(separator: " ").last })
    }
  }

  @Test("The key decides the pseudonyms: one key gives one file, and no key gives another each time")
  func keys() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("first-enrollment")
      try TestFiles.write(Array("0123456789abcdef".utf8), to: "\(folder)/key")
      let key = "30313233343536373839616263646566"
      for (index, options) in [["--key", key], ["--key", "\(folder)/key"], [], []].enumerated() {
        expectEqual(ToolRun(["export", journal, "-o", "\(folder)/\(index)"] + options).code, .done)
      }
      let files = try (0..<4).map { try TestFiles.read("\(folder)/\($0)") }
      expectEqual(files[0], files[1])
      expectEqual(Set(files).count, 3)
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/5", "--key", "12ab").code, .unreadable)
      try TestFiles.write([1, 2, 3], to: "\(folder)/short")
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/5", "--key", "\(folder)/short").code, .wrongUse)
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/5", "--key", key, "--reveal").code, .wrongUse)
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/1").code, .wrongUse)
      #expect(try !TestFiles.names(in: folder).contains("5"))
    }
  }

  @Test("A preview lists fields with what becomes of them, and writes nothing")
  func preview() throws {
    let journal = Repository.journal("first-enrollment")
    let run = ToolRun("export", journal, "--preview")
    expectEqual(run.code, .done)
    #expect(run.output.contains("userPrincipalName") && run.output.contains("pseudonym"))
    #expect(run.output.contains("nothing is written"))
    let records = ToolRun("export", journal, "--preview", "-j").records.compactMap { $0?.object }
    #expect(records.contains { $0["field"]?.string == "objectID" && $0["leavesAs"]?.string == "pseudonym" })
    #expect(ToolRun("export", journal, "--preview", "--reveal").output.contains("would leave as they are"))
    expectEqual(ToolRun("export", journal).code, .wrongUse)
    expectEqual(ToolRun("export", journal, "--preview", "-o", "x").code, .wrongUse)
  }

  @Test("What a later version adds to an export survives an import, and leaves no redacted export")
  func laterVersions() throws {
    let added: (String) -> String = { line in String(line.dropLast()) + #","novel":{"a":[1.50,"ä"]},"more":null}"# }
    for journal in ["first-enrollment", "damaged-frame"] {
      try TestFiles.withTemporaryFolder { folder in
        _ = ToolRun("export", Repository.journal(journal), "-o", "\(folder)/a.pjx", "--reveal")
        expectEqual(TestFiles.shell("gzip -dc < \(folder)/a.pjx > \(folder)/plain"), 0)
        var lines = String(decoding: try TestFiles.read("\(folder)/plain"), as: UTF8.self).split(separator: "\n")
          .map { added(String($0)) }
        lines.insert(#"{"kind":"weather","rain":true}"#, at: 5)
        let end = lines.removeLast()
        // The checksum covers what was added.
        let text = lines.joined(separator: "\n") + "\n"
        let checksum = try #require(try JSONDocument.parse(end).root.required("checksum").value.string)
        let whole = text + end.replacing(checksum, with: Digest.sha256(Array(text.utf8)).hex) + "\n"
        try TestFiles.write(Array(whole.utf8), to: "\(folder)/later")
        let code: ExitCode = journal == "damaged-frame" ? .partial : .done
        expectEqual(ToolRun("import", "\(folder)/later", "-o", "\(folder)/imported").code, code)
        expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/b.pjx", "--reveal").code, code)
        expectEqual(TestFiles.shell("gzip -dc < \(folder)/b.pjx | cmp - \(folder)/later"), 0, "\(journal)")
        expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/c.pjx").code, code)
        expectEqual(TestFiles.shell("gzip -dc < \(folder)/c.pjx | grep -qE 'novel|weather'"), 1, "\(journal)")
        #expect(TestFiles.shell("gzip -dc < \(folder)/c.pjx | grep -c damage >\(folder)/count") <= 1)
      }
    }
  }

  @Test("An imported journal knows the times of its events where it is not read as a whole")
  func labels() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/a.pjx").code, .done)
      expectEqual(ToolRun("import", "\(folder)/a.pjx", "-o", "\(folder)/imported").code, .done)
      let labels = try [journal, "\(folder)/imported"].map { path in
        let reader = try JournalReader(path: path)
        return try reader.labelledEvents(in: try #require(reader.outline())).flatMap { stretch in
          [stretch.labels?.lowerBound, stretch.labels?.upperBound]
        }
      }
      #expect(labels[1].allSatisfy { $0 != nil })
      #expect(labels[1].first == labels[0].first && labels[1].last == labels[0].last)
    }
  }

  @Test("A range is a journal of its own that knows the state before it")
  func ranges() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      expectEqual(ToolRun("export", journal, "100..200", "-o", "\(folder)/part", "--reveal").code, .done)
      let part = ToolRun("state", "\(folder)/part", "--flat", "--reveal")
      expectEqual(part.code, .done, "\(part.notes)")
      expectEqual(part.output, ToolRun("state", journal, "--at", "200", "--flat", "--reveal").output)
      expectEqual(ToolRun("log", "\(folder)/part", "-j").lines.count { $0.contains(#""kind":"event""#) }, 101)
      expectEqual(ToolRun("export", journal, "100..200", "-o", "\(folder)/redacted").code, .done)
      expectEqual(ToolRun("state", "\(folder)/redacted").code, .done)
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
      expectEqual(ToolRun("export", journal, "-o", file, "--reveal").code, .done)
      let (one, two) = (ToolRun(Self.words(words, journal)), ToolRun(Self.words(words, file)))
      expectEqual(two.output.replacing(file, with: journal), one.output)
      expectEqual(two.notes.replacing(file, with: journal), one.notes)
      expectEqual(two.code, one.code)
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
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/a.pjx", "--reveal").code, .done)
      expectEqual(TestFiles.shell("gzip -dc < \(folder)/a.pjx > \(folder)/plain"), 0)
      for name in ["a.pjx", "plain"] {
        let bytes = try TestFiles.read("\(folder)/\(name)")
        var environment = ToolEnvironment.withoutPauses
        environment.readStandardInput = { _ in .bytes(bytes) }
        expectEqual(ToolRun(["log", "-"], environment: environment).output, ToolRun("log", journal).output)
        expectEqual(ToolRun(["import", "-", "-o", "\(folder)/\(name).pj"], environment: environment).code, .done)
      }
      var environment = ToolEnvironment.withoutPauses
      environment.readStandardInput = { _ in .bytes([]) }
      expectEqual(ToolRun(["log", "-"], environment: environment).code, .unreadable)
    }
  }

  @Test("The file goes to standard output for -, and what is said about it to standard error")
  func standardOutput() throws {
    try TestFiles.withTemporaryFolder { folder in
      let words = ["export", Repository.journal("first-enrollment"), "--reveal", "-o"]
      expectEqual(ToolRun(words + ["\(folder)/a.pjx"]).code, .done)
      let (output, notes) = (TextOutput(), TextOutput())
      let code = PolicyJournalTool.shell.run(words + ["-"], output: output, notes: notes, environment: .withoutPauses)
      expectEqual(code, .done)
      let file = try TestFiles.read("\(folder)/a.pjx")
      expectEqual(output.bytes, file)
      expectEqual(notes.text, "pj export: -: 20 events; nothing is redacted: the file holds what identifies people\n")
      var terminal = ToolEnvironment.withoutPauses
      terminal.outputIsTerminal = true
      let refused = ToolRun(words + ["-"], environment: terminal)
      #expect(refused.code == .wrongUse && refused.output.isEmpty)
      let note = "--output -: the file is compressed, and standard output is a terminal; name a file, or a pipe. Next: "
      #expect(refused.notes.contains(note), "\(refused.notes)")
      expectEqual(ToolRun(words + ["-", "-j"]).code, .wrongUse)
    }
  }

  @Test("A pipe opens as standard input does, and one into which no process writes says so")
  func pipes() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("first-enrollment")
      let file = "\(folder)/a.pjx"
      expectEqual(ToolRun("export", journal, "-o", file, "--reveal").code, .done)
      try TestFiles.create(.pipe, "\(folder)/pipe")
      let idle = ToolRun("log", "\(folder)/pipe")
      expectEqual(idle.code, .unreadable)
      #expect(idle.notes.contains("no process writes into this pipe. Next: "), "\(idle.notes)")
      let log = try TestFiles.piping(TestFiles.read(file)) { ToolRun("log", $0) }
      #expect(log.code == .done && log.output == ToolRun("log", journal).output, "\(log.notes)")
      let imported = try TestFiles.piping(TestFiles.read(file)) { ToolRun("import", $0, "-o", "\(folder)/imported") }
      expectEqual(imported.code, .done, "\(imported.notes)")
      let foreign = try TestFiles.piping(Array("hello".utf8)) { ToolRun("log", $0) }
      #expect(
        foreign.code == .unreadable && foreign.notes.contains("this is neither an export nor an archive of a journal"),
        "\(foreign.notes)")
    }
  }

  @Test("What only a folder can be used for is refused with the command that makes one")
  func foldersOnly() throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = "\(folder)/field.pjx"
      expectEqual(ToolRun("export", Repository.journal("first-enrollment"), "-o", file).code, .done)
      let words = [["retire", file, "5"], ["check", file, "--rebuild"], ["log", file, "-f"]]
      for (words, next) in zip(words, ["pj import \(file) -o copy", "pj import \(file) -o copy", "pj log \(file)"]) {
        let run = ToolRun(words)
        #expect(
          run.code == .wrongUse && run.notes.hasSuffix(", and this is an export. Next: \(next)\n"),
          "\(words): \(run.notes)")
      }
      expectEqual(ToolRun("fork", file, "3", "\(folder)/fork").code, .done)
      expectEqual(ToolRun("salvage", file, "-o", "\(folder)/salvaged").code, .done)
      expectEqual(ToolRun("compare", file, file).code, .done)
      expectEqual(ToolRun("verify", file).code, .done)
    }
  }
}
