import Expectations
import JSON
import Testing

@Suite("pj policy combine")
struct PolicyCombinationReportTests {
  private static func graph(_ members: String, kind: String = "iosManagedAppProtection") -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(kind)", \##(members)}"##
  }

  /// Combines policies that stand in files of their own, `1.json` and so on.
  private static func combine(_ policies: [String], _ options: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      let paths = policies.indices.map { "\(folder)/\($0 + 1).json" }
      for (path, policy) in zip(paths, policies) { try TestFiles.write(Array(policy.utf8), to: path) }
      return ToolRun(["policy", "combine"] + paths + options)
    }
  }

  /// The row of a setting, in pieces.
  private static func row(_ title: String, _ run: ToolRun) -> [String]? {
    run.lines.first { $0.hasPrefix("  \(title)  ") }?.dropFirst(title.count + 2).split(separator: "  ").map {
      $0.trimmingPrefix(" ").description
    }
  }

  @Test("Every setting says from which policies it comes, why, and what the others have")
  func origins() throws {
    let run = try Self.combine([
      Self.graph(
        """
        "pinRequired": true, "simplePinBlocked": false, "saveAsBlocked": true, "minimumRequiredOsVersion": "16.0",
        "allowedDataStorageLocations": ["box", "sharePoint"], "printBlocked": true,
        "managedBrowserToOpenLinksRequired": true,
        "exemptedAppProtocols": [{"name": "Default", "value": "skype"}]
        """),
      Self.graph(
        """
        "pinRequired": true, "simplePinBlocked": true, "saveAsBlocked": true, "minimumRequiredOsVersion": "16",
        "allowedDataStorageLocations": ["sharePoint", "egnyte"], "allowedOutboundDataTransferDestinations": "allApps",
        "managedBrowserToOpenLinksRequired": true, "managedBrowser": "microsoftEdge"
        """),
      Self.graph(#""saveAsBlocked": false, "allowedDataStorageLocations": []"#),
    ])
    expectEqual(run.code, .done)
    expectEqual(Self.row("PIN for access", run), ["1, 2", "same", "Require"])
    expectEqual(Self.row("Printing Org data", run), ["1", "only", "Block"])
    expectEqual(Self.row("Simple PIN", run), ["2", "strictest", "Block", "(1: Allow)"])
    expectEqual(Self.row("Min OS version, Block access", run), ["1", "first", "16.0", "(2: 16)"])
    expectEqual(
      Self.row("Allow user to save copies to selected services", run),
      ["1, 2", "common", "SharePoint", "(1: Box, SharePoint; 2: SharePoint, Egnyte)"])
    expectEqual(
      Self.row("Restrict web content transfer with other apps", run),
      ["2", "strictest", "Microsoft Edge", "(1: Policy managed browsers)"])
    expectEqual(Self.row("Save copies of Org data", run), ["1, 2", "strictest", "Block", "(3: Allow)"])
  }

  @Test("On Windows, no time offline before access is blocked is the strictest, and none before a wipe is never")
  func windows() throws {
    let policies = ["PT0S", "PT720M"].map { time in
      Self.graph(
        "\"periodOfflineBeforeAccessCheck\": \"\(time)\", \"periodOfflineBeforeWipeIsEnforced\": \"\(time == "PT0S" ? time : "P90D")\"",
        kind: "windowsManagedAppProtection")
    }
    for policies in [policies, policies.reversed()] {
      let run = try Self.combine(policies)
      let (zero, other) = policies[0].contains("PT0S") ? (1, 2) : (2, 1)
      expectEqual(
        Self.row("Offline grace period, Block access (minutes)", run),
        ["\(zero)", "strictest", "0 minutes", "(\(other): 720 minutes)"])
      expectEqual(
        Self.row("Offline grace period, Wipe data (days)", run),
        ["\(other)", "strictest", "90 days", "(\(zero): Never)"])
    }
    #expect(try Self.combine(policies, "-j").output.contains(#""rules":["shortestDuration"]"#))
  }

  @Test("A value that the exporting program lost is unknown, named, and ends in 3")
  func lost() throws {
    let policies = [Self.graph(#""managedUniversalLinks": "System.Object[]""#), Self.graph(#""pinRequired": true"#)]
    let run = try Self.combine(policies)
    #expect(run.code == .partial && run.output.contains("Unknown  (1: unknown)"), "\(run)")
    #expect(
      run.notes.contains("1.json: the value of managedUniversalLinks is unknown; what counts may be stricter"))
    let json = try Self.combine(policies, "-j")
    #expect(json.output.contains(#""others":[{"policy":1,"value":null,"properties":{}}]"#), "\(json.output)")
    #expect(try Self.combine(policies, "--format", "csv").output.contains("Unknown"))
  }

  @Test("A default policy does not count beside one for groups, and a list that restricts nothing is dropped")
  func replaced() throws {
    let policies = [
      Self.graph(#""pinRequired": true"#, kind: "defaultManagedAppProtection"),
      Self.graph(
        """
        "printBlocked": true, "saveAsBlocked": false, "allowedDataStorageLocations": ["box"]
        """),
    ]
    let run = try Self.combine(policies)
    #expect(run.lines[1].hasSuffix("/1.json  (a default policy, replaced by policies for groups)"))
    #expect(run.lines[2].hasSuffix("/2.json"))
    #expect(Self.row("PIN for access", run) == nil)
    expectEqual(
      Self.row("Allow user to save copies to selected services", run), ["dropped", "Not configured", "(2: Box)"])
    let records = try Self.combine(policies, "-j").records.compactMap { $0?.object }
    expectEqual(records.filter { $0["kind"]?.string == "policy" }.map { $0["counts"]?.bool }, [false, true])
    let dropped = try #require(records.first { $0["why"]?.string == "dropped" })
    #expect(dropped["value"] == .null && dropped["from"]?.array == [])
    expectEqual(dropped["others"]?.array?.first?.object?["policy"]?.number, JSONNumber(2))
  }

  @Test("What contradicts itself only in the result is said, and so is what does in one of them")
  func contradictions() throws {
    let run = try Self.combine([
      Self.graph(#""minimumRequiredOsVersion": "17.0""#), Self.graph(#""maximumRequiredOsVersion": "16.0""#),
      Self.graph(#""minimumRequiredAppVersion": "x""#),
    ])
    expectEqual(run.code, .done)
    let together = run.notes.split(separator: "\n").filter { $0.contains("found only in the combination: ") }
    #expect(together.count == 1 && together.first?.contains("OsVersion: ") == true, "\(run.notes)")
    #expect(run.notes.contains("/3.json: lint finds "))
  }

  @Test("Two policies are needed; several may stand in one file, and each file must have one")
  func inputs() throws {
    let two = "[\(Self.graph("\"pinRequired\": true")), \(Self.graph("\"printBlocked\": true"))]"
    let run = try Self.combine([two])
    #expect(run.code == .done && Self.row("PIN for access", run) == ["1", "only", "Require"])
    #expect(run.lines[1].contains("/1.json: [0]") && run.lines[2].contains("/1.json: [1]"))
    let alone = try Self.combine([Self.graph("\"pinRequired\": true")])
    #expect(alone.code == .wrongUse && alone.output.isEmpty)
    expectEqual(alone.notes, "pj policy: at least two policies are needed, but 1 is named. Next: pj help policy\n")
    _ = Repository.root
    let small = "Tests/pj/Policies/Small.json"
    let registration = "Tests/pj/Policies/Registration.json"
    for words in [[registration], [small, small, registration]] {
      let run = ToolRun(["policy", "combine"] + words)
      #expect(run.code == .unreadable && run.output.isEmpty)
      #expect(
        run.notes.hasPrefix("pj policy: \(registration): line 1, column 1: the document holds no policy ("),
        "\(run.notes)")
    }
    let empty = try Self.combine(["[]", two])
    #expect(empty.code == .unreadable && empty.notes.contains("/1.json: "), "\(empty.notes)")
  }

  @Test("Links say nothing about a person and are shown, whichever policy has them")
  func links() {
    _ = Repository.root
    let words = ["policy", "combine", "Tests/pj/Policies/Small.json", "Tests/pj/Policies/Faulty.json"]
    for option in [[], ["-j"]] { #expect(ToolRun(words + option).output.contains("http://*.contoso.com/*")) }
  }
}
