import AppProtection
import AppProtectionKit
import PolicyServices
import ServiceTesting
import Testing

@Suite("The outcomes of HTTP requests")
struct HTTPOutcomeTests {
  private static let policies = "GET \(ScriptedTransport.registrations)/T_1/intendedPolicies"

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var reply: ScriptedTransport.Reply
    /// The codes of enrolling and checking in; `nil` for a record that is gone.
    var codes: (enroll: UInt32?, checkIn: UInt32?)
    var outcome: ComplianceStatus

    var testDescription: String { name }

    init(
      _ name: String, _ reply: ScriptedTransport.Reply, _ codes: (UInt32?, UInt32?), _ outcome: ComplianceStatus
    ) {
      (self.name, self.reply, self.codes, self.outcome) = (name, reply, codes, outcome)
    }
  }

  static let cases = [
    Case("no connection", .failure(.unreachable("no route")), (205, 212), .networkFailure),
    Case("no trust", .failure(.untrusted("self-signed")), (205, 212), .networkFailure),
    Case("no time", .failure(.timedOut("30 s")), (216, 216), .networkFailure),
    Case("too long", .failure(.tooLong), (206, 206), .serviceFailure),
    Case("canceled", .failure(.canceled), (205, 212), .networkFailure),
    Case("302", .status(302), (204, 204), .serviceFailure), Case("400", .status(400), (201, 201), .serviceFailure),
    Case("401", .status(401), (203, 203), .interactionRequired),
    Case("403", .status(403), (201, 201), .serviceFailure),
    Case(
      "403 with insufficient claims",
      .status(403, headers: ["www-authenticate": "Bearer error=\"insufficient_claims\""]),
      (203, 203), .interactionRequired),
    Case(
      "403 with a status code's name", .json(#"{"error": {"code": "licensedNotTargeted"}}"#, status: 403), (225, 225),
      .serviceFailure),
    Case(
      "403 with a status code's number", .json(#"{"error": {"code": "299"}}"#, status: 403), (299, 299),
      .serviceFailure),
    Case(
      "403 with the number of a success", .json(#"{"error": {"code": "100"}}"#, status: 403), (201, 201),
      .serviceFailure),
    Case("408", .status(408), (216, 216), .networkFailure), Case("410", .status(410), (nil, nil), .serviceFailure),
    Case("429", .status(429), (205, 212), .serviceFailure), Case("500", .status(500), (205, 212), .serviceFailure),
    Case("503", .status(503), (205, 212), .serviceFailure), Case("700", .status(700), (201, 201), .serviceFailure),
  ]

  @Test("Each has a code", arguments: cases)
  func codes(example: Case) async throws {
    let transport = ScriptedTransport.managed()
    transport.script(Self.policies, example.reply)
    let service = try transport.service()
    let (enrolled, checkedIn) = (await service.enroll(.alice), await service.checkIn(.alice))
    #expect(enrolled.code == example.codes.enroll)
    #expect(checkedIn.code == example.codes.checkIn)
    if example.codes.enroll == nil { #expect(enrolled == .gone) }
    #expect(await service.remediate(.alice, isSilent: true).status == example.outcome)
  }

  @Test("The service's own message is part of the failure, on one line and shortened")
  func message() async throws {
    let transport = ScriptedTransport.managed()
    let text = #"tenant\nmoved"# + String(repeating: "!", count: 400)
    transport.script(Self.policies, .json("{\"error\": {\"code\": \"x\", \"message\": \"\(text)\"}}", status: 400))
    let error = try #require(try await transport.service().checkIn(.alice).error)
    #expect(error.hasPrefix("HTTP status 400: tenant moved!!!"))
    #expect(error.count == "HTTP status 400: ".count + 300)
  }

  static let tokenAnswers:
    [(answer: AccessTokenAnswer, code: UInt32, silent: ComplianceStatus, asked: ComplianceStatus)] = [
      (.interactionRequired("sign in"), 203, .interactionRequired, .serviceFailure),
      (.denied(error: -50004, "protection required"), 203, .interactionRequired, .notCompliant),
      (.denied(error: -50000, "internal"), 217, .serviceFailure, .serviceFailure),
      (.unreachable("no route"), 205, .networkFailure, .networkFailure),
      (.canceled, 219, .userCancelled, .userCancelled), (.token("a\r\nb: c"), 217, .serviceFailure, .serviceFailure),
      (.token(""), 217, .serviceFailure, .serviceFailure),
    ]

  @Test("Without a token no request is sent, and each answer of the token library has a code", arguments: tokenAnswers)
  func tokens(answer: AccessTokenAnswer, code: UInt32, silent: ComplianceStatus, asked: ComplianceStatus) async throws {
    let transport = ScriptedTransport.managed()
    let service = try transport.service(tokens: ScriptedTokens(answers: [answer]))
    #expect(await service.enroll(.alice).code == code)
    #expect(await service.remediate(.alice, isSilent: true).status == silent)
    #expect(await service.remediate(.alice, isSilent: false).status == asked)
    #expect(transport.lines == [])
  }

  @Test("A token that the service refuses is renewed once, silently")
  func renewal() async throws {
    let transport = ScriptedTransport.managed()
    transport.script(
      "GET /users/\(TestFolder.alice)", .status(401), .json("{\"id\": \"\(TestFolder.alice)\"}"))
    let tokens = ScriptedTokens(answers: [.token("old"), .token("new")])
    #expect(try await transport.service(tokens: tokens).checkIn(.alice).policyName == "Basic")
    #expect(tokens.demands.all == [.init(), .init(isRenewal: true)])
    #expect(transport.requests.map { $0.headers.first?.value }.prefix(2) == ["Bearer old", "Bearer new"])
    let refused = ScriptedTokens()
    transport.script("GET /users/\(TestFolder.alice)", .status(401))
    #expect(try await transport.service(tokens: refused).remediate(.alice, isSilent: false).status == .serviceFailure)
    #expect(refused.demands.all == [.init(isSilent: false), .init(isSilent: false, isRenewal: true)])
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
      #expect(await service.checkIn(.alice) == .noPolicy)
      #expect(pauses.all == expected.map { Int64($0) })
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
      #expect(transport.requests.count == count)
      #expect(pauses.all.count == count - 1)
    }
  }

  @Test("Retry-After is kept, unless it is longer than a request may wait")
  func retryAfter() async throws {
    for (header, expected) in [
      ("7", [7_000]), ("0", [0]), ("31", []), ("9223372036854775807", []), ("-5", [0]), ("soon", [500]),
    ] {
      let transport = ScriptedTransport.managed()
      transport.script(Self.policies, .status(429, headers: ["retry-after": header]), .json(#"{"value": []}"#))
      let pauses = Notes<Int64>()
      let answer = try await transport.service(retry: RetryPolicy(), pauses: pauses).checkIn(.alice)
      #expect(pauses.all == expected.map { Int64($0) }, "\(header)")
      #expect(answer.code == (expected.isEmpty ? 212 : nil), "\(header)")
    }
  }

  @Test("Enrolling again after an answer that was lost registers once")
  func lostAnswer() async throws {
    let transport = ScriptedTransport.managed(registered: false)
    let list = ScriptedTransport.registrations
    transport.script("POST \(list)", .failure(.unreachable("the connection broke")))
    transport.script(
      "GET \(list)", .json(#"{"value": []}"#), .json("{\"value\": [\(ScriptedTransport.registration("T_1"))]}"))
    #expect(try await transport.service(retry: RetryPolicy()).enroll(.alice).policyName == "Basic")
    #expect(transport.lines.count { $0 == "POST \(list)" } == 1)
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
    #expect(await task.value.error == "the request was canceled")
    #expect(transport.requests == [])
  }

  @Test("A policy asks at least once, and at most ten times")
  func bounds() {
    let policy = RetryPolicy(
      attempts: 100, firstPauseMilliseconds: .max, longestPauseMilliseconds: .max, longestRetryAfterMilliseconds: .max)
    #expect(policy.attempts == 10)
    #expect(RetryPolicy(attempts: -1).attempts == 1)
  }
}
