import Expectations
import PolicyServices
import Testing

@Suite("The address of a service")
struct ServiceAddressTests {
  @Test(
    "It is shown without what does not matter",
    arguments: [
      ("https://graph.microsoft.com/beta", "https://graph.microsoft.com/beta"),
      ("HTTPS://Graph.Microsoft.com:443/Beta//", "https://graph.microsoft.com/Beta"),
      ("https://graph.contoso.com:8443", "https://graph.contoso.com:8443"),
      ("http://127.0.0.1:8080/beta", "http://127.0.0.1:8080/beta"), ("http://[::1]:80/", "http://[::1]"),
      ("http://localhost/", "http://localhost"),
    ])
  func accepted(text: String, shown: String) throws {
    try expectEqual(ServiceAddress(text).description, shown)
  }

  @Test(
    "Anything else is refused with the reason",
    arguments: [
      ("graph.microsoft.com", "no scheme"), ("http://graph.microsoft.com", "by https only"),
      ("ftp://x", "by https only"),
      ("https://", "no host"), ("https://x:99999", "no port"), ("https://x:", "no port"), ("https://u@x", "no user"),
      ("https://x/?a", "no user, query or fragment"), ("https://x/#a", "no user, query or fragment"),
      ("https://x/../beta", "the segment \"..\""), ("https://x/beta/%2E", "the segment \".\""),
      ("https://x/..;a/beta", "the segment \"..\""), ("https://x y", "characters"), ("https://x/\u{e9}", "characters"),
      ("https://" + String(repeating: "x", count: 2_048), "too long"),
    ])
  func refused(text: String, reason: String) {
    let mistake = #expect(throws: ServiceAddress.Mistake.self) { try ServiceAddress(text) }
    expectEqual(mistake?.description.contains(reason), true, "\(mistake?.description ?? "")")
  }
}
