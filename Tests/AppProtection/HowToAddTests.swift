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
      ("An event", "accountIntroduced", 6), ("A rule that decides", "listedPhotoLibrary", 2),
      ("A question to the rules", "openFrom", 6), ("A command of the domain", "identifyAccount", 8),
      ("A finding about an app", "prematureToken", 2), ("A family of problems", "retryStorm", 3),
    ])
  func sources(section: String, example: String, count: Int) throws {
    let type = example.prefix(1).uppercased() + example.dropFirst()
    let naming = try Self.domainPaths().filter { path in
      let text = try Self.text(path)
      return text.contains(example) || text.contains(type)
    }
    #expect(try Self.rows(of: section).sorted() == naming)
    #expect(naming.count == count)
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
    #expect(SDKVersion(Version.rules) == newest)
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

  /// What reads events, and the source with its `switch`.
  private static let projections: [(EventReaders, String)] = [
    (.callbacks, "Machine/AppProtectionMachine+Callbacks.swift"),
    (.dataProtection, "Machine/AppProtectionMachine+DataProtection.swift"),
    (.findings, "Machine/AppProtectionMachine+Findings.swift"),
    (.orders, "Machine/AppProtectionMachine+Orders.swift"),
    (.causes, "Machine/AppProtectionMachine+Causes.swift"),
    (.launch, "Events/ConditionalLaunch/AppProtectionState+Launch.swift"),
    (.contacts, "Diagnosis/ContactTrail.swift"), (.departures, "Diagnosis/DepartureTrail.swift"),
    (.processes, "Diagnosis/ProcessTrail.swift"), (.management, "Diagnosis/ManagementTrail.swift"),
    (.leaving, "Diagnosis/AppProtectionEvent+Leaving.swift"), (.failureRuns, "Diagnosis/FailureRuns.swift"),
    (.launchConditions, "Diagnosis/LaunchConditionTrail.swift"),
    (.accountMismatch, "Diagnosis/AccountMismatchRule.swift"),
    (.accountNotAllowed, "Diagnosis/AccountNotAllowedRule.swift"),
    (.appConfiguration, "Diagnosis/AppConfigurationRule.swift"),
    (.authRequired, "Diagnosis/AuthRequiredRule.swift"), (.checkInOverdue, "Diagnosis/CheckInOverdueRule.swift"),
    (.identityLeak, "Diagnosis/IdentityLeakRule.swift"), (.lostCallback, "Diagnosis/LostCallbackRule.swift"),
    (.missingCapability, "Diagnosis/MissingCapabilityRule.swift"),
    (.nilAccount, "Diagnosis/NilAccountRule.swift"), (.offlineBlock, "Diagnosis/OfflineBlockRule.swift"),
    (.policyContradiction, "Diagnosis/PolicyContradictionRule.swift"),
    (.policyDrift, "Diagnosis/PolicyDriftRule.swift"), (.policyNotApplied, "Diagnosis/PolicyNotAppliedRule.swift"),
    (.remediationLoop, "Diagnosis/RemediationLoopRule.swift"),
    (.restartPending, "Diagnosis/RestartPendingRule.swift"), (.retryStorm, "Diagnosis/RetryStormRule.swift"),
    (.secondManagedAccount, "Diagnosis/SecondManagedAccountRule.swift"),
    (.staleAccount, "Diagnosis/StaleAccountRule.swift"), (.unexpectedWipe, "Diagnosis/UnexpectedWipeRule.swift"),
    (.wipeUnfinished, "Diagnosis/WipeUnfinishedRule.swift"),
    (.wrongEnumeration, "Diagnosis/WrongEnumerationRule.swift"),
  ]

  @Test("Each projection has the events that say it looks at them")
  func readers() throws {
    for (reader, path) in Self.projections {
      let words = Set(try Self.text(Self.location(of: path)).split { !($0.isLetter || $0.isNumber || $0 == ".") })
      for kind in AppProtectionEvent.Kind.allCases {
        #expect(words.contains(".\(kind)") == kind.readers.contains(reader), "\(path): \(kind)")
      }
    }
  }

  @Test("A rule of diagnosis is shown every event that its source looks at")
  func shownEvents() throws {
    for rule in ProblemFamily.allCases.compactMap({ $0.rule() }) {
      let type = type(of: rule)
      let path = "Diagnosis/\(type).swift"
      let text = try Self.text(Self.location(of: path))
      var looks: EventReaders = []
      for (reader, other) in Self.projections where other == path { looks.formUnion(reader) }
      if text.contains("FailureRuns(") { looks.formUnion([.failureRuns, .leaving]) }
      if text.contains("leavingAccount") { looks.insert(.leaving) }
      #expect(type.readers == looks, "\(path)")
    }
  }

  @Test("No rule of diagnosis passes over an event unsaid")
  func decidedEvents() throws {
    for path in try Self.paths(below: Self.insight + "Diagnosis/") {
      let text = try Self.text(path)
      for part in text.components("switch event {").dropFirst() + text.components("switch self {").dropFirst() {
        let body = part.components("\n    }\n").first ?? part
        #expect(!body.contains("default: break"), "\(path)")
      }
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
    #expect(listed.sorted() == naming)
    #expect(naming.count == 5)
  }

  @Test("The setting that the page shows is in its source")
  func setting() throws {
    let source = try Self.text("Policy/Properties/PolicyDocument+Surfaces.swift")
    let parts = try Self.text("AppProtection.docc/HowToAdd.md").components("### A setting\n")
    let section = try #require(parts.last?.components("\n### ").first)
    let shown = section.components("```swift\n").dropFirst().compactMap { $0.components("```").first }
    #expect(shown.count == 3)
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
    #expect(declared.sorted() == PolicyProperty.all.map(\.name).sorted())
  }

  @Test("Every switch has a bit of its own")
  func switches() throws {
    let bits = try Self.paths().flatMap { path in
      try Self.text(path).components("PolicySwitches(rawValue: 1 << ").dropFirst().map { $0.prefix { $0 != ")" } }
    }
    #expect(bits.compactMap { Int($0) }.sorted() == Array(0..<bits.count))
    #expect(bits.count <= PolicySwitches.RawValue.bitWidth)
  }

  @Test("The payload that the page shows is the source itself")
  func payload() throws {
    let source = try Self.text("Events/Accounts/AccountIntroduced.swift")
    #expect(try Self.text("AppProtection.docc/HowToAdd.md").contains("```swift\n\(source)```\n"))
  }

  @Test("Every number belongs to one type, whose payload is in a source of its own")
  func kinds() throws {
    let names = Set(try Self.paths().map { $0.split(separator: "/").last.map(String.init) ?? "" })
    for kind in AppProtectionEvent.Kind.allCases {
      let entry = try #require(AppProtectionEvent.catalog[kind.rawValue], "\(kind) has no entry")
      #expect(names.contains("\(entry.body.name).swift"), "\(kind)")
      #expect(EventSamples.all.contains { $0.type == kind.rawValue }, "EventSamples.all lacks \(kind)")
    }
    #expect(AppProtectionEvent.catalog.entries.count == AppProtectionEvent.Kind.allCases.count)
  }
}

extension StringProtocol {
  /// The parts between a separator of several characters.
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
  }
}
