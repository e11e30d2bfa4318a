import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

@Suite("The token that is kept for a farewell")
struct TokenKeeperTests {
  private static let alice = PolicyEngineTests.alice
  private static let id = GUID("11111111-2222-3333-4444-555555555555")

  /// A keeper and an engine with Alice enrolled, of whom the service cannot be told that she left.
  private static func leaving() async throws -> (TestEngine, TestTokens, TokenKeeper) {
    let tokens = TestTokens()
    let keeper = TokenKeeper(tokens, clock: TestApp())
    let test = try await PolicyEngineTests.enrolled(tokens: keeper)
    test.app.answers.withLock { $0.unenrollment = ServiceFailure(.enrollmentEndPointNetworkFailure) }
    try await test.engine.send(
      .identifyAccount(AccountReference(objectID: id, userPrincipalName: "alice@contoso.com")))
    try await test.engine.enrollment.deregisterAndUnenroll(alice, wipe: false)
    try await test.engine.run()
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    return (test, tokens, keeper)
  }

  private static func hasToken(_ keeper: TokenKeeper, _ reference: AccountReference, isRenewal: Bool = false) async
    -> Bool
  {
    (try? await keeper.silentToken(TokenRequest(account: reference, isRenewal: isRenewal))) != nil
  }

  @Test("It is found by the account's id, its name and both, and not by a namesake's")
  func names() async throws {
    let (test, _, keeper) = try await Self.leaving()
    defer { withExtendedLifetime(test) {} }
    let (id, other) = (try #require(Self.id), try #require(GUID("99999999-2222-3333-4444-555555555555")))
    #expect(await Self.hasToken(keeper, AccountReference(objectID: id)))
    #expect(await Self.hasToken(keeper, Self.alice))
    #expect(await Self.hasToken(keeper, AccountReference(objectID: id, userPrincipalName: "alice@contoso.com")))
    #expect(await !Self.hasToken(keeper, AccountReference(objectID: other, userPrincipalName: "alice@contoso.com")))
  }

  @Test("Printing the keeper shows no token")
  func secrecy() async throws {
    let (test, tokens, keeper) = try await Self.leaving()
    defer { withExtendedLifetime(test) {} }
    tokens.answers.withLock { $0.silent = .success(AccessToken("s3cret")) }
    try await expectEqual(keeper.silentToken(TokenRequest(account: Self.alice)).secret, "s3cret")
    var text = "\(keeper) \(String(reflecting: keeper))"
    dump(keeper, to: &text)
    #expect(!text.contains("s3cret"), "\(text)")
  }

  @Test("One that the service refused is given once, not for ever")
  func refused() async throws {
    let (test, tokens, keeper) = try await Self.leaving()
    defer { withExtendedLifetime(test) {} }
    #expect(await Self.hasToken(keeper, Self.alice))
    #expect(await !Self.hasToken(keeper, Self.alice, isRenewal: true))
    #expect(await !Self.hasToken(keeper, Self.alice))
    expectEqual(tokens.answers.withLock { $0.requests.map(\.isRenewal) }.suffix(2), [true, false])
  }

  @Test("It is gone when the farewell is recorded, before the delegate hears of it, and not kept for the next stay")
  func nextStay() async throws {
    let (test, tokens, keeper) = try await Self.leaving()
    test.app.answers.withLock { $0.unenrollment = nil }
    let hadToken = Mutex<Bool?>(nil)
    test.app.hook.withLock { hook in
      hook = { text in
        guard text == "unenrollRequest a1 104" else { return }
        let has = await Self.hasToken(keeper, Self.alice)
        hadToken.withLock { $0 = has }
      }
    }
    test.app.advance(RetrySchedule.hour)
    try await test.engine.run()
    expectEqual(hadToken.withLock { $0 }, false)
    tokens.answers.withLock { $0.silent = .success(AccessToken("next")) }
    try await test.engine.send(.registerAndEnroll(Self.alice))
    #expect(await Self.hasToken(keeper, Self.alice))
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    #expect(await !Self.hasToken(keeper, Self.alice), "an account that stays needs no farewell")
  }

  @Test("A token that came after the farewell was recorded is not kept")
  func late() async throws {
    let tokens = TestTokens()
    let keeper = TokenKeeper(tokens, clock: TestApp())
    let test = try await PolicyEngineTests.enrolled(tokens: keeper)
    let engine = test.engine
    tokens.hook.withLock { hook in
      hook = { try? await engine.run() }
    }
    try await engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
    expectEqual(engine.state.accounts[.first]?.enrollment.status, .removed)
    tokens.hook.withLock { $0 = nil }
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    #expect(await !Self.hasToken(keeper, Self.alice))
  }

  @Test("After a relaunch, the provider's token is put aside again when the farewell asks for it")
  func relaunch() async throws {
    let tokens = TestTokens()
    let test = try await PolicyEngineTests.enrolled(tokens: TokenKeeper(TestTokens()))
    test.app.answers.withLock { $0.unenrollment = ServiceFailure(.enrollmentEndPointNetworkFailure) }
    try await test.engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
    try await test.engine.run()
    let keeper = TokenKeeper(tokens, clock: TestApp())
    try test.replaceEngine(tokens: keeper)
    try await test.engine.launch(ProcessStart())
    #expect(await Self.hasToken(keeper, Self.alice))
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    #expect(await Self.hasToken(keeper, Self.alice), "the app may remove its tokens now")
  }
}
