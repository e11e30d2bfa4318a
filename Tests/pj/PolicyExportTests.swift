import Expectations
import JSON
import PlainText
import Testing
import WireFormat

@testable import CommandSupport

@Suite("pj policy with whole exports")
struct PolicyExportTests {
  private static let android =
    ##"{"@odata.type": "#microsoft.graph.mdmWindowsInformationProtectionPolicy", "displayName": "A"}"##
  private static let yaml = """
    '@odata.type': '#microsoft.graph.iosManagedAppProtection'
    displayName: Kasse
    pinRequired: true

    """
  private static let desiredState = """
    Configuration M365TenantConfig {
      Node localhost {
        IntuneAppProtectionPolicyiOS "Route" {
          DisplayName = "Route"
          Credential = $Credscredential
          ApplicationSecret = "hunter2"
        }
        AADUser "x" { Password = "hunter3" }
      }
    }
    """
  private static let backup =
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "T_1", "displayName": "B"}"##
  private static let assignments = ##"""
    {"value": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}
    """##

  /// An export that several tools wrote to.
  private static let files: [(path: String, text: String)] = [
    ("App Protection/Kasse_iosManagedAppProtection.yaml", yaml), ("App Protection/Anchor.yaml", "a: &x 1\n"),
    ("AppProtection/Android.json", android), ("MigrationTable.json", #"{"TenantId": "x", "Objects": []}"#),
    ("App Protection Policies/B.json", backup), ("App Protection Policies/Assignments/T_1 - B.json", assignments),
    ("App Protection Policies/Assignments/T_2 - Gone.json", assignments), ("M365TenantConfig.ps1", desiredState),
    ("Scripts/run.ps1", "Get-Item"), ("M365TenantConfig.mof", "instance of MSFT_X {};"),
    (
      "list.json",
      ##"{"@odata.context": "x/$metadata#deviceAppManagement/iosManagedAppProtections", "@odata.nextLink": "y", "value": [{"displayName": "L"}]}"##
    ), ("notes.md", "nothing"),
  ]

  @Test("A list that goes on elsewhere is incomplete: exit 3, with a note")
  func continued() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/list.json"
      let text =
        ##"{"@odata.nextLink": "y", "value": [{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "x"}]}"##
      try TestFiles.write(Array(text.utf8), to: path)
      for words in [["list", path], ["show", path], ["combine", path, path], ["diff", path, path]] {
        let run = ToolRun(["policy"] + words + ["-j"])
        #expect(run.code == .partial && run.output.contains(#""complete":false"#), "\(words): \(run)")
        #expect(run.notes.contains("the list goes on in another response, which is not here."), "\(run.notes)")
      }
    }
  }

  private static func withExport<Result>(_ body: (String) throws -> Result) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        expectEqual(TestFiles.shell("mkdir -p '\(folder)/tenant/\(parent)'"), 0)
        try TestFiles.write(Array(text.utf8), to: "\(folder)/tenant/\(path)")
      }
      return try body(folder)
    }
  }

  /// What a run says of each document, without the folder in front of the names.
  private static func rows(_ run: ToolRun, _ prefix: String) -> [String] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "document" }.map { record in
      let file = record["file"]?.string ?? ""
      return "\(record["outcome"]?.string ?? "") \(record["type"]?.string ?? "") "
        + (file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : file)
    }
  }

  private static let expected = [
    "read iosManagedAppProtection App Protection Policies/B.json",
    "read iosManagedAppProtection App Protection/Kasse_iosManagedAppProtection.yaml",
    "outOfScope mdmWindowsInformationProtectionPolicy AppProtection/Android.json",
    "read iosManagedAppProtection M365TenantConfig.ps1", "outOfScope AADUser M365TenantConfig.ps1",
    "read Table of names MigrationTable.json", "outOfScope PowerShell script Scripts/run.ps1",
    "read iosManagedAppProtection list.json", "refused unknown App Protection/Anchor.yaml",
    "refused unknown M365TenantConfig.mof",
  ]

  @Test("Every document is read, out of scope with its type, or refused with its reason, and the end counts them")
  func list() throws {
    try Self.withExport { folder in
      let run = ToolRun("policy", "list", "\(folder)/tenant")
      expectEqual(run.code, .unreadable)
      #expect(
        run.output.hasSuffix(
          "5 read, 3 out of scope, 2 refused; shapes: 2 Microsoft365DSC, 2 IntuneManagement, 1 IntuneBackupAndRestore, 1 IntuneCD, 1 Graph list\n"
        ), "\(run.output)")
      #expect(run.output.contains("refused       unknown"))
      #expect(run.notes.contains("Anchor.yaml: line 1, column 4: anchors and aliases are not read"))
      #expect(run.notes.contains("the list goes on in another response"))
      let json = ToolRun("policy", "list", "\(folder)/tenant", "-j")
      expectEqual(Self.rows(json, "\(folder)/tenant/").sorted(), Self.expected.sorted())
      #expect(!(json.output + run.output + run.notes).contains("hunter"))
      #expect(json.output.contains(#""assignments without their policy":1"#))
      // The assignments of the backup are joined to its policy.
      #expect(ToolRun("policy", "show", "\(folder)/tenant/App Protection Policies").output.contains("All users"))
    }
  }

  @Test(
    "A zip or tar file, also from standard input, is read as its folder is",
    arguments: [
      "zip -qr packed tenant", "tar -cf packed tenant", "tar -czf packed tenant",
    ])
  func archives(packer: String) throws {
    try Self.withExport { folder in
      expectEqual(TestFiles.shell("cd \(folder) && \(packer)"), 0)
      let path = TestFiles.shell("test -f \(folder)/packed.zip") == 0 ? "\(folder)/packed.zip" : "\(folder)/packed"
      let run = ToolRun("policy", "list", path, "-j")
      expectEqual(Self.rows(run, "\(path)/tenant/").sorted(), Self.expected.sorted(), "\(run.notes)")
      var environment = ToolEnvironment()
      let bytes = try TestFiles.read(path)
      environment.readStandardInput = { _ in .bytes(bytes) }
      let piped = ToolRun(["policy", "list", "-", "-j"], environment: environment)
      expectEqual(Self.rows(piped, "-/tenant/").sorted(), Self.expected.sorted(), "\(piped.notes)")
      #expect(ToolRun("policy", "lint", path).output.contains("polic"))
      environment.readStandardInput = { _ in .bytes(Array(bytes.dropLast(bytes.count / 2))) }
      expectEqual(ToolRun(["policy", "list", "-"], environment: environment).code, .unreadable)
    }
  }

  @Test("Names that lead out of an archive, long documents and archives without any are refused")
  func hostile() throws {
    try TestFiles.withTemporaryFolder { folder in
      let script = """
        cd \(folder) && python3 -W ignore - <<'END'
        import zipfile
        with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as z:
          z.writestr('../b.json', '{}'); z.writestr('/c.json', '{}'); z.writestr('big.json', b' ' * (17 << 20))
          z.writestr('__MACOSX/d.json', 'x'); z.writestr('ü.json', '''\(Self.android)''')
        with zipfile.ZipFile('empty.zip', 'w') as z: z.writestr('a.md', 'x')
        END
        """
      expectEqual(TestFiles.shell(script), 0)
      let run = ToolRun("policy", "list", "\(folder)/a.zip")
      #expect(run.code == .unreadable && run.output.contains("0 read, 1 out of scope, 3 refused"), "\(run)")
      for reason in [
        "a.zip/../b.json: its name leads out of the archive, so this one is not read",
        "a.zip//c.json: its name leads out of the archive, so this one is not read",
        "a.zip/big.json: it is longer than 16 MiB, so this one is not read",
      ] {
        #expect(run.notes.contains(reason), "\(run.notes)")
      }
      let empty = ToolRun("policy", "list", "\(folder)/empty.zip")
      #expect(empty.code == .unreadable && empty.notes.contains("empty.zip: the archive holds no document"))
      try TestFiles.write(Array("PK\u{3}\u{4}".utf8) + [0, 1, 2, 3], to: "\(folder)/bad.zip")
      let bad = ToolRun("policy", "list", "\(folder)/bad.zip")
      #expect(bad.code == .unreadable && bad.notes.contains("bad.zip: "), "\(bad.notes)")
    }
  }

  @Test("Of two documents with one name in an archive the second is refused, and no level is certain")
  func sameName() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "A"}"##
      let script = """
        cd \(folder) && python3 -W ignore - <<'END'
        import zipfile
        with zipfile.ZipFile('a.zip', 'w') as z:
          z.writestr('p.json', '''\(policy)'''); z.writestr('p.json', '''\(policy)''')
        END
        """
      expectEqual(TestFiles.shell(script), 0)
      let run = ToolRun("policy", "list", "\(folder)/a.zip")
      #expect(run.code == .unreadable && run.output.contains("1 read, 0 out of scope, 1 refused"), "\(run)")
      #expect(run.notes.contains("a.zip/p.json: another entry has the same name, so this one is not read"))
      expectEqual(ToolRun("policy", "level", "\(folder)/a.zip", "--require", "1").code, .unreadable)
    }
  }

  @Test("Documents that do not say their type are out of scope, and groups are known by their members")
  func untyped() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "A"}"##
      let files = [
        ("p.json", policy), ("Groups/Sales.json", #"{"id": "1", "displayName": "Sales", "groupTypes": []}"#),
        ("ScopeTags/Default.json", #"{"id": "0", "displayName": "Default"}"#),
      ]
      for (path, text) in files {
        expectEqual(TestFiles.shell("mkdir -p \(folder)/im/Groups \(folder)/im/ScopeTags"), 0)
        try TestFiles.write(Array(text.utf8), to: "\(folder)/im/\(path)")
      }
      let run = ToolRun("policy", "list", "\(folder)/im")
      #expect(run.code == .done && run.output.contains("2 read, 1 out of scope, 0 refused"), "\(run)")
      #expect(run.notes.isEmpty)
      let json = ToolRun("policy", "list", "\(folder)/im", "-j")
      expectEqual(
        Self.rows(json, "\(folder)/im/"),
        [
          "read Group Groups/Sales.json", "outOfScope unknown ScopeTags/Default.json",
          "read iosManagedAppProtection p.json",
        ])
      expectEqual(OutputSchemaTests.problems(of: json.output), [])
      // Where nothing is known, it is refused, with what to do.
      let alone = ToolRun("policy", "list", "\(folder)/im/ScopeTags")
      #expect(alone.code == .unreadable && alone.output.contains("0 read, 0 out of scope, 1 refused"), "\(alone)")
      #expect(alone.notes.contains("add \"@odata.type\""))
    }
  }

  @Test("An error of the service is no policy without a type")
  func serviceErrors() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "A"}"##
      let error = #"{"error": {"code": "TooManyRequests", "message": "x"}}"#
      for (text, reason) in [
        (
          #"{"responses": [{"status": 429, "body": \#(error)}, {"status": 200, "body": \#(policy)}]}"#,
          "429 TooManyRequests"
        ),
        (#"{"responses": [{"status": 404}, {"status": 200, "body": \#(policy)}]}"#, "404"), (error, "TooManyRequests"),
      ] {
        let path = "\(folder)/batch.json"
        try TestFiles.write(Array(text.utf8), to: path)
        let run = ToolRun("policy", "list", path)
        #expect(run.code == .unreadable && run.output.contains("1 refused"), "\(run)")
        #expect(
          run.notes.contains("the service answered with an error instead of the document: \(reason); ask it again"),
          "\(run.notes)")
        expectEqual(run.output.contains("1 read"), text.contains("displayName"))
      }
    }
  }

  @Test(
    "Of an archive that is cut short, what precedes the cut is read",
    arguments: ["zip -qr0 packed p", "tar -cf packed p"])
  func cut(packer: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir \(folder)/p"), 0)
      for number in 1...5 {
        let filler = String(repeating: "x", count: 3_000)
        let policy =
          ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(number)", "description": "\##(filler)"}"##
        try TestFiles.write(Array(policy.utf8), to: "\(folder)/p/\(number).json")
      }
      expectEqual(TestFiles.shell("cd \(folder) && \(packer) && mv packed* whole && head -c 9000 whole > half"), 0)
      #expect(ToolRun("policy", "list", "\(folder)/whole").output.contains("5 read, 0 out of scope, 0 refused"))
      let run = ToolRun("policy", "list", "\(folder)/half")
      #expect(run.code == .unreadable && run.output.contains("2 read, 0 out of scope, 1 refused"), "\(run)")
      #expect(run.notes.contains("; what follows is not read"), "\(run.notes)")
      expectEqual(ToolRun("policy", "level", "\(folder)/half", "--require", "1").code, .unreadable)
    }
  }

  @Test("A reason stands after everything else, so that it widens no line")
  func widths() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir \(folder)/e"), 0)
      try TestFiles.write(Array(Self.yaml.utf8), to: "\(folder)/e/a.yaml")
      try TestFiles.write(Array("a: &x 1\n".utf8), to: "\(folder)/e/b.yaml")
      let run = ToolRun("policy", "list", "\(folder)/e")
      let read = try #require(run.lines.first { $0.hasPrefix("read") })
      expectEqual(read, "read     iosManagedAppProtection  Kasse  \(folder)/e/a.yaml: line 1, column 1")
      let refused = try #require(run.lines.first { $0.hasPrefix("refused") })
      #expect(refused.contains("\(folder)/e/b.yaml: line 1, column 4: anchors"), "\(refused)")
    }
  }

  @Test("Names of people are withheld in names of files and of settings")
  func names() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir \(folder)/e"), 0)
      let configuration =
        ##"{"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "c", "settings": [{"appConfigKey": "bob@contoso.com", "appConfigKeyType": "stringType", "appConfigKeyValue": "1"}]}"##
      let path = "\(folder)/e/ann@contoso.com.json"
      try TestFiles.write(Array(configuration.utf8), to: path)
      try TestFiles.write(Array(Self.yaml.utf8), to: "\(folder)/e/ann@contoso.com_iosManagedAppProtection.yaml")
      try TestFiles.write(Array("{".utf8), to: "\(folder)/e/eve@contoso.com.json")
      for words in [
        ["show", "\(folder)/e"], ["lint", "\(folder)/e"], ["list", "\(folder)/e"], ["level", "\(folder)/e"],
        ["show", path], ["lint", path], ["diff", path, path], ["diff", "\(folder)/e", "\(folder)/e"],
        ["show", "\(folder)/e", "--format", "markdown"],
      ] {
        for options in words.contains("--format") ? [[]] : [[], ["-j"]] {
          let run = ToolRun(["policy"] + words + options)
          #expect(!"\(run)".contains("contoso"), "\(words + options): \(run)")
        }
      }
      let shown = ToolRun("policy", "show", "\(folder)/e")
      #expect(shown.output.contains("\(folder)/e/(withheld).json: App configuration for managed devices"), "\(shown)")
      #expect(shown.output.contains("  (withheld)"))
      #expect(ToolRun("policy", "list", "\(folder)/e").output.contains("1 IntuneCD"))
      #expect(ToolRun("policy", "show", path, "--reveal").output.contains("Setting bob@contoso.com"))
    }
  }

  @Test("A broken element of a list is refused, what is no document is counted, and the others are read")
  func brokenElements() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "A"}"##
      for (list, counts) in [
        (#"{"value": [null, \#(policy)]}"#, "1 read, 1 out of scope, 0 refused"),
        (#"[\#(policy), 7, "{", [\#(policy), true]]"#, "2 read, 2 out of scope, 1 refused"),
        (#"{"responses": [null, {"body": \#(policy)}]}"#, "1 read, 0 out of scope, 1 refused"),
        ("[1, 2]", "0 read, 0 out of scope, 1 refused"),
      ] {
        try TestFiles.write(Array(list.utf8), to: "\(folder)/list.json")
        let run = ToolRun("policy", "list", "\(folder)/list.json")
        #expect(run.output.contains(counts) || run.output.isEmpty && counts.hasPrefix("0"), "\(list): \(run)")
      }
    }
  }

  @Test("Secrets of app configurations are shown in no form, and yet compared")
  func secrets() throws {
    try TestFiles.withTemporaryFolder { folder in
      func configuration(_ type: String, _ members: String) -> String {
        ##"{"@odata.type": "#microsoft.graph.\##(type)", "displayName": "c", \##(members)}"##
      }
      func pair(_ name: String, _ value: String) -> String { #"{"name": "\#(name)", "value": "\#(value)"}"# }
      let nested =
        #"{"key": "Server", "valueBundle": {"managedProperty": [{"key": "password", "valueString": "hunter2"}]}}"#
      let list = "<plist version=\"1.0\"><dict><key>api_key</key><string>hunter2</string></dict></plist>"
      let documents = [
        configuration(
          "targetedManagedAppConfiguration",
          #""customSettings": [\#(pair("password", "hunter2")), \#(pair("clientSecret", "hunter2"))]"#),
        configuration(
          "targetedManagedAppConfiguration",
          #""customSettings": [\#(pair("server", #"{\"pwd\": \"hunter2\"}"#))]"#),
        configuration(
          "androidManagedStoreAppConfiguration",
          #""payloadJson": {"managedProperty": [\#(nested)]}, "packageId": "app:a""#),
        configuration(
          "iosMobileAppConfiguration", #""encodedSettingXml": "\#(Base64.text(Array(list.utf8)))""#),
        configuration("targetedManagedAppConfiguration", #""customSettings": [], "Password": "hunter2""#),
        configuration("iosManagedAppProtection", #""Password": "hunter2""#),
        configuration(
          "defaultManagedAppProtection",
          #""customSettings": [\#(pair("password", "hunter2")), \#(pair("server", #"{\"pwd\": \"hunter2\"}"#))]"#),
        configuration("iosManagedAppProtection", #""Credential": {"User": "u", "Key": "hunter2"}"#),
      ]
      for document in documents {
        try TestFiles.write(Array(document.utf8), to: "\(folder)/c.json")
        for options in [[], ["-j"], ["--format", "html"], ["--format", "csv"]] {
          let run = ToolRun(["policy", "show", "\(folder)/c.json", "--reveal"] + options)
          #expect(!"\(run)".contains("hunter2"), "\(document): \(run)")
          #expect(run.output.contains("(secret)"), "\(document): \(run)")
        }
        #expect(!"\(ToolRun("policy", "lint", "\(folder)/c.json", "--reveal"))".contains("hunter2"))
      }
      let standard = try #require(documents.first { $0.contains("defaultManagedAppProtection") })
      for document in [documents[0], standard] {
        try TestFiles.write(Array(document.utf8), to: "\(folder)/a.json")
        try TestFiles.write(Array(document.replacing("hunter2", with: "hunter3").utf8), to: "\(folder)/b.json")
        for options in [["--reveal"], ["--reveal", "-j"], []] {
          let diff = ToolRun(["policy", "diff", "\(folder)/a.json", "\(folder)/b.json"] + options)
          #expect(diff.code == .different && !diff.output.contains("hunter"), "\(diff)")
        }
      }
      for words in [["combine"], ["effective", "--user", "u", "--app", "a"]] {
        let run = ToolRun(["policy", words[0], "\(folder)/a.json", "\(folder)/b.json", "--reveal"] + words.dropFirst())
        #expect(!"\(run)".contains("hunter"), "\(run)")
        let json = ToolRun(
          ["policy", words[0], "\(folder)/a.json", "\(folder)/b.json", "--reveal", "-j"] + words.dropFirst())
        #expect(!"\(json)".contains("hunter"), "\(json)")
      }
    }
  }
}
