import AppProtection
import JSON

extension ScenarioDecoder {
  /// A step about what surrounds the engine, by its name in a scenario.
  private enum SurroundingStep: String, CaseIterable {
    case launch, exit, restart, reboot, update, crash, wait, at, clock, service, files, compliance
    case delegate, expect, damage
  }

  /// The names of all steps.
  static let stepNames =
    SurroundingStep.allCases.map(\.rawValue) + fileSteps + tokenLibrarySteps + CommandStep.allCases.map(\.rawValue)

  /// The members that a step may have.
  private static let stepMembers = ["note"] + stepNames

  /// Reads one step: an object whose only member, apart from an optional note, is named after the step.
  mutating func step(_ node: JSONNode) throws(JSONError) -> ScenarioStep {
    let members = try node.members().filter { $0.name != "note" }
    if let note = try node.optional("note") { _ = try note.string() }
    guard let (name, value) = members.first, members.count == 1 else {
      throw node.error(
        .invalidValue, "a step has one member that says what happens; this one has \(members.count)",
        remedy: members.isEmpty ? "add one, such as \"launch\": {}" : "make each a separate step")
    }
    try node.expectMembers(Self.stepMembers)
    return ScenarioStep(try action(name, value), at: node.position)
  }

  private mutating func action(_ name: String, _ node: JSONNode) throws(JSONError) -> ScenarioStep.Action {
    if let step = try fileStep(name, node) { return step }
    if let step = try tokenLibraryStep(name, node) { return step }
    if let step = CommandStep(rawValue: name) { return .command(try command(step, node)) }
    return switch SurroundingStep(rawValue: name) {
    case .launch: try launch(node)
    case .exit: try empty(node, .exit)
    case .restart: try empty(node, .restart)
    case .reboot: try empty(node, .reboot)
    case .update: try update(node)
    case .crash: .crash(try crash(node))
    case .wait: .clock(.wait(try duration(node)))
    case .at: .clock(.at(try time(node)))
    case .clock: .clock(try clock(node))
    case .service: .service(try services(node))
    case .files: .files(try files(node))
    case .compliance: .compliance(try compliance(node))
    case .delegate: .delegate(try delegate(node))
    case .expect: .expect(try Expectation(node, accounts: accounts, app: protection))
    case .damage: .damage(try Damage(node))
    // `stepNames` has no other name, and was asked.
    case nil: throw node.error(.invalidValue, "no step has this name", remedy: "write one of those that are listed")
    }
  }

  private func empty(_ node: JSONNode, _ action: ScenarioStep.Action) throws(JSONError) -> ScenarioStep.Action {
    try node.expectMembers([])
    return action
  }

  private func launch(_ node: JSONNode) throws(JSONError) -> ScenarioStep.Action {
    try node.expectMembers(["isExtension"])
    return .launch(isExtension: try node.optional("isExtension")?.bool())
  }

  private func update(_ node: JSONNode) throws(JSONError) -> ScenarioStep.Action {
    try node.expectMembers(["app", "os", "sdk"])
    return .update(
      app: try node.optional("app")?.string(), os: try node.optional("os")?.string(),
      sdk: try node.optional("sdk")?.string())
  }

  private func crash(_ node: JSONNode) throws(JSONError) -> CrashPoint {
    if node.value.string != nil {
      _ = try node.name(from: ["now"])
      return .now
    }
    try node.expectMembers(["before", "during", "after", "bytes"])
    let bytes = try node.optional("bytes")
    switch (try node.optional("before"), try node.optional("during"), try node.optional("after"), bytes) {
    case (let type?, nil, nil, nil): return .before(try eventType(type))
    case (nil, let type?, nil, let bytes?):
      return .during(try eventType(type), bytes: try bytes.integer(in: 0...1 << 24))
    case (nil, nil, let type?, nil): return .after(try eventType(type))
    default:
      throw node.error(
        .invalidValue, "a crash happens before, during or after one type of event",
        remedy: "write \"now\", {\"before\": TYPE}, {\"after\": TYPE} or {\"during\": TYPE, \"bytes\": NUMBER}")
    }
  }

  private func eventType(_ node: JSONNode) throws(JSONError) -> String {
    try node.name(from: AppProtectionEvent.catalog.entries.map(\.name))
  }

  private func clock(_ node: JSONNode) throws(JSONError) -> ClockChange {
    try node.expectMembers(["setBack", "setAhead", "utcOffset"])
    switch (try node.optional("setBack"), try node.optional("setAhead"), try node.optional("utcOffset")) {
    case (let length?, nil, nil): return .setBack(try duration(length))
    case (nil, let length?, nil): return .setAhead(try duration(length))
    case (nil, nil, let offset?): return .offset(offset.isNull ? nil : try utcOffset(offset))
    default:
      throw node.error(
        .invalidValue, "a clock is set back or ahead, or gets another offset from UTC",
        remedy: "write one of setBack and setAhead with a length of time, or utcOffset")
    }
  }

  /// Local time minus UTC, in nanoseconds, from a text such as `-05:30`.
  private func utcOffset(_ node: JSONNode) throws(JSONError) -> Int64 {
    let text = Array(try node.string().utf8)
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }.map { Int64($0) - 48 }
    guard text.count == 6, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(text[0]), text[3] == UInt8(ascii: ":"),
      digits.count == 4, digits.allSatisfy({ (0...9).contains($0) }), digits[2] < 6,
      digits[0] * 10 + digits[1] <= 18
    else {
      throw node.error(
        .invalidValue, "this is not an offset from UTC of at most 18 hours",
        remedy: "write hours and minutes with a sign, such as \"+02:00\" or \"-05:30\"")
    }
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    return (text[0] == UInt8(ascii: "-") ? -minutes : minutes) * 60_000_000_000
  }

  private func delegate(_ node: JSONNode) throws(JSONError) -> DelegateAnswers {
    var answers = DelegateAnswers()
    try node.expectMembers([
      "wipeData", "restartApplication", "accountChoice", "identitySwitch", "login", "addAccount",
    ])
    answers.wipeData = try node.optional("wipeData")?.bool()
    if let reply = try node.optional("restartApplication") {
      if reply.value.object != nil {
        try reply.expectMembers(["postpone"])
        answers.restartApplication = .postponed(minutes: try minutes(reply.required("postpone")))
      } else {
        answers.restartApplication = try reply.bool() ? .appRestartsItself : .dialogShown
      }
    }
    answers.accountChoice = try node.optional("accountChoice")?.member()
    if let reply = try node.optional("identitySwitch") {
      if reply.value.object != nil {
        try reply.expectMembers(["addIdentity"])
        answers.identitySwitch = .addIdentity(try reply.required("addIdentity").member())
      } else {
        answers.identitySwitch = .result(try reply.member())
      }
    }
    answers.addAccount = try node.optional("addAccount")?.member()
    if let login = try node.optional("login") {
      answers.login = login.isNull ? .canceled : .account(try account(login).reference)
    }
    return answers
  }

  private func services(_ node: JSONNode) throws(JSONError) -> [ServiceScript] {
    var scripts: [ServiceScript] = []
    for (name, value) in try node.members() {
      var answers: [ScriptedAnswer] = []
      for element in try queue(value) {
        let answer = try ScriptedAnswer(element)
        if case .policy = answer { _ = try element.required("policy").name(from: policyNames) }
        answers.append(answer)
      }
      scripts.append(ServiceScript(account: try account(name, value), answers: answers))
    }
    return scripts
  }

  private func compliance(_ node: JSONNode) throws(JSONError) -> [ComplianceScript] {
    var scripts: [ComplianceScript] = []
    for (name, value) in try node.members() {
      var outcomes: [ComplianceStatus] = []
      for element in try queue(value) { outcomes.append(try element.member()) }
      scripts.append(ComplianceScript(account: try account(name, value), outcomes: outcomes))
    }
    return scripts
  }

  private func files(_ node: JSONNode) throws(JSONError) -> [FileScript] {
    var scripts: [FileScript] = []
    for (name, value) in try node.members() {
      let account = try account(name, value)
      guard value.value.object != nil else {
        scripts.append(FileScript(account: account, count: try value.integer(in: 0...1 << 32)))
        continue
      }
      try value.expectMembers(["count", "failure"])
      scripts.append(
        FileScript(
          account: account, count: try value.required("count").integer(in: 0...1 << 32),
          failure: try value.optional("failure")?.string()))
    }
    return scripts
  }

  /// The elements of a non-empty array, or a single value in place of such an array.
  private func queue(_ node: JSONNode) throws(JSONError) -> [JSONNode] {
    guard node.value.array != nil else { return [node] }
    let elements = try node.elements()
    guard !elements.isEmpty else {
      throw node.error(.invalidValue, "this list of answers is empty", remedy: "add one, or remove the member")
    }
    return elements
  }

  /// Reads a member's name as the name of an account.
  private func account(_ name: String, _ node: JSONNode) throws(JSONError) -> String {
    try JSONNode(JSONValue(.string(name), at: node.position), path: node.path).name(from: accounts.map(\.name))
  }
}
