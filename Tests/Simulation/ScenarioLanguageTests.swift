import Expectations
import JSON
import Simulation
import Testing

@Suite("What scenarios can ask")
struct ScenarioLanguageTests {
  static let enrolled = #"{"launch": {}}, {"registerAndEnroll": "alice"},"# + "\n"

  @Test(
    "An expectation about a list, files or alternatives is met if it holds",
    arguments: [
      #"{"callbacksExclude": ["wipeData", "enrollmentRequest alice 103", "enrollmentRequest none"]}"#,
      #"{"callbacksCount": {"enrollmentRequest alice": 1, "enrollmentRequest": {"atLeast": 1}, "wipeData": 0}}"#,
      #"{"eventsExclude": ["wipe.requested"], "eventsCount": {"policy.received": {"atMost": 1}}}"#,
      #"{"findingsExclude": ["S-24", "T39 alice"], "findingsCount": {"T5": 0}, "findingsContain": []}"#,
      #"{"pendingExclude": ["checkIn"], "pendingCount": {"checkIn alice": 0}, "pendingContain": []}"#,
      #"{"filesLeft": {"alice": 0, "bob": {"atMost": 3}}}"#,
      #"{"anyOf": [{"pending": ["checkIn alice"]}, {"pending": [], "callbacksExclude": ["wipeData"]}]}"#,
      #"{"anyOf": [{"rejected": "T2"}, {"rejected": null}]}"#,
    ])
  func met(_ expectation: String) throws {
    try expectEqual(Run(Self.enrolled + "{\"expect\": \(expectation)}").unmet, [])
  }

  @Test(
    "An unmet expectation about a list, files or alternatives says what was found, in the scenario's names",
    arguments: [
      (
        #"{"callbacksExclude": ["wipeData", "PolicyDidChange"]}"#, "callbacks", "none of wipeData, PolicyDidChange",
        "enrollmentRequest alice 100, PolicyDidChange alice, restartApplication"
      ),
      (
        #"{"callbacksExclude": ["enrollmentRequest alice 100"]}"#, "callbacks", "none of enrollmentRequest alice 100",
        nil
      ),
      (#"{"callbacksCount": {"enrollmentRequest alice": 2}}"#, "callbacksCount enrollmentRequest alice", "2", "1"),
      (#"{"eventsExclude": ["policy.received"]}"#, "events", "none of policy.received", nil),
      (
        #"{"eventsCount": {"policy.received": {"atLeast": 2, "atMost": 4}}}"#, "eventsCount policy.received", "2 to 4",
        "1"
      ),
      (#"{"findingsCount": {"T39": {"atLeast": 1}}}"#, "findingsCount T39", "at least 1", "0"),
      (#"{"findingsContain": ["T39 alice"]}"#, "findings", "including T39 alice", "none"),
      (#"{"pendingContain": ["checkIn alice"]}"#, "pending", "including checkIn alice", "none"),
      (#"{"filesLeft": {"alice": {"atLeast": 1}}}"#, "filesLeft alice", "at least 1", "0"),
      (
        #"{"anyOf": [{"pending": ["checkIn alice"]}, {"rejected": "T2", "filesLeft": {"alice": 1}}]}"#, "anyOf",
        "one of 2 alternatives",
        "1) pending is none instead of checkIn alice\n            2) rejected is the command was accepted instead of "
          + "refused by T2; filesLeft alice is 0 instead of 1"
      ),
    ] as [(String, String, String, String?)])
  func unmet(_ expectation: String, subject: String, expected: String, found: String?) throws {
    let unmet = try Run(Self.enrolled + "{\"expect\": \(expectation)}").result.unmet
    expectEqual(unmet.map(\.subject), [subject])
    expectEqual(unmet.map(\.expected), [expected])
    if let found { expectEqual(unmet.map(\.found), [found]) }
  }

  @Test("A list in an alternative counts from the last expectation about it, and restarts counting")
  func alternativesCount() throws {
    let run = try Run(
      Self.enrolled
        + #"{"expect": {"anyOf": [{"callbacksCount": {"enrollmentRequest": 1}}, {"state": {"/process/launch": 9}}]}},"#
        + #"{"expect": {"callbacks": []}}"#)
    expectEqual(run.unmet, [])
  }

  @Test("A long list is shortened around the first difference, with the number of items on either side")
  func longLists() throws {
    let checks = [String](repeating: #"{"checkIn": "alice"}"#, count: 20).joined(separator: ", ")
    let expected = [String](repeating: #""policyRequest alice 101""#, count: 21).joined(separator: ", ")
    let run = try Run(
      Self.enrolled + #"{"expect": {"callbacksContain": []}}, \#(checks), {"expect": {"callbacks": [\#(expected)]}}"#)
    let found = try #require(run.result.unmet.first)
    let answers = [String](repeating: "policyRequest alice 101", count: 12).joined(separator: ", ")
    expectEqual(found.found, "… 8 before, \(answers)")
    expectEqual(found.expected, "… 9 before, \(answers)")
    let events = try Run(
      Self.enrolled + #"{"expect": {"events": []}}, {"expect": {"state": {"/settings/assumptions": 1}}}"#)
    expectEqual(events.result.unmet.first?.expected, "none")
    expectEqual(events.result.unmet.last?.found.contains(" more"), true)
  }

  @Test(
    "An impossible list item is refused with the nearest name, because excluding it would have no effect",
    arguments: [
      (#"{"callbacksExclude": ["wipedata alice"]}"#, #"write "wipeData""#),
      (#"{"callbacks": ["wipeData alic"]}"#, #"write "alice""#),
      (#"{"callbacksCount": {"policyRequest alcie": 0}}"#, #"write "alice""#),
      (#"{"callbacks": ["enrollmentRequest alice"]}"#, #"not have the form "enrollmentRequest ACCOUNT or none CODE""#),
      (#"{"callbacks": ["enrollmentRequest nobody 207"]}"#, "write one of alice, bob, none"),
      (#"{"eventsExclude": ["wipe.request"]}"#, #"write "wipe.requested""#),
      (#"{"findings": ["S-24 alcie"]}"#, #"write "alice""#), (#"{"findingsExclude": ["S24"]}"#, #"write "S-24""#),
      (#"{"pending": ["chekIn alice"]}"#, #"write "checkIn""#),
      (#"{"callbackExclude": ["wipeData"]}"#, #"write "callbacksExclude""#),
      (#"{"callbacksExclude": []}"#, "this expects nothing"),
      (#"{"anyOf": [{"pending": []}, {"callbacksContain": []}]}"#, "this expects nothing"),
      (#"{"anyOf": [{"pending": []}, {"pending": [], "eventsContain": []}]}"#, "this expects nothing"),
      (#"{"eventsCount": {"policy.received": {}}}"#, "this accepts any number"),
      (#"{"eventsCount": {"policy.received": {"atLeast": 2, "atMost": 1}}}"#, "no number is at least 2 and at most 1"),
      (#"{"filesLeft": {"alcie": 0}}"#, #"write "alice""#), (#"{"filesleft": {"alice": 0}}"#, #"write "filesLeft""#),
      (#"{"anyOf": [{"pending": []}]}"#, "a choice needs at least two alternatives"),
      (#"{"oneOf": []}"#, "decisions, anyOf"), (#"{"anyOf": [{}, {}]}"#, "this expectation is empty"),
      (#"{"decisions": [{"confg": "k", "account": "alice", "is": 1}]}"#, #"write "config""#),
      (
        #"{"decisions": [{"config": "k", "account": "alice", "is": true, "query": "max"}]}"#,
        "text or a number is needed"
      ),
      (#"{"decisions": [{"config": "k", "account": "alice", "is": 1, "query": "mx"}]}"#, "write \"max\""),
      (#"{"decisions": [{"config": "k", "account": "alice", "is": [1, "2"]}]}"#, "is needed, and the text"),
      (#"{"decisions": [{"identity": "ui", "is": "alcie"}]}"#, #"write "alice""#),
      (#"{"decisions": [{"override": "aadClientIDOveride", "is": null}]}"#, #"write "aadClientIdOverride""#),
    ])
  func refused(_ expectation: String, _ part: String) {
    let error = #expect(throws: ScenarioError.self) { try Run("{\"expect\": \(expectation)}") }
    expectEqual(error?.position.map { $0.line == 8 }, true)
    #expect("\(String(describing: error))".contains(part), "\(String(describing: error))")
  }

  @Test("Two accounts with one upn and different objectIDs stay two in the scenario and in its journal")
  func sameName() throws {
    let text = """
      {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z", "app": {"multiIdentity": true},
       "accounts": {"old": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"},
                    "new": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b02", "upn": "Alice@contoso.com"}},
       "policies": {"basic": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection"}}},
       "steps": [{"service": {"old": {"policy": "basic"}, "new": {"policy": "basic"}}}, {"launch": {}},
         {"registerAndEnroll": "old"}, {"restart": {}}, {"registerAndEnroll": "new"},
         {"expect": {"callbacksContain": ["enrollmentRequest old 100", "accountConflict new old"],
                     "findings": ["T13 new old"], "state": {"/accounts/old/enrollment/status": "enrolledWithPolicy"}}}]}
      """
    let scenario = try Scenario(Array(text.utf8), file: "s.json")
    let folder = try TemporaryFolder()
    let result = try ScenarioRunner.runBothWays(scenario, into: folder.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    let message = ScenarioParsingTests.message(
      text.replacing("\"objectID\": \"6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b02\", ", with: ""))
    #expect(message.contains("is the same account: same objectID, or same upn and no other objectID"))
  }

  @Test(
    "A policy document is read even if it was encoded once too often",
    arguments: [
      ##""{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\", \"pinRequired\": true}""##,
      ##"{"value": [{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true}]}"##,
    ])
  func packedPolicy(_ document: String) throws {
    let text = ScenarioParsingTests.text(steps: #"{"launch": {}}"#).replacing(
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection"}"##, with: document)
    let scenario = try Scenario(Array(text.utf8), file: "s.json")
    expectEqual(scenario.policies.map(\.document.access.pinRequired), [true])
  }

  @Test(
    "An invalid step about files, work or the token library is refused with its place and the next step",
    arguments: [
      (#"{"openFile": {"file": "a", "acess": "create"}}"#, #"write "access""#),
      (#"{"openFile": {"file": "a", "thread": "x", "work": "w"}}"#, "write one of thread and work"),
      (#"{"openFile": ""}"#, "a name must have 1 to 1024 bytes"),
      (#"{"createWork": {"work": "w", "kind": "operaton"}}"#, #"write "operation""#),
      (#"{"launch": {"isExtnsion": true}}"#, #"write "isExtension""#),
      (#"{"handOutFile": {"file": "a", "too": "b"}}"#, #"write "to""#),
      (#"{"setWork": {"work": "w", "identity": "alcie"}}"#, #"write "alice""#),
      (#"{"finishWrk": "w"}"#, #"write "finishWork""#),
      (
        #"{"createWork": {"work": "w", "kind": "block", "thread": "x", "inside": "v"}}"#,
        "write one of thread and inside"
      ),
      (#"{"launch": {}}, {"setWork": {"work": "w", "identity": ""}}"#, "this process created no work named w"),
      (#"{"launch": {}}, {"finishWork": "w"}"#, "this process created no work named w"),
      (#"{"launch": {}}, {"handOutFile": {"file": "a", "to": "b"}}"#, "no file is named a"),
      (#"{"finishWork": "w"}"#, "the app is not running; launch it first"),
      (#"{"launch": {}}, {"launch": {"isExtension": true}}"#, "the app is already running"),
      (#"{"overrides": {"clientID": "x"}}"#, "known names: aadAuthorityUriOverride"),
      (#"{"enrollmentIDs": [{"account": "alice"}]}"#, #"the member "enrollmentID" is missing"#),
      (#"{"openFile": "a"}"#, "the app is not running; launch it first"),
      (#"{"launch": {}}, {"removeFile": "a"}"#, #"no file is named a; create it first with the step "openFile""#),
      (#"{"launch": {}}, {"submitWork": "w"}"#, "this process created no work named w"),
      (
        #"{"launch": {}}, {"openFile": "a"}, {"protectFile": {"file": "a", "identity": "bob"}}"#,
        "the journal does not know bob yet; mention the account in an earlier command"
      ),
      (
        #"{"launch": {}}, {"createWork": {"work": "w", "kind": "block"}}, {"restart": {}}, {"submitWork": "w"}"#,
        "this process created no work named w"
      ),
    ])
  func impossible(_ steps: String, _ part: String) {
    let error = #expect(throws: ScenarioError.self) { try Run(steps) }
    #expect("\(String(describing: error))".contains(part), "\(String(describing: error))")
  }

  @Test(
    "An unexpected answer is reported with what was found and why",
    arguments: [
      (
        #"{"config": "k", "account": "alice", "is": 1}"#, "config k of alice", "1",
        "nothing: the account has no configuration"
      ),
      (#"{"owner": "f", "is": "alice"}"#, "owner of f", "alice", "nothing: no such file"),
      (#"{"work": "w", "is": "alice"}"#, "work w", "alice", "nothing: no work has this label"),
      (
        #"{"override": "aadClientIdOverride", "is": "x"}"#, "override aadClientIdOverride", #""x""#,
        "nothing: it is not set or was taken back"
      ),
      (
        #"{"enrollmentID": null, "is": "E"}"#, "enrollmentID", #""E""#,
        "nothing: the token library has no enrollment id: enroll before asking for a token"
      ),
    ])
  func answers(_ decision: String, subject: String, expected: String, found: String) throws {
    let unmet = try Run(Self.enrolled + "{\"expect\": {\"decisions\": [\(decision)]}}").result.unmet
    expectEqual(unmet.map(\.subject), [subject])
    expectEqual(unmet.map(\.expected), [expected])
    expectEqual(unmet.map(\.found), [found])
  }

  @Test("A token of an account that the journal does not know yet is not refused, and is not recorded")
  func earlyToken() throws {
    let run = try Run(
      #"{"launch": {}}, {"acquireToken": "alice"}, {"removeToken": "bob"}, {"expect": {"rejected": null, "eventsExclude": "#
        + #"["account.introduced", "token.acquired", "token.removed"]}}, {"registerAndEnroll": "alice"}, {"removeToken": "alice"}, "#
        + #"{"acquireToken": "alice"}, {"expect": {"eventsContain": ["token.removed", "token.acquired"], "#
        + #""state": {"/accounts/alice/enrollment/status": "enrolledWithPolicy"}}}"#)
    expectEqual(run.unmet, [])
    try #expect(Run.error(#"{"acquireToken": "alice"}"#).contains("the app is not running; launch it first"))
  }

  @Test("A question to the user stays open until there is an answer, and one to the app succeeds without one")
  func unanswered() throws {
    let choice = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"registerAndEnroll": "bob"}, {"expect": {"pending": ["askAccountSwitch bob alice"]}}, {"wait": "PT1H"}, "#
        + #"{"expect": {"pending": ["askAccountSwitch bob alice"], "callbacksCount": {"chooseAccount": 1}}}, "#
        + #"{"delegate": {"accountChoice": "keepExisting"}}, {"restart": {}}, {"expect": {"pending": [], "callbacksCount": "#
        + #"{"chooseAccount": 1}}}"#)
    expectEqual(choice.unmet, [])
    let login = try Run(
      #"{"launch": {}}, {"loginAndEnroll": null}, {"expect": {"pending": ["askLogin"]}}, {"answerLogin": "alice"}, "#
        + #"{"expect": {"pending": [], "state": {"/accounts/alice/enrollment/status": "enrolledWithPolicy"}}}"#)
    expectEqual(login.unmet, [])
    let identity = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"setPIN": {"account": "alice", "pin": "2580"}}, "#
        + #"{"requestIdentitySwitch": {"identity": "alice", "reason": "openURL"}}, "#
        + #"{"expect": {"pending": [], "state": {"/identities/ui": "alice"}}}"#)
    expectEqual(identity.unmet, [])
  }

  @Test("A wipe that the app carries out leaves no file of the account, and one that fails leaves one")
  func filesLeft() throws {
    let done = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"files": {"alice": 3}}, {"delegate": {"wipeData": true}}, {"openFile": "other"},"#
        + #"{"expect": {"filesLeft": {"alice": 3}}}, {"wipe": "alice"}, {"expect": {"filesLeft": {"alice": 0}}}"#)
    expectEqual(done.unmet, [])
    let failed = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"files": {"alice": {"count": 3, "failure": "busy"}}}, {"expect": {"filesLeft": {"alice": 4}}},"#
        + #"{"wipe": "alice"}, {"expect": {"filesLeft": {"alice": 1}}}"#)
    expectEqual(failed.unmet, [])
  }

  @Test(
    "Overrides hold until an account is unenrolled, wiped or forgotten by the service, but no longer",
    arguments: [
      (#"{"restart": {}}, {"checkIn": "alice"}, {"reboot": {}}"#, true),
      (#"{"deregisterAndUnenroll": "alice"}"#, false), (#"{"wipe": "alice"}"#, false),
      (#"{"service": {"alice": ["gone", {"policy": "basic"}]}}, {"checkIn": "alice"}"#, false),
      (#"{"service": {"alice": "networkFailure"}}, {"deregisterAndUnenroll": "alice"}"#, true),
      (#"{"deregisterAndUnenroll": "alice"}, {"overrides": {"aadClientIdOverride": "x"}}"#, true),
      (#"{"overrides": {"aadRedirectUriOverride": "y"}}"#, false), (#"{"overrides": null}"#, false),
    ])
  func overrides(_ steps: String, hold: Bool) throws {
    let run = try Run(
      Self.enrolled + #"{"restart": {}}, {"overrides": {"aadClientIdOverride": "x"}}, \#(steps), {"expect": "#
        + #"{"decisions": [{"override": "aadClientIdOverride", "is": \#(hold ? #""x""# : "null")}]}}"#)
    expectEqual(run.unmet, [])
  }

  @Test(
    "A file's owner follows the rules of files, and an enrollment id is found as the token library finds it",
    arguments: [
      // Appending and reading change no owner; truncating does.
      #"{"openFile": {"file": "f", "thread": "w"}}, {"openFile": {"file": "f", "access": "append"}}"#
        + #", {"openFile": {"file": "f", "access": "read"}}|{"owner": "f", "is": "alice"}"#,
      #"{"openFile": {"file": "f", "thread": "w"}}, {"openFile": {"file": "f", "access": "truncate"}}|{"owner": "f", "is": ""}"#,
      #"{"openFile": {"file": "f", "thread": "w"}}, {"moveFile": {"file": "f", "to": "g"}}|{"owner": "g", "is": "alice"}, {"owner": "f", "is": null}"#,
      #"{"openFile": {"file": "f", "thread": "w"}}, {"settings": {"copiedFilesKeepOwner": false}}, {"copyFile": {"file": "f", "to": "g"}}|{"owner": "g", "is": ""}"#,
      #"{"openFile": "f"}, {"protectFile": {"file": "f", "identity": "alice"}}|{"owner": "f", "is": "alice"}"#,
      #"{"openFile": "f"}, {"removeFile": "f"}|{"owner": "f", "is": null}"#,
      #"{"createWork": {"work": "t", "kind": "detachedTask", "thread": "w"}}|{"work": "t", "is": null}"#,
      // A change inside of work lasts while it runs, and reaches files and other work, but no thread.
      #"{"createWork": {"work": "t", "kind": "workItem", "thread": "w"}}, {"setWork": {"work": "t", "identity": ""}}, {"openFile": {"file": "f", "work": "t"}}"#
        + #", {"createWork": {"work": "u", "kind": "workItem", "inside": "t"}}, {"createWork": {"work": "v", "kind": "workItem", "thread": "w"}}"#
        + #"|{"work": "t", "is": ""}, {"owner": "f", "is": ""}, {"work": "u", "is": ""}, {"work": "v", "is": "alice"}"#,
      #"{"createWork": {"work": "t", "kind": "workItem", "thread": "w"}}, {"setWork": {"work": "t", "identity": null}}, {"submitWork": "t"}|{"work": "t", "is": "alice"}"#,
      #"{"createWork": {"work": "t", "kind": "workItem", "thread": "w"}}, {"setWork": {"work": "t", "identity": null}}|{"work": "t", "is": null}"#,
      #"{"createWork": {"work": "t", "kind": "block"}}, {"createWork": {"work": "u", "kind": "workItem", "thread": "w"}}, {"submitWork": {"work": "t", "inside": "u"}}"#
        + #"|{"work": "t", "is": "alice"}"#,
      #"{"createWork": {"work": "t", "kind": "workItem", "thread": "w"}}, {"setWork": {"work": "t", "identity": ""}}, {"finishWork": "t"}|{"work": "t", "is": "alice"}"#,
      #"{"enrollmentIDs": [{"homeAccountID": "O.T", "userID": "A@x", "enrollmentID": "E"}]}|"#
        + #"{"enrollmentID": {"homeAccountID": "o.t"}, "is": "E"}, {"enrollmentID": {"userID": "a@X"}, "is": "E"}, "#
        + #"{"enrollmentID": {"userID": "a@X"}, "isCaseSensitive": true, "is": null}, {"enrollmentID": "alice", "is": null}"#,
    ])
  func models(_ row: String) throws {
    let parts = row.split(separator: "|")
    let run = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"setThread": {"thread": "w", "identity": "alice"}}, \#(parts[0]), {"expect": "#
        + #"{"decisions": [\#(parts[1])]}}"#)
    expectEqual(run.unmet, [])
  }

  @Test("A file provider's copy belongs to the account whose policy asks for encryption, or to none")
  func handedOut() throws {
    let text = """
      {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z", "app": {"multiIdentity": true},
       "accounts": {"work": {"upn": "w@contoso.com"}, "home": {"upn": "h@example.com"}, "guest": {"upn": "g@fabrikam.com"}},
       "policies": {"strict": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection",
         "allowedOutboundDataTransferDestinations": "managedApps"}}},
       "steps": [{"service": {"work": {"policy": "strict"}, "home": "noPolicy"}}, {"launch": {}},
         {"registerAndEnroll": "work"}, {"registerAndEnroll": "home"}, {"restart": {}},
         {"openFile": "own"}, {"protectFile": {"file": "own", "identity": "work"}}, {"openFile": "free"},
         {"openFile": "private"}, {"protectFile": {"file": "private", "identity": "home"}},
         {"handOutFile": {"file": "own", "to": "1", "account": "home"}}, {"handOutFile": {"file": "own", "to": "2"}},
         {"handOutFile": {"file": "free", "to": "3", "account": "work"}}, {"handOutFile": {"file": "free", "to": "4"}},
         {"handOutFile": {"file": "private", "to": "5", "account": "work"}},
         {"handOutFile": {"file": "private", "to": "6", "account": "home"}},
         {"expect": {"decisions": [{"owner": "1", "is": "work"}, {"owner": "2", "is": "work"}, {"owner": "3", "is": "work"},
           {"owner": "4", "is": ""}, {"owner": "5", "is": "work"}, {"owner": "6", "is": ""}]}},
         {"settings": {"fileProviderEncryptsForManagedApps": false}}, {"handOutFile": {"file": "own", "to": "7"}},
         {"expect": {"decisions": [{"owner": "7", "is": ""}]}}, {"wipe": "work"},
         {"expect": {"decisions": [{"owner": "1", "is": null}, {"owner": "4", "is": ""}, {"owner": "7", "is": ""}]}}]}
      """
    let folder = try TemporaryFolder()
    let scenario = try Scenario(Array(text.utf8), file: "s.json")
    let result = try ScenarioRunner.runBothWays(scenario, into: folder.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
  }

  @Test("A message uses the scenario's account names, and leaves text that only looks like a journal's number")
  func names() throws {
    let text = Run.text(Self.enrolled + #"{"expect": {"state": {"/accounts/alice/userPrincipalName": "x"}}}"#)
      .replacing("alice@contoso.com", with: "a1@contoso.com")
    let scenario = try Scenario(Array(text.utf8), file: "s.json")
    let folder = try TemporaryFolder()
    let result = try JSONExcerpt.$showsPersons.withValue(true) {
      try ScenarioRunner.runBothWays(scenario, into: folder.path + "/journal")
    }
    expectEqual(result.unmet.map(\.found), [#""a1@contoso.com""#])
  }

  @Test("An unexpected configuration value is reported with the event that delivered it")
  func origin() throws {
    let run = try Run(
      Self.enrolled
        + #"{"restart": {}}, {"configuration": {"account": "alice", "targeted": [{"k": "1"}, {"k": "2"}]}},"#
        + #"{"expect": {"decisions": [{"config": "k", "account": "alice", "query": "min", "is": 2}]}}"#)
    let unmet = try #require(run.result.unmet.first)
    expectEqual(unmet.found, "1: 2 policies that target the account have the key")
    expectEqual(unmet.origin?.type, "configuration.received")
  }
}
