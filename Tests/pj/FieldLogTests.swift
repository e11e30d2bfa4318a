import Expectations
import JSON
import Testing

/// Diagnostic files of the SDK, made from a description: `IntuneLogs/README.md` says what is guessed.
@Suite("Field logs")
struct FieldLogTests {
  private static func path(_ name: String) -> String { "\(Repository.root)/Tests/pj/IntuneLogs/\(name)" }

  /// Imports files; gives the run and the journal to `body`.
  private static func imported(_ names: [String], _ options: [String] = [], _ body: (ToolRun, String) throws -> Void)
    throws
  {
    try TestFiles.withTemporaryFolder { folder in
      let run = ToolRun(["import", "--format", "intune-log", "-o", "\(folder)/j"] + names.map(path) + options)
      try body(run, "\(folder)/j")
    }
  }

  private static func types(_ journal: String, _ options: String...) -> [String] {
    ToolRun(["log", journal, "-j"] + options).records.compactMap { $0?.object }.compactMap { $0["type"]?.string }
  }

  @Test("Lines become the events that they prove, with the requests that must have come before")
  func lines() throws {
    try Self.imported(["IntuneMAMDiagnostics.txt"]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(
        Self.types(journal),
        [
          "process.started", "account.introduced", "account.registered", "enrollment.requested", "enrollment.failed",
          "enrollment.requested", "enrollment.succeeded", "checkIn.requested", "checkIn.failed", "account.introduced",
          "account.registered", "enrollment.requested", "enrollment.succeeded", "checkIn.requested",
          "checkIn.unchanged",
          "unenrollment.requested", "unenrollment.succeeded",
        ])
      expectEqual(ToolRun("verify", journal).code, .done)
      let state = ToolRun("state", journal, "--flat").output
      #expect(state.contains("/accounts/a2/enrollment/status"))
      #expect(run.output.contains("no event records an evaluation (IntuneMAMDiagnostics.txt:5"), "\(run.output)")
      let failed = ToolRun("log", journal, "--type", "enrollment.failed", "-j", "--reveal").output
      #expect(failed.contains("error code -50000, legacy result code 6") && failed.contains("internalError"))
    }
  }

  @Test("What is inferred is marked, and what the file says is not")
  func inferred() throws {
    try Self.imported(["IntuneMAMDiagnostics.txt"]) { _, journal in
      let records = ToolRun("log", journal, "-j", "--reveal").records.compactMap { $0?.object }
      for record in records where record["kind"]?.string == "event" {
        let keys = record["metadata"]?.array?.compactMap { $0.object?["key"]?.string } ?? []
        expectEqual(keys.first, "source")
        let isSaid = [
          "enrollment.failed", "enrollment.succeeded", "checkIn.failed", "checkIn.unchanged",
          "unenrollment.succeeded",
        ].contains(record["type"]?.string ?? "")
        #expect(keys.contains { $0.hasPrefix("inferred.") } != isSaid, "\(record)")
      }
    }
  }

  @Test("UTF-16 gives the same journal, and the same files give the same bytes")
  func deterministic() throws {
    try Self.imported(["IntuneMAMDiagnostics.txt"]) { _, one in
      try Self.imported(["UTF16.txt"]) { _, other in #expect(Self.types(one) == Self.types(other)) }
      try Self.imported(["IntuneMAMDiagnostics.txt"]) { _, other in
        try expectEqual(TestFiles.names(in: one), TestFiles.names(in: other))
        for name in try TestFiles.names(in: one) where name != "LOCK" {
          try expectEqual(TestFiles.read("\(one)/\(name)"), TestFiles.read("\(other)/\(name)"), "\(name)")
        }
      }
    }
  }

  /// Imports lines of text, a minute apart; gives the run and the journal to `body`.
  private static func imported(lines: [String], _ body: (ToolRun, String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let text = lines.enumerated().map { minute, words in
        "2024-03-04T08:\(minute + 10):00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(words)\n"
      }
      try TestFiles.write(Array(text.joined().utf8), to: "\(folder)/x.txt")
      try body(ToolRun("import", "--format", "intune-log", "\(folder)/x.txt", "-o", "\(folder)/j"), "\(folder)/j")
    }
  }

  @Test(
    "The status code is read in each form in which fragments were published",
    arguments: [
      ("CMARPolicyManager check-in failure with status 214 for CMARScrubbedOID:aa", "checkIn.failed", "214"),
      ("Check-in failure, status: 214, CMARScrubbedOID:aa", "checkIn.failed", "214"),
      ("check-in failed for CMARScrubbedOID:aa with status code: 214", "checkIn.failed", "214"),
      ("check-in failed for CMARScrubbedOID:aa with status code=0xD6", "checkIn.failed", "214"),
      ("Enrollment result: 203, legacy result code 6 for CMARScrubbedM:ab", "enrollment.failed", "203"),
      ("enrollment completed with result code 6, status code 201 for CMARScrubbedOID:aa", "enrollment.failed", "201"),
    ])
  func codes(text: String, type: String, code: String) throws {
    try Self.imported(lines: [text]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(Self.types(journal).last, type)
      #expect(ToolRun("log", journal, "--type", type).output.contains(code))
    }
  }

  @Test(
    "Evaluations, the status of HTTP and other numbers are no answers",
    arguments: [
      (
        "CMARComplianceManager compliance evaluation status 0x0 for enrolled account CMARScrubbedOID:aa",
        "no event records an evaluation"
      ),
      ("Enrolled account CMARScrubbedOID:aa status: 203, result: 3 compliant", "no event records an evaluation"),
      ("check-in request finished, HTTP status code 200, CMARScrubbedOID:aa", "the text names no status code"),
      ("check-in response HTTP status 214 CMARScrubbedOID:aa", "the text names no status code"),
      ("Enrollment of CMARScrubbedOID:aa, policy status: 7 settings", "no status code of the service"),
      ("check-in for CMARScrubbedOID:aa with status code 150", "no status code of the service"),
      ("check-in for CMARScrubbedOID:aa with status code 302", "no status code of the service"),
      ("enrollment completed for CMARScrubbedOID:aa with status code 101", "the answer 101 does not fit the request"),
      ("enrollment completed for CMARScrubbedOID:aa with status code 104", "the answer 104 does not fit the request"),
      ("check-in completed for CMARScrubbedOID:aa with status code 104", "the answer 104 does not fit the request"),
      ("unenrollment completed for CMARScrubbedOID:aa status code 101", "the answer 101 does not fit the request"),
    ])
  func noAnswers(text: String, reason: String) throws {
    let first = "enrollment completed for CMARScrubbedOID:aa with status code 103"
    try Self.imported(lines: [first, text, first]) { run, journal in
      #expect(run.output.contains("not used: 1 × ") && run.output.contains(reason), "\(run.output)")
      let answers = Self.types(journal).filter { $0.hasSuffix("ed") && !$0.hasSuffix("equested") }
      expectEqual(
        answers.filter { !$0.hasPrefix("account.") && !$0.hasPrefix("process.") },
        Array(repeating: "enrollment.succeeded", count: 2))
    }
    // Beside the status of HTTP, that of the service counts.
    try Self.imported(lines: ["check-in failed, HTTP status 401, status code 203 for CMARScrubbedOID:aa"]) {
      _, journal in
      #expect(ToolRun("log", journal, "--type", "checkIn.failed").output.contains("203"))
    }
  }

  @Test("A check-in that finds no record ends the enrollment, and the policy goes with it")
  func recordGone() throws {
    try Self.imported(lines: [
      "enrollment completed for CMARScrubbedOID:aa with status code 100",
      "check-in completed for CMARScrubbedOID:aa with status code 220",
    ]) { _, journal in
      expectEqual(Self.types(journal).suffix(2), ["checkIn.requested", "enrollment.recordGone"])
      #expect(ToolRun("state", journal, "--path", "/accounts/a1/enrollment/status").output.contains("registered"))
    }
    try TestFiles.withTemporaryFolder { folder in
      // The policy has the time of the last contact, and its file is read first.
      let line = "2030-03-04T08:10:00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: "
      let gone = line + "check-in completed for CMARScrubbedOID:b81d55e0aa with status code 220\n"
      try TestFiles.write(Array(gone.utf8), to: "\(folder)/x.txt")
      let information = Self.path("com.contoso.app-IntuneMAMDiagnosticInfo")
      let journal = "\(folder)/j"
      let run = ToolRun("import", "--format", "intune-log", information, "\(folder)/x.txt", "-o", journal)
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(Self.types(journal).suffix(2), ["enrollment.recordGone", "policy.withdrawn"])
      #expect(ToolRun("log", journal, "--type", "policy.withdrawn").output.contains("(inferred: withdrawal)"))
    }
  }

  @Test("What is inferred is legible without revealing anything, in the log, in an event and in a redacted export")
  func legible() throws {
    try Self.imported(lines: ["enrollment completed for CMARScrubbedOID:aa with status code 103"]) { _, journal in
      let export = journal + ".pjx"
      expectEqual(ToolRun("export", journal, "-o", export).code, .done)
      for path in [journal, export] {
        #expect(ToolRun("log", path).output.contains("(inferred: request)"))
        expectEqual(ToolRun("log", path, "--type", "enrollment.succeeded").output.contains("inferred"), false)
        let event = ToolRun("show", path, "4").output
        #expect(event.contains("metadata inferred.request"), "\(event)")
        #expect(ToolRun("log", path, "-j").output.contains(#""key":"inferred.request""#))
      }
    }
  }

  @Test("Names of persons in files' names and members are withheld, and do not change the journal's id")
  func names() throws {
    var ids: Set<String> = []
    for name in ["alice@contoso.com", "bob@contoso.com"] {
      try TestFiles.withTemporaryFolder { folder in
        let text =
          #"{"EMM-UPN":"NAME","RegisteredAccountsNotTargeted":["NAME"],"DataStore":{"x":{"NAME-lastchecktimestamp":"1"}}}"#
        let file = "\(folder)/\(name)-IntuneMAMDiagnosticInfo"
        try TestFiles.write(Array(text.replacing("NAME", with: name).utf8), to: file)
        func run(_ journal: String, _ options: String...) -> ToolRun {
          ToolRun(["import", "--format", "intune-log", file, "-o", "\(folder)/\(journal)"] + options)
        }
        for run in [run("j"), run("k", "-j")] {
          #expect(run.code == .done && run.output.contains("account 1 of DataStore, (withheld)"), "\(run.notes)")
          #expect(!run.output.contains(name), "\(run.output)")
        }
        #expect(run("l", "--reveal").output.contains("\(name)-lastchecktimestamp"))
        let export = ToolRun("export", "\(folder)/j", "-o", "\(folder)/e")
        expectEqual(export.code, .done)
        let imported = ToolRun("import", "\(folder)/e", "-o", "\(folder)/m", "-j").records.compactMap { $0?.object }
        ids.insert(imported.compactMap { $0["id"]?.string }.first ?? "none of \(name)")
        try TestFiles.write(Array("hello".utf8), to: file)
        let refused = run("n")
        #expect(refused.code == .unreadable && !refused.notes.contains(name), "\(refused.notes)")
      }
    }
    expectEqual(ids.count, 1)
    // What is not personal counts.
    try Self.imported(lines: ["check-in failed for CMARScrubbedOID:aa with status code 214"]) { _, one in
      try Self.imported(lines: ["check-in failed for CMARScrubbedOID:aa with status code 203"]) { _, other in
        #expect(Self.id(of: one) != Self.id(of: other))
      }
    }
  }

  private static func id(of journal: String) -> String? {
    let export = journal + ".pjx"
    _ = ToolRun("export", journal, "-o", export)
    return ToolRun("import", export, "-o", journal + "2", "-j").records.compactMap { $0?.object?["id"]?.string }.first
  }

  @Test("The order of a wipe, its end and a new policy are recorded, though the file does not hold what came with them")
  func content() throws {
    try Self.imported(lines: [
      "enrollment completed for CMARScrubbedOID:aa with status code 103",
      "check-in completed for CMARScrubbedOID:aa with status code 100",
      "check-in completed for CMARScrubbedOID:aa with status code 100",
      "Wipe received for CMARScrubbedOID:aa status code 102", "wipe of CMARScrubbedOID:aa completed",
    ]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(
        Self.types(journal).dropFirst(5),
        [
          "enrollment.requested", "enrollment.succeeded", "checkIn.requested", "checkIn.unchanged", "checkIn.requested",
          "wipe.requested", "wipe.completed",
        ])
      let log = ToolRun("log", journal, "--type", "checkIn.unchanged").output
      #expect(log.contains("100 newPoliciesReceived") && log.contains("(inferred: content)"), "\(log)")
      expectEqual(ToolRun("verify", journal).code, .done)
    }
  }

  @Test("Hashes that one line names together stand for one account, and other lines know it by either")
  func aliases() throws {
    let both = "enrollment request for CMARScrubbedOID:aaa111 CMARScrubbedIdentity:bbb222"
    let answers = [
      "enrollment completed for CMARScrubbedOID:aaa111 with status code 103",
      "check-in failure with status 214 for CMARScrubbedIdentity:bbb222",
    ]
    for lines in [[both] + answers, answers + [both]] {
      try Self.imported(lines: lines) { _, journal in
        expectEqual(Self.types(journal).count { $0 == "account.introduced" }, 1, "\(lines)")
      }
    }
    // A line about several accounts says nothing about which names belong together.
    try Self.imported(lines: [both + " CMARScrubbedOID:ccc333"] + answers) { _, journal in
      expectEqual(Self.types(journal).count { $0 == "account.introduced" }, 2)
    }
  }

  @Test("A day that does not exist is no time", arguments: ["2023-02-31", "2023-02-29", "2023-04-31"])
  func days(day: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let line = "\(day)T10:11:12Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: check-in failed with status 214\n"
      try TestFiles.write(Array(line.utf8), to: "\(folder)/x")
      let run = ToolRun("import", "--format", "intune-log", "\(folder)/x", "-o", "\(folder)/j")
      #expect(run.code == .unreadable && run.notes.contains("the time does not exist"), "\(run.notes)")
    }
  }

  @Test(
    "A log that says no year is imported with the doubt or with the year that was given, and an empty one is called empty"
  )
  func year() throws {
    try TestFiles.withTemporaryFolder { folder in
      let line = "Jul 14 10:11:12 iPhone App[7]: IntuneMAM: check-in failed for CMARScrubbedOID:aa with status 214\n\n"
      try TestFiles.write(Array(line.utf8), to: "\(folder)/system.log")
      func run(_ journal: String, _ options: String...) -> ToolRun {
        ToolRun(["import", "--format", "intune-log", "\(folder)/system.log", "-o", "\(folder)/\(journal)"] + options)
      }
      #expect(run("j").output.contains("have only a day and a clock, here in 1972: --year says in which year"))
      #expect(ToolRun("log", "\(folder)/j").output.contains("unknownYear"))
      let given = run("k", "--year", "2021")
      #expect(given.code == .done && !given.output.contains("1972"), "\(given.output)")
      let log = ToolRun("log", "\(folder)/k").output
      #expect(log.contains("2021") && log.contains("14 Jul 10:11:12"), "\(log)")
      let refused = ToolRun("import", "\(folder)/system.log", "-o", "\(folder)/l", "--year", "2021")
      expectEqual(
        refused.notes, "pj import: --year is about logs: it needs --format intune-log. Next: pj help import\n")
      expectEqual(TestFiles.shell("truncate -s 16M \(folder)/large.log"), 0)
      let many = Array(repeating: "\(folder)/large.log", count: 17)
      expectEqual(
        ToolRun(["import", "--format", "intune-log", "-o", "\(folder)/l"] + many).notes,
        "pj import: \(folder)/large.log: with it, the logs are longer than 256 MiB. Next: pj help import\n")
      try TestFiles.write([], to: "\(folder)/system.log")
      let empty = run("m")
      #expect(empty.code == .unreadable && empty.notes.contains("system.log: the file is empty"), "\(empty.notes)")
      let file = "\(folder)/system.log"
      expectEqual(
        ToolRun("import", file, "-o", "\(folder)/m").notes,
        "pj import: \(file): the file is empty; ask for it again. Next: ls -l \(file)\n")
    }
  }

  @Test("Faulty lines are counted and named, and the others are used")
  func faults() throws {
    try Self.imported(["Faults.txt"], ["-j"]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      let types = Self.types(journal)
      #expect(types.contains("checkIn.failed") && types.contains("checkIn.unchanged"))
      let reasons = run.records.compactMap { $0?.object }.compactMap { $0["reason"]?.string }
      expectEqual(reasons, ["the last line is cut short", "the line does not begin with a time"])
    }
  }

  @Test("The JSON file gives the policy, its account, the last check-in and the device's user")
  func information() throws {
    try Self.imported(["com.contoso.app-IntuneMAMDiagnosticInfo"]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      let types = Self.types(journal)
      for type in ["policy.received", "deviceAccount.changed", "checkIn.unchanged"] {
        #expect(types.contains(type), "\(type)")
      }
      #expect(ToolRun("log", journal, "--type", "checkIn.unchanged").output.contains("2024"))
      expectEqual(ToolRun("policy", "show", journal, "--account", "a1").code, .done)
      #expect(run.output.contains("no event records this value"))
    }
  }

  @Test("What was pasted into a mail becomes events of every kind")
  func pasted() throws {
    try Self.imported(["Pasted.txt"]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      let types = Set(Self.types(journal))
      for type in [
        "enrollment.failed", "checkIn.failed", "launch.evaluated", "wipe.requested", "token.denied",
        "configuration.received", "deviceAccount.changed", "policy.received",
      ] { #expect(types.contains(type), "\(type): \(run.output)") }
      #expect(ToolRun("log", journal).output.contains("SDK 19.2.0"))
      expectEqual(ToolRun("verify", journal).code, .done)
    }
  }

  @Test("Both kinds together know each account once")
  func together() throws {
    try Self.imported(["IntuneMAMDiagnostics.txt", "com.contoso.app-IntuneMAMDiagnosticInfo"]) { run, journal in
      expectEqual(run.code, .done)
      expectEqual(Self.types(journal).count { $0 == "account.introduced" }, 2)
    }
  }

  @Test("What is no log is refused, and mutated logs do not stop the reader")
  func foreign() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array("hello\nworld\n".utf8), to: "\(folder)/x")
      let run = ToolRun("import", "--format", "intune-log", "\(folder)/x", "-o", "\(folder)/j")
      #expect(run.code == .unreadable && run.notes.contains("x:1: the line does not begin with a time"), "\(run.notes)")
      var seed: UInt64 = 7
      for name in ["IntuneMAMDiagnostics.txt", "Pasted.txt", "com.contoso.app-IntuneMAMDiagnosticInfo"] {
        let original = try TestFiles.read(Self.path(name))
        for round in 0..<40 {
          var bytes = original
          for _ in 0..<4 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int((seed >> 33) % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: seed >> 20)
          }
          try TestFiles.write(bytes, to: "\(folder)/x")
          #expect(
            ToolRun("import", "--format", "intune-log", "\(folder)/x", "-o", "\(folder)/\(name)\(round)").code != .bug)
        }
      }
    }
  }

  /// The lines of a published fragment have three of these shapes for one failed enrollment.
  @Test("One answer that several lines report is one event, with what each of them says")
  func echoes() throws {
    try TestFiles.withTemporaryFolder { folder in
      let prefix = "IntuneMAM: "
      let lines = [
        "2024-03-04T08:00:00.100Z ERRO com.contoso.app 0 \(prefix)CMARX: Enrollment failed with status code 201 and error code 7",
        "2024-03-04T08:00:00.101Z INFO com.contoso.app 0 \(prefix)Received enrollment result of 201 and returning legacy result code of 6 for CMARScrubbedOID:aa",
        "2024-03-04T08:00:00.120Z INFO com.contoso.app 0 \(prefix)There was an internal error in the Intune MAM SDK.",
        "2024-03-04T08:09:00.120Z INFO com.contoso.app 0 \(prefix)There was an internal error in the Intune MAM SDK.",
        "",
      ]
      // The same file twice says nothing twice.
      try TestFiles.write(Array(lines.joined(separator: "\n").utf8), to: "\(folder)/x.txt")
      try TestFiles.write(Array(lines.joined(separator: "\n").utf8), to: "\(folder)/y.txt")
      let journal = "\(folder)/j"
      let run = ToolRun("import", "--format", "intune-log", "\(folder)/x.txt", "\(folder)/y.txt", "-o", journal)
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(Self.types(journal).count { $0 == "enrollment.failed" }, 2)
      expectEqual(Self.types(journal).count { $0 == "account.introduced" }, 1)
      let failed = ToolRun("log", journal, "--type", "enrollment.failed", "-j", "--reveal").output
      #expect(failed.contains("error code 7, legacy result code 6"), "\(failed)")
      #expect(run.output.contains("6 × the line repeats an answer"), "\(run.output)")
    }
  }

  @Test("An answer without an account is the only one's, an unnamed one's, or the nearest one's, and the doubt is said")
  func attribution() throws {
    let nameless = "Enrollment failed with status code 225"
    try Self.imported(lines: [nameless]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      #expect(ToolRun("log", journal, "--reveal").output.contains("unnamed"))
      #expect(ToolRun("log", journal, "--type", "enrollment.failed").output.contains("(inferred: account)"))
    }
    // The only one there is, also where it is named later.
    try Self.imported(lines: [nameless, "check-in completed for CMARScrubbedOID:aa with status code 101"]) {
      _, journal in
      expectEqual(Self.types(journal).count { $0 == "account.introduced" }, 1)
    }
    // Of two, the one that the app asked for just before.
    try Self.imported(lines: [
      "enrollment completed for CMARScrubbedOID:aa with status code 100",
      "check-in completed for CMARScrubbedOID:aa with status code 101",
      "enrollment request for CMARScrubbedOID:bb", nameless,
      "check-in completed for CMARScrubbedOID:bb with status code 101",
    ]) { run, journal in
      let failed = ToolRun("log", journal, "--type", "enrollment.failed").output
      #expect(failed.contains("a2") && failed.contains("(inferred: nearestAccount)"), "\(failed)")
      #expect(run.output.contains("1 event may be another account's"), "\(run.output)")
    }
  }

  @Test("A policy without a time stands after the answer that it came with, and is no contact at the end")
  func policyTime() throws {
    try TestFiles.withTemporaryFolder { folder in
      func line(_ day: Int, _ text: String) -> String {
        "2024-03-0\(day)T08:00:00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(text)\n"
      }
      let text =
        line(1, "enrollment completed for CMARScrubbedOID:aa with status code 100")
        + "{ EffectivePolicies = { PINEnabled = 1; AccessRecheckOfflineTimeout = 720; }; }\n"
        + line(5, "check-in failed for CMARScrubbedOID:aa with status code 212")
        + line(6, "Offline Grace Period Expired")
      try TestFiles.write(Array(text.utf8), to: "\(folder)/x.txt")
      expectEqual(ToolRun("import", "--format", "intune-log", "\(folder)/x.txt", "-o", "\(folder)/j").code, .done)
      let types = Self.types("\(folder)/j")
      expectEqual(types.suffix(4).first, "policy.received")
      expectEqual(types.last, "launch.evaluated")
      let found = ToolRun("diagnose", "\(folder)/j").output
      #expect(found.contains("offline-block") && !found.contains("a check-in has completed"), "\(found)")
    }
  }

  @Test("An archive is read as its logs are, and --unused names everything that was left out")
  func archive() throws {
    try TestFiles.withTemporaryFolder { folder in
      let line = "2024-03-04T08:00:00.100Z ERRO com.contoso.app 0 IntuneMAM: Enrollment failed with status code 203\n"
      try TestFiles.write(
        Array((line + String(repeating: "hello\n", count: 9)).utf8), to: "\(folder)/Intune-com.contoso.app-0.txt")
      try TestFiles.write(
        Array(line.replacing("203", with: "225").replacing("08:00", with: "07:00").utf8), to: "\(folder)/b.log")
      try TestFiles.write([1, 2, 3], to: "\(folder)/movie.mp4")
      let pack = "cd \(folder) && zip -q x.zip *.txt *.log *.mp4 && tar -czf x.tgz *.txt *.log *.mp4"
      expectEqual(TestFiles.shell(pack), 0)
      for name in ["x.zip", "x.tgz"] {
        let journal = "\(folder)/\(name).pj"
        let run = ToolRun("import", "--format", "intune-log", "\(folder)/\(name)", "-o", journal, "--unused")
        expectEqual(run.code, .done, "\(run.notes)")
        expectEqual(Self.types(journal).count { $0 == "enrollment.failed" }, 2)
        for line in 2...10 { #expect(run.output.contains("Intune-com.contoso.app-0.txt:\(line)"), "\(run.output)") }
        #expect(run.notes.contains("no log and left out: movie.mp4"), "\(run.notes)")
      }
      let few = ToolRun("import", "--format", "intune-log", "\(folder)/x.zip", "-o", "\(folder)/few")
      #expect(few.output.contains("9 × the line does not begin with a time") && few.output.contains(", …)"))
      let wrong = ToolRun("import", "\(folder)/x.zip", "-o", "\(folder)/k", "--unused")
      #expect(wrong.code == .wrongUse && wrong.notes.contains("--unused is about logs: it needs --format intune-log"))
      expectEqual(TestFiles.shell("cd \(folder) && zip -q y.zip movie.mp4"), 0)
      let none = ToolRun("import", "--format", "intune-log", "\(folder)/y.zip", "-o", "\(folder)/l")
      #expect(none.code == .unreadable && none.notes.contains("y.zip: the archive holds no log"), "\(none.notes)")
    }
  }

  /// Families and confidences of what is found in a journal or an export.
  private static func findings(_ path: String) -> [String] {
    ToolRun("diagnose", path, "-j").records.compactMap { $0?.object }.compactMap { record in
      record["family"]?.string.map { "\($0) \(record["confidence"]?.string ?? "")" }
    }
  }

  @Test(
    "An imported log is incomplete: what did not happen is possible, and what stands is likely at most",
    arguments: [
      ("203", "auth-required possible"), ("225", "policy-not-applied likely"), ("201", "policy-not-applied likely"),
    ])
  func incomplete(code: String, finding: String) throws {
    try Self.imported(lines: ["Enrollment failed for CMARScrubbedOID:aa with status code \(code)"]) { _, journal in
      let found = Self.findings(journal)
      #expect(found.contains(finding) && !found.contains { $0.hasSuffix("certain") }, "\(found)")
      expectEqual(ToolRun("export", journal, "-o", "\(journal).pjx").code, .done)
      expectEqual(Self.findings("\(journal).pjx"), found)
    }
  }

  @Test(
    "A check-in without an enrollment in the log presupposes one, unless its answer says otherwise",
    arguments: [("212", true), ("101", true), ("203", true), ("214", false), ("209", false)])
  func presupposed(code: String, isEnrolled: Bool) throws {
    let line = "check-in finished for CMARScrubbedOID:aa with status code \(code)"
    try Self.imported(lines: [line, line]) { run, journal in
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(Self.types(journal).count { $0 == "enrollment.succeeded" }, isEnrolled ? 1 : 0)
      let log = ToolRun("log", journal, "--type", "enrollment.succeeded").output
      #expect(log.contains("(inferred: enrollment)") == isEnrolled, "\(log)")
    }
  }

  @Test("A block between lines gives the configuration and the versions, and takes no line with it")
  func blocks() throws {
    try TestFiles.withTemporaryFolder { folder in
      let text = """
        {
            ApplicationConfiguration =
            (
                { Name = IntuneMAMUPN; Value = "CMARScrubbedM:13c4"; },
                { Name = "com.contoso.notes.home"; Value = "https://intranet.contoso.com"; }
            );
            SDKVersion = "19.2.0";
        }
        2024-03-21T08:59:45.429Z ERRO com.contoso.app 0 IntuneMAM: Enrollment failed for CMARScrubbedM:13c4 with status code 201
        """
      try TestFiles.write(Array((text + "\n").utf8), to: "\(folder)/x.txt")
      let journal = "\(folder)/j"
      let run = ToolRun("import", "--format", "intune-log", "\(folder)/x.txt", "-o", journal)
      expectEqual(run.code, .done, "\(run.notes)")
      for type in ["configuration.received", "deviceAccount.changed", "enrollment.failed"] {
        expectEqual(Self.types(journal).count { $0 == type }, 1, "\(type)")
      }
      #expect(ToolRun("log", journal).output.contains("SDK 19.2.0"))
      // What the configuration holds is the account's own.
      #expect(!ToolRun("log", journal, "-j").output.contains("intranet"))
    }
  }
}
