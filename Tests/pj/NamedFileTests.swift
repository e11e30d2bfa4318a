import Expectations
import Testing

@testable import CommandSupport

@Suite("Files that a command line names")
struct NamedFileTests {
  @Test("A file whose name is not UTF-8 opens, and no file of another name; messages show its bytes")
  func notUTF8() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "simplePinBlocked": false}"##
      // What a program would open that put U+FFFD in place of the byte.
      try TestFiles.write(Array("[]".utf8), to: "\(folder)/caf\u{FFFD}.json")
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/a.json")
      let name = Array("\(folder)/caf".utf8) + [0xE9] + Array(".json".utf8)
      func run(_ words: String...) -> ToolRun {
        ToolRun(bytes: words.map { $0 == "NAME" ? name : $0 == "JOURNAL" ? Array(name.dropLast(5)) : Array($0.utf8) })
      }
      let missing = run("policy", "show", "NAME")
      expectEqual(missing.code, .unreadable)
      expectEqual(
        missing.notes,
        "pj policy: \(folder)/caf\\xE9.json: No such file or directory. Next: ls -ld $'\(folder)/caf\\xE9.json'\n")
      expectEqual(TestFiles.shell("cp \(folder)/a.json \"$(printf '\(folder)/caf\\351.json')\""), 0)
      #expect(run("policy", "show", "NAME").output.hasPrefix("\(folder)/caf\\xE9.json: line 1, column 1\n"))
      expectEqual(run("policy", "lint", "NAME").code, .done)
      expectEqual(run("policy", "diff", "NAME", "\(folder)/a.json").code, .done)
      let json = run("policy", "show", "NAME", "-j")
      #expect(json.code == .done && json.output.contains(#"caf\udbff\udfe9.json"#))
      #expect(json.records.contains { $0?.object?["file"]?.string == "\(folder)/caf\u{10FFE9}.json" })
      _ = Repository.root
      expectEqual(run("simulate", "journals/first-enrollment/scenario.json", "-o", "JOURNAL").code, .done)
      #expect(run("verify", "JOURNAL").code == .done && run("log", "JOURNAL", "-n", "1").code == .done)
      let salvage = ToolRun(
        bytes: [Array("salvage".utf8), Array(name.dropLast(5)), Array("-o".utf8), Array("\(folder)/".utf8) + [0xFF]])
      #expect(salvage.output.contains("into \(folder)/\\xFF. Next: pj log $'\(folder)/\\xFF'"), "\(salvage.output)")
      expectEqual(TestFiles.shell("printf x > \"$(printf '\(folder)/caf\\351')/JOURNAL\""), 0)
      #expect(run("verify", "JOURNAL").output.hasSuffix("Next: pj salvage $'\(folder)/caf\\xE9' -o copy\n"))
    }
  }

  @Test("A next command names a file as a shell takes it, whatever its name is")
  func nextCommands() throws {
    for (name, word) in [
      ("plain.json", "plain.json"), ("two words.json", "'two words.json'"), ("it's.json", #"'it'\''s.json'"#),
      ("größe.json", "größe.json"), ("line\nend.json", #"$'line\x0Aend.json'"#),
      ("a\\b'\t.json", #"$'a\\b\'\x09.json'"#),
      ("\u{202E}x.json", #"$'\xE2\x80\xAEx.json'"#), ("\u{10FFE9}.json", #"$'\xE9.json'"#),
    ] {
      let run = ToolRun("policy", "show", name)
      #expect(run.notes.hasSuffix("Next: ls -ld \(word)\n") && run.code == .unreadable, "\(run.notes)")
    }
  }

  @Test("An empty file in the place of a journal is called empty")
  func emptyFile() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write([UInt8](), to: "\(folder)/field.pjx")
      let run = ToolRun("log", "\(folder)/field.pjx")
      #expect(run.notes.contains("field.pjx: the file is empty; ask for it again. Next: ls -l "), "\(run.notes)")
      expectEqual(run.code, .unreadable)
    }
  }

  @Test("What is of another kind than wanted is named with its kind, its place and what fits")
  func otherKind() throws {
    _ = Repository.root
    let journal = Repository.journal("first-enrollment")
    let scenario = "journals/first-enrollment/scenario.json"
    let rows: [([String], ExitCode, String)] = [
      (
        ["log", scenario], .unreadable,
        "\(scenario): this is a scenario, and a journal is a folder. Next: pj simulate \(scenario) -o new.pj"
      ),
      (
        ["log", "Package.swift"], .unreadable,
        "Package.swift: this is a file, but a journal is a folder. Next: pj help commands"
      ),
      (
        ["verify", "\(journal)/JOURNAL"], .unreadable,
        "\(journal)/JOURNAL: this is a file, but a journal is a folder: the one that contains it. Next: pj log \(journal)"
      ),
      (
        ["state", "-"], .unreadable,
        "-: standard input is empty. Next: pj help exports"
      ),
      (
        ["simulate", journal, "-o", "x"], .unreadable,
        "\(journal): this is a journal; a file is needed. Next: pj log \(journal)"
      ),
      (
        ["simulate", "nowhere", "-o", "x"], .unreadable, "nowhere: No such file or directory. Next: ls -ld nowhere"
      ),
      (
        ["settings", "lint", journal], .unreadable,
        "\(journal): this is a journal; a file is needed. Next: pj log \(journal)"
      ),
      (
        ["policy", "combine", "Tests/pj", scenario], .unreadable,
        "Tests/pj: this is a folder; a file is needed. Next: ls Tests/pj"
      ),
      (
        ["salvage", scenario, "-o", "x"], .unreadable,
        "\(scenario): no event that can be read was found; add other copies of the files. Next: pj help salvage"
      ),
      (["policy", "show", "-"], .unreadable, "-: standard input is empty. Next: pj help policy"),
      (["settings", "show", "-"], .unreadable, "-: standard input is empty. Next: pj help settings"),
      (["simulate", "-", "-o", "x"], .unreadable, "-: standard input is empty. Next: pj help simulate"),
    ]
    for (words, code, line) in rows {
      let run = ToolRun(words)
      #expect(run.code == code && run.notes == "pj \(words[0]): \(line)\n", "\(run.notes)")
    }
  }
}
