import Expectations
import AppProtection
import AppProtectionKit
import Foundation
import PolicyServices
import ServiceTesting
import Testing

@Suite("The directory service")
struct DirectoryServiceTests {
  @Test("A user's policy is the document that the folder assigns, by object id or by name in any case")
  func policy() async throws {
    let folder = try TestFolder()
    let service = folder.service()
    guard case .policy(let policy, nil) = await service.enroll(.alice) else { throw Failure() }
    expectEqual(policy.about.id, "T_Basic")
    expectEqual(policy.access.minimumPinLength, 4)
    await expectEqual(service.checkIn(.alice), .policy(policy))
    await expectEqual(service.enroll(.bob), .noPolicy)
    #expect(await service.unenroll(.alice) == nil)
  }

  @Test("A check-in by an account that has the policy is unchanged, and by one that has another or none it is not")
  func unchanged() async throws {
    let folder = try TestFolder()
    let service = folder.service()
    guard case .policy(let policy, nil) = await service.enroll(.alice) else { throw Failure() }
    var request = ServiceRequest.alice
    request.policy = AppliedPolicy(document: policy)
    await expectEqual(service.checkIn(request), .unchanged)
    await expectEqual(service.enroll(request), .policy(policy), "an enrollment brings the policy")
    var other = policy
    other.access.minimumPinLength = 9
    request.policy = AppliedPolicy(document: other)
    await expectEqual(service.checkIn(request), .policy(policy))
  }

  @Test("An edit counts from the next request on")
  func edit() async throws {
    let folder = try TestFolder()
    let service = folder.service()
    await expectEqual(service.enroll(.alice).policyName, "Basic")
    try folder.write("policies/basic.json", TestFolder.policy("Strict", #""pinRequired": true"#))
    await expectEqual(service.checkIn(.alice).policyName, "Strict")
    try folder.write("assignments.json", #"{"assignments": []}"#)
    await expectEqual(service.checkIn(.alice), .noPolicy)
  }

  @Test("Several policies are combined, the same in every order of their assignments")
  func combination() async throws {
    let folder = try TestFolder()
    try folder.write("policies/long.json", TestFolder.policy("Long", #""minimumPinLength": 8, "pinRequired": false"#))
    let assignments = [
      #"{"document": "policies/basic.json", "everyone": true}"#,
      #"{"document": "policies/long.json", "users": ["alice@contoso.com"]}"#,
    ]
    try folder.write("assignments.json", "{\"assignments\": [\(assignments.joined(separator: ","))]}")
    let answer = await folder.service().checkIn(.alice)
    guard case .policy(let policy, _) = answer else { throw Failure() }
    expectEqual(policy.access.minimumPinLength, 8)
    expectEqual(policy.access.pinRequired, true)
    try folder.write("assignments.json", "{\"assignments\": [\(assignments.reversed().joined(separator: ","))]}")
    await expectEqual(folder.service().checkIn(.alice), answer)
    await expectEqual(folder.service().checkIn(.bob).policyName, "Basic")
  }

  @Test("An excluded group outweighs every other assignment")
  func exclusion() async throws {
    let folder = try TestFolder()
    try folder.write(
      "assignments.json",
      #"{"assignments": [{"document": "policies/basic.json", "everyone": true, "excludedGroups": ["finance"]}]}"#)
    await expectEqual(folder.service().checkIn(.alice), .noPolicy)
    await expectEqual(folder.service().checkIn(.bob).policyName, "Basic")
  }

  @Test("A policy that lists other apps does not apply to this one")
  func apps() async throws {
    let folder = try TestFolder()
    let app = #"{"mobileAppIdentifier": {"bundleId": "com.contoso.Notes"}}"#
    for (group, isIncluded) in [("selectedPublicApps", false), ("allApps", true)] {
      try folder.write(
        "policies/basic.json", TestFolder.policy("Basic", "\"appGroupType\": \"\(group)\", \"apps\": [\(app)]"))
      await expectEqual(folder.service(bundleID: "com.contoso.notes").checkIn(.alice).policyName, "Basic")
      await expectEqual(
        folder.service(bundleID: "com.contoso.mail").checkIn(.alice).policyName, isIncluded ? "Basic" : nil)
      await expectEqual(folder.service().checkIn(.alice).policyName, "Basic")
    }
  }

  @Test("A wipe repeats until its request is done or deleted")
  func wipe() async throws {
    let folder = try TestFolder()
    for (status, isOpen) in [("pending", true), ("active", true), ("done", false), ("canceled", false)] {
      try folder.write("wipes.json", "{\"wipes\": [{\"user\": \"Alice@contoso.com\", \"status\": \"\(status)\"}]}")
      for _ in 0..<2 { #expect((await folder.service().checkIn(.alice) == .wipe()) == isOpen, "\(status)") }
      await expectEqual(folder.service().checkIn(.bob), .noPolicy)
    }
    try folder.write("wipes.json", #"{"wipes": [{"user": "alice@contoso.com"}]}"#)
    await expectEqual(folder.service().enroll(.alice), .wipe())
    try folder.remove("wipes.json")
    await expectEqual(folder.service().enroll(.alice).policyName, "Basic")
  }

  @Test("A user without a license is refused with 200, an unknown one with 207, a deleted one is gone")
  func users() async throws {
    let folder = try TestFolder()
    await expectEqual(folder.service().enroll(.stranger).code, 207)
    await expectEqual(folder.service().checkIn(.stranger), .gone)
    try folder.write(
      "users.json",
      """
      {"groups": ["finance"], "users": [{"userPrincipalName": "bob@contoso.com", "isLicensed": false}]}
      """)
    await expectEqual(folder.service().enroll(.bob).code, 200)
    await expectEqual(folder.service().remediate(.bob, isSilent: true).status, .serviceFailure)
  }

  @Test("An account is compliant once a policy targets it")
  func remediation() async throws {
    let folder = try TestFolder()
    await expectEqual(folder.service().remediate(.alice, isSilent: true), RemediationOutcome(.compliant))
    let outcome = await folder.service().remediate(.bob, isSilent: false)
    expectEqual(outcome.status, .notCompliant)
    #expect(outcome.message.contains("No app protection policy"))
  }

  @Test("A missing folder is a service that was not found")
  func missingFolder() async throws {
    let service = DirectoryService(at: "/nonexistent/service", pause: ServicePause { _ in })
    let answer = await service.enroll(.alice)
    expectEqual(answer.code, 204)
    expectEqual(answer.error, "the service folder does not exist; check the name, or create it")
  }

  @Test("A file that its editor has half saved is read again, and never an empty one")
  func halfSaved() async throws {
    let folder = try TestFolder()
    let new = TestFolder.policy("New", #""pinRequired": true"#)
    for half in ["", String(new.prefix(40)), "{", nil] {
      if let half { try folder.write("policies/basic.json", half) } else { try folder.remove("policies/basic.json") }
      // Nobody ends the save: a failure with the file, and not "no policy".
      let answer = await folder.service().checkIn(.alice)
      expectEqual(answer.code, 206, "\(half ?? "removed")")
      expectEqual(answer.error?.contains(half == nil ? "assignments.json" : "policies/basic.json: "), true)
      // The editor ends its save during the first pause.
      let pauses = Notes<Int64>()
      let saved = folder.service { nanoseconds in
        pauses.add(nanoseconds)
        try? folder.write("policies/basic.json", new)
      }
      await expectEqual(saved.checkIn(.alice).policyName, "New")
      expectEqual(pauses.all, [50_000_000])
    }
  }

  @Test(
    "A policy of a type that is not understood is never taken for no policy",
    arguments: ["targetedManagedAppProtection", "iosManagedAppProtectionV2", "managedAppOperation"])
  func notUnderstood(type: String) async throws {
    let folder = try TestFolder()
    try folder.write(
      "policies/basic.json", "{\"@odata.type\": \"#microsoft.graph.\(type)\", \"pinRequired\": true}")
    for answer in [await folder.service().enroll(.alice), await folder.service().checkIn(.alice)] {
      expectEqual(answer.code, 206)
    }
  }

  @Test("A wipe reaches a user who loses the license with the same edit")
  func offboarding() async throws {
    let folder = try TestFolder()
    let users = #"{"users": [{"userPrincipalName": "alice@contoso.com", "id": "ID", "isLicensed": false}]}"#
    try folder.write("users.json", users.replacingOccurrences(of: "ID", with: TestFolder.alice))
    try folder.write("assignments.json", #"{"assignments": []}"#)
    await expectEqual(folder.service().checkIn(.alice).code, 200)
    try folder.write("wipes.json", #"{"wipes": [{"user": "alice@contoso.com"}]}"#)
    await expectEqual(folder.service().checkIn(.alice), .wipe())
    await expectEqual(folder.service().enroll(.alice), .wipe())
    await expectEqual(folder.service().remediate(.alice, isSilent: true).status, .serviceFailure)
    await expectEqual(folder.service().deliveries(.alice), ServiceDeliveries())
  }

  @Test(
    "No beginning of a file is taken for the whole of it",
    arguments: ["users", "assignments", "policies/basic", "wipes"])
  func everyPrefix(file: String) async throws {
    let folder = try TestFolder()
    try folder.write("wipes.json", #"{"wipes": [{"user": "alice@contoso.com", "status": "done"}]}"#)
    let path = "\(folder.path)/\(file).json"
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    let whole = await folder.service().checkIn(.alice)
    expectEqual(whole.policyName, "Basic")
    for length in 0..<text.count {
      try text.prefix(length).write(to: URL(fileURLWithPath: path))
      let answer = await folder.service().checkIn(.alice)
      // Only a line break may follow the last bracket.
      #expect(answer.code == 206 || answer == whole && text[length] == UInt8(ascii: "\n"), "the first \(length) bytes")
    }
  }

  @Test("A canceled task ends at its next pause, with a failure that is tried again")
  func cancellation() async throws {
    let folder = try TestFolder()
    try folder.write("faults.json", #"{"faults": [{"fault": "slow", "milliseconds": 600000}]}"#)
    // Ends only because it is canceled.
    let service = DirectoryService(at: folder.path)
    let task = Task { await service.checkIn(.alice) }
    task.cancel()
    let answer = await task.value
    expectEqual(answer.code, 212)
    expectEqual(answer.error, "the request was canceled")
  }
}

struct Failure: Error {}
