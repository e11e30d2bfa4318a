import Expectations
import AppProtection
import AppProtectionKit
import ServiceTesting
import Testing

@testable import PolicyServices

@Suite("The outcomes of HTTP requests")
struct HTTPOutcomeTests {
  private static let policies = "GET \(ScriptedTransport.registrations)/T_1/intendedPolicies"

  @Test("Each has a code", arguments: HTTPOutcomeCase.all)
  func codes(example: HTTPOutcomeCase) async throws {
    let transport = ScriptedTransport.managed()
    var tokens = ScriptedTokens()
    switch example.reply {
    case .service(let reply): transport.script(Self.policies, reply)
    case .tokens(let answer): tokens.answers = [answer]
    }
    let service = try transport.service(tokens: tokens)
    let answers = [await service.enroll(.alice), await service.checkIn(.alice)]
    let codes = answers.map { answer -> UInt32? in answer == .gone ? 220 : answer.code }
    expectEqual(codes, [example.enroll, example.checkIn])
    await expectEqual(service.remediate(.alice, isSilent: true).status, example.silent)
    await expectEqual(service.remediate(.alice, isSilent: false).status, example.asked)
    // Without a token no request is sent.
    if case .tokens = example.reply { expectEqual(transport.lines, []) }
  }

  @Test("What no source says of a remediation follows the assumptions of the request")
  func assumptions() async throws {
    var request = ServiceRequest.alice
    request.assumptions.remediationWithoutToken = .notCompliant
    let tokens = ScriptedTokens(answers: [.interactionRequired("")])
    let service = try ScriptedTransport.managed().service(tokens: tokens)
    await expectEqual(service.remediate(request, isSilent: true).status, .notCompliant)
    request.assumptions.remediationOfUnknownOutcome = .networkFailure
    let transport = ScriptedTransport.managed()
    transport.script(Self.policies, .json(#"{"error": {"code": "299"}}"#, status: 403))
    try await expectEqual(transport.service().remediate(request, isSilent: true).status, .networkFailure)
  }

  @Test("The service's own message is part of the failure, on one line and shortened")
  func message() async throws {
    let transport = ScriptedTransport.managed()
    let text = #"tenant\nmoved"# + String(repeating: "!", count: 400)
    transport.script(Self.policies, .json("{\"error\": {\"code\": \"x\", \"message\": \"\(text)\"}}", status: 400))
    let error = try #require(try await transport.service().checkIn(.alice).error)
    #expect(error.hasPrefix("HTTP status 400: tenant moved!!!"))
    expectEqual(error.count, "HTTP status 400: ".count + 300)
  }

  @Test("A token that the service refuses is renewed once")
  func renewal() async throws {
    let transport = ScriptedTransport.managed()
    transport.script(
      "GET /users/\(TestFolder.alice)", .status(401), .json("{\"id\": \"\(TestFolder.alice)\"}"))
    let tokens = ScriptedTokens(answers: [.token("old"), .token("new")])
    try await expectEqual(transport.service(tokens: tokens).checkIn(.alice).policyName, "Basic")
    expectEqual(tokens.demands.all, [.init(), .init(isRenewal: true)])
    expectEqual(transport.requests.map { $0.headers.first?.value }.prefix(2), ["Bearer old", "Bearer new"])
    let refused = ScriptedTokens()
    transport.script("GET /users/\(TestFolder.alice)", .status(401))
    try await expectEqual(transport.service(tokens: refused).remediate(.alice, isSilent: false).status, .serviceFailure)
    expectEqual(refused.demands.all, [.init(isSilent: false), .init(isSilent: false, isRenewal: true)])
  }

  @Test("All attempts share one token, so that a user signs in once; one that expires in between is renewed")
  func tokenOfAttempts() async throws {
    let transport = ScriptedTransport.managed()
    transport.script(Self.policies, .status(503), .status(503), .status(401), .json(#"{"value": []}"#))
    let tokens = ScriptedTokens(answers: [.token("old"), .token("new")])
    let service = try transport.service(tokens: tokens, retry: RetryPolicy())
    await expectEqual(service.remediate(.alice, isSilent: false).status, .notCompliant)
    expectEqual(tokens.demands.all, [.init(isSilent: false), .init(isSilent: false, isRenewal: true)])
    let unreachable = ScriptedTokens(answers: [.unreachable("offline"), .token("late")])
    _ = try await ScriptedTransport.managed().service(tokens: unreachable, retry: RetryPolicy()).checkIn(.alice)
    expectEqual(unreachable.demands.all, [.init(), .init()], "there was no token to keep")
  }

  @Test("Neither a token nor what carries it is printed")
  func secrecy() throws {
    let header = HTTPRequest.Header("Authorization", "Bearer s3cret")
    let request = HTTPRequest("GET", "https://a", headers: [header, .init("Accept", "text")])
    var dumped = ""
    dump(request, to: &dumped)
    dump(AccessTokenAnswer.token("s3cret"), to: &dumped)
    let exchange = GraphExchange(try ScriptedTransport().service(), .alice, .enroll, token: "s3cret")
    dump(exchange, to: &dumped)
    #expect(!"\(dumped)\(exchange)\(request)\(AccessTokenAnswer.token("s3cret"))".contains("s3cret"))
    #expect("\(request)".contains("Accept: text") && "\(AccessTokenAnswer.unreachable("x"))" == "unreachable: x")
  }

  @Test("A passing failure is tried again after pauses that double and that the random source shortens")
  func retry() async throws {
    for (random, expected) in [
      (UInt64.max, [500, 1_000, 2_000]), (UInt64.max / 2, [250, 500, 1_000]), (0, [0, 0, 0]),
    ] {
      let transport = ScriptedTransport.managed()
      transport.script(
        Self.policies, .status(503), .failure(.timedOut("")), .failure(.unreachable("")), .json(#"{"value": []}"#))
      let pauses = Notes<Int64>()
      let service = try transport.service(retry: RetryPolicy(), pauses: pauses) { random }
      await expectEqual(service.checkIn(.alice), .noPolicy)
      expectEqual(pauses.all, expected.map { Int64($0) })
    }
  }

  @Test("What repetition cannot mend is not repeated, and attempts end")
  func end() async throws {
    for (reply, count) in [
      (ScriptedTransport.Reply.status(503), 4), (.status(400), 1), (.status(410), 1), (.failure(.tooLong), 1),
      (.failure(.untrusted("")), 1), (.json("{"), 1),
    ] {
      let transport = ScriptedTransport.managed()
      transport.script("GET /users/\(TestFolder.alice)", reply)
      let pauses = Notes<Int64>()
      _ = try await transport.service(retry: RetryPolicy(), pauses: pauses).checkIn(.alice)
      expectEqual(transport.requests.count, count)
      expectEqual(pauses.all.count, count - 1)
    }
  }

  @Test("Retry-After is kept, with a random share on top, unless it is longer than a request may wait")
  func retryAfter() async throws {
    for (header, random, expected) in [
      ("7", 0, [7_000]), ("7", .max / 2, [7_875]), ("7", .max, [8_750]), ("30", .max, [37_500]), ("31", 0, []),
      // However little the service asks for, devices spread as without its word.
      ("1", .max, [1_500]), ("0", 0, [0]), ("0", .max, [500]), ("-5", .max, [500]), ("soon", .max, [500]),
      ("9223372036854775807", .max, []),
    ] as [(String, UInt64, [Int64])] {
      let transport = ScriptedTransport.managed()
      transport.script(Self.policies, .status(429, headers: ["retry-after": header]), .json(#"{"value": []}"#))
      let pauses = Notes<Int64>()
      let answer = try await transport.service(retry: RetryPolicy(), pauses: pauses) { random }.checkIn(.alice)
      expectEqual(pauses.all, expected, "\(header)")
      expectEqual(answer.code, expected.isEmpty ? 212 : nil, "\(header)")
    }
  }

  @Test("Devices that got the same Retry-After come back at different times, and none too early")
  func outOfStep() async throws {
    var generator = SystemRandomNumberGenerator()
    var pauses: [Int64] = []
    for _ in 0..<100 {
      let number = generator.next()
      let transport = ScriptedTransport.managed()
      transport.script(Self.policies, .status(503, headers: ["retry-after": "20"]), .json(#"{"value": []}"#))
      let notes = Notes<Int64>()
      _ = try await transport.service(retry: RetryPolicy(), pauses: notes) { number }.checkIn(.alice)
      pauses += notes.all
    }
    expectEqual(pauses.count, 100)
    #expect(pauses.allSatisfy { (20_000...25_000).contains($0) })
    #expect(Set(pauses).count > 50)
  }

  @Test("A Retry-After with a date counts from the answer's own date, in any form of HTTP")
  func retryAtDate() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    for (header, answered, expected) in [
      ("Sun, 06 Nov 1994 08:49:44 GMT", date, [8_750]),
      ("Sunday, 06-Nov-94 08:49:44 GMT", date, [8_750]),
      ("Sun Nov  6 08:49:44 1994", "Sun Nov  6 08:49:37 1994", [8_750]),
      ("Wed, 01 Mar 2028 00:00:02 GMT", "Tue, 29 Feb 2028 23:59:59 GMT", [3_750]),
      ("Friday, 01-Jan-00 00:00:05 GMT", "Thu, 31 Dec 2099 23:59:59 GMT", [500]),
      ("Sunday, 06-Nov-94 08:49:44 GMT", "Tue, 06 Nov 2035 08:49:37 GMT", [500]),
      ("Sun, 06 Nov 1994 08:49:30 GMT", date, [500]),
      ("Sun, 06 Nov 1994 08:50:08 GMT", date, []),
      (date, nil, [500]), (date, "soon", [500]), ("Sun, 31 Feb 1994 08:49:37 GMT", date, [500]),
      ("Sun, 06 Nov 1994 08:49:44 CET", date, [500]), ("Sunday, 06-Nov 08:49:44 GMT", date, [500]),
    ] as [(String, String?, [Int64])] {
      let transport = ScriptedTransport.managed()
      var headers = ["retry-after": header]
      headers["date"] = answered
      transport.script(Self.policies, .status(429, headers: headers), .json(#"{"value": []}"#))
      let pauses = Notes<Int64>()
      _ = try await transport.service(retry: RetryPolicy(), pauses: pauses).checkIn(.alice)
      expectEqual(pauses.all, expected, "\(header), answered \(answered ?? "without a date")")
    }
  }

  @Test("Enrolling again after an answer that was lost registers once")
  func lostAnswer() async throws {
    let transport = ScriptedTransport.managed(registered: false)
    let list = ScriptedTransport.registrations
    transport.script("POST \(list)", .failure(.unreachable("the connection broke")))
    transport.script(
      "GET \(list)", .json(#"{"value": []}"#), .json("{\"value\": [\(ScriptedTransport.registration("T_1"))]}"))
    try await expectEqual(transport.service(retry: RetryPolicy()).enroll(.alice).policyName, "Basic")
    expectEqual(transport.lines.count { $0 == "POST \(list)" }, 1)
  }

  @Test("A canceled task sends nothing more")
  func cancellation() async throws {
    let transport = ScriptedTransport.managed()
    transport.script("GET /users/\(TestFolder.alice)", .status(503))
    let service = try transport.service(retry: RetryPolicy())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await service.checkIn(.alice)
    }
    task.cancel()
    await expectEqual(task.value.error, "the request was canceled")
    expectEqual(transport.requests, [])
  }

  @Test("A policy asks at least once, and at most ten times")
  func bounds() {
    let policy = RetryPolicy(
      attempts: 100, firstPauseMilliseconds: .max, longestPauseMilliseconds: .max, longestRetryAfterMilliseconds: .max)
    expectEqual(policy.attempts, 10)
    expectEqual(RetryPolicy(attempts: -1).attempts, 1)
  }

  @Test("No pause is longer than two days, whatever a policy and a service say")
  func longestPause() async throws {
    var policy = RetryPolicy(
      firstPauseMilliseconds: .max, longestPauseMilliseconds: .max, longestRetryAfterMilliseconds: .max)
    policy.attempts = .max
    let day: Int64 = 86_400
    for (header, expected) in [
      (nil, Array(repeating: day, count: 9)), ("86400", Array(repeating: 2 * day, count: 9)), ("86401", []),
      ("9223372036854775", []),
    ] as [(String?, [Int64])] {
      let transport = ScriptedTransport.managed()
      var headers: [String: String] = [:]
      headers["retry-after"] = header
      transport.script(Self.policies, .status(503, headers: headers))
      let pauses = Notes<Int64>()
      _ = try await transport.service(retry: policy, pauses: pauses).checkIn(.alice)
      expectEqual(pauses.all, expected.map { $0 * 1_000 }, "\(header ?? "none")")
    }
    policy.firstPauseMilliseconds = -1
    policy.longestPauseMilliseconds = .min
    policy.longestRetryAfterMilliseconds = .min
    let transport = ScriptedTransport.managed()
    transport.script(Self.policies, .status(503))
    let pauses = Notes<Int64>()
    _ = try await transport.service(retry: policy, pauses: pauses).checkIn(.alice)
    expectEqual(pauses.all, Array(repeating: 0, count: 9))
  }

  @Test("A token that the service repeats in its message is not part of the failure")
  func repeatedToken() async throws {
    let transport = ScriptedTransport.managed()
    let token = "eyJ0eXAiOiJKV1QifQ.eyJhdWQiOiJ4In0.c2VjcmV0"
    let padding = String(repeating: "x", count: 280)
    transport.script(
      Self.policies,
      .json("{\"error\": {\"code\": \"x\", \"message\": \"\(padding) Bearer \(token) is unknown\"}}", status: 400))
    let tokens = ScriptedTokens(answers: [.token(token)])
    let error = try #require(try await transport.service(tokens: tokens).checkIn(.alice).error)
    #expect(!error.contains("eyJ0"), "\(error)")
  }
}
