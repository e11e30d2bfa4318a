import Testing

@testable import SensitiveText

@Suite("The signs of sensitive texts")
struct TextSignsTests {
  /// What sensitive texts are made of.
  private static let parts = ["code", "=", "%3D", "%40", "@", "//", "/", "login.h", "?", "&", ":", " ", "x"]

  @Test("A text without a sign has nothing that the whole search finds")
  func quick() {
    var texts = [""]
    for _ in 0..<4 { texts += texts.flatMap { text in Self.parts.map { text + $0 } } }
    for text in Set(texts) {
      let signs = TextSigns(of: text)
      if !signs.allowSecrets { #expect(LinkSecrets.replaced(text) == nil, "\(text)") }
      // Slashes make it look for more, and add neither an address nor a tenant.
      if !signs.allowPersons { #expect(!TextPrivacy.identifies("// \(text)"), "\(text)") }
    }
  }

  @Test("Hardly any text has a sign")
  func plain() {
    for text in ["", "Contoso policy", "a/b", "1.2.3", "2020-09-13", "a: b; c & d?"] {
      let signs = TextSigns(of: text)
      #expect(!signs.allowSecrets && !signs.allowPersons && !signs.allowSensitiveNames, "\(text)")
    }
    #expect(!TextSigns(of: "ada@contoso.com").allowSecrets && !TextSigns(of: "https://h.example/a").allowSecrets)
    #expect(TextSigns(of: "11111111-2222-3333-4444-555555555555").allowSensitiveNames)
  }
}
