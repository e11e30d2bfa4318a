import Expectations
import JSON
import Testing

@testable import PolicyCommands

@Suite("pj policy level --baseline, and the forms for continuous integration")
struct PolicyBaselineTests {
  private static func policy(_ platform: String, _ settings: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(platform)ManagedAppProtection", "displayName": "P", \##(settings)}"##
  }

  private static func baseline(_ settings: String...) -> String {
    #"{"baseline": 1, "title": "Contoso", "settings": [\#(settings.joined(separator: ", "))]}"#
  }

  private static let files: [(path: String, text: String)] = [
    (
      "loose.json",
      policy("ios", #""minimumPinLength": 4, "simplePinBlocked": false, "printBlocked": false, "pinRequired": true"#)
    ),
    (
      "strict.json",
      policy(
        "ios", #""minimumPinLength": 8, "printBlocked": true, "pinRequired": true, "periodBeforePinReset": "P90D""#)
    ),
    ("android.json", policy("android", #""minimumPinLength": 4, "printBlocked": true"#)),
    (
      "own.json",
      baseline(
        #"{"setting": "minimumPinLength", "is": "atLeast", "value": 6, "reason": "guideline 7"}"#,
        #"{"setting": "printing org data", "platform": "iOS", "is": "atLeast", "value": true, "reason": "paper", "severity": "warning"}"#,
        #"{"setting": "pinRequired", "is": "equals", "value": true, "reason": "guideline 7"}"#,
        #"{"setting": "periodBeforePinReset", "platform": "iOS", "is": "set", "reason": "audit", "severity": "note"}"#,
        #"{"setting": "customBrowserProtocol", "is": "unset", "reason": "Edge"}"#)
    ),
    (
      "notes.json",
      baseline(
        #"{"setting": "periodBeforePinReset", "platform": "iOS", "is": "set", "reason": "audit", "severity": "note"}"#)
    ),
  ]

  private static func run(_ words: String..., writing more: [(path: String, text: String)] = []) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files + more { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      return ToolRun(["policy"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
    }
  }

  @Test("What is not as asked is named with its reason; stricter values are, and notes do not fail")
  func assessment() throws {
    let loose = try Self.run("level", "./loose.json", "--baseline", "./own.json")
    expectEqual(loose.code, .different)
    #expect(loose.output.contains(#/error +Select minimum PIN length +4 +6, or stricter +guideline 7/#))
    #expect(loose.output.contains(#/warning +Printing Org data +Allow +Block, or stricter +paper/#))
    #expect(loose.output.contains(#/note +PIN reset after number of days +Not configured +any value +audit/#))
    #expect(!loose.output.contains("PIN for access"))
    let strict = try Self.run("level", "./strict.json", "--baseline", "./own.json")
    expectEqual(strict.code, .done)
    #expect(strict.output.contains("strict.json: as asked"))
    expectEqual(try Self.run("level", "./loose.json", "--baseline", "./notes.json").code, .done)
    // A setting that Android has, too, is asked of its policies.
    let android = try Self.run("level", "./android.json", "--baseline", "./own.json", "-j")
    expectEqual(android.code, .different)
    #expect(android.output.contains(#""setting":"minimumPinLength""#) && !android.output.contains("printBlocked"))
  }

  @Test("A setting that Android alone has is not asked of policies for iOS, unless they are named")
  func androidAlone() throws {
    let asked: (path: String, text: String) = (
      "asked.json",
      Self.baseline(
        #"{"setting": "screenCaptureBlocked", "is": "equals", "value": true, "reason": "r"}"#,
        #"{"setting": "minimumPinLength", "is": "atLeast", "value": 4, "reason": "r"}"#)
    )
    let run = try Self.run("level", "./loose.json", "./android.json", "--baseline", "./asked.json", writing: [asked])
    expectEqual(run.code, .different)
    #expect(run.output.contains("2 policies, 1 not as asked"), "\(run.output)")
    #expect(run.output.contains(#/error +Screen capture/#), "\(run.output)")
  }

  @Test("A report says what was skipped")
  func skipped() throws {
    let run = try Self.run(
      "level", "./loose.json", "./android.json", "--baseline", "./notes.json", "--format", "markdown")
    #expect(run.output.contains("; skipped: 1 Android, which the baseline does not ask about."), "\(run.output)")
  }

  @Test("Each of many files has a suite of its own, with its counts")
  func manyFiles() {
    var list = CheckList("pj")
    list.add(CheckList.Check(rule: "r", meaning: "m", file: "f3", path: "", problem: nil))
    for number in 0..<60_000 { list.addError("f\(number)", "") }
    let text = CheckFormat.junit.text(of: list)
    for suite in [#""f3" tests="2" failures="0" errors="1""#, #""f59999" tests="1" failures="0" errors="1""#] {
      #expect(TestFiles.isFound("<testsuite name=\(suite)", in: text), "\(suite)")
    }
  }

  @Test("The settings of policies are the least that is asked, each with the action beside it")
  func policies() throws {
    expectEqual(try Self.run("level", "./strict.json", "--baseline", "./loose.json").code, .done)
    let run = try Self.run("level", "./loose.json", "--baseline", "./strict.json")
    expectEqual(run.code, .different)
    #expect(run.output.contains(#/Select minimum PIN length +4 +8, or stricter +as in P/#))
    let jailbreak = Self.policy(
      "ios", #""deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "wipe""#)
    let wipe = try Self.run(
      "level", "./loose.json", "--baseline", "./wipe.json", writing: [("wipe.json", jailbreak)])
    #expect(wipe.output.contains("Wipe data, or stricter"))
    // Where no policy is judged, nothing is answered.
    expectEqual(try Self.run("level", "./android.json", "--baseline", "./strict.json").code, .unreadable)
  }

  @Test("A value that is unknown is no failure: the command ends with 3, and the reports have an error")
  func undecided() throws {
    let odd: (path: String, text: String) = (
      "odd.json", Self.policy("ios", #""allowedOutboundClipboardSharingLevel": "someday", "printBlocked": true"#)
    )
    let asked: (path: String, text: String) = (
      "asked.json",
      Self.baseline(
        #"{"setting": "allowedOutboundClipboardSharingLevel", "platform": "iOS", "is": "atLeast", "value": "blocked", "reason": "r"}"#,
        #"{"setting": "printBlocked", "platform": "iOS", "is": "atLeast", "value": true, "reason": "r"}"#)
    )
    func run(_ words: String...) throws -> ToolRun {
      try TestFiles.withTemporaryFolder { folder in
        for (path, text) in Self.files + [odd, asked] { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
        return ToolRun(["policy"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
      }
    }
    let text = try run("level", "./odd.json", "--baseline", "./asked.json")
    expectEqual(text.code, .partial)
    #expect(text.output.contains("1 policy, 0 not as asked, 1 unknown; 2 settings"), "\(text.output)")
    #expect(text.output.contains(#/\n  unknown +Restrict cut/#), "\(text.output)")
    let records = try run("level", "./odd.json", "--baseline", "./asked.json", "-j").records.compactMap { $0?.object }
    expectEqual(records.last?["notAsAsked"]?.number, JSONNumber(0))
    expectEqual(records.last?["unknown"]?.number, JSONNumber(1))
    let junit = try run("level", "./odd.json", "--baseline", "./asked.json", "--format", "junit")
    expectEqual(junit.code, .partial)
    #expect(junit.output.contains(#"tests="2" failures="0" errors="1""#), "\(junit.output)")
    #expect(junit.output.contains("<error type=\"error\" message=") && !junit.output.contains("<failure"))
    let sarif = try run("level", "./odd.json", "--baseline", "./asked.json", "--format", "sarif").output
    #expect(sarif.contains(#""executionSuccessful":false"#) && sarif.contains(#""results":[]"#), "\(sarif)")
    let page = try run("level", "./odd.json", "--baseline", "./asked.json", "--format", "markdown").output
    #expect(page.contains(#/Outcome.*unknown/#) && !page.contains("| not as asked"), "\(page)")
    // Something that is missing decides.
    let both = try run("level", "./odd.json", "./loose.json", "--baseline", "./asked.json")
    #expect(both.code == .different && both.output.contains("2 policies, 1 not as asked, 1 unknown"), "\(both.output)")
    // A note decides nothing, known or not.
    let note: (path: String, text: String) = (
      "asked.json",
      asked.text.replacing(#""reason": "r"}"#, with: #""reason": "r", "severity": "note"}"#)
    )
    let noted = try Self.run(
      "level", "./odd.json", "--baseline", "./asked.json", writing: [odd, note])
    expectEqual(noted.code, .done)
  }

  @Test("A value that the exporting program lost is unknown")
  func lost() throws {
    let text = Self.policy("ios", #""minimumPinLength": "System.Object[]""#)
    let run = try Self.run("level", "./lost.json", "--baseline", "./own.json", writing: [("lost.json", text)])
    expectEqual(run.code, .partial)
    #expect(run.output.contains(#/Select minimum PIN length +Unknown/#))
  }

  @Test("Several demands on one setting are judged each by itself")
  func severalDemands() throws {
    let text = Self.baseline(
      #"{"setting": "minimumPinLength", "platform": "iOS", "is": "atLeast", "value": 4, "reason": "law"}"#,
      #"{"setting": "minimumPinLength", "platform": "iOS", "is": "atLeast", "value": 9, "reason": "wish", "severity": "note"}"#
    )
    let more = [("two.json", text)]
    let junit = try Self.run("level", "./loose.json", "--baseline", "./two.json", "--format", "junit", writing: more)
    expectEqual(junit.code, .done)
    #expect(junit.output.contains(#"tests="2" failures="0" errors="0""#), "\(junit.output)")
    #expect(junit.output.contains(#"name="Select minimum PIN length: 4, or stricter"/>"#))
    let sarif = try Self.run("level", "./loose.json", "--baseline", "./two.json", "--format", "sarif", writing: more)
    #expect(
      sarif.output.contains("Select minimum PIN length: 4, or stricter; Select minimum PIN length: 9, or stricter"))
    #expect(!sarif.output.contains(#""level":"error""#), "\(sarif.output)")
  }

  @Test(
    "What cannot be judged is an error of the test report, and not a report without tests",
    arguments: ["lint", "level"])
  func unjudged(action: String) throws {
    let requirement = action == "level" ? ["--require", "2"] : []
    func run(_ format: String) throws -> ToolRun {
      try TestFiles.withTemporaryFolder { folder in
        try TestFiles.write(Array("{\"displayName\": ".utf8), to: "\(folder)/torn.json")
        return ToolRun(["policy", action, "\(folder)/torn.json", "--format", format] + requirement)
      }
    }
    let junit = try run("junit")
    expectEqual(junit.code, .unreadable)
    #expect(junit.output.contains(#"tests="1" failures="0" errors="1""#) && junit.output.contains("<error message="))
    let root = try JSONDocument.parse(Array(try run("sarif").output.utf8)).root
    let first = try #require(try root.required("runs").elements().first)
    let invocation = try #require(try first.required("invocations").elements().first)
    expectEqual(try invocation.required("executionSuccessful").bool(), false)
    expectEqual(try invocation.required("toolExecutionNotifications").elements().count, 1)
    let empty = try Self.run("level", "./android.json", "--baseline", "./strict.json", "--format", "junit")
    #expect(empty.output.contains("nothing was judged; skipped: 1 Android"), "\(empty.output)")
  }

  @Test("Every published policy is as strict as itself, and a shorter list of exceptions is stricter")
  func themselves() throws {
    let folder = "\(Repository.root)/journals/documents"
    for name in try TestFiles.names(in: folder) where name.hasPrefix("icf_") && name.contains("iOS") {
      let run = ToolRun("policy", "level", "\(folder)/\(name)", "--baseline", "\(folder)/\(name)")
      #expect(run.code == .done, "\(run.output)")
    }
    func policy(_ schemes: String) -> String {
      Self.policy(
        "ios",
        #""allowedOutboundDataTransferDestinations": "managedApps", "exemptedAppProtocols": [{"name": "Default", "value": "\#(schemes)"}]"#
      )
    }
    let more = [("./some.json", policy("skype;tel")), ("./all.json", policy("skype;tel;itms"))]
      .map { (path: String($0.0.dropFirst(2)), text: $0.1) }
    try expectEqual(Self.run("level", "./some.json", "--baseline", "./all.json", writing: more).code, .done)
    let loose = try Self.run("level", "./all.json", "--baseline", "./some.json", writing: more)
    #expect(loose.code == .different && loose.output.contains("1 more than asked for"), "\(loose.output)")
  }

  @Test("A length of time is equal however it is written, and what is no version is refused")
  func written() throws {
    let more = [
      (
        path: "minutes.json",
        text: Self.baseline(
          #"{"setting": "periodBeforePinReset", "platform": "iOS", "is": "equals", "value": "PT2160H", "reason": "r"}"#)
      ),
      (
        path: "word.json",
        text: Self.baseline(
          #"{"setting": "minimumRequiredOsVersion", "is": "atLeast", "value": "banana", "reason": "r"}"#)
      ),
    ]
    try expectEqual(Self.run("level", "./strict.json", "--baseline", "./minutes.json", writing: more).code, .done)
    let refused = try Self.run("level", "./strict.json", "--baseline", "./word.json", writing: more)
    #expect(refused.code == .wrongUse && refused.notes.contains("minimumRequiredOsVersion: "), "\(refused.notes)")
  }

  @Test("A document all of whose findings are silenced is a case that passes")
  func silenced() throws {
    let found = try Self.run("lint", "./loose.json", "-j").records.compactMap { $0?.object }
    let rules = Set(found.filter { $0["kind"]?.string == "finding" }.compactMap { $0["rule"]?.string })
    #expect(!rules.isEmpty)
    let entries = rules.sorted().map { #"{"rule": "\#($0)", "do": "silence", "reason": "known"}"# }
    let profile = #"{"profile": 1, "rules": [\#(entries.joined(separator: ", "))]}"#
    let run = try Self.run(
      "lint", "./loose.json", "--profile", "./profile.json", "--format", "junit", writing: [("profile.json", profile)])
    expectEqual(run.code, .done)
    #expect(run.output.contains(#"<testcase classname="lint" name="no rule finds anything"/>"#), "\(run.output)")
  }

  @Test("What XML cannot hold is replaced in a test report")
  func xmlCharacters() throws {
    let odd = Self.policy("ios", #""minimumRequiredOsVersion": "\uFFFE\uFFFF\u0001x""#)
    let run = try Self.run("lint", "./odd.json", "--format", "junit", writing: [("odd.json", odd)])
    #expect(run.output.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0.value == 0xA }, "\(run.output)")
    #expect(!run.output.unicodeScalars.contains { $0.value == 0xFFFE || $0.value == 0xFFFF })
  }

  @Test("A folder as a baseline adds up: baselines and policies, and what of it is unknown is said")
  func folders() throws {
    func run(_ files: [(path: String, text: String)]) throws -> ToolRun {
      try TestFiles.withTemporaryFolder { folder in
        try TestFiles.withTemporaryFolder { asked in
          for (path, text) in Self.files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
          for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(asked)/\(path)") }
          return ToolRun("policy", "level", "\(folder)/loose.json", "--baseline", asked, "-j")
        }
      }
    }
    let length = Self.baseline(#"{"setting": "minimumPinLength", "is": "atLeast", "value": 6, "reason": "r"}"#)
    let print = Self.policy("ios", #""printBlocked": true"#)
    let both = try run([("a.json", length), ("b.json", print)])
    #expect(
      both.output.contains(#""setting":"minimumPinLength""#) && both.output.contains(#""setting":"printBlocked""#))
    let torn = try run([("a.json", length.replacing("\"r\"}", with: "\"r\",}")), ("b.json", print)])
    expectEqual(torn.code, .wrongUse)
    #expect(torn.notes.contains("line 1, column"), "\(torn.notes)")
    let lost = try run([("b.json", Self.policy("ios", #""printBlocked": true, "minimumPinLength": "System.Object[]""#))]
    )
    expectEqual(lost.code, .partial)
    #expect(lost.notes.contains("minimumPinLength is unknown"), "\(lost.notes)")
  }

  @Test("The name of a baseline's policy that names a person is withheld")
  func names() throws {
    let named = Self.policy("ios", #""printBlocked": true"#).replacing(
      "\"P\"", with: "\"PIN of zoe.ray@fabrikam.example\"")
    for format in [[], ["-j"], ["--format", "junit"], ["--format", "sarif"]] {
      let run = try TestFiles.withTemporaryFolder { folder in
        try TestFiles.write(Array(named.utf8), to: "\(folder)/named.json")
        try TestFiles.write(Array(Self.policy("ios", #""printBlocked": false"#).utf8), to: "\(folder)/open.json")
        return ToolRun(["policy", "level", "\(folder)/open.json", "--baseline", "\(folder)/named.json"] + format)
      }
      expectEqual(run.code, .different)
      #expect(!run.output.contains("zoe"), "\(run.output)")
    }
  }

  @Test("A mistake in a baseline is named with its place and the next step")
  func mistakes() throws {
    for (entry, message) in [
      (#"{"setting": "minimumPinLenght", "is": "set", "reason": "r"}"#, "write \"minimumPinLength\""),
      (#"{"setting": "minimumPinLength", "is": "least", "reason": "r"}"#, "write one of atLeast, equals, set, unset"),
      (#"{"setting": "minimumPinLength", "is": "atLeast", "reason": "r"}"#, "value"),
      (#"{"setting": "minimumPinLength", "is": "set", "value": 4, "reason": "r"}"#, "\"set\" has no value"),
      (#"{"setting": "minimumPinLength", "is": "atLeast", "value": "six", "reason": "r"}"#, "a whole number is needed"),
      (#"{"setting": "minimumPinLength", "is": "atLeast", "value": 6, "reason": " "}"#, "the reason is empty"),
      (#"{"setting": "pinCharacterSet", "is": "equals", "value": "emoji", "reason": "r"}"#, "write one of"),
      (
        #"{"setting": "displayName", "is": "atLeast", "value": "x", "reason": "r"}"#,
        "no value of displayName is stricter than another; write \"is\": \"equals\""
      ),
    ] {
      let run = try Self.run(
        "level", "./loose.json", "--baseline", "./bad.json", writing: [("bad.json", Self.baseline(entry))])
      expectEqual(run.code, .wrongUse, "\(entry)")
      #expect(run.notes.contains("line 1, column") && run.notes.contains(message), "\(run.notes)")
    }
    let nothing = try Self.run(
      "level", "./loose.json", "--baseline", "./bad.json", writing: [("bad.json", Self.baseline())])
    #expect(nothing.notes.contains("the baseline asks for nothing"))
    for option in ["--require", "--revision"] {
      let value = option == "--require" ? "2" : "2021-09-30"
      let run = try Self.run("level", "./loose.json", "--baseline", "./own.json", option, value)
      #expect(run.code == .wrongUse && run.notes.contains("\(option) does not apply to a baseline"))
    }
    let empty = try Self.run(
      "level", "./loose.json", "--baseline", "./none.json", writing: [("none.json", Self.policy("ios", #""id": "1""#))])
    #expect(empty.code == .unreadable && empty.notes.contains(": it asks for nothing"))
  }

  @Test("JUnit has a case for each check, and a failure for each that does not hold but for notes")
  func junit() throws {
    let run = try Self.run("level", "./loose.json", "./strict.json", "--baseline", "./own.json", "--format", "junit")
    expectEqual(run.code, .different)
    #expect(run.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
    #expect(run.output.contains(#"tests="10" failures="2""#))
    #expect(
      run.output.contains(#"<testcase classname="minimumPinLength" name="Select minimum PIN length: 6, or stricter">"#))
    let level = try Self.run("level", "./loose.json", "--require", "1", "--format", "junit")
    #expect(level.code == .different && level.output.contains("<failure type=\"error\" message="))
    let lint = try Self.run("lint", "./loose.json", "--format", "junit")
    #expect(lint.output.contains("<system-out>") && lint.code == .done)
    // What stands in a document cannot end an element.
    let named = Self.policy("ios", #""minimumRequiredOsVersion": "<\"&'>""#)
    let escaped = try Self.run("lint", "./odd.json", "--format", "junit", writing: [("odd.json", named)])
    #expect(escaped.output.contains("&lt;") && !escaped.output.contains("<\"&'>"))
  }

  @Test("SARIF has a result for each problem with its place, and its rules")
  func sarif() throws {
    let run = try Self.run("lint", "./loose.json", "--format", "sarif")
    let root = try JSONDocument.parse(Array(run.output.utf8)).root
    expectEqual(try root.required("version").string(), "2.1.0")
    let first = try #require(try root.required("runs").elements().first)
    let results = try first.required("results").elements()
    #expect(!results.isEmpty)
    let rules = try first.required("tool").required("driver").required("rules").elements().map {
      try $0.required("id").string()
    }
    for result in results {
      #expect(rules.contains(try result.required("ruleId").string()))
      #expect(["error", "warning", "note"].contains(try result.required("level").string()))
      let place = try #require(try result.required("locations").elements().first).required("physicalLocation")
      #expect(try place.required("artifactLocation").required("uri").string().hasSuffix("/loose.json"))
    }
    let level = try Self.run("level", "./loose.json", "--format", "sarif")
    #expect(level.code == .wrongUse && level.notes.contains("needs a requirement: add --require or --baseline"))
    let json = try Self.run("lint", "./loose.json", "--format", "sarif", "-j")
    #expect(json.code == .wrongUse && json.notes.contains("-j does not apply to --format"))
  }
}
