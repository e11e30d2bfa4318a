import Expectations
import PropertyList
import Testing

@testable import PolicySettings
@testable import PropertyList

/// What public apps look like, repaired: nothing that is repaired is left for lint, and nothing else changes.
@Suite("Repairs of public apps' shapes")
struct PublicShapeTests {
  /// The forms in which a file may come.
  private static let forms: [(name: String, bytes: @Sendable (PublicShape) throws -> [UInt8])] = [
    ("as published", { Array($0.text().utf8) }), ("CRLF", { Array($0.text(lineBreak: "\r\n").utf8) }),
    ("CR", { Array($0.text(lineBreak: "\r").utf8) }),
    ("with comments", { Array($0.text(comment: " <!-- <b> & -->").utf8) }),
    ("with a byte order mark", { [0xEF, 0xBB, 0xBF] + Array($0.text().utf8) }),
    (
      "UTF-16",
      {
        [0xFF, 0xFE]
          + $0.text().replacing("UTF-8", with: "UTF-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      }
    ),
    ("built", { BinaryPropertyListWriter.bytes(of: try PropertyList.read(Array($0.text().utf8)).root) }),
  ]

  private struct Outcome {
    var bytes: [UInt8]
    var rules: Set<SettingsRule>
    var changes: [SettingsChange]
    var notes: [SettingsRepairNote]
  }

  private static func repaired(_ bytes: [UInt8]) throws -> Outcome {
    let document = try SettingsDocument.read(bytes, file: "Info.plist")
    #expect(SettingsRepair.refusal(of: document) == nil)
    var options = SettingsRepair.Options()
    options.createsSettings = true
    options.convertsRules = true
    let repair = SettingsRepair(documents: [document], options: options).documents[0]
    let new = try repair.applied(to: bytes)
    let rules = try SettingsDocument.read(new, file: "Info.plist").findings.map(\.rule)
    return Outcome(bytes: new, rules: Set(rules), changes: repair.changes, notes: repair.notes)
  }

  /// What a repair of a single file leaves to lint: settings that the owner chooses, and what depends on build variables.
  private static let left: Set<SettingsRule> = [
    .missingClientID, .missingRedirect, .backgroundTasks, .sceneWithoutDelegate, .missingContainingApp,
    .missingTwinScheme, .lockedFiles,
  ]

  @Test(
    "Twenty shapes in every form: once repaired, lint finds nothing of it, and all else stays",
    arguments: PublicShape.all)
  func shapes(shape: PublicShape) throws {
    for (form, make) in Self.forms {
      let bytes = try make(shape)
      let outcome = try Self.repaired(bytes)
      #expect(!outcome.changes.isEmpty, "\(form)")
      #expect(outcome.rules.isSubset(of: Self.left), "\(form): \(outcome.rules.subtracting(Self.left))")
      let again = try Self.repaired(outcome.bytes)
      #expect(again.changes.isEmpty && again.bytes == outcome.bytes, "\(form)")
      let (old, new) = (try PropertyList.read(bytes), try PropertyList.read(outcome.bytes))
      expectEqual(old.format, new.format)
      let changed = [
        "LSApplicationQueriesSchemes", "CFBundleURLTypes", "NSFaceIDUsageDescription", "NSExtension",
        "IntuneMAMSettings",
      ]
      for entry in try #require(old.root.dictionary).entries where !changed.contains(entry.key) {
        expectEqual(new.root.dictionary?[entry.key], entry.value, "\(form): \(entry.key)")
      }
      try expectAdditions(shape, old.root, new.root, form)
      guard old.format == .xml, form != "UTF-16" else { continue }
      let lines = (SettingsRepairPropertyTests.lines(bytes), SettingsRepairPropertyTests.lines(outcome.bytes))
      let isConverted = shape.queries == nil
      #expect(isConverted || SettingsRepairPropertyTests.isSubsequence(lines.0, of: lines.1), "\(form): lines changed")
      let breaks = Set(String(decoding: outcome.bytes, as: UTF8.self).filter(\.isNewline))
      expectEqual(breaks, Set(String(decoding: bytes, as: UTF8.self).filter(\.isNewline)), "\(form): line ends")
    }
  }

  /// What a repair adds to an app: the schemes it opens by, those it asks for, and the text for Face ID.
  private func expectAdditions(
    _ shape: PublicShape, _ old: PropertyListValue, _ new: PropertyListValue, _ form: String
  ) throws {
    func links(_ root: PropertyListValue) -> [String] {
      (root.dictionary?["CFBundleURLTypes"]?.array ?? []).flatMap { type in
        (type.dictionary?["CFBundleURLSchemes"]?.array ?? []).compactMap(\.string)
      }
    }
    let dictionary = try #require(new.dictionary)
    #expect(dictionary["IntuneMAMSettings"]?.dictionary != nil, "\(form)")
    guard let queries = shape.queries else {
      let attributes = dictionary["NSExtension"]?.dictionary?["NSExtensionAttributes"]?.dictionary
      let rule = try #require(attributes?["NSExtensionActivationRule"]?.string, "\(form)")
      return #expect(rule.contains("\"com.microsoft.intune.mam.public."), "\(form): \(rule)")
    }
    let added = links(new).filter { !links(old).contains($0) }
    expectEqual(added, shape.twins, "\(form)")
    expectEqual(dictionary["LSApplicationQueriesSchemes"]?.array?.count, queries, "\(form)")
    #expect((old.dictionary?["NSFaceIDUsageDescription"] == nil) == shape.lacksFaceIDText)
    expectEqual(dictionary["NSFaceIDUsageDescription"]?.string?.isEmpty, false, "\(form)")
  }

  @Test("An app, its extension and its entitlements fit together afterwards")
  func together() throws {
    let shapes = PublicShape.all.filter { $0.source.hasPrefix("mattermost/") }
    let files = (shapes + [PublicShape.entitlements]).map { Array($0.text().utf8) }
    let names = ["App/Info.plist", "Share/Info.plist"]
    func plan(_ files: [[UInt8]]) throws -> (SettingsRepair, AppComparison) {
      let documents = try zip(names, files).map { try SettingsDocument.read($1, file: $0) }
      let entitlements = try #require(
        EntitlementsDocument(try PropertyList.read(files[2]), file: "App/App.entitlements"))
      var options = SettingsRepair.Options()
      options.createsSettings = true
      return (
        SettingsRepair(documents: documents, entitlements: [entitlements], options: options),
        AppComparison(documents: documents, entitlements: [entitlements])
      )
    }
    let repair = try plan(files).0
    let fixed = try zip(repair.documents + repair.entitlements, files).map { try $0.applied(to: $1) }
    let (again, comparison) = try plan(fixed)
    #expect(again.documents.allSatisfy { $0.changes.isEmpty } && again.entitlements.allSatisfy { $0.changes.isEmpty })
    #expect(comparison.findings.allSatisfy { !SettingsRepairPropertyTests.repaired.contains($0.rule) })
    let texts = fixed.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts[0].contains("<string>group.io.owslab.mattermost.rnbeta</string>"))
    #expect(texts[1].contains("<key>ContainingAppBundleId</key>\n\t\t<string>com.mattermost.rnbeta</string>"))
    #expect(
      texts[2].hasSuffix(
        "\t<array>\n\t\t<string>$(AppIdentifierPrefix)com.mattermost.rnbeta</string>\n\t\t<string>$(AppIdentifierPrefix)com.microsoft.intune.mam</string>\n\t\t<string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>\n\t</array>\n</dict>\n</plist>\n"
      ), "\(texts[2])")
  }

  @Test("Every source stands once, and there are twenty at least")
  func sources() {
    #expect(Set(PublicShape.all.map(\.source)).count == PublicShape.all.count && PublicShape.all.count >= 20)
  }
}
