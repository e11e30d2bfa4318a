import Expectations
import JSON
import Testing

@testable import CommandSupport

@Suite("pj policy with folders and standard input")
struct PolicyFolderTests {
  private static let ios = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P"}"##
  private static let android = ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection"}"##
  private static let compliance = ##"{"@odata.type": "#microsoft.graph.androidCompliancePolicy"}"##
  private static let configuration = ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration"}"##
  private static let pinError = ##"""
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true, "minimumPinLength": 3}
    """##

  /// What an export of a tenant is like: a folder for each kind of document, responses as the service gives them, and files
  /// of the exporting program.
  private static let export: [(path: String, text: String)] = [
    ("MigrationTable.json", #"{"TenantId": "x", "Objects": []}"#),
    ("App Protection/b.json", pinError), ("App Protection/a.json", ios), ("App Protection/android.json", android),
    ("App Protection/compliance.json", compliance), ("App Protection/readme.md", "not JSON"),
    ("App Protection/.hidden.json", "not JSON"),
    (
      "Responses/androidManagedAppProtections.json",
      #"{"@odata.context": "https://x/$metadata#deviceAppManagement/androidManagedAppProtections", "value": [{"displayName": "A"}]}"#
    ),
    ("Responses/defaultManagedAppProtections.json", #"{"value": []}"#),
    (
      "Responses/managedAppPolicies.json",
      ##"{"value": [\##(android), \##(ios), {"@odata.type": "#microsoft.graph.windowsManagedAppProtection"}]}"##
    ),
    ("App Configuration/c.json", configuration),
    ("Scripts/s.json", ##"{"@odata.type": "#microsoft.graph.deviceManagementScript"}"##),
    ("Scripts/notes.txt", "Nothing of a device\n"),
  ]

  private static func withExport<Result>(_ body: (String) throws -> Result) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      for name in ["App Protection", "Responses", "App Configuration", "Scripts"] {
        try TestFiles.create(.folder, "\(folder)/\(name)")
      }
      for (path, text) in export { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      return try body(folder)
    }
  }

  @Test("An export of a tenant is checked as a whole, in the order of its names, and what is no policy is counted")
  func lint() throws {
    try Self.withExport { folder in
      for word in [folder, folder + "/"] {
        let run = ToolRun("policy", "lint", word)
        #expect(run.code == .different && run.notes.isEmpty)
        #expect(
          run.output.hasSuffix(
            "1 warning in 7 policies and 1 app configuration; skipped: 1 Android, 1 Table of names, 1 deviceManagementScript, 1 of unknown type.\n"
          ), "\(run.output)")
        #expect(run.output.contains("\(folder)/App Protection/b.json: line 1, column "))
      }
      let json = try #require(ToolRun("policy", "lint", folder, "-j").records.last??.object)
      #expect(json["policies"]?.number == JSONNumber(7) && json["configurations"]?.number == JSONNumber(1))
      expectEqual(
        json["skipped"]?.description,
        #"{"Android":1,"Table of names":1,"deviceManagementScript":1,"of unknown type":1}"#)
    }
  }

  @Test("show prints every document of a folder once, sorted by path")
  func show() throws {
    try Self.withExport { folder in
      let run = ToolRun("policy", "show", folder, "-j")
      expectEqual(run.code, .done)
      let files = run.records.compactMap { $0?.object }.filter {
        $0["kind"]?.string == "policy" || $0["kind"]?.string == "document"
      }.compactMap { $0["file"]?.string?.dropFirst(folder.count + 1) }
      expectEqual(
        files,
        [
          "App Configuration/c.json", "App Protection/a.json", "App Protection/android.json", "App Protection/b.json",
          "MigrationTable.json", "Responses/androidManagedAppProtections.json", "Responses/managedAppPolicies.json",
          "Responses/managedAppPolicies.json", "Responses/managedAppPolicies.json",
        ])
      #expect(ToolRun("policy", "show", folder).notes.contains("skipped: 1 Android, 1 deviceManagement"))
      expectEqual(ToolRun("policy", "show", folder, "-j").output, run.output)
    }
  }

  @Test("A file that cannot be read ends in 4, in a folder too, and the rest is checked")
  func unreadable() throws {
    try Self.withExport { folder in
      try TestFiles.write(Array("{".utf8), to: "\(folder)/broken.json")
      try TestFiles.write(
        Array(Self.ios.replacing("\"P\"", with: "\"P\" \"Q\"").utf8),
        to: "\(folder)/App Protection/wrong.json")
      let run = ToolRun("policy", "lint", folder)
      #expect(run.code == .unreadable && run.output.contains("1 warning in 7 policies"))
      #expect(run.notes.contains("\(folder)/broken.json: line 1, column 2") && run.notes.contains("wrong.json: line 1"))
    }
  }

  @Test("The first record names the schema, also where a document of two exports cannot be read")
  func firstRecord() throws {
    try Self.withExport { folder in
      try TestFiles.write(Array("{".utf8), to: "\(folder)/App Protection/broken.json")
      let run = ToolRun("policy", "diff", folder, folder, "-j")
      expectEqual(run.code, .unreadable)
      #expect(run.output.hasPrefix(#"{"kind":"start","schema":"pj.policy.diff""#), "\(run.output.prefix(200))")
    }
  }

  @Test("Documents of other platforms, and app configurations, are no errors; only what is nothing of this ends in 4")
  func exitCodes() throws {
    let rows: [(String, ExitCode, lint: String)] = [
      (Self.android, .done, "No findings in 1 policy.\n"),
      (Self.compliance, .done, "No findings in 0 policies; skipped: 1 Android.\n"),
      (Self.configuration, .done, "No findings in 1 app configuration.\n"),
      (
        ##"{"@odata.type": "#microsoft.graph.managedAppOperation", "state": "s"}"##, .done,
        "No findings in 0 policies; skipped: 1 Operation.\n"
      ),
      (Self.ios, .done, "No findings in 1 policy.\n"),
      (
        ##"{"@odata.type": "#microsoft.graph.deviceManagementScript"}"##, .unreadable,
        "No findings in 0 policies; skipped: 1 deviceManagementScript.\n"
      ),
      ("[]", .unreadable, ""), (#"{"a": 1}"#, .unreadable, ""),
    ]
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/a.json"
      for (text, code, conclusion) in rows {
        try TestFiles.write(Array(text.utf8), to: path)
        let lint = ToolRun("policy", "lint", path)
        // What is read and nothing to check passes no check.
        let isChecked = !conclusion.contains(" in 0 policies")
        #expect(lint.code == (isChecked ? code : .unreadable) && lint.output == conclusion, "\(text): \(lint)")
        expectEqual(ToolRun("policy", "show", path).code, code, "\(text)")
        let isPolicy = [Self.ios, Self.android].contains(text)
        #expect((ToolRun("policy", "combine", path, path).code == .unreadable) != isPolicy, "\(text)")
        let isCompared = isPolicy || text == Self.configuration
        #expect((ToolRun("policy", "diff", path, path).code == .unreadable) != isCompared, "\(text)")
      }
      try TestFiles.removeFile(path)
      let empty = ToolRun("policy", "lint", folder)
      #expect(empty.code == .unreadable && empty.notes.contains("\(folder): the folder holds no document. Next: ls "))
    }
  }

  @Test("- is standard input, in every form that a file may have")
  func standardInput() throws {
    for text in [Self.pinError, "PINEnabled=1\nPINMinLength=3\n", #"{"PINMinLength": 3, "PINEnabled": true}"#] {
      var environment = ToolEnvironment()
      environment.readStandardInput = { _ in .bytes(Array(text.utf8)) }
      let lint = ToolRun(["policy", "lint", "-"], environment: environment)
      #expect(lint.code == .different && lint.output.contains("warning  -: line "), "\(lint.output)")
      let show = ToolRun(["policy", "show", "-"], environment: environment)
      #expect(show.code == .done && show.output.contains("Select minimum PIN length"))
    }
    var environment = ToolEnvironment()
    for (result, limit) in [
      (Platform.ReadResult.bytes(Array(repeating: 0x20, count: 16 << 20)), ": line 1, column "),
      (.bytes(Array(repeating: 0x20, count: 16 << 20 + 1)), "-: the file is longer than 16 MiB"),
      (.tooLong, "-: the file is longer than 512 MiB"),
    ] {
      environment.readStandardInput = { _ in result }
      let run = ToolRun(["policy", "lint", "-"], environment: environment)
      #expect(run.code == .unreadable && run.notes.contains(limit), "\(run.notes)")
    }
  }

  #if !canImport(Darwin)
    @Test("Documents in a folder are read whatever bytes their names have")
    func namesThatAreNotUTF8() throws {
      try TestFiles.withTemporaryFolder { folder in
        let name = "\(folder)/$(printf 'p\\377')"
        defer { _ = TestFiles.shell("rm -r \(name) \(name).json") }
        expectEqual(TestFiles.shell("mkdir \(name) && echo '\(Self.ios)' | tee \(name)/a.json > \(name).json"), 0)
        let run = ToolRun("policy", "lint", folder)
        #expect(run.code == .done && run.output == "No findings in 2 policies.\n" && run.notes.isEmpty, "\(run)")
      }
    }
  #endif

  @Test("What a folder has and cannot be read is named with the reason")
  func unreadableNames() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("ln -s nothing '\(folder)/a.json' && ln -s c '\(folder)/c'"), 0)
      try TestFiles.create(.pipe, "\(folder)/b.json")
      let run = ToolRun("policy", "lint", folder)
      #expect(run.code == .unreadable && run.notes.split(separator: "\n").count == 2, "\(run.notes)")
      #expect(run.notes.contains("\(folder)/a.json: No such file or directory. Next: ls -ld "))
      #expect(run.notes.contains("\(folder)/b.json: this is not a regular file"))
    }
  }

  @Test("Links to folders and journals in a folder are passed over, and a link that is named is followed")
  func links() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.create(.folder, "\(folder)/real")
      try TestFiles.write(Array(Self.ios.utf8), to: "\(folder)/real/a.json")
      try TestFiles.copy(Repository.root + "/journals/torn-tail/journal", to: "\(folder)/real/journal")
      expectEqual(TestFiles.shell("ln -s real '\(folder)/link' && ln -s .. '\(folder)/real/loop'"), 0)
      for word in [folder, "\(folder)/link"] {
        expectEqual(ToolRun("policy", "lint", word).output, "No findings in 1 policy.\n", "\(word)")
      }
    }
  }
}
