import Expectations
import EventSourcing
import JSON
import SensitiveText
import Testing

@testable import Forensics

@Suite("What is personal and what is secret in a text")
struct TextPrivacyTests {
  @Test(
    "The value of a parameter that is named like a secret is withheld, and the rest of the link stays",
    arguments: [
      ("msauth.c23://auth?code=abc&state=1", "msauth.c23://auth?code=(secret)&state=1"),
      ("https://h.example/a?x=1;TOKEN=abc;y=2", "https://h.example/a?x=1;TOKEN=(secret);y=2"),
      ("/a?sv=1&sig=a%2Bb%3D", "/a?sv=1&sig=(secret)"),
      ("https://h.example/#access_token=a.b-c", "https://h.example/#access_token=(secret)"),
      ("see https://h.example/?%63ode=abc, please", "see https://h.example/?%63ode=(secret) please"),
      ("<a href=\"https://h.example/?a=1&amp;key=abc\">", "<a href=\"https://h.example/?a=1&amp;key=(secret)\">"),
      ("code=abc", "code=(secret)"), ("grant_type=x&client_assertion=a.b", "grant_type=x&client_assertion=(secret)"),
      ("failed: grant_type=x&code=abc (400)", "failed: grant_type=x&code=(secret) (400)"),
      ("https://h.example/a;sessionid=abc/b", "https://h.example/a;sessionid=(secret)"),
      ("https://h.example/?u=https%3A%2F%2Fi.example%2F%3Fcode%3Dabc&x=1", "https://h.example/?u=(secret)&x=1"),
      ("https://h.example/?u=https://i.example/?code=abc", "https://h.example/?u=https://i.example/?code=(secret)"),
      ("https%3A%2F%2Fh.example%2F%3Fid_token%3Dabc", "(secret)"),
      ("https://h.example/#/cb/code=abc", "https://h.example/#/cb/code=(secret)"),
      (
        "https://h.example/?X-Amz-Signature=abc&api_key=d",
        "https://h.example/?X-Amz-Signature=(secret)&api_key=(secret)"
      ),
      ("https://u:pass@h.example/a", "https://u:(secret)@h.example/a"),
      ("https://u:p?code=abc", "https://u:p?code=(secret)"),
      ("https://u:p/a#s?s@h.example/a", "https://u:(secret)@h.example/a"),
      ("code=Splx&redirect_uri=https://h.example/cb", "code=(secret)&redirect_uri=https://h.example/cb"),
      (
        "client_id=a&client_secret=Zm9v&redirect_uri=https://h.example/cb",
        "client_id=a&client_secret=(secret)&redirect_uri=https://h.example/cb"
      ),
      (
        "failed: code=abc&redirect_uri=https://h.example/cb (400)",
        "failed: code=(secret)&redirect_uri=https://h.example/cb (400)"
      ),
      ("Pwd=abc;Url=https://x/y", "Pwd=(secret);Url=https://x/y"),
      ("at Url=//x/y;Key=abc end", "at Url=//x/y;Key=(secret) end"),
      ("at code=ab//cd&a=1 end", "at code=(secret)&a=1 end"), ("at code=a?b&a=1 end", "at code=(secret)&a=1 end"),
      ("https://h/cb&code=abc", "https://h/cb&code=(secret)"),
      ("https://h/a/code=abc", "https://h/a/code=(secret)"), ("wrong: pwd=abc, again", "wrong: pwd=(secret) again"),
      ("Code=-1001,accessToken=abc (4)", "Code=-1001,accessToken=(secret) (4)"),
    ])
  func links(text: String, shown: String) {
    expectEqual(TextPrivacy.withoutSecrets(text), shown)
    expectEqual(TextPrivacy.withoutSecrets(shown), shown, "What was replaced stays")
    #expect(TextPrivacy.holdsSecret(text) && !TextPrivacy.holdsSecret(shown))
    #expect(Redaction.revealing.shown(text) == shown && !Redaction.revealing.shows(text: text))
    expectEqual(Redaction.on.shown(text), text.contains("@") ? nil : shown)
    #expect(Redaction.revealing.shown(text, .account) == shown && Redaction.revealing.shown(text, .secret) == nil)
  }

  @Test(
    "A secret extends to the next parameter, whatever signs it has",
    arguments: [
      ("https://h/x?sig=ab;cd", "https://h/x?sig=(secret)"), ("https://h/x?token=ab?cd", "https://h/x?token=(secret)"),
      ("https://h/x?sig=a?b;c#d&e&x=1", "https://h/x?sig=(secret)&x=1"),
      ("?code=a#_=_", "?code=(secret)#_=_"), ("?sig=ab;cd=&x=1", "?sig=(secret)&x=1"),
      ("?sig=ab;cd==", "?sig=(secret)"), ("?code=a&amp;x=1", "?code=(secret);x=1"),
      ("?code=;abc", "?code=(secret)"), ("?code=(secret);cd", "?code=(secret)"), ("?x=a;b?c", nil),
      ("?code=\"ab cd\"&x=1", "?code=\"(secret)\"&x=1"),
      ("its password=\"a \\\" b\" end", "its password=\"(secret)\" end"),
      ("its password=\"a b", "its password=\"(secret)"), ("Pwd='ab c;d=e' x=1", "Pwd=(secret) x=1"),
      ("Pwd='a;b=c';d=e", "Pwd=(secret);d=e"), ("Pwd='a b", "Pwd=(secret)"), ("Pwd='", "Pwd=(secret)"),
      ("its password=\"\" end", nil), ("password=\"true\"", nil),
    ] as [(String, String?)])
  func extents(text: String, shown: String?) {
    #expect(TextPrivacy.withoutSecrets(text) == shown ?? text)
    #expect(TextPrivacy.withoutSecrets(shown ?? text) == shown ?? text, "What was replaced stays")
  }

  @Test(
    "Other texts stay",
    arguments: [
      "", "Contoso policy", "https://h.example/a?state=1&page=2", "NSURLErrorDomain Code=-1001 \"timed out\"", "a = b",
      "https://h.example/?code=", "https://h.example/?token=false&code=(secret)", "what? code=5",
      "error_code=5&codes=3", "NSErrorFailingURLKey=https://h.example/?a=1&b=2, more", "at code=\"abc\" end",
      "password: abc", "Authorization: Bearer abc", "R&D;a", "https://h.example:/a:b", "//[::1]:80/a",
      "100%", "50%25", "https://h.example:8080/a:b", "1.2.3", "a/b/c",
      "https://login.microsoftonline.com/common/oauth2?x=1",
      "https://login.microsoftonline.com/", "https://blogin.example/contoso", "login.contoso.com/a/b",
    ])
  func plain(text: String) {
    for redaction in [Redaction.on, .revealing] {
      #expect(redaction.shown(text) == text && redaction.shows(text: text))
    }
    expectEqual(Pseudonyms().shown(text), text)
  }

  @Test(
    "A text that identifies someone is withheld by one output where another has a pseudonym for it",
    arguments: [
      "https://login.microsoftonline.com/contoso.com", "HTTPS://STS.WINDOWS.NET/contoso/",
      "no answer of https://login.microsoftonline.com/contoso.com/oauth2, again", "alice@contoso.com",
      "?hint=alice%40contoso.com",
      "?u=https%3A%2F%2Flogin.microsoftonline.com%2Fcontoso.com", "https://login.microsoftonline.com/common@x",
      "https://login.microsoftonline.com//contoso.com",
    ])
  func identifying(text: String) {
    #expect(
      Redaction.on.shown(text) == nil && !Redaction.on.shows(text: text) && Redaction.revealing.shown(text) == text)
    #expect(Pseudonyms().shown(text).hasSuffix(".invalid"))
    #expect(ValueText(.on).text(.text(text)) == "(withheld)" && ValueText(.on).text(.name(text)) == "(withheld)")
    let withheld = JSONValue.object([.init("redacted", .string("account"))])
    #expect(ValueJSON(.on).json(.text(text)) == withheld && ValueJSON(.on).json(.name(text)) == withheld)
    expectEqual(ValueJSON(.revealing).json(.text(text)), .string(text))
  }

  @Test("A link that is encoded too often to look into it is not shown")
  func encodedOften() {
    var link = "https://h.example/?code=abc"
    for _ in 0..<8 { link = "https://h.example/?u=" + link.replacing("%", with: "%25").replacing("=", with: "%3D") }
    #expect(!TextPrivacy.withoutSecrets(link).contains("abc"))
    #expect(Redaction.on.shown("%252525252540") == nil && Redaction.revealing.shown("%252525252540") == "(secret)")
  }

  @Test("Documents are judged by their texts, also where they are written with escapes")
  func documents() throws {
    let tenant = #"{"a":["https:\/\/login.microsoftonline.com\/contoso.com"]}"#
    #expect(Redaction.on.shown(json: tenant) == nil && Redaction.revealing.shown(json: tenant) == tenant)
    let address = #"{"a":"alice\u0040contoso.com"}"#
    #expect(Redaction.on.shown(json: address) == nil)
    let link = #"{"a": ["https:\/\/h.example\/?x=1\u0026code=abc"]}"#
    let shown = #"{"a":["https://h.example/?x=1&code=(secret)"]}"#
    for redaction in [Redaction.on, .revealing] { expectEqual(redaction.shown(json: link), shown) }
    #expect(Pseudonyms().json(link, isPersonal: false) == shown && Pseudonyms().json(shown, isPersonal: false) == shown)
    let plain = #"{ "a": "b\n", "c": 1 }"#
    expectEqual(Redaction.on.shown(json: plain), plain)
    expectEqual(Redaction.on.shown(json: "no JSON ?code=abc"), "no JSON ?code=(secret)")
    let value = try JSONDocument.parse(link).value
    try expectEqual(Redaction.on.shown(value), JSONDocument.parse(shown).value)
    #expect(try Redaction.on.shown(JSONDocument.parse(tenant).value) == nil)
  }

  @Test("A secret with a question mark in it is found in the middle of a sentence")
  func question() {
    expectEqual(
      TextPrivacy.withoutSecrets("failed: code=ab?cd&redirect_uri=//h/x?state=1, again"),
      "failed: code=(secret)&redirect_uri=//h/x?state=1, again")
    expectEqual(TextPrivacy.withoutSecrets("see Code=-1001?a"), "see Code=-1001?a")
  }

  @Test("A text of any number of signs is judged, whatever a secret's name follows")
  func signs() {
    let signs = String(repeating: "a=", count: 20_000)
    #expect(!TextPrivacy.holdsSecret("?" + signs))
    expectEqual(TextPrivacy.withoutSecrets("?\(signs)code=abc"), "?\(signs)code=(secret)")
    for sign in ["&", ";", "//", "%25", "@", "?", ":@//", "//u:p/", ";a", "#=", "'", "code=null&", "code='"] {
      let text = String(repeating: sign, count: 5_000)
      expectEqual(TextPrivacy.holdsSecret("?a=@" + text), sign.hasPrefix("code="), "\(sign)")
    }
  }

  @Test("A key of a path is shown as a value is")
  func paths() {
    let tenant = "/a/https:%2F%2Flogin.microsoftonline.com%2Fcontoso.com/b"
    expectEqual(Redaction.on.shown(statePath: tenant), "/a/(withheld)/b")
    expectEqual(Redaction.revealing.shown(statePath: tenant), tenant)
    let link = "/a/https:%2F%2Fh.example%2F?code=abc/b"
    for redaction in [Redaction.on, .revealing] { expectEqual(redaction.shown(statePath: link), "/a/(secret)/b") }
    expectEqual(Redaction.on.shown(statePath: "/a/x%2Fy"), "/a/x%2Fy")
  }
}
