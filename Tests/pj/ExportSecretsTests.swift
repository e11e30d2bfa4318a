import Expectations
import AppProtection
import Testing

/// Secrets leave in an export only where the command line says so.
@Suite("Secrets in exports")
struct ExportSecretsTests {
  /// Runs a body with a journal in which every event has a secret in a link, or some have one by its name.
  private static func withJournal(inLinks: Bool, _ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      if inLinks {
        _ = try PlantedAnswerTests.write(.code, to: "\(folder)/journal")
      } else {
        try PlantedSecretTests.write(to: "\(folder)/journal", .named)
      }
      try body("\(folder)/journal", folder)
    }
  }

  @Test("With --reveal, they are counted and refused before anything is written", arguments: [true, false])
  func refused(inLinks: Bool) throws {
    try Self.withJournal(inLinks: inLinks) { path, folder in
      for target in ["\(folder)/file.pjx", "-"] {
        let run = ToolRun("export", path, "-o", target, "--reveal")
        #expect(run.code == .wrongUse && run.output.isEmpty)
        #expect(
          run.notes.contains("\(path): with --reveal, secrets in ")
            && run.notes.contains(" would leave; leave out --reveal, or add --secrets. Next: pj help export"))
        let count = AppProtectionEvent.catalog.entries.count
        #expect(!inLinks || run.notes.contains("secrets in \(count) events would leave"), "\(run.notes)")
      }
      let names = try TestFiles.names(in: folder)
      #expect(!names.contains("file.pjx"))
      for form in [[], ["-j"]] {
        let preview = ToolRun(["export", path, "--preview", "--reveal"] + form)
        #expect(preview.code == .done && preview.notes.contains("secrets in "), "\(preview.notes)")
      }
      expectEqual(ToolRun("export", path, "-o", "\(folder)/file.pjx").code, .done)
    }
  }

  @Test("With --secrets too, the file says that it holds them and is the journal as it is", arguments: [true, false])
  func written(inLinks: Bool) throws {
    try Self.withJournal(inLinks: inLinks) { path, folder in
      let file = "\(folder)/file.pjx"
      let run = ToolRun("export", path, "-o", file, "--reveal", "--secrets")
      #expect(
        run.code == .done && run.output.contains("holds what identifies people, and secrets in "), "\(run.output)")
      let json = ToolRun("export", path, "-o", "\(folder)/json.pjx", "--reveal", "--secrets", "-j")
      #expect(json.notes.contains("secrets in ") && json.notes.contains(" are in the file"), "\(json.notes)")
      expectEqual(ToolRun("import", file, "-o", "\(folder)/imported").code, .done)
      let events = (try ExportTests.events(of: path), try ExportTests.events(of: "\(folder)/imported"))
      expectEqual(events.0, events.1)
      // An import is a journal with secrets like the first.
      expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/again.pjx", "--reveal").code, .wrongUse)
    }
  }

  @Test("A state in which a range begins may hold some, though its events do not")
  func storedState() throws {
    try Self.withJournal(inLinks: false) { path, folder in
      let found = (1...AppProtectionEvent.catalog.entries.count).first { number in
        let run = ToolRun("export", path, "\(number)..\(number)", "-o", "\(folder)/\(number).pjx", "--reveal")
        return run.notes.contains("secrets in the stored state would leave")
      }
      #expect(found != nil)
    }
  }

  @Test("A journal without any leaves with --reveal alone, and --secrets means nothing without it")
  func plain() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("first-enrollment")
      let run = ToolRun("export", journal, "-o", "\(folder)/a.pjx", "--reveal")
      #expect(run.code == .done && run.output.contains("nothing is redacted: the file holds what identifies people\n"))
      let secrets = ToolRun("export", journal, "-o", "\(folder)/b.pjx", "--secrets")
      #expect(secrets.code == .wrongUse && secrets.notes.contains("--secrets goes with --reveal"))
    }
  }
}
