import SensitiveText
import Testing

@Suite("Names of secrets")
struct SecretNamesTests {
  @Test(
    "A name with the word of a secret in it, however it is written, is that of one",
    arguments: [
      "password", "Server.password", "clientSecret", "api_key", "API-KEY", "doorPIN", "wifiPsk", "passwordHint",
      "x.otp", "access key", "signingKey2",
    ])
  func secrets(name: String) {
    #expect(SecretNames.contain(name))
  }

  @Test(
    "Other names, and what stands for a secret, are none",
    arguments: ["", "key", "spinner", "compass", "description", "pinned", "(secret)", "a(secret)b"])
  func others(name: String) {
    #expect(!SecretNames.contain(name))
  }
}
