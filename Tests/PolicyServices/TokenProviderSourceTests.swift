import Expectations
import AppProtection
import AppProtectionKit
import PolicyServices
import ServiceTesting
import Testing

@Suite("Tokens of the app's library")
struct TokenProviderSourceTests {
  /// A library that fails in one way, or gives a token that says how it was asked.
  private struct Library: TokenProvider {
    var failure: TokenFailure?

    func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
      if let failure { throw failure }
      return AccessToken("silent:\(request.account.objectID?.description ?? "")")
    }

    func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
      if let failure { throw failure }
      return AccessToken("interactive")
    }
  }

  @Test("A token is asked for silently, unless the user may be asked")
  func tokens() async {
    let source = TokenProviderSource(Library())
    await expectEqual(source.accessToken(for: .alice, .init()), .token("silent:\(TestFolder.alice)"))
    await expectEqual(source.accessToken(for: .alice, .init(isSilent: false)), .token("interactive"))
  }

  @Test(
    "Each failure has its code",
    arguments: [
      (TokenFailure.interactionRequired, 203), (.protectionRequired, 203), (.canceled, 219), (.unreachable("x"), 205),
      (.library(code: -50000, "x"), 217),
    ] as [(TokenFailure, UInt32)])
  func failures(failure: TokenFailure, code: UInt32) async throws {
    let tokens = TokenProviderSource(Library(failure: failure))
    let service = HTTPService(
      at: try ServiceAddress(ScriptedTransport.root),
      app: .init(
        bundleID: "com.contoso.notes", version: "2.0", sdkVersion: "19.2.0", platformVersion: "17.0",
        deviceType: "iPhone", deviceTag: "tag"), tokens: tokens, transport: ScriptedTransport.managed(), retry: .none,
      random: { 0 })
    let answer = await service.enroll(.alice)
    expectEqual(answer.code, code)
    // Conditional access is named by its number, so that a remediation follows.
    #expect((answer.error?.hasPrefix("-50004: ") == true) == (failure == .protectionRequired))
    let outcome = await service.remediate(.alice, isSilent: true)
    #expect((outcome.status == .interactionRequired) == (code == 203))
  }
}
