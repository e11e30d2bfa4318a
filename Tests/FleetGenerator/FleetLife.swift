/// The life of one app on one device, put together step by step: what a scenario of it says.
///
/// A cause is planted in it as the steps that bring it about, and a mark names the event that decides it. Persons are named by
/// their part: `alice` works with the app, `carol` is of another organisation, `bob` of Alice's, `pat` is Alice's personal
/// account.
struct FleetLife {
  /// Where the deciding event is.
  enum Mark {
    /// The first event of a type from a step on, and the last one before it.
    case first(String, step: Int)
    case last(String, step: Int)
    /// An event that is damaged in the end.
    case damaged(UInt64)

    /// The step with which looking begins or ends.
    var step: Int? {
      switch self {
      case .first(_, let step), .last(_, let step): step
      case .damaged: nil
      }
    }
  }

  var random: FleetRandom
  /// The policy that Alice has, or last had.
  var policy: FleetPolicy
  private(set) var mark: Mark?

  private var app: [(name: String, value: String)]
  private var device: [(name: String, value: String)]
  private var people: [(name: String, json: String)] = []
  private var policies: [String] = []
  private var steps: [String] = []
  private let start: String
  /// Whether the app's process runs.
  private var isRunning = false
  /// Whether Alice's identity can be shown.
  private var hasIdentity = true
  private var release = 0

  /// What Alice's accounts are called.
  let (objectID, name, domain): (String, String, String)

  init(_ random: FleetRandom) {
    var random = random
    let people = ["mia.keller", "omar.aziz", "ines.rocha", "jonas.berg", "lea.moreau", "kofi.mensah", "yuki.sato"]
    (objectID, name) = (random.guid(), random.one(of: people))
    domain = random.one(of: ["contoso.example", "fabrikam.example", "northwind.example", "litware.example"])
    policy = FleetPolicy(level: random.number(in: 1...3), &random)
    app = [
      ("version", "\"\(random.number(in: 2...4)).\(random.number(in: 0...3))\""), ("multiIdentity", "true"),
    ]
    device = [
      ("os", "\"\(random.one(of: ["17.5", "17.6.1", "18.0", "18.1"]))\""),
      ("model", "\"\(random.one(of: ["iPhone14,5", "iPhone15,2", "iPhone15,3", "iPad13,4"]))\""),
      ("sdk", "\"\(random.one(of: ["19.2.0", "19.7.12"]))\""), ("isJailbroken", "false"),
    ]
    start =
      "2026-0\(random.number(in: 5...8))-\(random.number(in: 10...28))T0\(random.number(in: 6...9)):"
      + "\(random.number(in: 10...59)):00Z"
    self.random = random
    addPerson("alice", objectID: objectID, upn: "\(name)@\(domain)")
  }

  // MARK: Surroundings

  mutating func set(app name: String, _ value: String) { app.append((name, value)) }

  mutating func set(device name: String, _ value: String) {
    device.removeAll { $0.name == name }
    device.append((name, value))
  }

  /// Adds a person; without an object id, the app knows the name alone.
  mutating func addPerson(_ person: String, objectID: String?, upn: String) {
    people.removeAll { $0.name == person }
    let id = objectID.map { "\"objectID\": \"\($0)\", " } ?? ""
    people.append((person, "{\(id)\"upn\": \"\(upn)\"}"))
  }

  mutating func addCarol() {
    addPerson("carol", objectID: random.guid(), upn: "carol.\(random.number(in: 1...99))@adventure-works.example")
  }

  mutating func addBob() {
    addPerson("bob", objectID: random.guid(), upn: "bob.\(random.number(in: 1...99))@\(domain)")
  }

  mutating func addPat() { addPerson("pat", objectID: nil, upn: "\(name)@outlook.example") }

  // MARK: Steps

  /// Adds a step as a scenario writes it.
  mutating func step(_ name: String, _ value: String) {
    steps.append("{\"\(name)\": \(value)}")
    switch name {
    case "launch", "restart", "reboot": isRunning = true
    case "exit": isRunning = false
    default: break
    }
  }

  /// A step about a person.
  mutating func step(_ name: String, of person: String) { step(name, "\"\(person)\"") }

  /// The first event of this type from here on decides.
  mutating func decides(_ type: String) { mark = .first(type, step: steps.count) }

  /// The last event of this type before here decides.
  mutating func decided(_ type: String) { mark = .last(type, step: steps.count) }

  /// An event is damaged in the end; one that every life has.
  mutating func damage(_ event: Int) {
    mark = .damaged(UInt64(event))
    step(
      "damage",
      "{\"event\": \(event), \"offset\": \(random.number(in: 16...23)), \"flipBit\": \(random.number(in: 0...7))}")
  }

  mutating func wait(minutes: ClosedRange<Int>) { step("wait", "\"PT\(random.number(in: minutes))M\"") }
  mutating func wait(hours: ClosedRange<Int>) { step("wait", "\"PT\(random.number(in: hours))H\"") }
  mutating func wait(days: ClosedRange<Int>) { step("wait", "\"P\(random.number(in: days))D\"") }

  /// The service delivers the present policy.
  mutating func deliver(to person: String = "alice") {
    policies.append(policy.json)
    answer("{\"policy\": \"p\(policies.count)\"}", to: person)
  }

  /// The service delivers another revision of the policy.
  mutating func deliver(_ changes: [(String, String)], to person: String = "alice") {
    policy = policy.revised(changes)
    deliver(to: person)
  }

  /// What the service answers from here on.
  mutating func answer(_ answer: String, to person: String = "alice") { step("service", "{\"\(person)\": \(answer)}") }
  mutating func answer(code: Int, to person: String = "alice") { answer("{\"code\": \(code)}", to: person) }
  mutating func loseNetwork(_ person: String = "alice") { answer("\"networkFailure\"", to: person) }

  mutating func signIn(_ person: String = "alice") {
    step("signIns", "{\"accounts\": [\"\(person)\"], \"workOrSchool\": [\"\(person)\"]}")
  }

  mutating func deny(_ person: String = "alice", _ error: Int = -50004) {
    step("denyToken", "{\"account\": \"\(person)\", \"error\": \(error)}")
  }

  mutating func deregister(_ person: String = "alice", wipe: Bool = false) {
    step("deregisterAndUnenroll", "{\"account\": \"\(person)\", \"wipe\": \(wipe)}")
  }

  mutating func thread(_ label: String, _ person: String?) {
    step("setThread", "{\"thread\": \"\(label)\", \"identity\": \(person.map { "\"\($0)\"" } ?? "null")}")
  }

  // MARK: Days

  /// The first day: Alice enrolls, and a restart puts her policy into force.
  mutating func begin() {
    deliver()
    step("launch", "{}")
    if random.happens(60) { signIn() }
    step("registerAndEnroll", of: "alice")
    wait(minutes: 1...4)
    step("restart", "{}")
    step("setUI", of: "alice")
    step("files", "{\"alice\": \(random.number(in: 2...60))}")
    wait(minutes: 10...40)
    step("exit", "{}")
    wait(hours: 14...20)
  }

  /// Days on which the app is used, and nothing happens but what always may.
  mutating func days(_ count: ClosedRange<Int>, revises: Bool = false) {
    let count = random.number(in: count)
    for day in 0..<count {
      if revises, day == count / 2, random.happens(40) { deliver([("contactSyncBlocked", "true")]) }
      if revises, random.happens(4) { updateApp() }
      session { life in
        life.wait(minutes: 20...170)
        if !life.hasIdentity { life.showNobody() }
        if life.hasIdentity, life.random.happens(30) { life.step("checkIn", of: "alice") }
        if life.hasIdentity, life.random.happens(20) {
          life.thread("upload", "alice")
          life.wait(minutes: 2...9)
          life.thread("upload", nil)
        }
        if life.random.happens(15) { life.step("acquireToken", of: "alice") }
        life.wait(minutes: 10...100)
      }
    }
  }

  /// One use of the app, and the time until the next one.
  mutating func session(showing person: String? = "alice", _ body: (inout Self) -> Void) {
    step("launch", "{}")
    if hasIdentity, let person { step("setUI", of: person) }
    body(&self)
    // A process that died in the body is gone.
    if isRunning { step("exit", "{}") }
    wait(hours: random.happens(12) ? 38...44 : 15...21)
  }

  /// The app is used without an account, in two windows.
  private mutating func showNobody() {
    step("setUI", "\"\"")
    step("setWindow", "{\"window\": 2, \"identity\": \"\"}")
    wait(minutes: 10...60)
    step("closeWindow", "2")
  }

  /// From here on Alice has no identity that the app could show.
  mutating func loseIdentity() { hasIdentity = false }

  /// The process dies at once.
  mutating func die() {
    step("crash", "\"now\"")
    isRunning = false
  }

  /// The process dies when an event of this type is durable, in the step that follows.
  mutating func die(after type: String, _ body: (inout Self) -> Void) {
    step("crash", "{\"after\": \"\(type)\"}")
    body(&self)
    isRunning = false
  }

  mutating func updateApp() {
    release += 1
    step("update", "{\"app\": \"5.\(release)\"}")
  }

  // MARK: The scenario

  /// The scenario.
  func text(_ title: String) -> String {
    func object(_ members: [(name: String, value: String)]) -> String {
      "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
    let documents = policies.enumerated().map { (name: "p\($0.offset + 1)", value: "{\"document\": \($0.element)}") }
    return """
      {"scenario": 1, "title": "\(title)", "start": "\(start)", "journal": {"sync": "none"},
       "app": \(object(app)), "device": \(object(device)),
       "accounts": \(object(people.map { (name: $0.name, value: $0.json) })), "policies": \(object(documents)),
       "steps": [\(steps.joined(separator: ",\n  "))]}
      """
  }
}
