import Expectations
import PropertyList
import Testing

@testable import PolicySettings

@Suite("An app beside its extensions and entitlements")
struct AppComparisonTests {
  typealias Samples = SettingSamples

  /// The files of an app, each as it should be unless told otherwise.
  struct Files: Sendable {
    var appGroups = "<string>group.contoso</string>"
    var extensionGroups = "<string>group.contoso</string>"
    var links = "<string>launch-com.contoso.app</string><string>launch-com.contoso.app-INTUNEMAM</string>"
    var name = "Open in Contoso"
    var types =
      "\"com.microsoft.intune.mam.public.text\" \"public.text\" \"com.microsoft.intune.mam.public.image\" \"public.image\""
    var containingApp = "com.contoso.app"
    var keychain =
      "<string>$(AppIdentifierPrefix)com.contoso.app</string><string>$(AppIdentifierPrefix)com.microsoft.intune.mam</string>"
      + "<string>ABCDE12345.com.microsoft.adalcache</string>"
    var extensionKeychain =
      "<string>$(AppIdentifierPrefix)$(CFBundleIdentifier)</string><string>$(AppIdentifierPrefix)com.microsoft.intune.mam</string>"
    var entitled = "<string>group.contoso</string>"

    func findings() throws -> [SettingsFinding] {
      let app = try Samples.document(
        Samples.needed + Samples.entry("AppGroupIdentifiers", "<array>\(appGroups)</array>"),
        around: Samples.around.replacing(Samples.urlTypes, with: "")
          + "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>\(links)</array></dict></array>"
          + "<key>CFBundleDisplayName</key><string>Contoso</string><key>CFBundleDocumentTypes</key><array><dict>"
          + "<key>LSItemContentTypes</key><array><string>public.text</string><string>public.image</string></array></dict></array>",
        file: "App/Info.plist")
      let other = try Samples.document(
        Samples.openIn.replacing("<string>group.contoso</string>", with: extensionGroups)
          .replacing("<string>com.contoso.app</string>", with: "<string>\(containingApp)</string>"),
        around: Samples.sharing(rule: "<string>\(types)</string>")
          + "<key>CFBundleDisplayName</key><string>\(name)</string>",
        file: "OpenIn/Info.plist")
      return AppComparison(
        documents: [app, other],
        entitlements: [
          try Self.entitlements(keychain, entitled, file: "App/App.entitlements"),
          try Self.entitlements(
            extensionKeychain, "<string>group.contoso</string>", file: "OpenIn/OpenIn.entitlements"),
        ].compactMap(\.self)
      ).findings
    }

    static func entitlements(_ keychain: String, _ groups: String, file: String) throws -> EntitlementsDocument? {
      let text =
        "<plist><dict>\n<key>keychain-access-groups</key><array>\(keychain)</array>\n"
        + "<key>com.apple.security.application-groups</key><array>\(groups)</array></dict></plist>"
      return EntitlementsDocument(try PropertyList.read(Array(text.utf8)), file: file)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var rule: SettingsRule
    var files: Files
    var expected: String
    var testDescription: String { "\(rule): \(expected)" }

    init(_ rule: SettingsRule, _ expected: String, _ change: (inout Files) -> Void) {
      self.rule = rule
      files = Files()
      change(&files)
      self.expected = expected
    }
  }

  static let cases: [Case] = [
    Case(
      .noCommonAppGroup,
      "OpenIn/Info.plist: line 1, column 151: IntuneMAMSettings.AppGroupIdentifiers: the app lists none of these groups; list a common group in AppGroupIdentifiers, here and in the app"
    ) {
      $0.extensionGroups = "<string>group.other</string>"
    },
    Case(
      .openInWithoutURLScheme,
      "App/Info.plist: line 2, column 683: CFBundleURLTypes: the app has an extension that opens files in it, and no URL scheme with a twin that ends in -intunemam; add a scheme and its twin to CFBundleURLSchemes, such as launch-com.contoso.app and launch-com.contoso.app-intunemam"
    ) { $0.links = "<string>launch-com.contoso.app</string>" },
    Case(
      .openInName,
      "OpenIn/Info.plist: line 2, column 308: CFBundleDisplayName: \"Open in Fabrikam\" does not end in the name of the app, \"Contoso\"; write \"Open in Contoso\""
    ) { $0.name = "Open in Fabrikam" },
    Case(
      .activationRuleWithoutTypes,
      "OpenIn/Info.plist: line 2, column 1: NSExtension: NSExtensionActivationRule does not name every type that the app opens; add \"com.microsoft.intune.mam.public.image\""
    ) { $0.types = "\"public.text\" \"com.microsoft.intune.mam.public.text\"" },
    Case(
      .missingKeychainGroup,
      "App/App.entitlements: line 2, column 1: keychain-access-groups: the list has no \"com.microsoft.intune.mam\" and no \"com.microsoft.adalcache\"; add \"$(AppIdentifierPrefix)com.microsoft.intune.mam\" and \"$(AppIdentifierPrefix)com.microsoft.adalcache\""
    ) { $0.keychain = "<string>$(AppIdentifierPrefix)com.contoso.app</string>" },
    Case(
      .keychainGroupOrder,
      "OpenIn/OpenIn.entitlements: line 2, column 1: keychain-access-groups: the first group is \"com.microsoft.intune.mam\" and not the bundle identifier; put $(AppIdentifierPrefix)$(CFBundleIdentifier) before the others"
    ) { $0.extensionKeychain = "<string>ABCDE12345.com.microsoft.intune.mam</string>" },
    Case(
      .appGroupNotEntitled,
      "App/Info.plist: line 1, column 196: IntuneMAMSettings.AppGroupIdentifiers: the entitlements have no \"group.second\"; add the group to com.apple.security.application-groups, or remove it here"
    ) { $0.appGroups += "<string>group.second</string>" },
    Case(
      .appGroupNotListed,
      "App/App.entitlements: line 3, column 1: [\"com.apple.security.application-groups\"]: AppGroupIdentifiers does not list \"group.second\"; list every group in AppGroupIdentifiers of IntuneMAMSettings"
    ) { $0.entitled += "<string>group.second</string>" },
  ]

  @Test("Each rule finds what it is about, and nothing else is found", arguments: cases)
  func finds(example: Case) throws {
    let findings = try example.files.findings().filter {
      // An extension without a common group is not entitled to its own either.
      example.rule != .noCommonAppGroup || ![.appGroupNotEntitled, .appGroupNotListed].contains($0.rule)
    }
    expectEqual(findings.map(\.description), [example.expected])
    expectEqual(findings.map(\.rule), [example.rule])
  }

  @Test("Matching files cause no finding, and missing files are not reported")
  func silence() throws {
    try expectEqual(Files().findings(), [])
    var stranger = Files()
    stranger.containingApp = "com.fabrikam.app"
    stranger.name = "Open in Fabrikam"
    try expectEqual(stranger.findings(), [])
    var wildcard = Files()
    wildcard.keychain = "<string>ABCDE12345.*</string>"
    try expectEqual(wildcard.findings(), [])
    let alone = try Samples.document(Samples.openIn, around: Samples.aroundExtension)
    expectEqual(AppComparison(documents: [alone]).findings, [])
    let groups = "<plist><dict><key>com.apple.security.application-groups</key><array/></dict></plist>"
    let bare = try #require(EntitlementsDocument(try PropertyList.read(Array(groups.utf8)), file: "x"))
    let findings = AppComparison(documents: [], entitlements: [bare]).findings
    #expect(
      findings.map(\.rule) == [.missingKeychainGroup] && findings[0].description.hasPrefix("x: line 1, column 8: "))
    let entitlements = try #require(try Files.entitlements(Files().keychain, "", file: "x"))
    expectEqual(AppComparison(documents: [], entitlements: [entitlements]).findings, [])
  }

  @Test("A property list with settings, or without any entitlement, is not mistaken for entitlements")
  func recognition() throws {
    let settings =
      "<plist><dict><key>IntuneMAMSettings</key><dict/><key>keychain-access-groups</key><array/></dict></plist>"
    for text in [
      settings, "<plist><dict><key>CFBundleName</key><string>x</string></dict></plist>", "<plist><array/></plist>",
    ] {
      #expect(EntitlementsDocument(try PropertyList.read(Array(text.utf8))) == nil)
    }
  }
}
