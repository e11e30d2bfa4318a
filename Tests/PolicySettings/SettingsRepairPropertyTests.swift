import JournalSimulation
import PropertyList
import Testing

@testable import PolicySettings
@testable import PropertyList

/// Random apps, extensions and entitlements in random layouts.
@Suite("Repairs of random property lists")
struct SettingsRepairPropertyTests {
  static let schemes = [
    "tel", "mailto", "Mailto", "http", "https", "fb1234", "comgooglemaps", "Contoso", "contoso-intunemam", "a b",
    "x://y", "",
    "$(URL_SCHEME)", "$(PRODUCT_BUNDLE_IDENTIFIER)", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "msauthv2", "zips",
    "WANDERA",
    "msauth.com.contoso.app", "tel-intunemam",
  ]
  static let predicates = [
    "TRUEPREDICATE", "",
    "SUBQUERY(extensionItems, $e, SUBQUERY($e.attachments, $a, ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO \"public.image\").@count >= 1).@count == 1",
    "ANY a.b UTI-CONFORMS-TO 'public.url'\n  && ANY a.b UTI-EQUALS \"public.text\"",
    "ANY a.b UTI-CONFORMS-TO \"public.url\" || ANY a.b UTI-CONFORMS-TO \"com.microsoft.intune.mam.public.url\"",
    "\"public.url\" IN a.b", "NONE a UTI-CONFORMS-TO \"x\" AND ANY a UTI-CONFORMS-TO \"x\" <> NO",
  ]

  /// A random document: an app, an extension, or entitlements.
  static func value(_ random: inout SeededGenerator) -> (app: PropertyListValue, entitlements: PropertyListValue) {
    func texts(_ texts: [String]) -> PropertyListValue {
      PropertyListValue(.array(texts.map { PropertyListValue(.string($0)) }))
    }
    func text(_ text: String) -> PropertyListValue { PropertyListValue(.string(text)) }
    func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
      PropertyListValue(.dictionary(PropertyListDictionary(entries.map { .init($0.0, $0.1) })))
    }
    let isExtension = random.chance(30)
    var settings: [(String, PropertyListValue)] = []
    if random.chance(60) {
      let redirects = [
        "msauth.com.contoso.app://auth", "$(X)", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)://auth", "con toso:x",
      ]
      settings.append(("ADALRedirectUri", text(redirects.randomElement(using: &random) ?? "")))
    }
    if random.chance(40) {
      settings.append(("AppGroupIdentifiers", texts(random.some(["group.a", "group.$(B)"], upTo: 2))))
    }
    if random.chance(20) { settings.append(("ContainingAppBundleId", text("com.contoso.app"))) }
    var entries: [(String, PropertyListValue)] = [("IntuneMAMSettings", dictionary(settings))]
    let identifiers = ["com.contoso.app", "$(PRODUCT_BUNDLE_IDENTIFIER)", "com.contoso.app.share", "x"]
    if random.chance(90) {
      entries.append(("CFBundleIdentifier", text(identifiers.randomElement(using: &random) ?? "")))
    }
    if random.chance(80) {
      entries.append(("LSApplicationQueriesSchemes", texts(random.some(schemes, upTo: random.chance(15) ? 60 : 8))))
    }
    if random.chance(70) {
      let types = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        random.chance(90) ? dictionary([("CFBundleURLSchemes", texts(random.some(schemes, upTo: 4)))]) : dictionary([])
      }
      entries.append(("CFBundleURLTypes", PropertyListValue(.array(types))))
    }
    if random.chance(50) { entries.append(("NSFaceIDUsageDescription", text(random.chance(50) ? "" : "Why & how"))) }
    if isExtension {
      let rule =
        random.chance(80)
        ? text(predicates.randomElement(using: &random) ?? "")
        : dictionary([("NSExtensionActivationSupportsImageWithMaxCount", PropertyListValue(.integer(3)))])
      entries.append(
        ("NSExtension", dictionary([("NSExtensionAttributes", dictionary([("NSExtensionActivationRule", rule)]))])))
    }
    entries.append(
      (
        "Other",
        PropertyListValue(
          .array([PropertyListValue(.data([1, 2])), PropertyListValue(.real(0.5)), PropertyListValue(.date(7))]))
      ))
    entries.shuffle(using: &random)
    var entitled: [(String, PropertyListValue)] = []
    if random.chance(80) {
      let groups = [
        "com.contoso.app", "$(CFBundleIdentifier)", "com.microsoft.intune.mam", "com.microsoft.adalcache", "other",
      ]
      let prefix = random.chance(80) ? "$(AppIdentifierPrefix)" : "ABCDE12345."
      entitled.append(("keychain-access-groups", texts(random.some(groups.map { prefix + $0 }, upTo: 4))))
    }
    entitled.append(
      ("com.apple.security.application-groups", texts(random.some(["group.a", "group.c", "group.$(D)"], upTo: 3))))
    return (dictionary(entries), dictionary(entitled))
  }

  /// How a file is laid out.
  struct Layout {
    var lineBreak: String
    var unit: String
    var hasComments: Bool
    /// Whether empty containers are one tag.
    var hasEmptyTags: Bool

    init(_ random: inout SeededGenerator) {
      lineBreak = ["\n", "\n", "\r\n", "\r", ""].randomElement(using: &random) ?? "\n"
      unit = ["\t", "  ", "    ", ""].randomElement(using: &random) ?? "\t"
      hasComments = random.chance(50)
      hasEmptyTags = random.chance(50)
    }

    func text(_ value: PropertyListValue, _ depth: Int = 0) -> String {
      let gap = lineBreak + (lineBreak.isEmpty ? "" : String(repeating: unit, count: depth + 1))
      let end = lineBreak + (lineBreak.isEmpty ? "" : String(repeating: unit, count: depth))
      func container(_ name: String, _ parts: [String]) -> String {
        if parts.isEmpty, hasEmptyTags { return "<\(name)/>" }
        let comment = hasComments ? gap + "<!-- \(name) <b> & -->" : ""
        return "<\(name)>" + parts.map { gap + $0 }.joined(separator: hasComments ? " <!-- x -->" : "") + comment + end
          + "</\(name)>"
      }
      func escaped(_ text: String) -> String {
        text.replacing("&", with: "&#38;").replacing("<", with: "&lt;").replacing(
          "\"", with: hasComments ? "&quot;" : "\"")
      }
      return switch value.content {
      case .array(let elements): container("array", elements.map { text($0, depth + 1) })
      case .dictionary(let dictionary):
        container("dict", dictionary.entries.map { "<key>\(escaped($0.key))</key>" + gap + text($0.value, depth + 1) })
      case .string(let text): text.isEmpty && hasEmptyTags ? "<string/>" : "<string>\(escaped(text))</string>"
      case .integer(let number): "<integer>\(number)</integer>"
      case .unsigned(let number): "<integer>\(number)</integer>"
      case .real(let number): "<real>\(number)</real>"
      case .bool(let flag): flag ? "<true/>" : "<false/>"
      case .date: "<date>2001-01-01T00:00:07Z</date>"
      case .data: "<data>AQI=</data>"
      }
    }
  }

  /// Whether everything of one value is in another, in its order; of texts, their characters.
  static func holds(_ value: PropertyListValue, _ part: PropertyListValue) -> Bool {
    switch (value.content, part.content) {
    case (.dictionary(let whole), .dictionary(let part)):
      return part.entries.allSatisfy { entry in whole[entry.key].map { holds($0, entry.value) } ?? false }
    case (.array(let whole), .array(let part)):
      var rest = part[...]
      for element in whole where rest.first.map({ holds(element, $0) }) ?? false { rest.removeFirst() }
      return rest.isEmpty
    case (.string(let whole), .string(let part)): return isSubsequence(Array(part.utf8), of: Array(whole.utf8))
    default: return value == part
    }
  }

  static func isSubsequence<Element: Equatable>(_ part: [Element], of whole: [Element]) -> Bool {
    var index = 0
    for element in whole where index < part.count && element == part[index] { index += 1 }
    return index == part.count
  }

  /// The lines without empty values and predicates, which change.
  static func lines(_ bytes: [UInt8]) -> [Substring] {
    let changing = ["<array/>", "<dict/>", "<string/>", "<string></string>", "UTI-"]
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter { line in
      !changing.contains { line.contains($0) }
    }
  }

  static let repaired: Set<SettingsRule> = [
    .missingQuerySchemes, .missingBrokerSchemes, .missingTwinScheme, .missingFaceIDText, .redirectWithoutURLType,
    .missingContainingApp, .activationRuleWithoutTypes, .missingKeychainGroup, .keychainGroupOrder, .appGroupNotListed,
  ]

  struct Outcome {
    var bytes: [[UInt8]]
    var changes: Int
    var findings: [SettingsFinding]
    var notes: [SettingsRepairNote]
  }

  static func outcome(_ files: [[UInt8]]) throws -> Outcome {
    let document = try SettingsDocument.read(files[0], file: "Info.plist")
    let entitlements = try #require(EntitlementsDocument(try PropertyList.read(files[1]), file: "App.entitlements"))
    let repair = SettingsRepair(documents: [document], entitlements: [entitlements])
    let (one, other) = (repair.documents[0], repair.entitlements[0])
    return Outcome(
      bytes: [try one.applied(to: files[0]), try other.applied(to: files[1])],
      changes: one.changes.count + other.changes.count,
      findings: document.findings + AppComparison(documents: [document], entitlements: [entitlements]).findings,
      notes: one.notes + other.notes)
  }

  @Test("Lint finds nothing of what was repaired, all else stays, and a second repair changes nothing")
  func repairs() throws {
    var seen: Set<SettingsRule> = []
    for seed in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (app, entitlements) = Self.value(&random)
      let layout = Layout(&random)
      let forms = [
        [Array(layout.text(app).utf8), Array(layout.text(entitlements).utf8)],
        [BinaryPropertyListWriter.bytes(of: app), BinaryPropertyListWriter.bytes(of: entitlements)],
      ]
      for (form, files) in forms.enumerated() {
        let before = try Self.outcome(files)
        seen.formUnion(before.findings.map(\.rule))
        let after = try Self.outcome(before.bytes)
        #expect(after.changes == 0 && after.bytes == before.bytes, "seed \(seed), form \(form)")
        for finding in after.findings where Self.repaired.contains(finding.rule) {
          // What is left has a note that says why.
          let isNoted = after.notes.contains { $0.path.components.first == finding.path.components.first }
          #expect(isNoted, "seed \(seed), form \(form): \(finding)")
          #expect(
            ![.missingQuerySchemes, .missingBrokerSchemes, .missingFaceIDText, .missingKeychainGroup].contains(
              finding.rule),
            "seed \(seed), form \(form): \(finding)")
        }
        for (old, new) in zip(files, before.bytes) {
          // The order of keychain groups may change.
          let (one, other) = (try PropertyList.read(old).root, try PropertyList.read(new).root)
          let isExchanged = one.dictionary?["keychain-access-groups"] != nil
          #expect(isExchanged || Self.holds(other, one), "seed \(seed), form \(form)")
          guard form == 0, !isExchanged else { continue }
          if !layout.lineBreak.isEmpty {
            #expect(Self.isSubsequence(Self.lines(old), of: Self.lines(new)), "seed \(seed): lines changed")
          }
          #expect(Self.isSubsequence(old.filter { $0 != UInt8(ascii: "/") }, of: new), "seed \(seed): bytes are gone")
        }
      }
    }
    #expect(seen.isSuperset(of: Self.repaired))
  }
}

extension SeededGenerator {
  fileprivate mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  fileprivate mutating func some(_ texts: [String], upTo most: Int) -> [String] {
    (0..<below(most + 1)).compactMap { _ in texts.randomElement(using: &self) }
  }
}
