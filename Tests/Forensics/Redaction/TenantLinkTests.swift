import Expectations
import SensitiveText
import Testing

@Suite("Names of tenants in texts")
struct TenantLinkTests {
  @Test(
    "A link of an authority is withheld where it names a tenant, however it is written",
    arguments: [
      "https://login.microsoftonline.com/contoso.com", "HTTPS://LOGIN.MICROSOFTONLINE.COM:443/Contoso.com",
      "https://login.microsoftonline.com/common/../contoso.com", "https://login.microsoftonline.com/common/contoso.com",
      "https://login.microsoftonline.com/common/6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01/oauth2",
      "https://login-us.microsoftonline.com/contoso.com", "https://sts.contoso.example/adfs",
      "https://contoso.b2clogin.com/contoso/x", "https://contoso.ciamlogin.com/", "of https://contoso.onmicrosoft.com",
      "https://accounts.accesscontrol.windows.net/contoso.com/tokens",
      "https://login.microsoftonline.com/common/oauth2?x=1&domain_hint=contoso.com",
      "https://login.microsoftonline.com/organizations?tenant=contoso", "login.microsoftonline.com/contoso/oauth2",
      #"{"authority":"https:\/\/login.microsoftonline.com\/contoso.com"}"#,
      "?u=https%3A%2F%2Flogin.microsoftonline.com%2Fcommon%2F..%2Fcontoso.com",
    ])
  func named(text: String) {
    #expect(TextPrivacy.identifies(text))
    #expect(TextPrivacy.shown(text, revealsPersons: false) == nil)
  }

  @Test(
    "What names none is shown",
    arguments: [
      "https://login.microsoftonline.com/common/oauth2/v2.0/authorize", "https://login.microsoftonline.com/",
      "https://login.microsoftonline.com/consumers?domain_hint=consumers", "https://login.microsoftonline.com?x=1",
      "N/A", "login/contoso.com", "login.microsoftonline.com/contoso", "see login.html/help", "login.contoso.com/a/b",
      "https://blogin.example/contoso",
      "https://logins.example/contoso", "onmicrosoft.com", "https://graph.microsoft.com/v1.0/users",
    ])
  func none(text: String) {
    #expect(!TextPrivacy.identifies(text))
    expectEqual(TextPrivacy.shown(text, revealsPersons: false), text)
  }

  @Test("A text of more authorities than are looked at is not shown")
  func many() {
    let link = "https://login.microsoftonline.com/common "
    #expect(!TextPrivacy.identifies(String(repeating: link, count: 64)))
    #expect(TextPrivacy.identifies(String(repeating: link, count: 65)))
  }
}
