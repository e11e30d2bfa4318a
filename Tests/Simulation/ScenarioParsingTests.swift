import Expectations
import EventSourcing
import JSON
import Journal
import Simulation
import Testing

@Suite("Reading scenarios")
struct ScenarioParsingTests {
  /// A scenario with one place to write something into.
  static func text(steps: String = "", members: String = "") -> String {
    """
    {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z",
     "accounts": {"alice": {"upn": "alice@contoso.com"}, "bob": {"upn": "bob@contoso.com"}},
     "policies": {"basic": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection"}}}\(members),
     "steps": [
       \(steps)
     ]}
    """
  }

  static func message(_ text: String) -> String {
    do throws(ScenarioError) {
      _ = try Scenario(Array(text.utf8), file: "s.json")
      return "accepted"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "A mistake in a step is named with line, column, path, reason and next step",
    arguments: [
      (
        #"{"lanch": {}}"#,
        5,
        #".lanch: the name "lanch" is not known here; write "launch""#
      ),
      (
        "{}",
        4,
        ": a step has one member that says what happens; this one has 0; "
          + "add one, such as \"launch\": {}"
      ),
      (
        #"{"launch": {}, "exit": {}}"#,
        4,
        ": a step has one member that says what happens; this one has 2; "
          + "make each a separate step"
      ),
      (
        #"{"launch": {"os": "17"}}"#,
        16,
        #".launch.os: the name "os" is not known here; known names: "#
      ),
      (
        #"{"registerAndEnroll": "alic"}"#,
        26,
        #".registerAndEnroll: "alic" is not one of the names allowed here; "#
          + #"write "alice""#
      ),
      (
        #"{"service": {"carol": "gone"}}"#,
        26,
        #".service.carol: "carol" is not one of the names allowed here; "#
          + "write one of alice, bob"
      ),
      (
        #"{"service": {"alice": "gon"}}"#,
        26,
        #".service.alice: "gon" is not one of the names allowed here; "#
          + #"write "gone""#
      ),
      (
        #"{"service": {"alice": []}}"#,
        26,
        ".service.alice: this list of answers is empty; add one, or remove the member"
      ),
      (
        #"{"service": {"alice": {"policy": "basics"}}}"#,
        37,
        #".service.alice.policy: "basics" is not one of the names allowed here; "#
          + #"write "basic""#
      ),
      (
        #"{"service": {"alice": {"code": 104}}}"#,
        35,
        ".service.alice.code: the number 104 is out of range; write a number from 200 to 999"
      ),
      (
        #"{"wait": "30 minutes"}"#,
        13,
        ".wait: the text is not an ISO 8601 duration; write for instance PT12H, PT30M or P90D"
      ),
      (
        #"{"at": "2026-02-30T00:00:00Z"}"#,
        11,
        ".at: this is not a point in time between 1678 and 2261; "
          + "write a date and time with its offset, such as \"2020-03-05T09:00:00Z\""
      ),
      (
        #"{"clock": {}}"#,
        14,
        ".clock: a clock is set back or ahead, or gets another offset from UTC; "
          + "write one of setBack and setAhead with a length of time, or utcOffset"
      ),
      (
        #"{"clock": {"utcOffset": "+18:60"}}"#,
        28,
        ".clock.utcOffset: this is not an offset from UTC of at most 18 hours; "
          + "write hours and minutes with a sign, such as \"+02:00\" or \"-05:30\""
      ),
      (
        #"{"crash": {"during": "wipe.completed"}}"#,
        14,
        ".crash: a crash happens before, during or after one type of event; "
          + "write \"now\", {\"before\": TYPE}, {\"after\": TYPE} or {\"during\": TYPE, \"bytes\": NUMBER}"
      ),
      (
        #"{"crash": {"before": "wipe.complete"}}"#,
        25,
        #".crash.before: "wipe.complete" is not one of the names allowed here; "#
          + #"write "wipe.completed""#
      ),
      (
        #"{"setThread": {"thread": "a thread", "identity": "alice"}}"#,
        29,
        ".setThread.thread: this is not a valid thread label; "
          + "write 1 to 64 letters, digits, points, - or _"
      ),
      (
        #"{"postponeRestart": "PT90S"}"#,
        24,
        ".postponeRestart: "
          + "a restart can be postponed by whole minutes, from one minute to one day; write a length such as \"PT10M\""
      ),
      (
        #"{"damage": {"file": "../HEAD", "offset": 0, "flipBit": 0}}"#,
        24,
        ".damage.file: this must name a file in the journal's folder; "
          + "write its name alone, or \"last segment\""
      ),
      (
        #"{"damage": {"event": 1, "offset": 0, "flipBit": 8}}"#,
        52,
        ".damage.flipBit: the number 8 is out of range; write a number from 0 to 7"
      ),
      (
        #"{"expect": {}}"#,
        15,
        ".expect: this expectation is empty; add state, callbacks, events or another member"
      ),
      (
        #"{"expect": {"state": {"accounts": 1}}}"#,
        38,
        ".expect.state.accounts: a path into the state begins with a slash and ends without one; "
          + "write a path such as \"/accounts/alice/enrollment/status\""
      ),
      (
        #"{"expect": {"state": {"/acounts/alice": null}}}"#,
        44,
        #".expect.state["/acounts/alice"]: "acounts" is not one of the names allowed here; write "accounts""#
      ),
      (
        #"{"expect": {"state": {"/accounts/alice": {}}}}"#,
        45,
        #".expect.state["/accounts/alice"]: this expects nothing, so it always holds; say what is expected, or remove"#
      ),
      (
        #"{"expect": {"decisions": []}}"#,
        29,
        ".expect.decisions: this expects nothing, so it always holds; say what is expected, or remove it"
      ),
      (
        #"{"expect": {"decisions": [{"managed": "alice"}]}}"#,
        30,
        #".expect.decisions[0]: the member "is" is missing; add "is""#
      ),
    ])
  func steps(step: String, column: Int, expected: String) {
    let message = Self.message(Self.text(steps: step))
    #expect(message.hasPrefix("s.json: line 5, column \(column): steps[0]\(expected)"))
  }

  @Test(
    "A mistake outside of the steps is named with line, column, path, reason and next step",
    arguments: [
      ("", "s.json: line 1, column 1: the text contains no JSON value"),
      (
        #"{"scenario": 2}"#,
        "s.json: line 1, column 14: scenario: this program reads scenarios of version 1; use a newer"
      ),
      (
        #"{"scenario": 1, "titel": "t"}"#,
        #"s.json: line 1, column 17: titel: the name "titel" is not known here; write "title""#
      ),
      (#"{"scenario": 1}"#, #"s.json: line 1, column 1: the member "title" is missing; add "title""#),
      (
        text(members: #", "journal": {"sync": "always"}"#),
        #"s.json: line 3, column 120: journal.sync: "always" is not one of the names allowed here; write one of"#
      ),
      (
        text(members: #", "journal": {"id": "42"}"#),
        "s.json: line 3, column 118: journal.id: this is not a GUID; write 32"
      ),
      (
        text(members: #", "app": {"multiIdentity": "yes"}"#),
        #"s.json: line 3, column 125: app.multiIdentity: true or false is needed, and the text "yes" was found; write true"#
      ),
      (
        #"{"scenario": 1, "accounts": {"a1": {}}}"#,
        "s.json: line 1, column 36: accounts.a1: \"a1\" cannot be the name of an account; use letters"
      ),
      (
        #"{"scenario": 1, "policies": {"p": {}}}"#,
        "s.json: line 1, column 35: policies.p: a policy needs one of path and document; name a file"
      ),
      (
        ##"{"scenario": 1, "policies": {"p": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": 1}}}}"##,
        "s.json: line 1, column 123: policies.p.document.pinRequired: true or false is needed"
      ),
      (
        #"{"scenario": 1, "policies": {"p": {"path": "missing.json"}}}"#,
        "s.json: line 1, column 44: the file missing.json cannot be read: No such file or directory; check its permissions"
      ),
    ])
  func surroundings(text: String, expected: String) {
    #expect(Self.message(text).hasPrefix(expected))
  }

  @Test("A refused policy document is reported with its own file and line")
  func foreignDocument() throws {
    let folder = try TemporaryFolder()
    try Files.write(
      "{\n  \"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"\n}", to: folder.path + "/p.json")
    try Files.write(#"{"scenario": 1, "policies": {"p": {"path": "p.json"}}}"#, to: folder.path + "/s.json")
    let error = #expect(throws: ScenarioError.self) { try Scenario.load(folder.path + "/s.json") }
    expectEqual(error?.code, .policyRefused)
    expectEqual(error?.description.hasPrefix("\(folder.path)/p.json: line 2"), true)
    #expect(error?.message.contains("androidManagedAppProtection is not an iOS policy") == true)
  }

  @Test("A missing scenario is reported with the reason")
  func missing() {
    let error = #expect(throws: ScenarioError.self) { try Scenario.load("/nowhere/scenario.json") }
    expectEqual(
      error?.description,
      "/nowhere/scenario.json: the file /nowhere/scenario.json cannot be read: No such file or directory; "
        + "check its name and its permissions")
  }

  @Test("White space does not change the identity that is derived from a scenario, and another word does")
  func derivedIdentity() throws {
    func identity(_ text: String) throws -> String {
      try Scenario(Array(text.utf8), file: "s.json").journal.id.description
    }
    let text = Self.text(steps: #"{"launch": {}}"#)
    try expectEqual(identity(text), identity(text.replacing("\n", with: "\n   ")))
    #expect(try identity(text) != identity(text.replacing("bob", with: "rob")))
  }

  @Test(
    "The derived identity is the SHA-256 of the scenario without white space, wherever its steps are",
    arguments: [
      "", #"{"launch": {}, "note": "café"}, {"exit": {}}"#,
    ])
  func identityOfWhole(steps: String) throws {
    let last = Self.text(steps: steps)
    let members = try JSONDocument.parse(last).root.object().members
    for text in [last, JSONValue.object(members.reversed()).text(style: .pretty)] {
      let digest = Digest.sha256(Array(try JSONDocument.parse(text).value.description.utf8))
      let id = JournalID(bytes: Array(digest.bytes.prefix(16)))
      try expectEqual(Scenario(Array(text.utf8), file: "s.json").journal.id, id)
    }
  }

  @Test("Every pass over the steps begins anew, and a step builds on those before it")
  func passes() throws {
    let text = Self.text(steps: #"{"settings": {"multiIdentity": true}}, {"settings": {"policyRequired": true}}"#)
    let scenario = try Scenario(Array(text.utf8), file: "s.json")
    for _ in 0..<2 {
      var seen: [[Bool]] = []
      try scenario.steps.forEach { step in
        guard case .command(.changeSettings(let settings)) = step.action else { return }
        seen.append([settings.multiIdentity, settings.policyRequired])
      }
      expectEqual(seen, [[true, false], [true, true]])
    }
  }

  @Test("Of a long scenario nothing but its text is held")
  func held() throws {
    let count = 2_000
    let steps = (0..<count).map { #"{"wait": "PT\#($0 + 1)S"}"# }.joined(separator: ",\n")
    let scenario = try Scenario(Array(Self.text(steps: steps).utf8), file: "s.json")
    expectEqual(scenario.steps.count, count)
    /// The number of values below another one, apart from bytes.
    func values(in value: Any) -> Int {
      value is [UInt8] ? 0 : Mirror(reflecting: value).children.reduce(1) { $0 + values(in: $1.value) }
    }
    #expect(values(in: scenario) < count)
  }
}
