import AppProtection
import AppProtectionInsight
import Expectations
import JSON
import Testing

@testable import PolicyCommands

@Suite("pj policy ask")
struct PolicyAskTests {
  private static func policy(_ name: String, _ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)", \##(settings)}"##
  }

  private static let files: [(path: String, text: String)] = [
    (
      "open.json",
      policy(
        "Open",
        #""saveAsBlocked": false, "appDataEncryptionType": "whenDeviceLocked", "allowedOutboundDataTransferDestinations": "allApps""#
      )
    ),
    (
      "closed.json",
      policy(
        "Closed",
        #""saveAsBlocked": true, "allowedDataStorageLocations": ["box"], "printBlocked": true, "allowedOutboundDataTransferDestinations": "managedApps""#
      )
    ),
    (
      "capture.json",
      policy(
        "Capture", #""allowedOutboundDataTransferDestinations": "managedApps", "minimumRequiredOsVersion": "18.0""#)
    ),
    (
      "android.json",
      ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection", "displayName": "A", "printBlocked": true}"##
    ),
    (
      "situation.json",
      #"{"app": {"version": "3"}, "device": {"os": "17.6"}, "accounts": {"ada": {"upn": "ada@a.example"}, "bob": {"upn": "bob@b.example"}}, "policies": {"bob": {"path": "closed.json"}}}"#
    ),
    ("stranger.json", #"{"policies": {"carol": {"path": "closed.json"}}}"#),
    ("steps.json", #"{"steps": []}"#), ("nameless.json", #"{"accounts": {"ada": {}}}"#),
    (
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>IntuneMAMSettings</key><dict>
      <key>MaxFileProtectionLevel</key><string>NSFileProtectionCompleteUnlessOpen</string>
      </dict></dict></plist>
      """
    ),
  ]

  private static func run(_ words: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      return ToolRun(["policy", "ask"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
    }
  }

  /// What policies answer, with `-j`.
  private static func answers(_ words: String...) throws -> [String] {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      let run = ToolRun(
        ["policy", "ask", "-j"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
      let records = run.records.compactMap { $0?.object }
      return records.filter { $0["kind"]?.string == "answer" }.compactMap { $0["answer"]?.string }
    }
  }

  @Test("One question of one policy is answered rule by rule, with the settings and with what to change")
  func explained() throws {
    let run = try Self.run("./closed.json", "saveTo(dropbox, owner)")
    expectEqual(run.code, .done)
    #expect(run.output.hasPrefix("denied  "))
    #expect(run.output.contains("← decides"))
    #expect(run.output.contains("Save copies of Org data: Block"))
    #expect(run.output.contains("To get another answer"))
    // Nobody set the values: there is no journal.
    #expect(!run.output.contains("event"))
  }

  @Test("The answers are those that an app with the policy gets, in every situation")
  func answers() throws {
    expectEqual(try Self.answers("./closed.json", "saveTo(box, owner)"), ["allowed"])
    expectEqual(try Self.answers("./closed.json", "saveTo(box, a1)"), ["allowed"])
    expectEqual(try Self.answers("./closed.json", "saveTo(box, a1, other)"), ["denied"])
    expectEqual(try Self.answers("./closed.json", "transfer(owner, managedApp:other)"), ["denied"])
    expectEqual(try Self.answers("./closed.json", "transfer(owner, managedApp:owner)"), ["allowed"])
    expectEqual(try Self.answers("./closed.json", "use(printing, owner)"), ["denied"])
    expectEqual(try Self.answers("./open.json", "use(printing, owner)"), ["allowed"])
    expectEqual(try Self.answers("./open.json", "managed(owner)"), ["true"])
  }

  @Test("Versions, a situation and a property list decide where rules read them")
  func situations() throws {
    expectEqual(try Self.answers("./capture.json", "launch(owner)", "--os", "18.1"), ["allowed"])
    expectEqual(try Self.answers("./capture.json", "launch(owner)", "--os", "17.9"), ["block"])
    expectEqual(try Self.answers("./capture.json", "launch(ada)", "--situation", "./situation.json"), ["block"])
    expectEqual(
      try Self.answers("./capture.json", "launch(ada)", "--situation", "./situation.json", "--os", "18.0"), ["allowed"])
    // Bob's own policy keeps his data.
    expectEqual(try Self.answers("./open.json", "use(printing, bob)", "--situation", "./situation.json"), ["denied"])
    expectEqual(try Self.answers("./open.json", "fileProtection(owner)"), ["complete"])
    expectEqual(
      try Self.answers("./open.json", "fileProtection(owner)", "--settings", "./Info.plist"), ["completeUnlessOpen"])
    expectEqual(try Self.answers("./capture.json", "screenCapture(owner)"), ["denied"])
    expectEqual(try Self.answers("./capture.json", "screenCapture(owner)", "--sdk", "18.0.0"), ["allowed"])
  }

  @Test("Of two policies, the answers that differ are named, and the exit code says that there are some")
  func differences() throws {
    let run = try Self.run("./open.json", "./closed.json")
    expectEqual(run.code, .different)
    #expect(run.output.contains("use(printing, owner)"))
    #expect(!run.output.contains("managed(owner)"))
    let same = try Self.run("./open.json", "./open.json")
    expectEqual(same.code, .done)
    #expect(same.output.contains("0 answers differ of "))
    expectEqual(try Self.run("./open.json", "./closed.json", "use(printing, owner)").code, .different)
    expectEqual(try Self.run("./open.json", "./closed.json", "managed(owner)").code, .done)
  }

  @Test("A matrix asks every question that a setting decides, and makes a report")
  func matrix() throws {
    let run = try Self.run("./closed.json", "--matrix")
    expectEqual(run.code, .done)
    for location in SaveLocation.allCases { #expect(run.output.contains("saveTo(\(location.name), owner)")) }
    for feature in ProtectedFeature.allCases { #expect(run.output.contains("use(\(feature.rawValue), owner)")) }
    let table = try Self.run("./open.json", "./closed.json", "--matrix", "--format", "csv")
    #expect(table.output.contains(",\"saveTo(box, owner)\","))
    #expect(table.output.contains("allowed"))
  }

  @Test("An answer that rests on what a document does not tell is unknown, and names the setting")
  func unknown() throws {
    let partial = #"[{"ResourceName":"IntuneAppProtectionPolicyiOS","DisplayName":"D","PinRequired":true}]"#
    let lost = Self.policy("L", #""printBlocked": "System.Object[]", "saveAsBlocked": false"#)
    try TestFiles.withTemporaryFolder { folder in
      for (name, text) in [("partial.json", partial), ("lost.json", lost), ("open.json", Self.files[0].text)] {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)")
      }
      let one = ToolRun("policy", "ask", "\(folder)/partial.json", "saveTo(box, owner)")
      expectEqual(one.code, .partial)
      #expect(one.output.hasPrefix("unknown  it depends on Send Org data to other apps"), "\(one.output)")
      #expect(!one.output.contains("To get another answer"))
      // The PIN is in the document.
      expectEqual(ToolRun("policy", "ask", "\(folder)/partial.json", "managed(owner)").code, .done)
      let printing = ToolRun("policy", "ask", "\(folder)/lost.json", "use(printing, owner)")
      #expect(
        printing.output.hasPrefix("unknown  it depends on Printing Org data (printBlocked)"), "\(printing.output)")
      let csv = ToolRun("policy", "ask", "\(folder)/lost.json", "--matrix", "--format", "csv")
      expectEqual(csv.code, .partial)
      #expect(csv.output.contains("unknown"))
      let both = ToolRun("policy", "ask", "\(folder)/lost.json", "\(folder)/open.json", "use(printing, owner)")
      #expect(both.output.contains("0 answers differ of 1 question. 1 answer is unknown."), "\(both.output)")
    }
  }

  @Test("Of two policies, what may differ stays, and a page marks it")
  func mayDiffer() throws {
    try TestFiles.withTemporaryFolder { folder in
      let lost = Self.policy("L", #""printBlocked": "System.Object[]", "saveAsBlocked": false"#)
      let known = Self.policy("K", #""printBlocked": true, "saveAsBlocked": false"#)
      for (name, text) in [("lost.json", lost), ("known.json", known)] {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)")
      }
      let both = ["policy", "ask", "\(folder)/lost.json", "\(folder)/known.json"]
      let text = ToolRun(both)
      expectEqual(text.code, .partial)
      #expect(text.output.contains(#/use\(printing, owner\) +unknown +denied/#), "\(text.output)")
      #expect(!text.output.contains("saveTo(box, owner)"), "\(text.output)")
      let page = ToolRun(both + ["--matrix", "--format", "html"]).output
      let row = try #require(page.firstMatch(of: #/<tr class="([^"]*)"><th scope="row"><bdi>use\(printing, owner\).*/#))
      expectEqual(row.1, "row different")
      #expect(row.0.contains("<td class=\"marked notable\"><bdi>unknown</bdi>"), "\(row.0)")
      #expect(row.0.contains("<td><bdi>denied</bdi><small>"), "\(row.0)")
      #expect(page.contains("<small>Aa</small></span> unknown</li>"), "\(page.prefix(4000))")
    }
  }

  @Test("Policies that differ in what no answer tells, or in a deadline, differ")
  func untold() throws {
    let warn = Self.policy("W", #""deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "warn""#)
    let wipe = Self.policy("W", #""deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "wipe""#)
    let short = Self.policy("S", #""periodOfflineBeforeAccessCheck": "PT3H""#)
    let long = Self.policy("S", #""periodOfflineBeforeAccessCheck": "PT5H""#)
    try TestFiles.withTemporaryFolder { folder in
      for (name, text) in [("warn.json", warn), ("wipe.json", wipe), ("short.json", short), ("long.json", long)] {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)")
      }
      let actions = ToolRun("policy", "ask", "\(folder)/warn.json", "\(folder)/wipe.json")
      expectEqual(actions.code, .different)
      #expect(actions.output.contains("Other settings differ, and no answer here: Jailbroken"), "\(actions.output)")
      let intervals = ToolRun("policy", "ask", "\(folder)/short.json", "\(folder)/long.json")
      expectEqual(intervals.code, .different)
      #expect(
        intervals.output.contains(#/due\(owner\) +checkIn, block after PT3H +checkIn, block after PT5H/#),
        "\(intervals.output)")
      #expect(!intervals.output.contains("Other settings"), "\(intervals.output)")
    }
  }

  @Test("The app had its PIN chosen, and was signed in to, so that what else keeps it closed shows")
  func opened() throws {
    let policy = Self.policy(
      "P",
      #""pinRequired": true, "minimumPinLength": 9, "pinCharacterSet": "alphanumericAndSymbol", "simplePinBlocked": true, "organizationalCredentialsRequired": true, "minimumWarningAppVersion": "7.0""#
    )
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/p.json")
      let warned = ToolRun("policy", "ask", "\(folder)/p.json", "launch(owner)", "--app-version", "6", "-j")
      #expect(warned.output.contains(#""answer":"warn""#), "\(warned.output)")
      let passing = ToolRun("policy", "ask", "\(folder)/p.json", "launch(owner)", "--app-version", "7.1", "-j")
      #expect(passing.output.contains(#""answer":"allowed""#), "\(passing.output)")
    }
  }

  @Test("The matrix says whose location it is, where that makes a difference")
  func locations() throws {
    let run = try Self.run("./closed.json", "--matrix")
    #expect(run.output.contains("saveTo(box, owner, other)"), "\(run.output)")
    #expect(!run.output.contains("saveTo(dropbox, owner, none)"), "\(run.output)")
  }

  @Test("A situation that names no SDK has the newest rules")
  func newestSDK() throws {
    try TestFiles.withTemporaryFolder { folder in
      let text = Self.policy("C", #""allowedOutboundDataTransferDestinations": "managedApps""#)
      try TestFiles.write(Array(text.utf8), to: "\(folder)/c.json")
      try TestFiles.write(Array("{}".utf8), to: "\(folder)/empty.json")
      try TestFiles.write(Array(#"{"device": {"os": "18.2"}}"#.utf8), to: "\(folder)/os.json")
      for situation in ["empty", "os"] {
        let words = ["screenCapture(owner)", "--situation", "\(folder)/\(situation).json"]
        let run = ToolRun(["policy", "ask", "-j", "\(folder)/c.json"] + words)
        #expect(run.output.contains(#""answer":"denied""#), "\(run.output)")
      }
    }
  }

  @Test("No question of the surface is one that cannot be asked")
  func surface() throws {
    for surface in ProtectionQuestion.surface(of: "a1", beside: "a2") {
      #expect(!surface.texts.isEmpty)
      for text in surface.texts.joined() { _ = try PolicyAskReport.Question(parsing: text) }
    }
    // A URL, a key and data are known to a developer only.
    let texts = ProtectionQuestion.surface(of: "a1", beside: "a2").flatMap(\.texts).joined()
    #expect(!texts.contains { $0.hasPrefix("url(") || $0.hasPrefix("config(") || $0.hasPrefix("protect(") })
  }

  @Test("A version is one that the rules can compare, in options and in a situation")
  func versions() throws {
    for (option, text) in [("--os", "iOS"), ("--sdk", "20..1"), ("--app-version", "3x"), ("--os", "1.2.3.4.5")] {
      let run = try Self.run("./capture.json", "launch(owner)", option, text)
      expectEqual(run.code, .wrongUse, "\(text)")
      #expect(run.notes.contains("\(option) is a version such as "), "\(run.notes)")
      #expect(run.notes.contains(", not '\(text)'. Next: pj help policy ask"), "\(run.notes)")
    }
    for text in ["18.1.2 (b)", "18.1.2.b", "18"] {
      expectEqual(try Self.answers("./capture.json", "launch(owner)", "--os", text), ["allowed"], "\(text)")
    }
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(Self.files[2].text.utf8), to: "\(folder)/p.json")
      try TestFiles.write(Array(#"{"device": {"os": "latest"}}"#.utf8), to: "\(folder)/s.json")
      let run = ToolRun("policy", "ask", "\(folder)/p.json", "launch(owner)", "--situation", "\(folder)/s.json")
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains("s.json: device.os is a version such as 17.4, not 'latest'"), "\(run.notes)")
    }
  }

  @Test("A launch condition about a version that nothing gives is unknown, with the options that give it")
  func missingVersions() throws {
    let run = try Self.run("./capture.json", "launch(owner)")
    expectEqual(run.code, .partial)
    #expect(run.output.hasPrefix("unknown  it depends on Min OS version"), "\(run.output)")
    #expect(run.output.contains("say --os\n"), "\(run.output)")
    #expect(run.output.contains("/process/osVersion = unknown"), "\(run.output)")
    #expect(!run.output.contains("← decides"), "\(run.output)")
    let policy = Self.policy("V", #""minimumWarningAppVersion": "2.0", "minimumRequiredSdkVersion": "19.0""#)
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/v.json")
      let both = ToolRun("policy", "ask", "\(folder)/v.json", "launch(owner)", "-j")
      #expect(both.output.contains(#""missing":["app-version","sdk"]"#), "\(both.output)")
      #expect(both.output.contains("say --app-version and --sdk"), "\(both.output)")
      // What compares no version needs none.
      expectEqual(ToolRun("policy", "ask", "\(folder)/v.json", "managed(owner)").code, .done)
    }
  }

  @Test("Times are lengths since the moment that is asked about, which has no date")
  func noImaginedDate() throws {
    let policy = Self.policy(
      "O", #""periodOfflineBeforeAccessCheck": "PT7H", "periodOfflineBeforeWipeIsEnforced": "P20D""#)
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/o.json")
      for words in [["due(owner)"], ["due(owner)", "-j"], ["launch(owner)"], ["--matrix"]] {
        let run = ToolRun(["policy", "ask", "\(folder)/o.json"] + words)
        expectEqual(run.code, .done)
        #expect(!run.output.contains("1970"), "\(run.output)")
      }
      let due = ToolRun("policy", "ask", "\(folder)/o.json", "due(owner)").output.split(whereSeparator: \.isWhitespace)
      #expect(due.joined(separator: " ").contains("until a check-in completes: in PT7H, by the time"), "\(due)")
    }
  }

  @Test("A question about an account that nothing describes names those there are")
  func missingAccounts() throws {
    for question in ["saveTo(dropbox, a7)", "transfer(a3, managedApp:owner)", "paste(owner, managedApp:a4)"] {
      let run = try Self.run("./closed.json", question)
      expectEqual(run.code, .wrongUse, "\(question)")
      #expect(run.notes.contains("; the accounts are owner (a1), other (a2). Next: "), "\(run.notes)")
    }
    // A key may be any text.
    #expect(try !Self.run("./closed.json", "config(a7, owner)").notes.contains("the accounts are"))
  }

  @Test("A lost setting that decides nothing leaves an answer known, and the trace shows what is lost as unknown")
  func lostSettings() throws {
    let dump = "PINEnabled=1\nPINMinLength=5\nSimplePINAllowed=0\nMinOsVersion=0.0\n"
    let gated = Self.policy(
      "G",
      #""deviceComplianceRequired": false, "appActionIfDeviceComplianceRequired": "System.Object[]", "pinRequired": false, "minimumPinLength": "System.Object[]""#
    )
    let open = Self.policy("H", #""pinRequired": true, "minimumPinLength": "System.Object[]""#)
    try TestFiles.withTemporaryFolder { folder in
      for (name, text) in [("dump.txt", dump), ("gated.json", gated), ("open.json", open)] {
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)")
      }
      expectEqual(ToolRun("policy", "ask", "\(folder)/dump.txt", "launch(owner)").code, .done)
      #expect(ToolRun("policy", "ask", "\(folder)/gated.json", "launch(owner)").output.hasPrefix("allowed  "))
      let run = ToolRun("policy", "ask", "\(folder)/open.json", "launch(owner)")
      expectEqual(run.code, .partial)
      #expect(run.output.contains("/policies/a1/minimumPinLength = unknown\n"), "\(run.output)")
      #expect(run.output.contains("?  the PIN is weaker than the policy asks for"), "\(run.output)")
      #expect(!run.output.contains("← decides"), "\(run.output)")
      let lines = ToolRun("policy", "ask", "\(folder)/open.json", "launch(owner)", "-j").output
      #expect(
        lines.contains(
          #"{"path":"/policies/a1/minimumPinLength","value":null,"setBy":null,"setting":null,"unknown":true}"#),
        "\(lines)")
    }
  }

  @Test("A mistake is named with the next step")
  func mistakes() throws {
    for (words, message) in [
      (["./open.json"], "a question is missing, such as 'saveTo(box, owner)'"),
      (["managed(owner)"], "a policy's file is missing, such as policy.json"),
      (["./open.json", "managed(owner)", "pin(owner)"], "one question at a time: managed(owner), or pin(owner)"),
      (["./open.json", "managed(owner)", "--matrix"], "one question at a time: managed(owner), or --matrix"),
      (["./open.json", "saveTo(bx, owner)"], "\"bx\" is not a value of location"),
      (
        ["./open.json", "saveto(box, owner)"], "'saveto(box, owner)' is neither a question nor a file; nearest: saveTo("
      ),
      (["./open.json", "managed(carol)"], "\"carol\" is not a value of account"),
      (
        ["./open.json", "managed(owner)", "--situation", "./stranger.json"],
        "no account is named \"carol\", whose policy this would be"
      ),
      (["./open.json", "managed(owner)", "--situation", "./steps.json"], "steps"),
      (["./open.json", "managed(ada)", "--situation", "./nameless.json"], "the situation cannot be: "),
    ] {
      let run = try TestFiles.withTemporaryFolder { folder in
        for (path, text) in Self.files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
        return ToolRun(["policy", "ask"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
      }
      expectEqual(run.code, .wrongUse, "\(words)")
      #expect(run.notes.contains(message), "\(words): \(run.notes)")
      #expect(run.notes.contains("Next: "), "\(words)")
    }
  }

  @Test("A policy for another platform is skipped, and where nothing is left, no answer is given")
  func otherPlatforms() throws {
    let run = try Self.run("./android.json", "managed(owner)")
    expectEqual(run.code, .unreadable)
    #expect(run.notes.contains("skipped: 1 Android; the rules are those of apps on iOS"))
    expectEqual(try Self.answers("./android.json", "./closed.json", "saveTo(box, owner)"), ["allowed"])
  }
}
