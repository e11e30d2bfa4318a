import Expectations
import AppProtection
import Foundation
import PolicyServices
import ServiceTesting
import Testing

@Suite("A service folder")
struct ServiceFolderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    /// `nil` removes the file.
    var text: String?
    var code: ServiceFolderMistake.Code
    /// What the mistake says, from its file on.
    var description: String

    init(_ file: String, _ text: String?, _ code: ServiceFolderMistake.Code, _ description: String) {
      self.file = file
      self.text = text
      self.code = code
      self.description = description
    }

    var testDescription: String { description }
  }

  static let cases = [
    Case("users.json", nil, .missing, "users.json: the file does not exist; create it; the page shows one"),
    Case(
      "users.json", "{\"users\": [\n  {\"groups\": []}]}", .content,
      "users.json: line 2, column 3: users[0]: the user has no name; add id, userPrincipalName, or both"),
    Case(
      "users.json", #"{"users": [{"id": "1234"}]}"#, .content,
      "users.json: line 1, column 19: users[0].id: this is not an object id; write 8-4-4-4-12 hexadecimal digits"),
    Case(
      "users.json", #"{"users": [{"userPrincipalName": "alice"}]}"#, .content,
      "users.json: line 1, column 34: users[0].userPrincipalName: this is not a user principal name; write one with an @ inside"
    ),
    Case(
      "users.json", #"{"users": [{"userPrincipalName": "a@b.c"}, {"userPrincipalName": "A@b.c"}]}"#, .content,
      "users.json: line 1, column 44: users[1]: another user has the same id or name; keep one of them"),
    Case(
      "users.json", #"{"groups": ["finance"], "users": [{"userPrincipalName": "a@b.c", "groups": ["finanse"]}]}"#,
      .content,
      "users.json: line 1, column 77: users[0].groups[0]: \"finanse\" is not one of the names allowed here; write \"finance\""
    ),
    Case(
      "users.json", #"{"users": [{"userPrincipalName": "a@b.c", "clockStatus": "out"}]}"#, .content,
      "users.json: line 1, column 58: users[0].clockStatus: \"out\" is not one of the names allowed here; "
        + "write one of notConfigured, unknown, clockedIn, clockedOut, clockedInStale, clockedOutStale"),
    Case(
      "assignments.json", #"{"assignments": [{"document": "policies/basics.json"}]}"#, .content,
      "assignments.json: line 1, column 31: assignments[0].document: \"policies/basics.json\" is not one of the names allowed here; write \"policies/basic.json\""
    ),
    Case(
      "assignments.json", #"{"assignments": [{"document": "policies/basic.json", "group": ["finance"]}]}"#, .content,
      "assignments.json: line 1, column 54: assignments[0].group: the name \"group\" is not known here; write \"groups\""
    ),
    Case(
      "assignments.json", #"{"assignments": [{"document": "policies/basic.json", "users": ["dave@contoso.com"]}]}"#,
      .content,
      "assignments.json: line 1, column 64: assignments[0].users[0]: users.json lists no such user; check the spelling, or add the user to users.json"
    ),
    Case(
      "wipes.json", "", .content,
      "wipes.json: line 1, column 1: the text contains no JSON value; check that the right file was given"),
    Case(
      "wipes.json", #"{"wipes": [{"user": "alice@contoso.com", "status": "pendng"}]}"#, .content,
      "wipes.json: line 1, column 52: wipes[0].status: \"pendng\" is not one of the names allowed here; write \"pending\""
    ),
    Case(
      "faults.json", #"{"faults": [{"fault": "offlin"}]}"#, .content,
      "faults.json: line 1, column 23: faults[0].fault: \"offlin\" is not one of the names allowed here; write \"offline\""
    ),
    Case(
      "faults.json", #"{"faults": [{"fault": "slow"}]}"#, .content,
      "faults.json: line 1, column 13: faults[0]: the member \"milliseconds\" is missing; add \"milliseconds\""),
    Case(
      "faults.json", #"{"faults": [{"fault": "code", "code": 100}]}"#, .content,
      "faults.json: line 1, column 39: faults[0].code: the number 100 is out of range; write a number from 200 to 999"),
    Case(
      "policies/basic.json", "{\n  \"pinRequired\": tru}", .content,
      "policies/basic.json: line 2, column 18: pinRequired: expected a value, found 't'; write an object, an array, a number, true, false, null or text in double quotes"
    ),
    Case(
      "policies/basic.json", TestFolder.policy("Basic", #""periodOnlineBeforeAccessCheck": "30 minutes""#), .content,
      "policies/basic.json: line 2, column 35: periodOnlineBeforeAccessCheck: "),
    Case(
      "policies/basic.json", ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection"}"##, .document,
      "policies/basic.json: line 1, column 17: [\"@odata.type\"]: androidManagedAppProtection is not an iOS policy; "),
    Case(
      "policies/basic.json", ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration"}"##, .document,
      "policies/basic.json: the document does not hold app protection policies alone; move configurations to configurations"
    ),
    Case(
      "configurations/a.json", TestFolder.policy("Basic", #""pinRequired": true"#), .document,
      "configurations/a.json: the document does not hold app configurations for managed apps alone; move policies to policies"
    ),
    Case("user.json", "{}", .name, "user.json: nothing reads this file; rename it to users.json"),
    Case(
      "policies/basic.json", String(repeating: " ", count: (4 << 20) + 1), .tooLarge,
      "policies/basic.json: the file is longer than 4 MiB; keep only what is assigned"),
  ]

  @Test("A mistake is named with file, place, reason and next step, and no request is answered", arguments: cases)
  func mistakes(example: Case) async throws {
    let folder = try TestFolder()
    if let text = example.text { try folder.write(example.file, text) } else { try folder.remove(example.file) }
    let mistakes = try ServiceFolder.read(at: folder.path).mistakes
    expectEqual(mistakes.count, 1)
    let mistake = try #require(mistakes.first)
    expectEqual(mistake.code, example.code)
    #expect(mistake.description.hasPrefix(example.description), "\(mistake)")
    for request in [ServiceAnswer.failure(.init(.parsingFailure, error: "\(mistake)"))] {
      await expectEqual(folder.service().enroll(.alice), request)
      await expectEqual(folder.service().checkIn(.bob), request)
    }
    await expectEqual(folder.service().unenroll(.alice)?.code, .parsingFailure)
    await expectEqual(folder.service().remediate(.alice, isSilent: true).status, .serviceFailure)
  }

  @Test("Every kind of mistake has a case or needs a file system that fails")
  func kinds() {
    let shown = Set(Self.cases.map(\.code))
    expectEqual(Set(ServiceFolderMistake.Code.allCases).subtracting(shown), [.unreadable])
  }

  @Test("Several mistakes are listed in the order of the files, and the answer counts them")
  func several() async throws {
    let folder = try TestFolder()
    try folder.write("policies/basic.json", "{")
    try folder.write("faults.json", "[")
    try folder.write("wipes.json", "[]")
    try expectEqual(
      ServiceFolder.read(at: folder.path).mistakes.map(\.file),
      [
        "faults.json", "policies/basic.json", "wipes.json",
      ])
    await expectEqual(folder.service().enroll(.alice).error?.hasSuffix("; the folder has 2 more mistakes"), true)
  }

  @Test("A folder with a misspelled name is named; files of editors and notes are not read")
  func names() throws {
    let folder = try TestFolder()
    for name in [".users.json.swp", "users.json~", "#users.json#", "4913", "README.md", "policies/notes.txt"] {
      try folder.write(name, "not JSON")
    }
    try expectEqual(ServiceFolder.read(at: folder.path).mistakes, [])
    try FileManager.default.createDirectory(atPath: folder.path + "/polices", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path + "/certificates", withIntermediateDirectories: true)
    let mistakes = try ServiceFolder.read(at: folder.path).mistakes
    expectEqual(mistakes.map(\.description), ["polices: nothing reads this folder; rename it to policies"])
  }

  @Test("What is not a regular file is not waited for")
  func pipes() throws {
    let folder = try TestFolder()
    try folder.remove("policies/basic.json")
    expectEqual(mkfifo(folder.path + "/policies/basic.json", 0o600), 0)
    let mistakes = try ServiceFolder.read(at: folder.path).mistakes
    expectEqual(mistakes.map(\.description), ["policies/basic.json: this is not a regular file; replace it by a file"])
  }

  @Test("Too many files are refused by their number")
  func tooMany() throws {
    let folder = try TestFolder()
    for number in 0..<1_000 { try folder.write("policies/p\(number).json", "{}") }
    let error = #expect(throws: ServiceFolderMistake.self) { try ServiceFolder.read(at: folder.path) }
    expectEqual(error?.description, "policies: the folder has more than 1000 entries; keep only what is assigned")
  }

  @Test("Lists are bounded")
  func longList() throws {
    let folder = try TestFolder()
    let user = #"{"user": "alice@contoso.com"}"#
    try folder.write("wipes.json", "{\"wipes\": [\(Array(repeating: user, count: 10_001).joined(separator: ","))]}")
    let mistakes = try ServiceFolder.read(at: folder.path).mistakes
    expectEqual(
      mistakes.map(\.description),
      [
        "wipes.json: line 1, column 11: wipes: the list has more than 10000 entries; keep what the test needs"
      ])
  }
}
