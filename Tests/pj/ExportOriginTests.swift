import Expectations
import EventSourcing
import Forensics
import Journal
import JSON
import Testing

/// What an export says about those before it.
@Suite("Exports of imported journals")
struct ExportOriginTests {
  /// The lines of an export.
  private static func lines(_ file: String) throws -> [String] {
    expectEqual(TestFiles.shell("gzip -dc < \(file) > \(file).plain"), 0)
    return String(decoding: try TestFiles.read("\(file).plain"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes lines as an export whose last record verifies.
  private static func write(_ lines: [String], to file: String) throws {
    let text = lines.dropLast().joined(separator: "\n") + "\n"
    var end = try #require(try JSONDocument.parse(Array((lines.last ?? "").utf8)).value.object)
    end["checksum"] = .string(Digest.sha256(Array(text.utf8)).hex)
    try TestFiles.write(Array((text + JSONValue(.object(end)).text(style: .compact) + "\n").utf8), to: file)
  }

  @Test("What a revealed export says besides events leaves no redacted one")
  func unknown() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = ToolRun("export", Repository.journal("first-enrollment"), "-o", "\(folder)/a.pjx", "--reveal")
      var lines = try Self.lines("\(folder)/a.pjx")
      lines[0] = String(lines[0].dropLast()) + #","owner":"bob@secret.example"}"#
      lines[0].replace("\"tool\":\"", with: "\"tool\":\"carol@secret.example ")
      lines.insert(#"{"kind":"note","author":"alice@secret.example"}"#, at: 3)
      lines.insert(#"{"kind":"damage","cause":"dave@secret.example","who":"eve@secret.example"}"#, at: 1)
      try Self.write(lines, to: "\(folder)/b.pjx")
      expectEqual(ToolRun("import", "\(folder)/b.pjx", "-o", "\(folder)/imported").code, .done)
      expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/c.pjx", "--reveal").code, .done)
      try expectEqual(Self.lines("\(folder)/c.pjx").count { $0.contains("secret.example") }, 3)
      expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/d.pjx").code, .done)
      let redacted = try Self.lines("\(folder)/d.pjx")
      #expect(redacted.allSatisfy { !$0.contains("secret.example") }, "\(redacted.prefix(4))")
      expectEqual(redacted.count { $0.contains("\"damage\"") }, 1)
      let preview = ToolRun("export", "\(folder)/imported", "--preview")
      #expect(preview.lines.contains { $0.contains("record note") && $0.hasSuffix("nothing") }, "\(preview.output)")
    }
  }

  @Test("What was redacted once is never named the original, in a part, a continuation or a copy")
  func redacted() throws {
    try TestFiles.withTemporaryFolder { folder in
      let red = "\(folder)/red"
      _ = ToolRun("export", Repository.journal("interrupted-wipe"), "-o", "\(folder)/a.pjx")
      expectEqual(ToolRun("import", "\(folder)/a.pjx", "-o", red).code, .done)
      expectEqual(ToolRun("fork", red, "9", "\(folder)/fork").code, .done)
      _ = ToolRun("salvage", red, "-o", "\(folder)/salvaged")
      expectEqual(ToolRun("whatif", red, "--drop", "wipe.requested", "-o", "\(folder)/imagined").code, .different)
      let cases = [
        ["\(folder)/a.pjx", "3..10"], [red, "3..10"], ["\(folder)/fork"], ["\(folder)/salvaged"],
        ["\(folder)/imagined"],
      ]
      for (index, words) in cases.enumerated() {
        let run = ToolRun(["export"] + words + ["-o", "\(folder)/\(index).pjx", "--reveal"])
        #expect(!run.output.contains("nothing is redacted"), "\(words): \(run.output)")
        #expect(run.notes.contains("this was redacted when it was exported"), "\(words): \(run.notes)")
        let head = try #require(try Self.lines("\(folder)/\(index).pjx").first)
        #expect(head.contains("\"redacted\":true"), "\(words)")
      }
    }
  }

  @Test("What cannot be read is named, and the export is not whole")
  func unreadable() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = ToolRun("export", Repository.journal("interrupted-wipe"), "-o", "\(folder)/a.pjx", "--reveal")
      expectEqual(ToolRun("import", "\(folder)/a.pjx", "-o", "\(folder)/imported").code, .done)
      try TestFiles.write(Array("{\"kind\":\"exp".utf8), to: "\(folder)/imported/EXPORTED")
      let run = ToolRun("export", "\(folder)/imported", "-o", "\(folder)/b.pjx", "--reveal")
      #expect(run.code == .partial && run.notes.contains("EXPORTED: "), "\(run.notes)")
      let retired = try RetiredJournal.write(in: folder)
      for name in try TestFiles.names(in: retired) where name.hasSuffix(".ckpt") {
        var bytes = try TestFiles.read("\(retired)/\(name)")
        bytes[bytes.count - 20] ^= 1
        try TestFiles.write(bytes, to: "\(retired)/\(name)")
      }
      let stateless = ToolRun("export", retired, "-o", "\(folder)/c.pjx")
      #expect(stateless.code != .done && stateless.notes.contains("the state after event "), "\(stateless.notes)")
    }
  }
}
