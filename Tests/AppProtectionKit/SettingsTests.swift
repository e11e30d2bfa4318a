import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Foundation
import PolicySettings
import Synchronization
import Testing

/// What an app with a property list sees and is told.
final class Listener: PresentationDelegate, TelemetryDelegate, LogDestination {
  struct Seen: Sendable {
    var appearances: [Appearance] = []
    var gates: [Bool] = []
    var telemetry: [TelemetryEvent] = []
    var lines: [LogLine] = []
  }

  let seen = Mutex(Seen())

  func present(_ appearance: Appearance) { seen.withLock { $0.appearances.append(appearance) } }
  func policyMissing(isBlocking: Bool) -> Bool {
    seen.withLock { $0.gates.append(isBlocking) }
    return true
  }
  func record(_ event: TelemetryEvent) { seen.withLock { $0.telemetry.append(event) } }
  func write(_ line: LogLine) { seen.withLock { $0.lines.append(line) } }
  var paths: [String] { ["/logs/app.log"] }
}

/// An app with a property list, whose delegates listen.
struct ListedApp {
  let listener = Listener()
  let tokens = TestTokens()
  let test: TestEngine
  let engine: PolicyEngine

  init(_ settings: String, level: LogLevel = .info, revealsPersonalData: Bool = false) throws {
    test = try TestEngine()
    engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: test.app, files: test.app,
      delegates: .init(presentation: listener, telemetry: listener), tokens: TokenKeeper(tokens),
      propertyList: try Self.document(settings),
      logging: Logging(to: listener, level: level, revealsPersonalData: revealsPersonalData))
  }

  static func document(_ settings: String) throws -> SettingsDocument {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>
      <string>com.contoso.app</string><key>IntuneMAMSettings</key><dict>\(settings)</dict></dict></plist>
      """
    return try SettingsDocument.read(Array(text.utf8), file: "Info.plist")
  }

  var lines: [String] { listener.seen.withLock { $0.lines.map(\.text) } }
}

@Suite("The settings of an app")
struct SettingsTests {
  static let alice = PolicyEngineTests.alice

  /// A value of a setting that differs from its default, as it stands in a property list.
  private static func value(_ key: SettingKey) throws -> String {
    switch try #require(key.descriptor).kind {
    case .flag: key == .supportsDarkMode ? "<false/>" : "<true/>"
    case .color: "<string>#123456</string>"
    case .seconds: "<real>3</real>"
    case .fileProtection: "<string>NSFileProtectionNone</string>"
    case .text(.clientID): "<string>9f2d8a44-1c3f-4d6c-8d8e-0d2c7c1f5a01</string>"
    case .text(.authority): "<string>https://login.microsoftonline.com/contoso.com</string>"
    case .text(.uri): "<string>msauth.com.contoso.app://auth</string>"
    case .text(.path): "<string>/Caches/</string>"
    case .text(.bundleIdentifier): "<string>com.contoso.notes</string>"
    case .text: "<string>contoso</string>"
    case .texts(.appGroup): "<array><string>group.contoso</string></array>"
    case .texts: "<array><string>contoso</string></array>"
    }
  }

  /// What an app notices of one setting. Each key has an answer of its own, or the compiler asks for one.
  private static func effect(of key: SettingKey, in app: ListedApp) async throws -> String {
    let engine = app.engine
    let seen = app.listener.seen.withLock { $0 }
    let signIn = try #require(app.tokens.answers.withLock { $0.requests.last }).signIn
    let appearance = try #require(seen.appearances.first)
    return switch key {
    case .clientID: "\(signIn.clientID ?? "none")"
    case .authority: "\(signIn.authority ?? "none")"
    case .redirectURI, .redirectScheme: "\(signIn.redirectURI ?? "none")"
    case .cacheKeychainGroupOverride: "\(signIn.keychainGroup ?? "none")"
    case .logOverrideDisabled: "\(signIn.appLogsSignIn) \(app.lines.contains("sign-in: a token of the library"))"
    case .autoEnrollOnLaunch: "\(engine.state.settings.app.autoEnrollOnLaunch)"
    case .multiIdentity: "\(engine.state.settings.app.multiIdentity)"
    case .policyRequired, .policyWarnAbsent: "\(seen.gates) \(engine.state.process.wasWarned)"
    case .maxFileProtectionLevel: "\(engine.policies.policy(for: alice).fileProtection.outcome)"
    case .webViewHandledURLSchemes: "\(engine.settings.isHandledByWebViews("CONTOSO://x"))"
    case .treatAllWebViewsAsUnmanaged: "\(await engine.policies.webView(WebViewer()).outcome)"
    case .splashIconFile: "\(appearance.launchIcon ?? "none")"
    case .splashIconFileOnIPad: "\(appearance.launchIconOnIPad ?? "none")"
    case .splashDuration: "\(appearance.launchScreenSeconds)"
    case .backgroundColor: "\(appearance.background?.description ?? "none")"
    case .foregroundColor: "\(appearance.foreground?.description ?? "none")"
    case .accentColor: "\(appearance.accent?.description ?? "none")"
    case .secondaryBackgroundColor: "\(appearance.secondaryBackground)"
    case .secondaryForegroundColor: "\(appearance.secondaryForeground?.description ?? "none")"
    case .supportsDarkMode: "\(appearance.supportsDarkMode)"
    case .telemetryDisabled: "\(seen.telemetry.isEmpty)"
    case .telemetryUsePPE: "\(seen.telemetry.map(\.isTest))"
    case .verboseLoggingEnabled: "\(engine.logger.level.map(\.name) ?? "none")"
    case .valuesToScrubFromLogging: "\(app.lines.contains { $0.contains("contoso") })"
    case .safariViewControllerBlockedOverride, .finishLaunchingAtStartup, .appGroupIdentifiers, .containingAppBundleID,
      .openInActionExtension, .documentBrowserFileCachePath:
      "\(try #require(key.descriptor).value(in: engine.settings.propertyList)?.description ?? "none")"
    }
  }

  /// An app with these settings that launched, enrolled Alice with a policy, asked for a token, and wrote a line.
  private static func used(_ settings: String) async throws -> ListedApp {
    let app = try ListedApp(settings)
    var policy = PolicyDocument()
    policy.encryption.appDataEncryptionType = .whenDeviceLocked
    app.test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    try await app.engine.launch(ProcessStart())
    try await app.engine.enrollment.registerAndEnroll(alice)
    try await app.engine.run()
    try await app.engine.send(.startProcess(ProcessStart(), settings: nil))
    _ = try await app.engine.enrollment.token(for: alice)
    app.engine.logger.log(.error, "the server of contoso is away")
    app.engine.logger.logSignIn(.error, "a token of the library")
    return app
  }

  @Test("Each key of the property list has its effect, which its default has not", arguments: SettingKey.allCases)
  func effects(key: SettingKey) async throws {
    let plain = try await Self.used("")
    let app = try await Self.used("<key>\(key.rawValue)</key>\(try Self.value(key))")
    #expect(app.engine.settings.findings.allSatisfy { $0.rule != .invalidValue && $0.rule != .wrongType })
    let (one, other) = (try await Self.effect(of: key, in: plain), try await Self.effect(of: key, in: app))
    #expect(one != other, "\(key.use.rawValue)")
    if key == .supportsDarkMode { #expect(one == "true" && other == "false") }
  }

  @Test("Every key of the guides is one here, and the page says what becomes of it")
  func keys() throws {
    expectEqual(SettingKey.allCases.map(\.rawValue), SettingDescriptor.all.map(\.key))
    let page = try ComingFromTheSDKTests.page("SettingsAndLogs")
    for key in SettingKey.allCases {
      #expect(page.contains("\n| `\(key.rawValue)` | \(key.use.rawValue) | "), "\(key.rawValue)")
    }
  }

  @Test(
    "Overrides come before the property list, survive a launch, reach the token library, and end at an unenrollment")
  func overrides() async throws {
    let app = try ListedApp("<key>ADALAuthority</key><string>https://login.microsoftonline.com/common</string>")
    let settings = app.engine.settings
    try await app.engine.launch(ProcessStart())
    try await app.engine.enrollment.registerAndEnroll(Self.alice)
    try await app.engine.run()
    #expect(settings.signIn.authority == "https://login.microsoftonline.com/common" && settings.signIn.clientID == nil)
    try await settings.override { $0.authority = "https://login.microsoftonline.com/contoso" }
    try await settings.override { $0.clientID = "1" }
    try await app.engine.send(.startProcess(ProcessStart(), settings: nil))
    _ = try await app.engine.enrollment.signIn(Self.alice)
    _ = try await app.engine.enrollment.token(for: Self.alice)
    let request = try #require(app.tokens.answers.withLock { $0.requests.last })
    expectEqual(request.signIn, settings.signIn)
    #expect(request.signIn.authority == "https://login.microsoftonline.com/contoso" && request.signIn.clientID == "1")
    expectEqual(settings.overrides, TokenLibraryOverrides(authority: request.signIn.authority, clientID: "1"))
    try await app.engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
    expectEqual(settings.overrides.clientID, "1", "the service must still be told")
    try await app.engine.run()
    expectEqual(settings.overrides, TokenLibraryOverrides())
    expectEqual(settings.signIn.authority, "https://login.microsoftonline.com/common")
  }

  @Test("An override that cannot be used is refused by name, and changes nothing")
  func refused() async throws {
    let app = try ListedApp("")
    try await app.engine.launch(ProcessStart())
    let error = await #expect(throws: EngineError.self) {
      try await app.engine.settings.override {
        $0.clientID = "1"
        $0.redirectURI = ""
      }
    }
    expectEqual(error?.rejection, .invalidOverride(.redirectURI))
    expectEqual(app.engine.settings.overrides, TokenLibraryOverrides())
    #expect(app.lines.contains { $0.contains("overrideSettings: aadRedirectUriOverride cannot be used") })
  }

  @Test("Misspelt keys are findings with the nearest name, and lines of the log")
  func findings() async throws {
    let app = try ListedApp("<key>MultiIdentiy</key><true/>")
    #expect(app.engine.settings.findings.contains { $0.rule == .unknownSetting && $0.remedy == "write MultiIdentity" })
    try await app.engine.launch(ProcessStart())
    #expect(app.lines.contains { $0.contains("MultiIdentiy") && $0.contains("write MultiIdentity") })
    #expect(!app.engine.settings.recorded.multiIdentity)
  }

  @Test("Settings that an app passes come before those of its property list")
  func explicit() async throws {
    let app = try ListedApp("<key>MultiIdentity</key><true/>")
    try await app.engine.launch(ProcessStart(), settings: AppSettings())
    #expect(!app.engine.settings.recorded.multiIdentity)
    try await app.engine.launch(ProcessStart())
    #expect(app.engine.settings.recorded.multiIdentity)
  }

  @Test("Without a property list the defaults count, and nothing is presented")
  func none() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    #expect(test.engine.settings.propertyList == InfoPlistSettings() && test.engine.settings.findings.isEmpty)
    expectEqual(test.engine.settings.signIn, SignInConfiguration())
    #expect(!test.engine.settings.isHandledByWebViews("no colon"))
  }

  @Test("An app without a policy is told whether that blocks it, and a warning that is dismissed is recorded once")
  func gate() async throws {
    let blocked = try ListedApp("<key>MAMPolicyRequired</key><true/>")
    try await blocked.engine.launch(ProcessStart())
    expectEqual(blocked.listener.seen.withLock { $0.gates }, [true])
    let warned = try ListedApp("<key>MAMPolicyWarnAbsent</key><true/>")
    try await warned.engine.launch(ProcessStart())
    #expect(warned.listener.seen.withLock { $0.gates } == [false] && warned.engine.state.launchGate == .open)
    var part = ProcessStart()
    part.isExtension = true
    try await blocked.engine.launch(part)
    expectEqual(blocked.listener.seen.withLock { $0.gates }, [true], "an extension shows nothing")
  }
}
