import Expectations
import Journal
import JSON
import Testing

@testable import CommandSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("pj settings fix")
struct SettingsFixTests {
  private static let app = """
    <plist version="1.0">
    <dict>
    \t<!-- the app -->
    \t<key>CFBundleIdentifier</key>
    \t<string>com.contoso.app</string>
    \t<key>IntuneMAMSettings</key>
    \t<dict/>
    \t<key>CFBundleURLTypes</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>CFBundleURLSchemes</key>
    \t\t\t<array>
    \t\t\t\t<string>contoso</string> <!-- in mails -->
    \t\t\t</array>
    \t\t</dict>
    \t</array>
    </dict>
    </plist>

    """
  private static let entitlements = """
    <dict>
      <key>com.apple.security.application-groups</key>
      <array><string>group.contoso</string></array>
    </dict>
    """

  /// An app with its entitlements in a folder of its own.
  private static func withApp<Result>(_ body: (_ app: String, _ entitlements: String) throws -> Result) throws -> Result
  {
    try TestFiles.withTemporaryFolder { folder in
      let paths = ("\(folder)/Info.plist", "\(folder)/App.entitlements")
      try TestFiles.write(Array(app.utf8), to: paths.0)
      try TestFiles.write(Array(entitlements.utf8), to: paths.1)
      return try body(paths.0, paths.1)
    }
  }

  @Test("Nothing is written until --write, then every file in one step, with its mode, and lint is silent")
  func writes() throws {
    try Self.withApp { app, entitlements in
      expectEqual(chmod(app, 0o640), 0)
      for words in [[], ["--dry-run"], ["--diff"], ["-j"]] {
        let run = ToolRun(["settings", "fix", app, entitlements] + words)
        #expect(run.code == .different && run.output.contains("contoso-intunemam"))
        try expectEqual(TestFiles.read(app), Array(Self.app.utf8))
      }
      let run = ToolRun("settings", "fix", app, entitlements, "--write")
      #expect(
        run.code == .done && run.output.hasSuffix("5 changes, 2 notes in 2 files; 2 written. Next: pj settings lint\n"))
      let text = String(decoding: try TestFiles.read(app), as: UTF8.self)
      #expect(
        text.contains(
          "\t\t\t\t<string>contoso</string> <!-- in mails -->\n\t\t\t\t<string>contoso-intunemam</string>\n\t\t\t</array>"
        ))
      #expect(text.contains("\t<!-- the app -->\n") && text.contains("<string>group.contoso</string>"))
      var status = stat()
      #expect(stat(app, &status) == 0 && status.st_mode & 0o7777 == 0o640)
      try expectEqual(TestFiles.names(in: String(app.dropLast("/Info.plist".count))).filter { $0.contains("pj-") }, [])
      let again = ToolRun("settings", "fix", app, entitlements, "--write")
      #expect(again.code == .done && again.output.hasSuffix("Nothing to change in 2 files, 2 notes.\n"))
      // What only the owner can decide is said, and said again.
      for notes in [run.output, again.output] {
        #expect(
          notes.contains("IntuneMAMSettings: ADALClientId is missing; add the client id of the app's registration"))
        #expect(
          notes.contains("IntuneMAMSettings: ADALRedirectUri and ADALRedirectScheme are missing; add one of them"))
      }
      let lint = ToolRun("settings", "lint", app, entitlements, "-j").records.compactMap { $0?.object?["rule"]?.string }
      expectEqual(lint, ["missingClientID", "missingRedirect"])
    }
  }

  @Test("The difference is a patch that makes the same files")
  func patch() throws {
    try Self.withApp { app, entitlements in
      let run = ToolRun("settings", "fix", app, entitlements, "--diff")
      #expect(
        run.output.hasPrefix("--- a\(app)\n+++ b\(app)\n@@ -4,15 +4,43 @@\n \t<key>CFBundleIdentifier</key>\n"),
        "\(run.output.prefix(200))")
      #expect(run.output.hasSuffix("\n\\ No newline at end of file\n"))
      #expect(
        run.notes.contains("5 changes, 2 notes in 2 files; nothing is written yet. Next: the same command with --write")
      )
    }
  }

  @Test("JSON Lines name each change with place, rule, reason and source, and what was written")
  func json() throws {
    try Self.withApp { app, entitlements in
      let run = ToolRun("settings", "fix", app, entitlements, "--write", "-j")
      let records = run.records.compactMap { $0?.object }
      #expect(OutputSchemaTests.problems(of: run.output) == [])
      #expect(records.count { $0["kind"]?.string == "change" } == 5)
      let change = try #require(records.first { $0["rule"]?.string == "missingKeychainGroup" })
      #expect(change["file"]?.string == entitlements && change["line"]?.number == JSONNumber(1))
      #expect(change["source"]?.string == "S001 Build the SDK into your mobile app, step 4")
      #expect(records.last?["written"]?.array?.compactMap(\.string) == [app, entitlements])
      let again = ToolRun("settings", "fix", app, "--face-id-text", "x", "-j").records.last??.object
      #expect(again?["changes"]?.number == JSONNumber(0) && again?["exit"]?.number == JSONNumber(0))
    }
  }

  @Test("Where one file is refused, none is written")
  func refusals() throws {
    try Self.withApp { app, entitlements in
      let folder = String(app.dropLast("/Info.plist".count))
      let twice = "\(folder)/Twice.plist"
      try TestFiles.write(Array("<dict>\n<key>CFa</key><true/>\n<key>CFa</key><true/>\n</dict>".utf8), to: twice)
      let run = ToolRun("settings", "fix", app, twice, "--write")
      expectEqual(run.code, .unreadable)
      expectEqual(
        run.notes,
        "pj settings: \(twice): line 3, column 1: CFa: the key \"CFa\" occurs twice in one dictionary; remove one of them. Next: pj help settings\n"
      )
      try expectEqual(TestFiles.read(app), Array(Self.app.utf8))
      for (text, reason) in [
        (
          "<dict><key>API_KEY</key><true/></dict>",
          ": this is not the Info.plist of an app: it has no key of one, and no IntuneMAMSettings"
        ),
        (
          "<dict><key>CFBundlePackageType</key><string>FMWK</string></dict>",
          ": this belongs to a bundle of type \"FMWK\", not to an app or an extension"
        ),
        ("<dict><key>CFa</key></dict>", "the key \"CFa\" has no value; write a value after it, or remove the key"),
      ] {
        try TestFiles.write(Array(text.utf8), to: twice)
        let run = ToolRun("settings", "fix", twice)
        #expect(run.code == .unreadable && run.notes.contains(reason), "\(run.notes)")
      }
    }
  }

  @Test("A link is not followed, and what cannot be replaced stays as it is")
  func replacement() throws {
    try Self.withApp { app, _ in
      let folder = String(app.dropLast("/Info.plist".count))
      expectEqual(symlink(app, "\(folder)/Link.plist"), 0)
      var run = ToolRun("settings", "fix", "\(folder)/Link.plist", "--write")
      expectEqual(run.code, .unreadable)
      expectEqual(
        run.notes,
        "pj settings: \(folder)/Link.plist: this is a link, which is not followed; name the file itself. Next: readlink -f \(folder)/Link.plist\n"
      )
      try expectEqual(TestFiles.read(app), Array(Self.app.utf8))
      // No name is left for the temporary file.
      let long = "\(folder)/\(String(repeating: "a", count: 249)).plist"
      try TestFiles.write(Array(Self.app.utf8), to: long)
      run = ToolRun("settings", "fix", long, "--write")
      #expect(
        run.code == .unreadable && run.notes.contains(": File name too long; the file is as it was. Next: ls -ld "))
      let old = Array(Self.app.utf8)
      #expect(
        Platform.replace(app, [1], with: [2], PosixFileSystem()) == .changed
          && Platform.replace(folder, [], with: [], PosixFileSystem()) == .notAFile(isLink: false))
      expectEqual(Platform.replace("\(folder)/nowhere", [], with: [], PosixFileSystem()), .failed(ENOENT))
      try expectEqual(TestFiles.read(app), old)
      try expectEqual(TestFiles.names(in: folder).filter { $0.contains("pj-") }, [])
    }
  }

  @Test("A file that is write-protected or has several names is refused before any file is written")
  func obstacles() throws {
    try Self.withApp { app, entitlements in
      expectEqual(chmod(entitlements, 0o444), 0)
      var run = ToolRun("settings", "fix", app, entitlements, "--write")
      #expect(run.code == .unreadable && run.output.hasSuffix("5 changes, 2 notes in 2 files; nothing is written.\n"))
      expectEqual(
        run.notes,
        "pj settings: \(entitlements): the file is write-protected, so nothing is written. Next: ls -ld \(entitlements)\n"
      )
      #expect(chmod(entitlements, 0o644) == 0 && link(entitlements, entitlements + ".2") == 0)
      run = ToolRun("settings", "fix", app, entitlements, "--write", "-j")
      #expect(run.code == .unreadable && OutputSchemaTests.problems(of: run.output) == [])
      expectEqual(
        run.notes,
        "pj settings: \(entitlements): the file has 2 names (hard links), and the others would keep the old contents; give it one name. Next: ls -li \(entitlements)\n"
      )
      let contents = try [app, entitlements].map(TestFiles.read)
      expectEqual(contents, [Array(Self.app.utf8), Array(Self.entitlements.utf8)])
      // Nothing would be written into a file without changes.
      expectEqual(unlink(entitlements + ".2"), 0)
      expectEqual(ToolRun("settings", "fix", app, entitlements, "--write").code, .done)
      expectEqual(chmod(app, 0o444), 0)
      expectEqual(ToolRun("settings", "fix", app, entitlements, "--write").code, .done)
    }
  }

  @Test("A built app is written in its own form, and its signature is mentioned")
  func binary() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/Info.plist"
      try TestFiles.write(try TestFiles.read("\(Repository.root)/Tests/pj/PropertyLists/FaultyBinary.plist"), to: path)
      let run = ToolRun("settings", "fix", path, "--write")
      #expect(run.code == .done && run.output.contains("a built app's signature does not cover the changed file"))
      #expect(try TestFiles.read(path).starts(with: "bplist00".utf8))
      #expect(
        ToolRun("settings", "fix", path).output.hasPrefix("Nothing to change")
          || ToolRun("settings", "fix", path).code == .done)
    }
  }

  @Test("A file that is named in two spellings is refused before anything is written")
  func spellings() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/Info.plist"
      try TestFiles.write(Array(Self.app.utf8), to: path)
      expectEqual(TestFiles.shell("ln \(path) \(folder)/hard.plist"), 0)
      for other in ["\(folder)/./Info.plist", "\(folder)/hard.plist"] {
        let run = ToolRun("settings", "fix", path, other, "--write")
        #expect(run.code == .wrongUse && run.output.isEmpty)
        expectEqual(
          run.notes, "pj settings: \(other): the file is named twice: it is \(path). Next: pj help settings\n")
      }
      try expectEqual(TestFiles.read(path), Array(Self.app.utf8))
    }
  }

  @Test("Wrong use is one line")
  func wrongUse() {
    let next = ". Next: pj help settings\n"
    for (words, reason) in [
      (["fix", "a", "--write", "--dry-run"], "--write acts and --dry-run does not: choose one"),
      (["fix", "-", "--write"], "-: standard input cannot be written; name the file"),
      (["fix", "a", "b", "a"], "a: the file is named twice"),
      (["fix", "a", "--face-id-text", ""], "--face-id-text: the text is empty, which is none"),
      (["fix", "a", "--face-id-text", "a\u{1}"], "--face-id-text: the text has a character that XML does not allow"),
      (["fix", "a", "--diff", "-j"], "-j does not apply to settings fix --diff"),
      (["lint", "a", "--write"], "--write applies to fix only"),
      (["fix"], "a property list is missing, such as Info.plist"),
    ] {
      let run = ToolRun(["settings"] + words)
      #expect(run.code == .wrongUse && run.notes == "pj settings: \(reason)\(next)")
    }
  }
}

@Suite("Differences as patches")
struct UnifiedDiffTests {
  private static func diff(_ old: String, _ new: String) -> [String] {
    UnifiedDiff.lines(Array(old.utf8), Array(new.utf8), name: "f")
  }

  @Test("Near differences share a part, distant ones have their own")
  func hunks() {
    let lines = (1...20).map { "\($0)\n" }
    var new = lines
    new[1] = "x\n"
    new.insert("y\n", at: 8)
    new.remove(at: 19)
    expectEqual(
      Self.diff(lines.joined(), new.joined()),
      [
        "--- a/f", "+++ b/f", "@@ -1,11 +1,12 @@", " 1", "-2", "+x", " 3", " 4", " 5", " 6", " 7", " 8", "+y", " 9",
        " 10",
        " 11", "@@ -16,5 +17,4 @@", " 16", " 17", " 18", "-19", " 20",
      ])
  }

  @Test("Equal texts have none, and a missing line end is said")
  func ends() {
    expectEqual(Self.diff("a\nb", "a\nb"), [])
    expectEqual(Self.diff("", "a"), ["--- a/f", "+++ b/f", "@@ -0,0 +1,1 @@", "+a", "\\ No newline at end of file"])
    expectEqual(
      Self.diff("a", "a\n"),
      [
        "--- a/f", "+++ b/f", "@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a",
      ])
  }
}
