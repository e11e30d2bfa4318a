import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("The manager of enrollments")
struct EnrollmentManagerTests {
  static let alice = PolicyEngineTests.alice
  static let bob = PolicyEngineTests.bob

  @Test("It lists registered, enrolled and allowed accounts and the device's, as the journal has them")
  func accounts() async throws {
    let test = try TestEngine()
    let enrollment = test.engine.enrollment
    try await test.engine.launch(ProcessStart())
    #expect(enrollment.registeredAccounts.isEmpty && enrollment.enrolledAccount == nil)
    #expect(enrollment.allowedAccounts == nil && enrollment.deviceAccount == nil)
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await enrollment.registerAndEnroll(Self.alice)
    try await test.engine.run()
    try await test.engine.send(.setAllowedAccounts([Self.alice, Self.bob]))
    try await test.engine.send(.setDeviceAccount(Self.bob))
    expectEqual(enrollment.registeredAccounts.map(\.account), [.first])
    #expect(enrollment.enrolledAccounts.map(\.account) == [.first] && enrollment.enrolledAccount?.account == .first)
    expectEqual(enrollment.allowedAccounts?.map(\.userPrincipalName), ["alice@contoso.com", "bob@fabrikam.com"])
    expectEqual(enrollment.deviceAccount?.userPrincipalName, "bob@fabrikam.com")
  }

  @Test("A sign-in for an account that the user names enrolls it, and a second registration is refused")
  func login() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    test.app.answers.withLock { $0.login = .account(Self.alice) }
    try await test.engine.enrollment.loginAndEnroll()
    try await test.engine.run()
    expectEqual(test.app.log, ["askLogin", "enroll a1 alice@contoso.com 6", "enrollmentRequest a1 103"])
    let error = await #expect(throws: EngineError.self) {
      try await test.engine.enrollment.registerAndEnroll(Self.alice)
    }
    expectEqual(error?.rejection, .alreadyRegistered(.first))
  }

  @Test("A check-in and a wipe are asked for by their members, and refused for an account that is not there")
  func checkInAndWipe() async throws {
    let test = try await PolicyManagerTests.enrolled()
    try await test.engine.enrollment.checkIn(Self.alice)
    try await test.engine.run()
    #expect(test.app.log.contains { $0.hasPrefix("checkIn a1") })
    try await test.engine.enrollment.wipe(Self.alice)
    try await test.engine.run()
    expectEqual(test.engine.state.accounts[.first]?.enrollment.status, .removed)
    for command in [test.engine.enrollment.checkIn, test.engine.enrollment.wipe] {
      let error = await #expect(throws: EngineError.self) { try await command(Self.bob) }
      #expect(error?.rejection != nil)
    }
  }

  @Test("An unenrollment returns with the farewell's token, which outlives the app's own until the service knows")
  func farewell() async throws {
    let tokens = TestTokens()
    let keeper = TokenKeeper(tokens)
    let test = try await PolicyEngineTests.enrolled(tokens: keeper)
    let request = TokenRequest(account: Self.alice)
    try await test.engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
    expectEqual(tokens.answers.withLock { $0.requests.map(\.account) }, [Self.alice])
    expectEqual(tokens.answers.withLock { $0.requests.map(\.capabilities) }, [["ProtApp"]])
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    try await expectEqual(keeper.silentToken(request), AccessToken("silent"))
    await #expect(throws: TokenFailure.interactionRequired) {
      try await keeper.silentToken(TokenRequest(account: Self.alice, scopes: ["Files.Read"]))
    }
    test.app.answers.withLock { $0.unenrollment = ServiceFailure(.enrollmentEndPointNetworkFailure) }
    try await test.engine.run()
    try await expectEqual(keeper.silentToken(request), AccessToken("silent"), "the farewell is repeated later")
    test.app.answers.withLock { $0.unenrollment = nil }
    test.app.advance(RetrySchedule.hour)
    try await test.engine.run()
    expectEqual(test.app.log.last, "unenrollRequest a1 104")
    await #expect(throws: TokenFailure.interactionRequired) { try await keeper.silentToken(request) }
  }

  @Test("An unenrollment without a token, and one of an account named by its number, do not fail")
  func farewellWithoutToken() async throws {
    let tokens = TestTokens()
    let test = try await PolicyEngineTests.enrolled(tokens: TokenKeeper(tokens))
    tokens.answers.withLock { $0.silent = .failure(.unreachable("offline")) }
    try await test.engine.enrollment.deregisterAndUnenroll(AccountReference(.first), wipe: false)
    expectEqual(tokens.answers.withLock { $0.requests.map(\.account) }, [Self.alice])
    expectEqual(test.engine.state.accounts[.first]?.enrollment.status, .unenrolling)
  }

  @Test("A token that conditional access refuses becomes an event, and so does the sign-in that ends the wait for one")
  func tokens() async throws {
    let tokens = TestTokens()
    let test = try await PolicyEngineTests.enrolled(tokens: TokenKeeper(tokens))
    let enrollment = test.engine.enrollment
    let last = test.engine.store.lastSequence
    try await expectEqual(enrollment.token(for: Self.alice, scopes: ["a"]).secret, "silent")
    expectEqual(test.engine.store.lastSequence, last, "a token that no one waited for is no news")
    tokens.answers.withLock { $0.silent = .failure(.protectionRequired) }
    await #expect(throws: TokenFailure.protectionRequired) { try await enrollment.token(for: Self.alice) }
    try expectEqual(test.types.last, "token.denied")
    try await test.engine.send(.removeToken(Self.alice))
    try await expectEqual(enrollment.signIn(Self.alice).secret, "interactive")
    try expectEqual(test.types.suffix(2), ["token.removed", "token.acquired"])
    tokens.answers.withLock { $0.interactive = .failure(.canceled) }
    await #expect(throws: TokenFailure.canceled) { try await enrollment.signIn(Self.bob) }
  }

  @Test("Without a token keeper, a request for a token says what to do")
  func noKeeper() async throws {
    let test = try await PolicyEngineTests.enrolled()
    let error = await #expect(throws: TokenFailure.self) { try await test.engine.enrollment.token(for: Self.alice) }
    expectEqual(error?.description.contains("pass one when you create it"), true)
    try await test.engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
  }

  @Test("A token is never printed, and one that has expired is not handed out")
  func secrecy() async throws {
    let tokens = TestTokens()
    let token = AccessToken("s3cret", expires: 5)
    expectEqual("\(token) \(String(reflecting: token))", "access token access token")
    var dumped = ""
    dump([Optional(token)], to: &dumped)
    #expect(!dumped.contains("s3cret") && !"\(TokenHolder(token: token))".contains("s3cret"))
    #expect(token.isValid(at: 4) && !token.isValid(at: 5) && AccessToken("t").isValid(at: .max))
    let clock = TestApp()
    let keeper = TokenKeeper(tokens, clock: clock)
    let test = try await PolicyEngineTests.enrolled(tokens: keeper)
    let kept = AccessToken("kept", expires: clock.now().wallNanoseconds + 10)
    tokens.answers.withLock { $0.silent = .success(kept) }
    try await test.engine.enrollment.deregisterAndUnenroll(Self.alice, wipe: false)
    tokens.answers.withLock { $0.silent = .failure(.interactionRequired) }
    try await expectEqual(keeper.silentToken(TokenRequest(account: Self.alice)), kept)
    clock.advance(10)
    await #expect(throws: TokenFailure.interactionRequired) {
      try await keeper.silentToken(TokenRequest(account: Self.alice))
    }
  }

  private struct TokenHolder {
    var token: AccessToken
  }

  @Test("Each failure of a token library says what happened")
  func failures() {
    for (failure, text) in [
      (TokenFailure.interactionRequired, "sign in"), (.protectionRequired, "-50004"), (.canceled, "canceled"),
      (.unreachable("no route"), "no route"), (.library(code: -50_000, "broken"), "-50000: broken"),
    ] {
      #expect(failure.description.contains(text))
    }
  }
}
