import Expectations
import PropertyList
import Testing

@testable import PolicySettings

@Suite("The repair of settings")
struct SettingsRepairTests {
  typealias Samples = SettingSamples

  /// The repair of one file, its lines apart.
  static func repair(
    _ text: String, entitlements: String? = nil, _ change: (inout SettingsRepair.Options) -> Void = { _ in }
  ) throws -> SettingsRepair {
    var options = SettingsRepair.Options()
    change(&options)
    let document = try SettingsDocument.read(Array(text.utf8), file: "Info.plist")
    let others = try entitlements.map { try PropertyList.read(Array($0.utf8)) }
      .flatMap { EntitlementsDocument($0, file: "App.entitlements") }
    return SettingsRepair(documents: [document], entitlements: [others].compactMap(\.self), options: options)
  }

  static func app(_ settings: String = "", around: String = "") -> String {
    "<dict><key>CFBundleIdentifier</key><string>com.contoso.app</string>\n<key>IntuneMAMSettings</key><dict>\(settings)</dict>\n\(around)</dict>"
  }

  private static func list(_ key: String, _ texts: [String]) -> String {
    Samples.entry(key, "<array>\(texts.map { "<string>\($0)</string>" }.joined())</array>")
  }

  private static func urlTypes(_ schemes: [String]) -> String {
    Samples.entry("CFBundleURLTypes", "<array><dict>\(list("CFBundleURLSchemes", schemes))</dict></array>")
  }

  /// What is done to the value at a path.
  private static func actions(_ repair: FileRepair, _ path: String) -> [String] {
    repair.changes.filter { $0.path.description.hasPrefix(path) }.map(\.action)
  }

  @Test("An app that follows the guides gets the twins of its links, and nothing else")
  func good() throws {
    let text = "<dict><key>IntuneMAMSettings</key><dict>\(Samples.needed)</dict>\(Samples.around)</dict>"
    let file = try Self.repair(text).documents[0]
    #expect(
      file.changes.map(\.action) == ["add \"MSAuth.$(PRODUCT_BUNDLE_IDENTIFIER)-intunemam\""] && file.notes.isEmpty)
    #expect(file.changes.map(\.rule) == [nil] && file.changes[0].source.hasPrefix("S000"))
  }

  @Test("Only the part of a redirect before the colon becomes a scheme, and none that stands there already")
  func redirect() throws {
    let redirect = Samples.entry("ADALRedirectUri", "<string>msauth.com.contoso.app://auth</string>")
    var file = try Self.repair(Self.app(redirect)).documents[0]
    let added = "add \"msauth.com.contoso.app\", \"msauth.com.contoso.app-intunemam\""
    expectEqual(Self.actions(file, "CFBundleURLTypes"), [added])
    file = try Self.repair(Self.app(redirect, around: "<key>CFBundleURLTypes</key><array/>")).documents[0]
    expectEqual(Self.actions(file, "CFBundleURLTypes"), [added])
    file = try Self.repair(Self.app(redirect, around: Self.urlTypes(["MSAUTH.$(CFBundleIdentifier)"]))).documents[0]
    expectEqual(Self.actions(file, "CFBundleURLTypes"), ["add \"MSAUTH.$(CFBundleIdentifier)-intunemam\""])
    file = try Self.repair(Self.app(redirect, around: Self.urlTypes(["$(SCHEME)"]))).documents[0]
    #expect(Self.actions(file, "CFBundleURLTypes").isEmpty)
    expectEqual(
      file.notes.map(\.message),
      [
        "\"$(SCHEME)\" in CFBundleURLTypes may stand for the scheme \"msauth.com.contoso.app\"",
        "\"$(SCHEME)\" may stand for anything, also for a whole address",
      ])
    let open = Samples.entry("ADALRedirectUri", "<string>$(MSAL_REDIRECT_URI)</string>")
    file = try Self.repair(Self.app(open)).documents[0]
    expectEqual(
      file.notes.map(\.message),
      [
        "whether CFBundleURLTypes has the scheme \"$(MSAL_REDIRECT_URI)\" depends on build variables"
      ])
    let odd = Samples.entry("ADALRedirectScheme", "<string>$(A)_b</string>")
    try expectEqual(Self.repair(Self.app(odd)).documents[0].notes.count, 1)
  }

  @Test("A text that is no scheme gets no twin")
  func schemes() throws {
    let around = Self.urlTypes([
      "a", "A-INTUNEMAM", "HTTP", "x://y", "${PRODUCT_BUNDLE_IDENTIFIER}", "b.$(C:lower)", "9a",
    ])
    let file = try Self.repair(Self.app(around: around)).documents[0]
    expectEqual(
      Self.actions(file, "CFBundleURLTypes"),
      [
        "add \"${PRODUCT_BUNDLE_IDENTIFIER}-intunemam\", \"b.$(C:lower)-intunemam\""
      ])
    expectEqual(
      file.notes.map(\.message),
      [
        "the twin of \"HTTP\" opens web links in a managed browser",
        "\"x://y\" is not a URL scheme and gets no twin", "\"9a\" is not a URL scheme and gets no twin",
      ])
  }

  @Test("The system looks up 50 schemes: what the SDK asks for comes first, then twins as far as there is room")
  func room() throws {
    let own = (0..<30).map { "own\($0)" }
    var file = try Self.repair(Self.app(around: Self.list("LSApplicationQueriesSchemes", own))).documents[0]
    expectEqual(
      file.changes.filter { $0.rule == .missingTwinScheme }.map(\.action),
      [
        "add \"own0-intunemam\", \"own1-intunemam\", \"own2-intunemam\""
      ])
    expectEqual(
      file.notes.map(\.message), ["no room for 27 twins, such as \"own3-intunemam\": the system looks up 50 schemes"])
    let many = (0..<40).map { "own\($0)" } + ["mailto"]
    file = try Self.repair(Self.app(around: Self.list("LSApplicationQueriesSchemes", many))).documents[0]
    #expect(
      file.changes.contains { $0.rule == .missingQuerySchemes && $0.action.hasSuffix("\"ms-outlook-intunemam\"") })
    #expect(!file.changes.contains { $0.rule == .missingTwinScheme })
    expectEqual(
      file.notes.map(\.message).last,
      "with those that the SDK asks for there are 59 schemes, and the system looks up 50")
  }

  @Test("What has the wrong type is left alone, with a note")
  func wrongTypes() throws {
    let around =
      Samples.entry("LSApplicationQueriesSchemes", "<string>a</string>") + Samples.entry("CFBundleURLTypes", "<dict/>")
      + Samples.entry("NSFaceIDUsageDescription", "<true/>")
    let file = try Self.repair(Self.app(around: around)).documents[0]
    #expect(file.changes.isEmpty)
    expectEqual(
      file.notes.map(\.message),
      [
        "a list is needed, and the text \"a\" was found", "a list is needed, and a dictionary was found",
        "text is needed, and true was found",
      ])
    let text = "<dict><key>CFBundleName</key><string>x</string><key>IntuneMAMSettings</key><string>x</string></dict>"
    try expectEqual(
      Self.repair(text).documents[0].notes.map(\.message),
      [
        "a dictionary is needed, and the text \"x\" was found"
      ])
    let groups = Samples.entry("AppGroupIdentifiers", "<string>x</string>")
    let entitled = "<dict>\(Self.list("com.apple.security.application-groups", ["group.a"]))</dict>"
    let repair = try Self.repair(Self.app(groups), entitlements: entitled)
    #expect(repair.documents[0].notes.map(\.message).contains("a list is needed, and the text \"x\" was found"))
    for wrong in ["<string>x</string>", "<array><true/></array>"] {
      let repair = try Self.repair(Self.app(), entitlements: "<dict><key>keychain-access-groups</key>\(wrong)</dict>")
      #expect(repair.entitlements[0].changes.isEmpty && repair.entitlements[0].notes.count == 1)
    }
  }

  @Test("Settings are created where that is asked for")
  func creation() throws {
    let text = "<dict><key>CFBundleName</key><string>x</string></dict>"
    let note = try Self.repair(text).documents[0].notes.map(\.message)
    expectEqual(
      note, ["the dictionary of the settings is missing, and whether the app has settings is its owner's choice"])
    let groups = "<dict>\(Self.list("com.apple.security.application-groups", ["group.a", "group.$(X)"]))</dict>"
    let file = try Self.repair(text, entitlements: groups) { $0.createsSettings = true }.documents[0]
    #expect(
      file.changes[0].action == "add a dictionary with AppGroupIdentifiers" && file.changes[0].rule == .noSettings)
    expectEqual(
      file.notes.map(\.message),
      [
        "whether \"group.$(X)\" of the entitlements is listed depends on build variables"
      ])
  }

  @Test("An extension names its app where the app's identifier is known")
  func containingApp() throws {
    func file(_ identifier: String, beside app: String? = nil) throws -> FileRepair {
      let text =
        "<dict><key>CFBundleIdentifier</key><string>\(identifier)</string><key>NSExtension</key><dict/><key>IntuneMAMSettings</key><dict/></dict>"
      let documents = try [text, app].compactMap(\.self).map { try SettingsDocument.read(Array($0.utf8)) }
      return SettingsRepair(documents: documents).documents[0]
    }
    try expectEqual(file("com.contoso.app.share").changes.map(\.action), ["add \"com.contoso.app\""])
    try expectEqual(
      file("$(PRODUCT_BUNDLE_IDENTIFIER)", beside: Self.app()).changes.map(\.action), ["add \"com.contoso.app\""])
    for unknown in ["$(PRODUCT_BUNDLE_IDENTIFIER)", "com.share", "share"] {
      let file = try file(unknown)
      #expect(file.changes.isEmpty)
      expectEqual(
        file.notes.map(\.message),
        [
          "the file does not tell the bundle identifier of the app that contains the extension"
        ])
    }
  }

  @Test(
    "The app's own keychain group comes first, with the prefix that the others have",
    arguments: [
      (
        [],
        [
          "$(AppIdentifierPrefix)com.contoso.app", "$(AppIdentifierPrefix)com.microsoft.intune.mam",
          "$(AppIdentifierPrefix)com.microsoft.adalcache",
        ]
      ),
      (
        ["${TeamIdentifierPrefix}a"],
        [
          "${TeamIdentifierPrefix}a", "${TeamIdentifierPrefix}com.microsoft.intune.mam",
          "${TeamIdentifierPrefix}com.microsoft.adalcache",
        ]
      ),
      (
        ["ABCDE12345.com.microsoft.adalcache", "x"],
        [
          "ABCDE12345.com.contoso.app", "ABCDE12345.com.microsoft.adalcache", "x",
          "ABCDE12345.com.microsoft.intune.mam",
        ]
      ),
      (
        [
          "$(AppIdentifierPrefix)com.microsoft.intune.mam", "$(AppIdentifierPrefix)$(CFBundleIdentifier)",
          "$(AppIdentifierPrefix)com.microsoft.adalcache",
        ],
        [
          "$(AppIdentifierPrefix)$(CFBundleIdentifier)", "$(AppIdentifierPrefix)com.microsoft.intune.mam",
          "$(AppIdentifierPrefix)com.microsoft.adalcache",
        ]
      ),
      (["ABCDE12345.*"], ["ABCDE12345.*"]),
    ] as [([String], [String])])
  func keychain(before: [String], after: [String]) throws {
    let text = "<dict>\(Self.list("keychain-access-groups", before))</dict>"
    let file = try Self.repair(Self.app(), entitlements: text).entitlements[0]
    let list = try PropertyList.read(try file.applied(to: Array(text.utf8)))
    expectEqual(list.root.dictionary?["keychain-access-groups"]?.array?.compactMap(\.string), after)
  }

  @Test("Signed entitlements know the identifier, and another first group is the owner's choice")
  func signed() throws {
    func file(_ text: String) throws -> FileRepair {
      let list = try PropertyList.read(Array("<dict>\(text)</dict>".utf8))
      let document = try #require(EntitlementsDocument(list, file: "x.entitlements"))
      return SettingsRepair(documents: [], entitlements: [document]).entitlements[0]
    }
    let signed = Samples.entry("application-identifier", "<string>ABCDE12345.com.contoso.app</string>")
    #expect(
      try file(signed).changes[0].action.hasPrefix("add \"ABCDE12345.com.contoso.app\", \"ABCDE12345.com.microsoft"))
    #expect(try file("").changes[0].action.hasPrefix("add \"$(AppIdentifierPrefix)$(CFBundleIdentifier)\", "))
    let wild = Samples.entry("application-identifier", "<string>ABCDE12345.*</string>")
    try expectEqual(
      file(wild).notes.map(\.message),
      [
        "the file does not tell the bundle identifier, which comes first in the list"
      ])
    let entitled = "<dict>\(Self.list("keychain-access-groups", ["$(AppIdentifierPrefix)other"]))</dict>"
    let repair = try Self.repair(Self.app(), entitlements: entitled).entitlements[0]
    expectEqual(
      repair.notes.map(\.message),
      [
        "new items go to the first group, \"other\", which is not the bundle identifier"
      ])
  }

  @Test("What belongs to no app is refused")
  func refusals() throws {
    func refusal(_ text: String) throws -> SettingsRepair.Obstacle? {
      SettingsRepair.refusal(of: try SettingsDocument.read(Array(text.utf8)))
    }
    #expect(try refusal("<array/>") == .notAnApp && refusal("<dict><key>API_KEY</key><string/></dict>") == .notAnApp)
    try expectEqual(
      refusal("<dict><key>CFBundlePackageType</key><string>FMWK</string></dict>"), .otherBundle(type: "FMWK"))
    #expect(
      try refusal("<dict><key>CFBundlePackageType</key><string>$(PRODUCT_BUNDLE_PACKAGE_TYPE)</string></dict>") == nil)
    #expect(try refusal("<dict><key>MultiIdentity</key><true/></dict>") == nil)
    #expect(try refusal("<dict><key>UIBackgroundModes</key><array/></dict>") == nil)
  }
}
