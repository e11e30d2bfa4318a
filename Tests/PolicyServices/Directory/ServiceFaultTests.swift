import AppProtection
import AppProtectionKit
import PolicyServices
import Testing

@Suite("Fault switches")
struct ServiceFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: String
    /// The codes of enrolling, checking in and unenrolling; `nil` for an answer that is not a failure.
    var codes: [UInt32?]
    /// The outcomes of a silent remediation and of one with the user.
    var outcomes: [ComplianceStatus]

    init(_ fault: String, _ codes: [UInt32?], _ outcomes: [ComplianceStatus]) {
      self.fault = fault
      self.codes = codes
      self.outcomes = outcomes
    }

    var testDescription: String { fault }
  }

  static let cases = [
    Case(#""offline""#, [205, 212, 205], [.networkFailure, .networkFailure]),
    Case(#""code", "code": 225"#, [225, 225, 225], [.serviceFailure, .serviceFailure]),
    Case(#""code", "code": 299"#, [299, 299, 299], [.serviceFailure, .serviceFailure]),
    Case(#""gone""#, [nil, nil, nil], [.serviceFailure, .serviceFailure]),
    Case(#""wrongJSON""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    Case(#""conditionalAccess""#, [203, 203, 203], [.interactionRequired, .notCompliant]),
    Case(#""cut""#, [205, 212, 205], [.networkFailure, .networkFailure]),
    Case(#""status", "status": 503"#, [205, 212, 205], [.serviceFailure, .serviceFailure]),
    Case(#""status", "status": 408"#, [216, 216, 216], [.networkFailure, .networkFailure]),
    Case(#""status", "status": 401"#, [203, 203, 203], [.interactionRequired, .serviceFailure]),
    Case(#""status", "status": 403"#, [201, 201, 201], [.serviceFailure, .serviceFailure]),
    Case(#""tooManyRequests", "retryAfterSeconds": 1"#, [205, 212, 205], [.serviceFailure, .serviceFailure]),
    Case(#""hugeBody""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    Case(#""endlessBody""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    Case(#""redirect""#, [204, 204, 204], [.serviceFailure, .serviceFailure]),
  ]

  @Test("Each ends in the code that the HTTP service gives it", arguments: cases)
  func codes(example: Case) async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", "{\"faults\": [{\"fault\": \(example.fault)}]}")
    let service = folder.service()
    let answers = [await service.enroll(.alice), await service.checkIn(.alice)]
    #expect(answers.map(\.code) + [await service.unenroll(.alice)?.code.rawValue] == example.codes)
    if example.codes[0] == nil { #expect(answers == [.gone, .gone]) }
    let outcomes = [
      await service.remediate(.alice, isSilent: true), await service.remediate(.alice, isSilent: false),
    ]
    #expect(outcomes.map(\.status) == example.outcomes)
  }

  @Test("A refusal by conditional access names −50004")
  func conditionalAccess() async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", #"{"faults": [{"fault": "conditionalAccess"}]}"#)
    #expect(await folder.service().enroll(.alice).error?.hasPrefix("-50004: ") == true)
  }

  @Test("A fault concerns the users and requests that it names, and none with a number of times")
  func limits() async throws {
    let folder = try TestFolder()
    try folder.write(
      "faults.json",
      """
      {"faults": [{"fault": "offline", "users": ["\(TestFolder.alice)"], "requests": ["checkIn"]},
                  {"fault": "wrongJSON", "times": 2}]}
      """)
    #expect(await folder.service().checkIn(.alice).code == 212)
    #expect(await folder.service().enroll(.alice).policyName == "Basic")
    #expect(await folder.service().checkIn(.bob) == .noPolicy)
  }

  @Test("A slow service waits, and then answers")
  func slow() async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", #"{"faults": [{"fault": "slow", "milliseconds": 1500}]}"#)
    let pauses = Notes<Int64>()
    #expect(await folder.service { pauses.add($0) }.checkIn(.alice).policyName == "Basic")
    #expect(pauses.all == [1_500_000_000])
  }
}
