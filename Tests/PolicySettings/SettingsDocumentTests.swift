import Expectations
import AppProtection
import PropertyList
import Testing

@testable import PolicySettings

@Suite("The settings of an app")
struct SettingsDocumentTests {
  typealias Samples = SettingSamples

  @Test("An app that follows the guides has no findings")
  func good() throws {
    let document = try Samples.document(Samples.needed)
    expectEqual(document.findings, [])
    expectEqual(document.scope, .infoPlist(isExtension: false))
    expectEqual(document.settings.clientID, "0c5a1d1e-1111-2222-3333-444455556666")
  }

  @Test("So has an extension, and a dictionary of settings alone")
  func goodExtension() throws {
    let app = Samples.entry("ContainingAppBundleId", "<string>com.contoso.app</string>")
    let extensionDocument = try Samples.document(app, around: Samples.aroundExtension)
    #expect(extensionDocument.findings == [] && extensionDocument.scope == .infoPlist(isExtension: true))
    let alone = try SettingsDocument.read(Array("<dict>\(Samples.needed)</dict>".utf8))
    #expect(alone.findings == [] && alone.scope == .settingsAlone)
    #expect(alone.isGiven("ADALClientId") && !alone.isGiven("MultiIdentity"))
    try expectEqual(SettingsDocument.read(Array("<dict>\(app)</dict>".utf8)).findings, [])
  }

  @Test("Every setting is decoded")
  func decoding() throws {
    var body = ""
    var expected = InfoPlistSettings()
    for row in SettingDescriptor.all {
      let (xml, value): (String, SettingValue) =
        switch row.kind {
        case .flag: (row.absence == "true" ? "<false/>" : "<true/>", .flag(row.absence != "true"))
        case .text(.clientID):
          ("<string>0C5A1D1E-1111-2222-3333-444455556666</string>", .text("0C5A1D1E-1111-2222-3333-444455556666"))
        case .text(.authority): ("<string>https://a/b</string>", .text("https://a/b"))
        case .text(.uri): ("<string>a://b</string>", .text("a://b"))
        case .text: ("<string>ab</string>", .text("ab"))
        case .color: ("<string>102030</string>", .color(SettingColor(red: 16, green: 32, blue: 48)))
        case .seconds: ("<integer>3</integer>", .seconds(3))
        case .fileProtection:
          ("<string>NSFileProtectionCompleteUnlessOpen</string>", .fileProtection(.completeUnlessOpen))
        case .texts(.appGroup): ("<array><string>group.a</string></array>", .texts(["group.a"]))
        case .texts: ("<array><string>a</string><string>b</string></array>", .texts(["a", "b"]))
        }
      body += Samples.entry(row.key, xml)
      row.write(&expected, value)
    }
    let document = try Samples.document(body)
    expectEqual(document.settings, expected)
    expectEqual(document.given.map(\.key), SettingDescriptor.all.map(\.key))
    #expect(document.findings.allSatisfy { ![.wrongType, .invalidValue, .unknownSetting].contains($0.rule) })
  }

  @Test("An unreadable setting keeps its default, and the rest is still read")
  func partial() throws {
    let document = try Samples.document(
      Samples.entry("MultiIdentity", "<string>YES</string>") + Samples.entry("MAMPolicyWarnAbsent", "<true/>")
        + Samples.entry("WebViewHandledURLSchemes", "<array><string>a b</string><string>ok</string></array>"))
    #expect(!document.settings.multiIdentity && document.settings.warnsWhenPolicyAbsent)
    expectEqual(document.settings.webViewSchemes, ["ok"])
    #expect(!document.isGiven("MultiIdentity") && document.position(of: "MultiIdentity") == .text(line: 1, column: 48))
  }

  @Test("The machine gets the settings that steer it")
  func machine() throws {
    let keys = ["MultiIdentity", "AutoEnrollOnLaunch", "MAMPolicyRequired", "MAMPolicyWarnAbsent"]
    let document = try Samples.document(keys.map { Samples.entry($0, "<true/>") }.joined())
    var expected = AppSettings()
    expected.multiIdentity = true
    expected.autoEnrollOnLaunch = true
    expected.policyRequired = true
    expected.warnsWhenPolicyAbsent = true
    expectEqual(AppSettings(document.settings), expected)
    expectEqual(AppSettings(InfoPlistSettings()), AppSettings())
  }

  @Test("A file that is not a property list is an error, not a finding")
  func noPropertyList() throws {
    let error = try #require(throws: PropertyListError.self) { try SettingsDocument.read(Array("{}".utf8)) }
    expectEqual(error.code, .unknownFormat)
  }

  @Test("A key that occurs twice within the settings makes them ambiguous, and the file is refused")
  func repeatedSetting() throws {
    let twice = Samples.entry("MultiIdentity", "<true/>") + Samples.entry("MultiIdentity", "<false/>")
    let nested = Samples.entry("a", "<dict>\(twice)</dict>")
    let settings = "<key>IntuneMAMSettings</key><dict/>"
    for text in [
      "<dict><key>IntuneMAMSettings</key><dict>\(twice)</dict></dict>",
      "<dict><key>IntuneMAMSettings</key><dict>\(nested)</dict></dict>", "<dict>\(settings)\(settings)</dict>",
      "<dict>\(twice)</dict>", "<dict>\(Samples.needed)\(nested)</dict>",
    ] {
      let error = try #require(throws: PropertyListError.self) { try SettingsDocument.read(Array(text.utf8)) }
      expectEqual(error.code, .duplicateKey, "\(text)")
    }
    // The first value counts around the settings, and very many such keys are reported as a hundred.
    let many = (0..<500).map { "<key>CFa\($0)</key><true/><key>CFa\($0)</key><true/>" }.joined()
    let document = try Samples.document(Samples.needed, around: Samples.around + many)
    expectEqual(document.findings.map(\.rule), Array(repeating: .repeatedKey, count: 100))
    #expect(document.findings.allSatisfy { $0.description.hasPrefix("Info.plist: line 2, column ") })
  }

  @Test("S-93: the values that a property list names are those that are scrubbed")
  func scrubber() {
    var settings = InfoPlistSettings()
    settings.valuesToScrub = ["secret"]
    expectEqual(LogScrubber(settings).scrub("a secret"), "a [scrubbed]")
  }
}
