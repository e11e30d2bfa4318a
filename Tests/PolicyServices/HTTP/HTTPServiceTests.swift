import EventSourcing
import Expectations
import AppProtection
import AppProtectionKit
import PolicyServices
import ServiceTesting
import Testing

@Suite("The HTTP service")
struct HTTPServiceTests {
  private typealias Transport = ScriptedTransport
  private static let list = ScriptedTransport.registrations

  @Test("Enrolling registers the app, and reads what is intended for it")
  func enroll() async throws {
    let transport = Transport.managed(registered: false)
    try await expectEqual(transport.service().enroll(.alice).policyName, "Basic")
    expectEqual(
      transport.lines,
      [
        "GET /users/\(TestFolder.alice)", "GET \(Self.list)", "POST \(Self.list)",
        "GET \(Self.list)/T_new/operations", "GET \(Self.list)/T_new/intendedPolicies",
      ])
    let requests = transport.requests
    #expect(requests[1].address.hasSuffix("?$filter=userId%20eq%20%27\(TestFolder.alice)%27"))
    #expect(
      String(decoding: requests[2].body ?? [], as: UTF8.self)
        == """
        {"@odata.type":"#microsoft.graph.iosManagedAppRegistration","applicationVersion":"2.0",\
        "managementSdkVersion":"19.2.0","platformVersion":"17.0","userId":"\(TestFolder.alice)","deviceTag":"tag",\
        "deviceType":"iPhone","appIdentifier":{"@odata.type":"#microsoft.graph.iosMobileAppIdentifier",\
        "bundleId":"com.contoso.notes"}}
        """)
    for request in requests {
      expectEqual(request.headers.first, .init("Authorization", "Bearer token"))
      #expect(request.headers.contains(.init("x-client-operation", "enroll")))
    }
  }

  @Test("A repeated request finds the registration of the first, also where another device or app has one")
  func repeatedEnrollment() async throws {
    let transport = Transport.managed()
    let others = [
      Transport.registration("T_0", tag: "another"), Transport.registration("T_0", bundle: "com.contoso.mail"),
      Transport.registration("T_2"), Transport.registration("T_1"),
    ]
    transport.script("GET \(Self.list)", .json("{\"value\": [\(others.joined(separator: ","))]}"))
    try await expectEqual(transport.service().enroll(.alice).policyName, "Basic")
    #expect(!transport.lines.contains("POST \(Self.list)"))
    expectEqual(transport.lines.last, "GET \(Self.list)/T_1/intendedPolicies")
  }

  @Test("An app that another process registers meanwhile is found after the conflict")
  func conflict() async throws {
    let transport = Transport.managed(registered: false)
    transport.script("POST \(Self.list)", .status(409))
    transport.script(
      "GET \(Self.list)", .json(#"{"value": []}"#), .json("{\"value\": [\(Transport.registration("T_1"))]}"))
    try await expectEqual(transport.service().enroll(.alice).policyName, "Basic")
  }

  @Test("The same request has the same name, another one another")
  func requestNames() async throws {
    let transport = Transport.managed()
    for request in [
      ServiceRequest.alice, .alice,
      .init(account: .first, objectID: GUID(TestFolder.alice), userPrincipalName: nil, intent: 8),
    ] {
      _ = try await transport.service().unenroll(request)
    }
    let names = transport.requests.compactMap { $0.headers.first { $0.name == "client-request-id" }?.value }
    expectEqual(names.count, 9)
    expectEqual(Set(names.prefix(6)).count, 1)
    expectEqual(Set(names).count, 2)
    #expect(names.allSatisfy { GUID($0) != nil })
  }

  @Test("A check-in reports the app first; without a registration the record is gone")
  func checkIn() async throws {
    let transport = Transport.managed()
    try await expectEqual(transport.service().checkIn(.alice).policyName, "Basic")
    expectEqual(
      transport.lines,
      [
        "GET /users/\(TestFolder.alice)", "GET \(Self.list)", "PATCH \(Self.list)/T_1",
        "GET \(Self.list)/T_1/operations", "GET \(Self.list)/T_1/intendedPolicies",
      ])
    try await expectEqual(Transport.managed(registered: false).service().checkIn(.alice), .gone)
    for step in ["PATCH \(Self.list)/T_1", "GET \(Self.list)/T_1/operations"] {
      let transport = Transport.managed()
      transport.script(step, .status(404))
      try await expectEqual(transport.service().checkIn(.alice), .gone, "\(step)")
    }
  }

  @Test("A check-in by an account that has the policy is unchanged, and by one that has another or none it is not")
  func unchanged() async throws {
    let transport = Transport.managed()
    guard case .policy(let policy, nil) = try await transport.service().enroll(.alice) else { throw Failure() }
    var request = ServiceRequest.alice
    request.policy = AppliedPolicy(document: policy)
    try await expectEqual(transport.service().checkIn(request), .unchanged)
    try await expectEqual(transport.service().enroll(request), .policy(policy), "an enrollment brings the policy")
    request.policy = AppliedPolicy(document: PolicyDocument())
    try await expectEqual(transport.service().checkIn(request), .policy(policy))
  }

  @Test("A user whom the directory does not know cannot enroll (207), and is gone once enrolled")
  func unknownUser() async throws {
    let transport = Transport()
    try await expectEqual(transport.service().enroll(.alice).code, 207)
    try await expectEqual(transport.service().checkIn(.alice), .gone)
    #expect(try await transport.service().unenroll(.alice) == nil)
    let nameless = ServiceRequest(account: .first, objectID: nil, userPrincipalName: nil, intent: 1)
    try await expectEqual(transport.service().enroll(nameless).code, 207)
  }

  @Test("A name stands in an address with its special characters escaped")
  func names() async throws {
    let transport = Transport()
    let request = ServiceRequest(
      account: .first, objectID: nil, userPrincipalName: "a/b?c#d..%e@contoso.com", intent: 1)
    _ = try await transport.service().enroll(request)
    expectEqual(transport.lines, ["GET /users/a%2Fb%3Fc%23d..%25e%40contoso.com"])
  }

  @Test(
    "A name that would lead to another resource is 207 with the segment, and sends nothing",
    arguments: [
      ("..", "\"..\""), (".", "\".\""), ("%2e%2E", "\"..\""), (".%2e", "\"..\""), ("%2E", "\".\""),
      ("%252e%25252E", "\"..\""), ("%%32e.", "\"..\""), ("%2%65%2%65", "\"..\""), ("a/../b@contoso.com", "\"..\""),
      ("a%2f..%5cb", "\"..\""), ("..\\organization", "\"..\""), ("..;x=1", "\"..\""), ("", "empty"),
    ])
  func namesThatLeadElsewhere(name: String, segment: String) async throws {
    let transport = Transport.managed()
    let request = ServiceRequest(account: .first, objectID: nil, userPrincipalName: name, intent: 1)
    let service = try transport.service()
    for failure in [await service.enroll(request), await service.checkIn(request)] {
      expectEqual(failure.code, 207)
      expectEqual(failure.error?.contains(segment), true, "\(failure.error ?? "")")
      expectEqual(failure.error?.contains("contoso"), false)
    }
    expectEqual(transport.requests, [])
  }

  @Test(
    "An id from the service that would lead to another resource is 206, and no request goes there",
    arguments: [("..", "\"..\""), ("%2e%2e", "\"..\""), ("T/./x", "\".\""), ("", "empty")])
  func idsThatLeadElsewhere(id: String, segment: String) async throws {
    let transport = Transport.managed()
    transport.script("GET \(Self.list)", .json("{\"value\": [\(Transport.registration(id))]}"))
    let service = try transport.service()
    for failure in [await service.enroll(.alice), await service.checkIn(.alice)] {
      expectEqual(failure.code, 206)
      expectEqual(failure.error?.contains(segment), true, "\(failure.error ?? "")")
    }
    await expectEqual(service.unenroll(.alice)?.code.rawValue, 206)
    #expect(transport.requests.allSatisfy { $0.method == "GET" })
    expectEqual(Set(transport.lines), ["GET /users/\(TestFolder.alice)", "GET \(Self.list)"])
    // The same of an order to wipe: it stays unacknowledged.
    let ordered = Transport.managed()
    ordered.script(
      "GET \(Self.list)/T_1/operations",
      .json("{\"value\": [{\"id\": \"\(id)\", \"displayName\": \"wipe\", \"state\": \"pending\"}]}"))
    try await expectEqual(ordered.service().acknowledgeWipe(.alice), false)
    #expect(ordered.requests.allSatisfy { $0.method == "GET" })
  }

  @Test("Unenrolling deletes the registration, and one that is gone is deleted already")
  func unenroll() async throws {
    let transport = Transport.managed()
    #expect(try await transport.service().unenroll(.alice) == nil)
    expectEqual(transport.lines.last, "DELETE \(Self.list)/T_1")
    #expect(try await Transport.managed(registered: false).service().unenroll(.alice) == nil)
    for (status, code) in [(404, nil), (410, nil), (503, 205), (403, 201)] as [(Int, UInt32?)] {
      let transport = Transport.managed()
      transport.script("DELETE \(Self.list)/T_1", .status(status))
      try await expectEqual(transport.service().unenroll(.alice)?.code.rawValue, code, "\(status)")
    }
  }

  @Test(
    "An operation named wipe that is pending orders a wipe, and stays so until the app has recorded it",
    arguments: [
      ("wipe", "pending", ServiceOperation.checkIn, true, ""), ("Wipe", "pending", .checkIn, true, ""),
      ("wipe", "done", .checkIn, false, ""), ("wipe", "canceled", .checkIn, false, ""),
      ("restart", "pending", .checkIn, false, ""), ("wipe", "pending", .enroll, true, ""),
      // Recorded by the account's last stay.
      ("wipe", "active", .enroll, false, "done"), ("wipe", "active", .checkIn, false, ""),
    ])
  func wipe(name: String, state: String, operation: ServiceOperation, isWipe: Bool, told: String) async throws {
    let transport = Transport.managed()
    transport.script(
      "GET \(Self.list)/T_1/operations",
      .json("{\"value\": [{\"id\": \"W\", \"displayName\": \"\(name)\", \"state\": \"\(state)\"}]}"))
    let service = try transport.service()
    let answer = operation == .enroll ? await service.enroll(.alice) : await service.checkIn(.alice)
    #expect(isWipe ? answer == .wipe() : answer.policyName == "Basic")
    // The script has no answer to it: that the telling fails does not matter.
    let tellings = transport.requests.filter { $0.method == "PATCH" && $0.address.hasSuffix("/operations/W") }
    expectEqual(
      tellings.map { String(decoding: $0.body ?? [], as: UTF8.self) },
      told.isEmpty ? [] : ["{\"@odata.type\":\"#microsoft.graph.managedAppOperation\",\"state\":\"\(told)\"}"])
  }

  @Test(
    "An acknowledged wipe becomes active; without a registration nothing is ordered, and a failure is said",
    arguments: [
      ("pending", 200, true, 1), ("active", 200, true, 0), ("done", 200, true, 0), ("pending", 503, false, 1),
    ])
  func acknowledgement(state: String, status: Int, isHeard: Bool, count: Int) async throws {
    let transport = Transport.managed()
    transport.script(
      "GET \(Self.list)/T_1/operations",
      .json("{\"value\": [{\"id\": \"W\", \"displayName\": \"wipe\", \"state\": \"\(state)\"}]}"))
    transport.script("PATCH \(Self.list)/T_1/operations/W", .status(status))
    try await expectEqual(transport.service().acknowledgeWipe(.alice), isHeard)
    let tellings = transport.requests.filter { $0.method == "PATCH" && $0.address.hasSuffix("/operations/W") }
    expectEqual(
      tellings.map { String(decoding: $0.body ?? [], as: UTF8.self).contains("\"active\"") },
      Array(repeating: true, count: count))
    #expect(try await Transport.managed(registered: false).service().acknowledgeWipe(.alice))
  }

  @Test("A registration names the policies that the app has not fetched")
  func registration() async throws {
    let transport = Transport.managed()
    transport.script("GET \(Self.list)/T_1", .json(Transport.registration("T_1")))
    transport.script(
      "GET \(Self.list)/T_1/appliedPolicies",
      .json("{\"value\": [\(TestFolder.policy("Basic", #""pinRequired": false"#))]}"))
    let registration = try #require(try await transport.service().registration(for: .alice))
    expectEqual(registration.bundleID, "com.contoso.notes")
    expectEqual(registration.deliveries.map { $0.delivery }, [.outdated(["pinRequired"])])
    #expect(try await Transport.managed(registered: false).service().registration(for: .alice) == nil)
  }

  @Test("A remediation registers the app, and is compliant once a policy targets it")
  func remediate() async throws {
    let transport = Transport.managed(registered: false)
    try await expectEqual(transport.service().remediate(.alice, isSilent: true).status, .compliant)
    transport.script("GET \(Self.list)/T_new/intendedPolicies", .json(#"{"value": []}"#))
    let outcome = try await transport.service().remediate(.alice, isSilent: true)
    expectEqual(outcome.status, .notCompliant)
    expectEqual(outcome.title, "Access blocked")
  }

  @Test("A list is read to its last page, and only on the service's own host and path")
  func pages() async throws {
    let policies = "\(Self.list)/T_1/intendedPolicies"
    let strict = TestFolder.policy("A", #""minimumPinLength": 8"#)
    for (link, isFollowed) in [
      ("https://graph.contoso.com/beta\(policies)/next?$skiptoken=2", true),
      ("https://graph.contoso.com.evil.net/beta/next", false), ("https://evil.net/beta/next", false),
      ("http://graph.contoso.com/beta/next", false), ("https://graph.contoso.com:8443/beta/next", false),
      ("https://graph.contoso.com/other/next", false), ("https://graph.contoso.com/beta/../other", false),
      ("https://graph.contoso.com/beta/%2e%2e/v9/other", false), ("https://graph.contoso.com/beta/.%2E/other", false),
      ("https://graph.contoso.com/beta/..%2fother", false), ("https://graph.contoso.com/beta/x%5C..%5C..", false),
      ("https://graph.contoso.com/beta/%252e%252e/other", false), ("https://graph.contoso.com/beta/..\\\\other", false),
      ("https://graph.contoso.com/beta/./next", false),
      ("https://graph.contoso.com/beta/a%2Fother", false), ("https://graph.contoso.com/beta/a%255Cother", false),
      ("https://graph.contoso.com@evil.net/beta/next", false), ("/beta/next", false), ("", false),
    ] {
      let transport = Transport.managed()
      transport.script(
        "GET \(policies)",
        .json(
          """
          {"value": [\(TestFolder.policy("B", #""pinRequired": true"#))], "@odata.nextLink": "\(link)"}
          """))
      transport.script("GET \(policies)/next", .json("{\"value\": [\(strict)]}"))
      let answer = try await transport.service().checkIn(.alice)
      if isFollowed {
        guard case .policy(let policy, _) = answer else { throw Failure() }
        expectEqual(policy.access.minimumPinLength, 8)
        expectEqual(policy.access.pinRequired, true)
      } else {
        expectEqual(answer.code, 206, "\(link)")
        if link.contains("..") && !link.contains("@") {
          expectEqual(answer.error?.contains("\"..\""), true, "\(link): \(answer.error ?? "")")
        }
        expectEqual(transport.lines.last, "GET \(policies)", "\(link)")
      }
    }
  }

  @Test("A list that never ends is given up")
  func endlessPages() async throws {
    let transport = Transport.managed()
    let link = "https://graph.contoso.com/beta\(Self.list)"
    transport.script("GET \(Self.list)", .json("{\"value\": [], \"@odata.nextLink\": \"\(link)\"}"))
    let answer = try await transport.service().checkIn(.alice)
    expectEqual(answer.code, 206)
    expectEqual(answer.error, "the list has more than 50 pages")
  }

  @Test("Policies for other platforms and other apps do not apply")
  func foreign() async throws {
    let transport = Transport.managed()
    transport.script(
      "GET \(Self.list)/T_1/intendedPolicies",
      .json(
        """
        {"value": [{"@odata.type": "#microsoft.graph.androidManagedAppProtection", "pinRequired": true},
          \(TestFolder.policy("Mail", #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}]"#))]}
        """))
    try await expectEqual(transport.service().checkIn(.alice), .noPolicy)
  }

  @Test(
    "An entity that is not understood is never taken for no policy: 206, and the policy in force stays",
    arguments: ["targetedManagedAppProtection", "iosManagedAppProtectionV2", "managedAppOperation"])
  func notUnderstood(type: String) async throws {
    func entity(_ type: String) -> String {
      "{\"@odata.type\": \"#microsoft.graph.\(type)\", \"pinRequired\": true, \"state\": \"pending\"}"
    }
    let (android, entity) = (entity("androidManagedAppProtection"), entity(type))
    let transport = Transport.managed()
    let policies = "GET \(Self.list)/T_1/intendedPolicies"
    transport.script(policies, .json("{\"value\": [\(android), \(entity)]}"))
    let service = try transport.service()
    for answer in [await service.enroll(.alice), await service.checkIn(.alice)] {
      expectEqual(answer.code, 206, "\(answer)")
      expectEqual(answer.error?.hasPrefix("the answer"), true)
    }
    await expectEqual(service.remediate(.alice, isSilent: true).status, .serviceFailure)
    await expectEqual(service.deliveries(.alice), ServiceDeliveries())
    // Nor does it count where a policy stands beside it.
    transport.script(policies, .json("{\"value\": [\(TestFolder.policy("B", #""pinRequired": true"#)), \(entity)]}"))
    await expectEqual(service.checkIn(.alice).code, 206)
  }

  @Test("A registration that a slow server carried out twice: every wipe counts, and one registration stays")
  func twoRegistrations() async throws {
    let two = "{\"value\": [\(Transport.registration("T_2")), \(Transport.registration("T_1"))]}"
    func transport() -> Transport {
      let transport = Transport.managed()
      transport.script("GET \(Self.list)", .json(two))
      transport.script("GET \(Self.list)/T_2/operations", .json(#"{"value": []}"#))
      transport.script("DELETE \(Self.list)/T_2", .success(HTTPResponse(204)))
      return transport
    }
    for isEnrollment in [true, false] {
      let transport = transport()
      let service = try transport.service()
      let answer = isEnrollment ? await service.enroll(.alice) : await service.checkIn(.alice)
      expectEqual(answer.policyName, "Basic")
      expectEqual(transport.lines.filter { $0.hasPrefix("DELETE") }, ["DELETE \(Self.list)/T_2"])
      expectEqual(transport.lines.last, "GET \(Self.list)/T_1/intendedPolicies")
    }
    // One that cannot be deleted now does not keep the answer away, and one that another process deleted is no trouble.
    for status in [404, 503] {
      let transport = transport()
      transport.script("DELETE \(Self.list)/T_2", .status(status))
      if status == 404 { transport.script("GET \(Self.list)/T_2/operations", .status(404)) }
      try await expectEqual(transport.service().checkIn(.alice).policyName, "Basic")
    }
    let ordered = transport()
    ordered.script(
      "GET \(Self.list)/T_2/operations",
      .json(#"{"value": [{"id": "W", "displayName": "wipe", "state": "pending"}]}"#))
    ordered.script("PATCH \(Self.list)/T_2/operations/W", .json("{}"))
    try await expectEqual(ordered.service().checkIn(.alice), .wipe())
    #expect(!ordered.lines.contains("DELETE \(Self.list)/T_2"), "the order stays until it is acknowledged")
    #expect(try await ordered.service().acknowledgeWipe(.alice))
    expectEqual(ordered.lines.last, "PATCH \(Self.list)/T_2/operations/W")
    let leaving = transport()
    leaving.script("DELETE \(Self.list)/T_1", .status(404))
    #expect(try await leaving.service().unenroll(.alice) == nil)
    expectEqual(leaving.lines.suffix(2), ["DELETE \(Self.list)/T_1", "DELETE \(Self.list)/T_2"])
  }

  @Test("A list of more than 8 MiB is given up before its pages are kept")
  func longList() async throws {
    let transport = Transport.managed()
    let padding = String(repeating: " ", count: 3 << 20)
    let link = "https://graph.contoso.com/beta\(Self.list)"
    transport.script("GET \(Self.list)", .json("{\"value\": [], \"@odata.nextLink\": \"\(link)\"}\(padding)"))
    let answer = try await transport.service().checkIn(.alice)
    expectEqual(answer.code, 206)
    expectEqual(answer.error, "the list is longer than 8 MiB")
    expectEqual(transport.lines.count { $0 == "GET \(Self.list)" }, 3)
  }

  @Test(
    "An answer that is not JSON, or of another form, is 206 with its place",
    arguments: [
      ("<html>", "the answer, line 1, column 1: expected a value"),
      ("{\"value\": [ {", "the answer, line 1, column 14"),
      ("{}", "the answer, line 1, column 1: the member \"value\" is missing"),
      (
        "{\"value\": [{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\", \"pinRequired\": 1}]}",
        "the answer, line 1"
      ),
      ("", "the answer, line 1, column 1: the text contains no JSON value"),
    ])
  func unreadable(body: String, error: String) async throws {
    let transport = Transport.managed()
    transport.script("GET \(Self.list)/T_1/intendedPolicies", .json(body))
    let answer = try await transport.service().checkIn(.alice)
    expectEqual(answer.code, 206)
    expectEqual(answer.error?.hasPrefix(error), true, "\(answer.error ?? "")")
  }
}
