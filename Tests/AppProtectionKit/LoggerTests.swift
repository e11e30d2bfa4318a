import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import Synchronization
import Testing

@Suite("The log")
struct LoggerTests {
  static let alice = AccountReference(
    objectID: GUID("0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0"), userPrincipalName: "Alice@Contoso.com")

  /// An app whose enrollment fails with a text that names the user, and then is refused.
  private static func failed(_ level: LogLevel = .info, reveals: Bool = false, _ settings: String = "") async throws
    -> ListedApp
  {
    let app = try ListedApp(settings, level: level, revealsPersonalData: reveals)
    app.test.app.answers.withLock {
      $0.enrollment = [.failure(ServiceFailure(.internalError, error: "no license for Alice@Contoso.com"))]
    }
    try await app.engine.launch(ProcessStart())
    try await app.engine.enrollment.registerAndEnroll(alice)
    try await app.engine.run()
    await #expect(throws: EngineError.self) { try await app.engine.enrollment.registerAndEnroll(alice) }
    return app
  }

  @Test("Each event is a line in the words of the journal's log, at the level that it matters")
  func events() async throws {
    let app = try await Self.failed()
    let lines = app.listener.seen.withLock { $0.lines }
    func line(_ begin: String) throws -> LogLine { try #require(lines.first { $0.text.hasPrefix(begin) }, "\(begin)") }
    try expectEqual(line("process.started: launch 1").level, .info)
    try expectEqual(line("account.registered a1: ").level, .info)
    let failure = try line("enrollment.failed a1: 201 internalError: ‹withheld›, enrolling → registered")
    #expect(failure.level == .error && failure.wallNanoseconds == app.test.app.now().wallNanoseconds)
    #expect(try line("registerAndEnroll: a1 is registered already").level == .warning)
    #expect(lines.allSatisfy { $0.level > .verbose })
  }

  @Test("Personal data appears only on request, and then not where it is secret", arguments: [false, true])
  func personalData(reveals: Bool) async throws {
    let app = try await Self.failed(.verbose, reveals: reveals)
    var secret = ConfigurationValue("key", "hidden value")
    secret.isSecret = true
    try await app.engine.send(.setDeviceConfiguration([secret]))
    app.engine.logger.log(.info, "ALICE@contoso.com, alias 0F1E2D3C-4B5A-4678-8796-A5B4C3D2E1F0, opened a note")
    let text = app.lines.joined(separator: "\n")
    expectEqual(text.contains("no license for Alice@Contoso.com"), reveals)
    expectEqual(text.lowercased().contains("alice@contoso.com"), reveals)
    expectEqual(text.lowercased().contains("0f1e2d3c"), reveals)
    expectEqual(text.contains("a1, alias a1, opened a note"), !reveals)
    #expect(!text.contains("hidden value"))
    #expect(text.contains("to the app: enrollmentRequest a1 201"), "what the app is told is a verbose line")
  }

  @Test("A name that ends in another one is replaced as a whole")
  func overlappingNames() async throws {
    let app = try ListedApp("")
    try await app.engine.launch(ProcessStart())
    for name in ["alice@contoso.com", "malice@contoso.com"] {
      try await app.engine.send(.registerAndEnroll(AccountReference(userPrincipalName: name)))
    }
    app.engine.logger.log(.info, "malice@contoso.com and Alice@contoso.com")
    expectEqual(app.lines.last, "a2 and a1")
  }

  @Test("An engine that has ended answers from its last state, and warns once")
  func afterTheEnd() async throws {
    let app = try ListedApp("")
    try await app.engine.launch(ProcessStart())
    try await app.engine.enrollment.registerAndEnroll(Self.alice)
    let enrollment = app.engine.enrollment
    try await app.engine.end()
    #expect(!app.lines.contains { $0.contains("has ended") } && app.engine.isEnded)
    for _ in 0..<3 { expectEqual(enrollment.registeredAccounts.count, 1) }
    expectEqual(app.engine.state.accounts.count, 1)
    expectEqual(
      app.lines.filter { $0.contains("has ended") },
      ["the engine has ended, and answers from its last state; open the journal again and create another one"])
    let error = await #expect(throws: EngineError.self) { try await enrollment.checkIn(Self.alice) }
    #expect(error?.description == "the engine has ended; create another one on the store")
  }

  @Test("Values to scrub never appear, even where personal data does")
  func scrubbing() async throws {
    let app = try await Self.failed(
      reveals: true, "<key>ValuesToScrubFromLogging</key><array><string>Contoso</string></array>")
    app.engine.logger.log(.info, "Contoso's own line")
    #expect(!app.lines.contains { $0.contains("Contoso") })
    #expect(app.lines.contains("[scrubbed]'s own line"))
  }

  @Test("A line is written from its level on, and its text is not made before", arguments: LogLevel.allCases)
  func levels(level: LogLevel) throws {
    let app = try ListedApp("", level: level)
    var made: [LogLevel] = []
    for other in LogLevel.allCases {
      func text() -> String {
        made.append(other)
        return other.name
      }
      app.engine.logger.log(other, text())
    }
    #expect(made == LogLevel.allCases.filter { $0 >= level } && app.lines == made.map(\.name))
    expectEqual(app.engine.logger.level, level)
  }

  @Test("An engine without a log makes no text")
  func none() async throws {
    let test = try TestEngine()
    test.engine.logger.log(
      .error,
      {
        Issue.record("made"); return ""
      }())
    #expect(test.engine.logger.level == nil && test.engine.logger.paths == [])
  }

  @Test("A line is one line, of bounded length, with its time in UTC")
  func lines() {
    func line(_ text: String, _ nanoseconds: Int64 = 0) -> String {
      LogLine(.warning, text, at: nanoseconds).description
    }
    expectEqual(
      line("a\nb\u{202E}\u{7}", 951_782_400_123_456_789), "2000-02-29T00:00:00.123Z\tWARNING\ta\\nb\\u{202E}\\u{07}")
    expectEqual(line("", -1), "1969-12-31T23:59:59.999Z\tWARNING\t")
    #expect(
      line("", .min).hasPrefix("1677-09-21T00:12:43.145Z") && line("", .max).hasPrefix("2262-04-11T23:47:16.854Z"))
    let long = LogLine(.info, String(repeating: "é", count: LogLine.maximumLength), at: 0).text
    #expect(long.hasSuffix("é…") && long.utf8.count == LogLine.maximumLength + 3)
  }

  @Test("A file takes the lines, begins anew at its limit, and continues where the last process ended")
  func file() throws {
    let folder = try ManagedFolder()
    let path = folder.path + "/app.log"
    let line = LogLine(.info, String(repeating: "x", count: 50), at: 0)
    let size = UInt64("\(line)\n".utf8.count)
    do {
      let log = try FileLog(at: path, maximumSize: 2 * size)
      log.write(line)
      expectEqual(log.paths, [path])
    }
    let log = try FileLog(at: path, maximumSize: 2 * size)
    for text in ["second", "third"] { log.write(LogLine(.info, text + String(repeating: "x", count: 40), at: 0)) }
    expectEqual(log.paths, [path, path + ".1"])
    func read(_ path: String) -> String { folder.read("../" + (path.split(separator: "/").last ?? "")) ?? "" }
    #expect(read(path + ".1").contains("second") && read(path + ".1").hasPrefix("1970-01-01T00:00:00.000Z\tINFO\txxx"))
    #expect(read(path).contains("third") && read(path).hasSuffix("\n"))
    #expect(throws: FileSystemError.self) { try FileLog(at: folder.path + "/missing/app.log") }
  }

  @Test("Lines that cannot be written are counted, and the next one says so", arguments: [false, true])
  func fullDisk(isSilent: Bool) throws {
    let folder = try ManagedFolder()
    let files = FullingFileSystem(isSilent: isSilent)
    let log = try FileLog(at: folder.path + "/app.log", files: files)
    files.isFull.withLock { $0 = true }
    for _ in 0..<3 { log.write(LogLine(.info, "lost", at: 0)) }
    files.isFull.withLock { $0 = false }
    log.write(LogLine(.info, "kept", at: 0))
    let text = folder.read("../app.log") ?? ""
    #expect(text.contains("3 lines could not be written") && text.contains("kept") && !text.contains("lost"))
  }

  @Test("A log whose new file has no length that the system says leaves none open, and goes on once it has one")
  func lengthless() throws {
    let folder = try ManagedFolder()
    let files = LengthlessFiles()
    let log = try FileLog(at: folder.path + "/app.log", maximumSize: 1, files: files)
    log.write(LogLine(.info, "first", at: 0))
    files.fails.withLock { $0 = true }
    for _ in 0..<3 { log.write(LogLine(.info, "lost", at: 0)) }
    expectEqual(files.openCount.withLock { $0 }, 0)
    files.fails.withLock { $0 = false }
    log.write(LogLine(.info, "kept", at: 0))
    expectEqual(files.openCount.withLock { $0 }, 1)
    #expect(folder.read("../app.log")?.contains("kept") == true)
  }

  @Test("Lines go to a function as text")
  func function() {
    let taken = Mutex<[String]>([])
    LineLog { line in taken.withLock { $0.append(line) } }.write(LogLine(.info, "x", at: 0))
    expectEqual(taken.withLock { $0 }, ["1970-01-01T00:00:00.000Z\tINFO\tx"])
  }

  @Test("The diagnostic console lists the files of the log, and says whether telemetry is on")
  func console() throws {
    let app = try ListedApp("")
    let information = app.engine.diagnostics.information()
    expectEqual(information[path: "/app/logPaths"], .value(.list([.personal("/logs/app.log", .account)])))
    expectEqual(information[path: "/app/isTelemetryOn"], .value(.bool(true)))
    expectEqual(information[path: "/app/libraryVersion"], .value(.text(Version.package)))
    #expect(information[path: "/settings/overrides/authority"] != nil)
  }
}

@Suite("Telemetry")
struct TelemetryTests {
  @Test("Launches, enrollments and actions are told in their order, and nothing tells who the user is")
  func events() async throws {
    let app = try ListedApp("")
    app.test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    var process = ProcessStart()
    (process.appVersion, process.osVersion, process.deviceModel) = ("2.1", "17.5", "iPhone15,2")
    try await app.engine.launch(process)
    try await app.engine.enrollment.registerAndEnroll(LoggerTests.alice)
    try await app.engine.run()
    let events = app.listener.seen.withLock { $0.telemetry }
    expectEqual(
      events.map(\.kind),
      [
        .launch(managedAccounts: 0), .enrollment("enrollment.requested", nil),
        .enrollment("enrollment.succeeded", .newPoliciesReceived), .action("policy.received"),
        .action("restart.required"),
      ])
    #expect(events.allSatisfy { $0.appVersion == "2.1" && $0.osVersion == "17.5" && !$0.isTest })
    expectEqual(events.last?.policySource, .mam)
    #expect(!"\(events)".lowercased().contains("contoso"))
  }

  @Test("Nothing is collected while the property list turns telemetry off")
  func disabled() async throws {
    let app = try ListedApp("<key>MAMTelemetryDisabled</key><true/>")
    try await app.engine.launch(ProcessStart())
    try await app.engine.end()
    expectEqual(app.listener.seen.withLock { $0.telemetry }, [])
  }

  @Test("What waits is told when the engine ends")
  func end() async throws {
    let app = try ListedApp("")
    try await app.engine.launch(ProcessStart())
    let count = app.listener.seen.withLock { $0.telemetry.count }
    try await app.engine.enrollment.registerAndEnroll(LoggerTests.alice)
    expectEqual(app.listener.seen.withLock { $0.telemetry.count }, count)
    try await app.engine.end()
    expectEqual(app.listener.seen.withLock { $0.telemetry.last?.kind }, .enrollment("enrollment.requested", nil))
  }
}

/// The system's files, whose lengths it may not say, and how many of them are open.
private final class LengthlessFiles: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()
  let fails = Mutex(false)
  let openCount = Mutex(0)

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let file = try base.open(path, mode)
    openCount.withLock { $0 += 1 }
    return file
  }

  func close(_ file: OpenFile) {
    openCount.withLock { $0 -= 1 }
    base.close(file)
  }

  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    if fails.withLock({ $0 }) { throw FileSystemError(5, during: "stat") }
    return try base.size(of: file)
  }
}
