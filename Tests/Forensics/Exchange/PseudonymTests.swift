import Expectations
import JSON
import SensitiveText
import Testing

@testable import Forensics

@Suite("Pseudonyms")
struct PseudonymTests {
  private let pseudonyms = Pseudonyms(key: Array("a key of 20 bytes...".utf8)) ?? Pseudonyms()
  private static let texts = [
    "alice@contoso.com", "ALICE@contoso.com", "Alice@Contoso.com", "bob@contoso.com", "The server said no", "a@b@c",
    "@",
    "", "ü@contoso.com", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "withheld",
    "{{mail}}", "{{Mail}}", "{{Alice Smith}} {{mail}}", "{{alice smith}} {{mail}}", "for {{Alice Smith}}", "{{a@b}}",
    "x}}{{", "a@mail.contoso.com", "a@Eu.mail.contoso.com", "a@x..com", "a@com",
  ]

  @Test("A pseudonym is its own pseudonym, under any key")
  func idempotent() {
    for text in Self.texts {
      let pseudonym = pseudonyms.text(text)
      expectEqual(Pseudonyms().text(pseudonym), pseudonym, "\(text)")
      #expect(["withheld", "{{mail}}", "{{Mail}}"].contains(text) || pseudonym != text)
    }
    let bytes = pseudonyms.guid(Array(0..<16))
    #expect(bytes.count == 16 && Pseudonyms().guid(bytes) == bytes)
    expectEqual(Pseudonyms().fingerprint([1, 2, 3], of: bytes), [1, 2, 3])
  }

  @Test("Texts are equal, or equal but for their case, exactly where their pseudonyms are")
  func comparisons() {
    for one in Self.texts {
      for other in Self.texts {
        let (first, second) = (pseudonyms.text(one), pseudonyms.text(other))
        #expect(
          (one.lowercased() == other.lowercased()) == (first.lowercased() == second.lowercased()), "\(one), \(other)")
        // The case of a GUID means nothing.
        if one.utf8.count != 36 { #expect((one == other) == (first == second), "\(one), \(other)") }
      }
    }
  }

  @Test("Addresses of one domain stay recognisable, a GUID stays one, and another key gives another pseudonym")
  func forms() {
    func domain(_ text: String) -> Substring? { pseudonyms.text(text).split(separator: "@").last }
    expectEqual(domain("alice@contoso.com"), domain("bob@contoso.com"))
    #expect(domain("alice@contoso.com") != domain("alice@fabrikam.com"))
    #expect(pseudonyms.text(Self.texts[9]).hasPrefix("706a7264-"))
    #expect(Pseudonyms().text("alice@contoso.com") != pseudonyms.text("alice@contoso.com"))
    #expect(Pseudonyms(key: [UInt8](repeating: 0, count: 15)) == nil)
  }

  @Test("Domains above that of an address stay recognisable, down to two labels")
  func domains() {
    func domain(_ text: String) -> String { String(pseudonyms.text(text).drop { $0 != "@" }.dropFirst()) }
    let organization = domain("a@contoso.com")
    #expect(domain("b@eu.contoso.com").hasSuffix("." + organization))
    #expect(domain("b@x.eu.contoso.com").hasSuffix("." + domain("c@eu.contoso.com")))
    #expect(!domain("b@notcontoso.com").hasSuffix("." + organization))
    expectEqual(organization.split(separator: ".").count, 2)
  }

  @Test(
    "Placeholders stay recognisable, and a name in one that may be a person's does not stay",
    arguments: [
      ("{{mail}}", [], true), ("{{ UserPrincipalName }}", [], true),
      ("at {{mail}}, {{userid}}", ["mail", "userid"], false),
      ("{{mail}} and {{userid}}", ["mail", "userid"], true), ("{{a@b}}", [], true), ("{{mail", [], false),
    ] as [(String, [Substring], Bool)])
  func placeholders(text: String, names: [Substring], begins: Bool) {
    let pseudonym = pseudonyms.text(text)
    expectEqual(Placeholders.begin(pseudonym), begins)
    #expect(names.isEmpty || Placeholders.names(in: pseudonym) == names, "\(pseudonym)")
    let named = pseudonyms.text("{{Alice Smith}}")
    #expect(Placeholders.names(in: named).count == 1 && !named.contains("Alice"), "\(named)")
    expectEqual(TextPrivacy.isPseudonymOfOther(named), true)
  }

  @Test("Nothing prints the key of pseudonyms, and one that was read for them is not left in its array")
  func secrecy() throws {
    var key = [UInt8](repeating: 219, count: 32)
    let expected = Pseudonyms(key: key)?.text("alice@contoso.com")
    let pseudonyms = try #require(Pseudonyms(taking: &key))
    #expect(key == [UInt8](repeating: 0, count: 32) && pseudonyms.text("alice@contoso.com") == expected)
    for value in [pseudonyms, Optional(pseudonyms) as Any, [pseudonyms]] as [Any] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains("219") && !text.lowercased().contains("dbdb"), "\(text)")
    }
    var short = [UInt8](repeating: 219, count: 15)
    #expect(Pseudonyms(taking: &short) == nil && short == [UInt8](repeating: 0, count: 15))
  }

  @Test("In documents, addresses are replaced everywhere, and all texts where the field is personal")
  func documents() throws {
    let text = ##"{ "a": "Ask alice@contoso.com", "b": [1, 12345, true, "x"], "@odata.type": "#t" }"##
    let shown = try JSONDocument.parse(pseudonyms.json(text, isPersonal: false)).root
    #expect(try shown.required("a").string().hasSuffix("@text.invalid"))
    try expectEqual(shown.required("b").value, JSONDocument.parse(#"[1,12345,true,"x"]"#).value)
    let personal = try JSONDocument.parse(pseudonyms.json(text, isPersonal: true)).root
    let list = try #require(try personal.required("b").value.array)
    #expect(list[0].number?.text == "1" && list[1].string != nil && list[2].bool == true && list[3].string != "x")
    let plain = #"{ "a": 1 }"#
    expectEqual(pseudonyms.json(plain, isPersonal: false), plain)
    for isPersonal in [false, true] {
      let once = pseudonyms.json(text, isPersonal: isPersonal)
      expectEqual(Pseudonyms().json(once, isPersonal: isPersonal), once)
      #expect(Pseudonyms().json("no JSON a@b", isPersonal: isPersonal).hasPrefix("\""))
    }
  }
}
