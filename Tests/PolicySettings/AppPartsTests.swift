import Expectations
import PropertyList
import Testing

@testable import PolicySettings

@Suite("An app as a whole")
struct AppPartsTests {
  typealias Samples = SettingSamples
  typealias Framework = AppParts.Framework

  /// The parts of an app, each as it should be unless told otherwise.
  struct Whole: Sendable {
    var frameworks = [
      Framework(name: "IntuneMAMSwift", version: "20.2.1"), Framework(name: "IntuneMAMSwiftStub", version: "20.2.1"),
    ]
    var extensionFrameworks: [Framework] = []
    var containingApp = "com.contoso.app"
    var clientID = "0C5A1D1E-1111-2222-3333-444455556666"
    var extensionGroups = "<string>group.contoso</string>"
    var entitlementFiles = ["Contoso", "PlugIns/Share.appex/Share"]
    var settings = Samples.entry("AppGroupIdentifiers", "<array><string>group.contoso</string></array>")

    func findings() throws -> [SettingsFinding] {
      let app = try Samples.document(
        Samples.entry("ADALClientId", "<string>0C5A1D1E-1111-2222-3333-444455556666</string>")
          + Samples.entry("ADALRedirectUri", "<string>msauth.com.contoso.app://auth</string>") + settings,
        file: "Info.plist")
      let other = try Samples.document(
        Samples.entry("ContainingAppBundleId", "<string>\(containingApp)</string>")
          + Samples.entry("ADALClientId", "<string>\(clientID)</string>"),
        around: Samples.aroundExtension, file: "PlugIns/Share.appex/Info.plist")
      let groups = AppComparisonTests.Files()
      return AppParts(
        app: .init(
          document: app,
          entitlements: try AppComparisonTests.Files.entitlements(
            groups.keychain, groups.entitled, file: entitlementFiles[0]),
          frameworks: frameworks),
        extensions: [
          .init(
            document: other,
            entitlements: try AppComparisonTests.Files.entitlements(
              groups.extensionKeychain, extensionGroups, file: entitlementFiles[1]),
            frameworks: extensionFrameworks)
        ]
      ).findings.filter { $0.rule != .appGroupNotListed }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var rule: SettingsRule
    var whole: Whole
    var expected: String
    var testDescription: String { "\(rule): \(expected)" }

    init(_ rule: SettingsRule, _ expected: String, _ change: (inout Whole) -> Void) {
      self.rule = rule
      whole = Whole()
      change(&whole)
      self.expected = expected
    }
  }

  static let cases: [Case] = [
    Case(
      .missingFramework,
      "Info.plist: line 1, column 42: IntuneMAMSettings: the app embeds IntuneMAMSwift without IntuneMAMSwiftStub, which it needs; embed and sign IntuneMAMSwiftStub.xcframework as well"
    ) { $0.frameworks.removeLast() },
    Case(
      .frameworkVersionsDiffer,
      "Info.plist: line 1, column 42: IntuneMAMSettings: IntuneMAMSwift \"20.2.1\" and IntuneMAMSwiftStub \"19.7.6\" are of different releases of the SDK; take all of its frameworks from one release"
    ) { $0.frameworks[1].version = "19.7.6" },
    Case(
      .frameworkInExtension,
      "PlugIns/Share.appex/Info.plist: line 1, column 42: IntuneMAMSettings: the extension embeds IntuneMAMSwift of its own, beside that of the app; choose \"Do Not Embed\" for the extension, which loads that of the app"
    ) { $0.extensionFrameworks = [Framework(name: "IntuneMAMSwift", version: nil)] },
    Case(
      .otherContainingApp,
      "PlugIns/Share.appex/Info.plist: line 1, column 48: IntuneMAMSettings.ContainingAppBundleId: the extension belongs to \"com.contoso.app\", and names \"com.contoso.App\"; write \"com.contoso.app\""
    ) { $0.containingApp = "com.contoso.App" },
    Case(
      .extensionSettingsDiffer,
      "PlugIns/Share.appex/Info.plist: line 1, column 112: IntuneMAMSettings.ADALClientId: the extension signs in otherwise than its app; write the value of the app, or remove it where the extension does not sign in"
    ) { $0.clientID = "0C5A1D1E-1111-2222-3333-444455557777" },
    Case(
      .extensionWithoutAppGroup,
      "PlugIns/Share.appex/Share: line 3, column 1: [\"com.apple.security.application-groups\"]: the extension has no app group of its app; add \"group.contoso\", if it shares data with the app"
    ) { $0.extensionGroups = "" },
  ]

  @Test("Each rule finds what only the whole shows, and nothing else is found", arguments: cases)
  func finds(example: Case) throws {
    let findings = try example.whole.findings()
    expectEqual(findings.map(\.description), [example.expected])
    expectEqual(findings.map(\.rule), [example.rule])
  }

  @Test("A whole that fits causes no finding, and what is unknown is not reported")
  func silence() throws {
    try expectEqual(Whole().findings(), [])
    var together = Whole()
    together.entitlementFiles = ["Signing/App.entitlements", "Signing/Share.entitlements"]
    try expectEqual(together.findings(), [])
    var unknown = Whole()
    unknown.frameworks = [Framework(name: "IntuneMAMSwiftStub", version: nil)]
    unknown.containingApp = "$(APP_ID)"
    unknown.clientID = "$(CLIENT_ID)"
    unknown.extensionGroups = "<string>group.$(NAME)</string>"
    try expectEqual(unknown.findings(), [])
  }
}
