import AppProtection
import AppProtectionInsight
import CommandLineInterface
import Expectations
import JSON
import PolicyDocuments
import PolicySettings
import Testing

@testable import pj

/// The words that logs, portals and the commands' own answers use lead somewhere.
@Suite("pj help on terms")
struct TermHelpTests {
  private static func expectText(_ name: String, _ source: String = "") {
    let run = ToolRun("help", name)
    #expect(
      run.code == .done && run.output.contains(".") && run.output.count > name.count + 20, "\(source) \(name): \(run)")
  }

  @Test("Every status code, family, page, rule, assumption and number of a wipe has a text")
  func complete() {
    var names = EnrollmentStatusCode.table.map { "\($0.code.rawValue)" } + ["0", "1", "2", "3", "607", "608", "299"]
    names += ProblemFamily.allCases.map(\.page) + LaunchRule.allCases.map(\.id)
    names += TraceFinding.Kind.allCases.map(\.rawValue) + PolicyRule.allCases.map(\.id)
    names += SettingsRule.allCases.map(\.rawValue) + (1...39).map { "T\($0)" } + ["saveTo.13", "S-24", "Diagnosis"]
    for name in names { Self.expectText(name) }
    for term in Terms.all {
      let isKnown = if case .named(let found) = Terms.answer(term.name) { !found.isEmpty } else { false }
      #expect(isKnown && !term.topic.body().isEmpty, "\(term.name)")
    }
  }

  @Test("So has every rule that a journal's log, findings and explanations show", arguments: Repository.journals)
  func printed(journal: String) {
    let path = Repository.journal(journal)
    let commands =
      [["log", path, "-j"], ["stats", path, "-j"], ["diagnose", path, "-j"]]
      + PlantedSecretTests.questions.map { ["explain", path, $0, "-j"] }
    var names: Set<String> = []
    for words in commands {
      for record in ToolRun(words).records { if let record { Self.collect(record, into: &names) } }
    }
    #expect(!names.isEmpty)
    for name in names.sorted() { Self.expectText(name, journal) }
  }

  /// The values of members that hold names of rules.
  private static func collect(_ value: JSONValue, into names: inout Set<String>) {
    for element in value.array ?? [] { collect(element, into: &names) }
    for member in value.object?.members ?? [] {
      if ["rule", "assumption", "family", "page"].contains(member.name), let name = member.value.string, !name.isEmpty {
        names.insert(name)
      }
      collect(member.value, into: &names)
    }
  }

  @Test("Every name that the rules' source gives to one is known")
  func sources() throws {
    let known = Set(Terms.all.map(\.name))
    let names = try TestFiles.withTemporaryFolder { folder in
      let makers = "(RuleRow|RuleCondition|evaluate)"
      let line = "grep -rhE -A1 '\(makers)[(]' '\(Repository.root)/Sources/AppProtection' > \(folder)/lines"
      expectEqual(TestFiles.shell(line), 0)
      let text = String(decoding: try TestFiles.read("\(folder)/lines"), as: UTF8.self)
      return Set(text.matches(of: /[(]\s*"([a-zA-Z]+\.[a-zA-Z0-9.]+)"/).map { String($0.1) })
    }
    #expect(names.count > 100, "\(names.count)")
    expectEqual(names.subtracting(known).sorted(), [])
  }

  @Test("No name of a rule is a command's or a topic's, and no two sources of names differ by case alone")
  func distinct() {
    let subjects = Set(PolicyJournalTool.table.helpSubjects)
    // A setting of that name is found with --kind.
    expectEqual(Terms.all.flatMap { [$0.name] + $0.aliases }.filter(subjects.contains), ["version"])
    #expect(ToolRun("help", "version", "--kind", "setting").output.hasPrefix("version: "))
    // Microsoft's apps have keys that differ by case alone.
    let names = Set(Terms.all.filter { $0.kind != .configurationKey }.map(\.name))
    expectEqual(Set(names.map { $0.lowercased() }).count, names.count)
    for kind in Term.Kind.allCases {
      let named = Terms.all.filter { $0.kind == kind }.map(\.name)
      expectEqual(Set(named).count, named.count, "\(kind)")
    }
  }

  @Test("A code says what user, administrator and developer can do")
  func roles() {
    let text = ToolRun("help", "222").output
    for word in ["tenantMigration", "user", "administrator", "developer", "license"] {
      #expect(text.contains(word), "\(word)")
    }
    expectEqual(ToolRun("help", "2999").code, .wrongUse)
    expectEqual(ToolRun("help", "t39").output, ToolRun("help", "T39").output)
  }

  @Test("A rule shows its answers with their reasons, and the assumption that it rests on")
  func rule() {
    let text = ToolRun("help", "saveTo.6").output
    for word in ["allowed", "denied", "saveAllowCoversForeignLocations", "the account's"] {
      #expect(text.contains(word), "\(word): \(text)")
    }
    #expect(!text.contains("{"))
    #expect(ToolRun("help", "T35").output.contains("sign it out"), "both as a transition and as a mistake")
    #expect(ToolRun("help", "Diagnosis#offline-block").output == ToolRun("help", "offline-block").output)
    #expect(ToolRun("help", "maximumStopsUpdates").output.contains("pj policy lint"))
  }

  /// What the help on a term has to say, in order.
  private static let answers: [(term: String, words: [String])] = [
    // A code of the service, by number and by the names of the enumerations.
    (
      "200", ["accountNotLicensed", "The service.", "12 hours (serviceTable)", "license", "T7", "Chatr#52", "Ask next"]
    ),
    ("IntuneMAMEnrollmentStatusTimeout", ["216: timeout", "The SDK on the device", "1, 2, 4, 8, 16, 32, 60 minutes"]),
    ("102", ["wipeReceived", "Not by itself", "In the SDK's log"]),
    ("6", ["201: internalError", "legacy result code 6"]),
    ("203", ["token for the account again", "pj help auth-required"]),
    // Numbers that no table has.
    ("146", ["100 to 104 and 200 to 227", "104  unenrollmentSuccess", "200  accountNotLicensed"]),
    ("302", ["nothing is concluded", "sdk#20", "treat it as a success"]),
    ("609", ["not published", "607", "608", "Alone: pj help 609 --kind code"]),
    ("-1001", ["network (NSURLErrorDomain)"]), ("-50007", ["later version", "-50006"]),
    // Errors of the token library, with either sign.
    ("\u{2212}50003", ["serverDeclinedScopes", "scopes that were granted"]),
    ("-50004", ["protection before it gives a token", "protapp", "missing-capability"]),
    // Errors of the directory, whose meanings Microsoft changes, and words of users.
    ("AADSTS53003", ["sign-in", "login.microsoftonline.com/error?code=53003", "conditional access policy"]),
    ("aadsts", ["login.microsoftonline.com/error."]), ("screenshots", ["screenCaptureConfigurationState"]),
    ("logout", ["account.deregistered"]), ("crashes", ["crash-loop"]),
    // Wipes.
    ("appRequest", ["607", "notice of the wipe", "T27"]), ("accountSwitch", ["3: accountSwitch", "its own"]),
    // Sentences, whole lines and parts of them.
    (
      "2024-01-09 INFO IntuneMAM: CMARX: Policy check-in failed for CMARScrubbedOID:a1 with status code 214",
      ["answer to check-in: STATUS", "214: notEnrolledAccount"]
    ),
    ("the Tenant is either undergoing a Migration or", ["222: tenantMigration"]),
    ("Data was wiped with reason code 608", ["608: offlineInterval", "T32"]),
    ("MSALErrorDomain Code=-50002", ["-50002: interactionRequired"]),
    (
      "Offline grace period has expired",
      ["launch.offlineAccess is not met: block", "launch.offlineAccess: a launch condition"]
    ),
    // Settings, by the names of Graph, of the portal and of a device.
    ("minimumPinLength", ["Access requirements", "read by", "launch.pinQuality", "of several"]),
    ("Printing Org data", ["printBlocked"]), ("PINNumRetry", ["maximumPinRetries", "Max PIN attempts"]),
    ("simplePinBlocked", ["SimplePINAllowed", "the opposite of Graph"]),
    ("MAMPolicyRequired", ["if missing", "Settings"]),
    ("IntuneMAMOID", ["managed devices, on iOS"]),
    // What pj itself names.
    ("launch.osMinimum", ["block", "minimumRequiredOsVersion", "wipe", "minimumWipeOsVersion"]),
    ("openFrom.4", ["pj explain JOURNAL 'openFrom(location"]), ("wipe-unfinished", ["user says", "--complaint wiped"]),
    ("policy.received", ["pj schema policy.received"]), ("S-77", ["Five wrong PINs"]),
  ]

  @Test("Every kind of term says what it is, who says it, and what to do", arguments: answers)
  func terms(term: String, words: [String]) throws {
    let run = ToolRun("help", term)
    expectEqual(run.code, .done)
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var rest = text[...]
    for word in words {
      guard let place = rest.firstRange(of: word.split(whereSeparator: \.isWhitespace).joined(separator: " ")) else {
        Issue.record("\(term): no \(word) in \(rest)")
        return
      }
      rest = rest[place.upperBound...]
    }
    #expect(run.lines.allSatisfy { TerminalText.width(of: String($0)) <= 80 }, "\(run.output)")
  }

  @Test("An empty term and one that is too long are named in a line")
  func notTerms() {
    let empty = ToolRun("help", " ")
    #expect(
      empty.code == .wrongUse
        && empty.notes.contains("the term is empty: name a code, a word, a setting or a sentence of a log, such as 225"),
      "\(empty.notes)")
    let long = ToolRun("help", String(repeating: "x", count: 20_000))
    #expect(long.code == .wrongUse && long.notes.utf8.count < 200, "\(long.notes.utf8.count)")
  }

  @Test("A sentence need not be quoted, and a name that has several meanings is shown with all, each with its command")
  func several() {
    expectEqual(
      ToolRun("help", "failed", "to", "connect", "to", "the", "policy", "endpoint").output,
      ToolRun("help", "failed to connect to the policy endpoint").output)
    let text = ToolRun("help", "T39").output
    for kind in ["transition", "mistake"] {
      #expect(text.contains("Alone: pj help T39 --kind \(kind)"), "\(text)")
      let alone = ToolRun("help", "T39", "--kind", kind).output
      #expect(text.contains(alone.prefix { $0 != "." }) && !alone.contains("Alone"), "\(alone)")
    }
    expectEqual(ToolRun("help", "T39", "--kind", "setting").code, .wrongUse)
  }

  @Test("A word lists every term that has it, each with the command that shows it")
  func word() throws {
    let records = ToolRun("help", "keyboard", "-j").records.compactMap { $0?.object }
    let matches = records.filter { $0["kind"]?.string == "match" }
    #expect(matches.count > 3)
    for match in matches {
      let command = try #require(match["command"]?.string?.split(separator: " ").map(String.init))
      expectEqual(command.prefix(2), ["pj", "help"])
      let name = try #require(match["name"]?.string)
      expectEqual(ToolRun("help", name, "--kind", match["type"]?.string ?? "").code, .done)
    }
    let text = ToolRun("help", "keyboard").output
    #expect(text.contains("pj help thirdPartyKeyboardsBlocked"))
    // A word that no name has is found in what the terms say.
    #expect(ToolRun("help", "service principal").output.contains("pj help 203"))
    #expect(ToolRun("help", "a").output.contains("more: add a word, or --kind."))
  }

  @Test("What nothing has leads to the nearest name, and never to nothing")
  func unknown() {
    for (term, near) in [("offline-blokc", "offline-block"), ("saveTo.99", "saveTo.9"), ("2999", "608")] {
      let run = ToolRun("help", term)
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains("nearest: \(near)"), "\(run.notes)")
    }
    for term in ["qqqqqqqq", "frobnicate the gizmo of an Outlook", String(repeating: "x", count: 70_000)] {
      let run = ToolRun("help", term)
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains("Next: pj help "), "\(run.notes)")
      #expect(term.count > 10_000 || run.notes.contains("nearest: "), "\(run.notes)")
    }
  }

  @Test("With -j a term is a record with its sections, and a command is refused")
  func records() throws {
    let run = ToolRun("help", "203", "-j")
    let term = try #require(run.records.compactMap { $0?.object }.first { $0["kind"]?.string == "term" })
    expectEqual(term["type"]?.string, "code")
    expectEqual(term["page"]?.string, "AccountsAndEnrollment")
    let sections = try #require(term["sections"]?.array)
    expectEqual(sections.first?.object?["text"]?.string, "The user must sign in; a silent repetition cannot succeed.")
    let questions = sections.first { $0.object?["text"]?.string == "Ask next:" }?.object?["facts"]?.array ?? []
    expectEqual(questions.first?.object?["meaning"]?.string, "Does one tenant fail, or every one?")
    expectEqual(ToolRun("help", "blame", "-j").code, .wrongUse)
  }

  @Test("A manual page has every term, and a shell completes their names")
  func elsewhere() {
    let page = ToolRun("help", "--man", "terms").output
    #expect(page.hasPrefix(".TH \"PJ\\-TERMS\""))
    for term in Terms.all where term.name.allSatisfy({ $0.isLetter || $0.isNumber }) {
      #expect(page.contains(".SS \"\(term.name)\"\n"), "\(term.name)")
    }
    #expect(page.contains("sdk#281") && page.contains("NSURLErrorDomain") == false)
    expectEqual(
      ToolRun("complete", "terms", "--", "minimumPin").lines.map(String.init), ["minimumPinLength"])
    #expect(ToolRun("complete", "terms", "--", "sta").lines.contains("state"))
  }

  @Test("The page shows what the commands print")
  func page() throws {
    try PageExamples.expectCurrent(at: "\(Repository.root)/Sources/pj/pj.docc/Terms.md") { ToolRun($0).output }
  }

  @Test("Transitions and situations are those of the pages", arguments: ["AccountsAndEnrollment", "Coverage"])
  func pages(page: String) throws {
    let path = "\(Repository.root)/Sources/AppProtection/AppProtection.docc/\(page).md"
    let lines = String(decoding: try TestFiles.read(path), as: UTF8.self).split(separator: "\n")
    var count = 0
    for line in lines {
      let cells = line.split(separator: "|").map { $0.trimming(" ").replacing("`", with: "") }
      guard cells.count > 2, let first = cells.first else { continue }
      if page == "Coverage", first.hasPrefix("S-") {
        expectEqual(SituationHelp.all.first { $0.name == first }?.text, cells[1], "\(first)")
        count += 1
      } else if page == "AccountsAndEnrollment", first.wholeMatch(of: /T\d+/) != nil {
        let transition = TransitionHelp.all.first { $0.name == first }
        expectEqual(transition?.when, cells[1], "\(first)")
        expectEqual(transition?.then, cells[2], "\(first)")
        count += 1
      }
    }
    expectEqual(count, page == "Coverage" ? SituationHelp.all.count : TransitionHelp.all.count)
  }
}

extension Substring {
  /// The text without these characters at its ends.
  fileprivate func trimming(_ character: Character) -> String {
    var text = self
    while text.first == character { text = text.dropFirst() }
    while text.last == character { text = text.dropLast() }
    return String(text)
  }
}
