import Expectations
import EventSourcing
import SystemCalls
import Testing

@testable import AppProtection
@testable import AppProtectionInsight

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The page "How to add…" against the sources: what it shows is there, and nothing else names its examples.
@Suite("The page on how to add things")
struct HowToAddTests {
  private static let sources: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/Sources/AppProtection"
  }()

  private static func text(_ path: String) throws -> String {
    let file = try #require(fopen("\(sources)/\(path)", "r"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The paths of all sources below a folder.
  private static func paths(below folder: String = "") throws -> [String] {
    let (names, error) = SystemCalls.names(in: "\(sources)/\(folder)")
    try #require(error == 0, "\(folder)")
    var paths: [String] = []
    for name in names {
      if name.hasSuffix(".swift") { paths.append(folder + name) }
      if !name.contains(".") { paths += try Self.paths(below: "\(folder)\(name)/") }
    }
    return paths.sorted()
  }

  /// The module with what can be asked of states and histories.
  private static let insight = "../AppProtectionInsight/"

  /// The path of a source that is in a folder of that module, or in one of this.
  private static func location(of path: String) -> String { path.hasPrefix("Diagnosis/") ? insight + path : path }

  /// The paths of the sources of both modules of the domain.
  private static func domainPaths() throws -> [String] { try paths(below: insight) + paths() }

  /// The sources that the rows of a section's table name.
  private static func rows(of section: String) throws -> [String] {
    var isInside = false
    return try text("AppProtection.docc/HowToAdd.md").split(separator: "\n").compactMap { line in
      if line.hasPrefix("### ") { isInside = line == "### \(section)" }
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      return isInside && line.hasPrefix("| `") && parts.count > 2 ? String(parts[1]) : nil
    }
  }

  @Test(
    "What the page shows is in the sources that it lists, and in no other",
    arguments: [
      ("An event", "accountIntroduced", 4), ("A rule that decides", "listedPhotoLibrary", 2),
      ("A question to the rules", "openFrom", 8), ("A command of the domain", "identifyAccount", 6),
      ("A finding about an app", "prematureToken", 2), ("A family of problems", "retryStorm", 3),
    ])
  func sources(section: String, example: String, count: Int) throws {
    let type = example.prefix(1).uppercased() + example.dropFirst()
    let naming = try Self.domainPaths().filter { path in
      let text = try Self.text(path)
      return text.contains(example) || text.contains(type)
    }
    try expectEqual(Self.rows(of: section).sorted(), naming)
    expectEqual(naming.count, count)
  }

  @Test("The version of the rules is that of the newest SDK with which a rule came")
  func version() throws {
    var newest = SDKVersion(0, 0, 0)
    for path in try Self.domainPaths() {
      for call in try Self.text(path).split(separator: "SDKVersion(").dropFirst() {
        let numbers = call.prefix { $0 != ")" }.split(separator: ", ").compactMap { UInt32($0) }
        if numbers.count == 3 { newest = max(newest, SDKVersion(numbers[0], numbers[1], numbers[2])) }
      }
    }
    #expect(newest > SDKVersion(20, 0, 0))
    expectEqual(SDKVersion(Version.rules), newest)
    #expect(ProcessStart(appVersion: "1.0").sdkVersion == Version.rules && ProcessStart().sdkVersion.isEmpty)
  }

  @Test("Every table of rules is listed")
  func tables() throws {
    let listed = Set(RuleTable.tables.map { "\($0)" })
    for path in try Self.paths() {
      for line in try Self.text(path).split(separator: "\n") where line.hasSuffix("DecisionRule {") {
        let words = line.split { !$0.isLetter }
        guard let kind = words.firstIndex(where: { $0 == "enum" || $0 == "struct" }) else { continue }
        #expect(listed.contains(String(words[kind + 1])), "\(path)")
      }
    }
  }

  /// The name of an event's case.
  private static func caseName(of event: AppProtectionEvent) -> String { "\(event)".prefix { $0 != "(" }.description }

  /// The events that a source names as cases.
  private static func events(in path: String) throws -> Set<UInt32> {
    let words = Set(try text(location(of: path)).split { !($0.isLetter || $0.isNumber || $0 == ".") })
    return Set(EventSamples.all.filter { words.contains(".\(caseName(of: $0))") }.map(\.type))
  }

  private static func numbers(of events: [any EventPayload.Type]) -> Set<UInt32> {
    Set(events.map { $0.entry.number })
  }

  @Test("A rule of diagnosis is shown the events that its source looks at, and no other")
  func shownEvents() throws {
    for rule in ProblemFamily.allCases.compactMap({ $0.rule() }) {
      let type = type(of: rule)
      let path = "Diagnosis/\(type).swift"
      let text = try Self.text(Self.location(of: path))
      var looks = try Self.events(in: path)
      if text.contains("FailureRuns(") { looks.formUnion(Self.numbers(of: FailureRuns.events)) }
      for part in ["ConfigurationLosses", "LatePolicies", "LeftIdentities", "MissingAccounts", "PolicyUse"]
      where text.contains("\(part).events") {
        looks.formUnion(try Self.events(in: "Diagnosis/\(part).swift"))
      }
      if text.contains("leavingAccount") { looks.formUnion(Self.numbers(of: AppProtectionEvent.leaving)) }
      expectEqual(Self.numbers(of: type.events), looks, "\(path)")
    }
  }

  @Test("What rules of diagnosis share is shown the events that its source looks at")
  func sharedEvents() throws {
    let leaving = try Self.events(in: "Diagnosis/AppProtectionEvent+Leaving.swift")
    expectEqual(Self.numbers(of: AppProtectionEvent.leaving), leaving)
    let runs = try Self.events(in: "Diagnosis/FailureRuns.swift").union(leaving)
    expectEqual(Self.numbers(of: FailureRuns.events), runs)
    let conditions = try Self.events(in: "Diagnosis/LaunchConditionTrail.swift")
    expectEqual(Self.numbers(of: LaunchConditionTrail.events), conditions)
    for trail in ["Contact", "Departure", "Process", "Management"] {
      let events = try Self.events(in: "Diagnosis/\(trail)Trail.swift")
      #expect(!events.isEmpty)
      for event in EventSamples.all where events.contains(event.type) {
        #expect(AppProtectionExamination.observes(event), "\(trail)Trail: \(event.name)")
      }
    }
  }

  /// How many `switch`es of a source have a `default`, and over what: choices of our own name every case.
  private static let defaults: [(source: String, count: Int, over: String)] = [
    // A projection names the events that it looks at. A new event says nothing to it.
    ("Events/AppProtectionState+Launch.swift", 1, "events"),
    ("Machine/AppProtectionMachine+Callbacks.swift", 2, "events"),
    ("Machine/AppProtectionMachine+Findings.swift", 1, "events"),
    ("Machine/AppProtectionMachine+Orders.swift", 3, "events"),
    // The service may send a code that this program does not know.
    ("Rules/Enrollment/Deliberation+CheckIn.swift", 1, "codes"),
    ("Rules/Enrollment/Deliberation+Unenrollment.swift", 1, "codes"), ("Settings/RetrySchedule.swift", 1, "codes"),
    ("State/Wipe/WipeReason.swift", 1, "codes"), ("Values/EnrollmentStatusCode+Table.swift", 1, "codes"),
    // Fields of a later program.
    ("Policy/PolicyDocument+WireFormat.swift", 1, "field numbers"),
    // Any character, text or number.
    ("Effects/LabelParameter.swift", 1, "texts"), ("Policy/PolicyDocument+Tree.swift", 1, "characters"),
    ("Policy/PolicyDuration.swift", 1, "characters"), ("Policy/Portal/PolicyAssignment+Target.swift", 1, "texts"),
    ("State/ConditionalLaunch/LaunchVersion.swift", 2, "characters and places"),
    ("State/Configuration/ConfigurationValue.swift", 1, "texts"),
    ("State/Identity/IdentityScope.swift", 1, "characters"), ("Values/GUID.swift", 1, "characters"),
    ("Values/SDKVersion.swift", 1, "places"),
  ]

  @Test("Only a switch over what this program need not know has a default")
  func defaultCases() throws {
    for path in try Self.paths() {
      // Rules of diagnosis and answers name the events, codes and reasons that they look at.
      if path.hasPrefix("Diagnosis/") || path.hasPrefix("Questions/") { continue }
      let count = try Self.text(path).split(separator: "\n").count { $0.drop { $0 == " " }.hasPrefix("default:") }
      #expect(count == Self.defaults.first { $0.source == path }?.count ?? 0, "\(path)")
    }
  }

  @Test("A finding follows from some event", arguments: TraceFinding.Kind.allCases)
  func findings(kind: TraceFinding.Kind) throws {
    #expect(try Self.text("Machine/AppProtectionMachine+Findings.swift").contains(".\(kind)"))
  }

  @Test("A setting is in its own source and in that of its rule, and in no other of any module")
  func settingSources() throws {
    // A setting about fingerprints ends in the same word.
    let naming = try Self.paths(below: "../").filter { path in
      try Self.text(path).components("printBlocked").dropLast().contains { $0.last?.isLetter != true }
    }
    let listed = try Self.rows(of: "A setting").map { $0.hasPrefix("../") ? $0 : "../AppProtection/\($0)" }
    expectEqual(listed.sorted(), naming)
    expectEqual(naming.count, 5)
  }

  @Test("The setting that the page shows is in its source")
  func setting() throws {
    let source = try Self.text("Policy/Properties/PolicyDocument+Surfaces.swift")
    let parts = try Self.text("AppProtection.docc/HowToAdd.md").components("### A setting\n")
    let section = try #require(parts.last?.components("\n### ").first)
    let shown = section.components("```swift\n").dropFirst().compactMap { $0.components("```").first }
    expectEqual(shown.count, 3)
    for code in shown { #expect(source.contains(code), "\(code)") }
  }

  @Test("Every row that a source declares is in the table, under its own name")
  func declaredRows() throws {
    var declared: [String] = []
    for path in try Self.paths() {
      for line in try Self.text(path).split(separator: "\n") where line.hasSuffix(" = row(") {
        declared.append(String(line.components("static let ").last?.prefix { $0.isLetter || $0.isNumber } ?? ""))
      }
    }
    expectEqual(declared.sorted(), PolicyProperty.all.map(\.name).sorted())
  }

  @Test("Every switch has a bit of its own")
  func switches() throws {
    let bits = try Self.paths().flatMap { path in
      try Self.text(path).components("PolicySwitches(rawValue: 1 << ").dropFirst().map { $0.prefix { $0 != ")" } }
    }
    expectEqual(bits.compactMap { Int($0) }.sorted(), Array(0..<bits.count))
    #expect(bits.count <= PolicySwitches.RawValue.bitWidth)
  }

  @Test("The payload that the page shows is in its source")
  func payload() throws {
    let source = try Self.text("Events/AccountEvents.swift")
    let section = try #require(Self.text("AppProtection.docc/HowToAdd.md").components("### An event\n").last)
    let shown = try #require(section.components("```swift\n").dropFirst().first?.components("```").first)
    #expect(shown.contains("struct AccountIntroduced"))
    #expect(source.contains(shown))
  }

  @Test("Every case of the events is one of its types, under the name and number in its comment")
  func types() throws {
    let source = try Self.text("Events/AppProtectionEvent.swift")
    let comments = source.matches(of: /\n  \/\/\/ `([\w.]+)` \((\d+)\)\.\n  (?:indirect )?case \w+\(\w+\)/).map {
      "\($0.1) \($0.2)"
    }
    expectEqual(comments, AppProtectionEvent.catalog.entries.map { "\($0.name) \($0.number)" })
    expectEqual(source.matches(of: /\n  (?:indirect )?case \w+\(/).count, comments.count)
    expectEqual(EventSamples.all.map(\.type), AppProtectionEvent.catalog.entries.map(\.number))
  }
}

extension StringProtocol {
  /// The parts between a separator of several characters.
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
  }
}
