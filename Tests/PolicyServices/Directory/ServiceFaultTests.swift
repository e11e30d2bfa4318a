import Expectations
import AppProtection
import AppProtectionKit
import PolicyServices
import ServiceTesting
import Testing

@Suite("Fault switches")
struct ServiceFaultTests {
  @Test("Each ends in the code that the HTTP service gives it", arguments: FaultCase.all)
  func codes(example: FaultCase) async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", "{\"faults\": [{\"fault\": \(example.fault)}]}")
    let service = folder.service()
    let answers = [await service.enroll(.alice), await service.checkIn(.alice)]
    expectEqual(answers.map(\.code) + [await service.unenroll(.alice)?.code.rawValue], example.codes)
    if example.codes[0] == nil { expectEqual(answers, [.gone, .gone]) }
    let outcomes = [
      await service.remediate(.alice, isSilent: true), await service.remediate(.alice, isSilent: false),
    ]
    expectEqual(outcomes.map(\.status), example.outcomes)
  }

  @Test("A silent remediation without a token, and one that ends in an unknown code, end as assumed")
  func assumedOutcomes() async throws {
    var other = Assumptions()
    (other.remediationWithoutToken, other.remediationOfUnknownOutcome) = (.networkFailure, .userCancelled)
    let folder = try TestFolder()
    for (fault, silent, asked) in [
      (#""status", "status": 401"#, ComplianceStatus.networkFailure, ComplianceStatus.serviceFailure),
      (#""conditionalAccess""#, .networkFailure, .notCompliant),
      (#""code", "code": 299"#, .userCancelled, .userCancelled),
      (#""code", "code": 225"#, .serviceFailure, .serviceFailure), (#""offline""#, .networkFailure, .networkFailure),
    ] {
      try folder.write("faults.json", "{\"faults\": [{\"fault\": \(fault)}]}")
      var request = ServiceRequest.alice
      request.assumptions = other
      await expectEqual(folder.service().remediate(request, isSilent: true).status, silent, "\(fault)")
      await expectEqual(folder.service().remediate(request, isSilent: false).status, asked, "\(fault)")
    }
  }

  @Test("A refusal by conditional access names −50004")
  func conditionalAccess() async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", #"{"faults": [{"fault": "conditionalAccess"}]}"#)
    await expectEqual(folder.service().enroll(.alice).error?.hasPrefix("-50004: "), true)
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
    await expectEqual(folder.service().checkIn(.alice).code, 212)
    await expectEqual(folder.service().enroll(.alice).policyName, "Basic")
    await expectEqual(folder.service().checkIn(.bob), .noPolicy)
  }

  @Test("A slow service waits, and then answers")
  func slow() async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", #"{"faults": [{"fault": "slow", "milliseconds": 1500}]}"#)
    let pauses = Notes<Int64>()
    await expectEqual(folder.service { pauses.add($0) }.checkIn(.alice).policyName, "Basic")
    expectEqual(pauses.all, [1_500_000_000])
  }
}
