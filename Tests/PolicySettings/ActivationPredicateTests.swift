import Expectations
import PropertyList
import Testing

@testable import PolicySettings

@Suite("Activation rules")
struct ActivationPredicateTests {
  /// A predicate after its repair.
  private static func repaired(_ predicate: String) throws -> (text: String?, notes: [String]) {
    var document = Array("<dict><key>IntuneMAMSettings</key><dict/>".utf8)
    let escaped = predicate.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    document += SettingSamples.sharing(rule: "<string>\(escaped)</string>").utf8 + Array("</dict>".utf8)
    let repair = SettingsRepair(documents: [try SettingsDocument.read(document)]).documents[0]
    let after = try PropertyList.read(try repair.applied(to: document)).root.dictionary
    let rule = after?["NSExtension"]?.dictionary?["NSExtensionAttributes"]?.dictionary?["NSExtensionActivationRule"]
    return (rule?.string, repair.notes.filter { $0.path.components.first == .key("NSExtension") }.map(\.message))
  }

  private static let managed = "com.microsoft.intune.mam."

  @Test(
    "A twin stands beside its type as an alternative, in parentheses where more belongs to the comparison",
    arguments: [
      ("ANY a UTI-CONFORMS-TO \"x\"", "ANY a UTI-CONFORMS-TO \"x\" || ANY a UTI-CONFORMS-TO \"@x\""),
      (
        "SUBQUERY(e, $e, SUBQUERY ($e.attachments, $a, ANY $a.types UTI-CONFORMS-TO 'x' || ANY $a.types uti-equals \"y\").@count == 1)",
        "SUBQUERY(e, $e, SUBQUERY ($e.attachments, $a, ANY $a.types UTI-CONFORMS-TO 'x' || ANY $a.types UTI-CONFORMS-TO '@x' || ANY $a.types uti-equals \"y\" || ANY $a.types uti-equals \"@y\").@count == 1)"
      ),
      (
        "some a UTI-CONFORMS-TO \"x\" && b == 1",
        "(some a UTI-CONFORMS-TO \"x\" || some a UTI-CONFORMS-TO \"@x\") && b == 1"
      ),
      ("NOT a UTI-CONFORMS-TO \"x\"", "NOT (a UTI-CONFORMS-TO \"x\" || a UTI-CONFORMS-TO \"@x\")"),
      (
        "ANY a UTI-CONFORMS-TO \"x\" OR ANY a UTI-CONFORMS-TO \"@x\"",
        "ANY a UTI-CONFORMS-TO \"x\" OR ANY a UTI-CONFORMS-TO \"@x\""
      ),
    ])
  func twins(before: String, after: String) throws {
    let result = try Self.repaired(before.replacing("@x", with: Self.managed + "x"))
    #expect(
      result.text == after.replacing("@x", with: Self.managed + "x").replacing("@y", with: Self.managed + "y")
        && result.notes.isEmpty)
  }

  @Test(
    "What is no comparison with one of the attachment's types is left alone, with a note",
    arguments: [
      ("ALL a UTI-CONFORMS-TO \"x\"", "whether \"x\" is a type that an attachment may have does not show"),
      ("\"x\" IN a", "whether \"x\" is a type that an attachment may have does not show"),
      ("a UTI-CONFORMS-TO \"x", "the predicate names no type"), ("", "the predicate names no type"),
      (" truepredicate ", "TRUEPREDICATE accepts everything, and the App Store takes no extension with it"),
    ])
  func unclear(predicate: String, note: String) throws {
    let result = try Self.repaired(predicate)
    #expect(result.text == predicate && result.notes == [note])
  }

  @Test("A dictionary becomes a predicate with every type and its twin, where that is asked for")
  func conversion() throws {
    let rule =
      "<dict><key>NSExtensionActivationSupportsImageWithMaxCount</key><integer>5</integer>"
      + "<key>NSExtensionActivationSupportsText</key><true/>"
      + "<key>NSExtensionActivationSupportsMovieWithMaxCount</key><integer>0</integer>"
      + "<key>NSExtensionActivationSupportsAttachmentsWithMaxCount</key><integer>7</integer></dict>"
    let text = "<dict><key>IntuneMAMSettings</key><dict/>\(SettingSamples.sharing(rule: rule))</dict>"
    let document = try SettingsDocument.read(Array(text.utf8))
    var options = SettingsRepair.Options()
    let note = SettingsRepair(documents: [document], options: options).documents[0].notes.map(\.message)
    #expect(
      note.contains("a dictionary cannot name the SDK's types, and how the system reads one is not fully published"))
    options.convertsRules = true
    let repair = SettingsRepair(documents: [document], options: options).documents[0]
    let fixed = try SettingsDocument.read(try repair.applied(to: Array(text.utf8)))
    #expect(!fixed.findings.contains { $0.rule == .activationRuleWithoutTypes })
    let image = "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"public.image\""
    let managed = "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"\(Self.managed)public.image\""
    #expect(
      fixed.activationRule?.string?.hasPrefix(
        "SUBQUERY(extensionItems, $extensionItem, $extensionItem.attachments.@count <= 7 AND SUBQUERY($extensionItem.attachments, $attachment, \(image) || \(managed)).@count <= 5 AND SUBQUERY("
      ) ?? false)
    expectEqual(fixed.activationTypes?.contains("public.movie"), false)
    expectEqual(fixed.activationTypes?.contains(Self.managed + "public.plain-text"), true)
    for odd in [
      "<key>NSExtensionActivationSupportsSound</key><true/>",
      "<key>NSExtensionActivationSupportsText</key><string>YES</string>",
    ] {
      let odd = "<dict><key>IntuneMAMSettings</key><dict/>\(SettingSamples.sharing(rule: "<dict>\(odd)</dict>"))</dict>"
      let repair = SettingsRepair(documents: [try SettingsDocument.read(Array(odd.utf8))], options: options).documents[
        0]
      #expect(
        repair.notes.map(\.message).contains("the dictionary has a key or a value that no predicate is known for"))
    }
  }
}
