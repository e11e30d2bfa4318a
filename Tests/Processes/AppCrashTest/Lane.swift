import JournalSimulation
import ProcessTesting

/// One phone after another, each with an app and an extension that are killed again and again.
struct Lane {
  /// What happened.
  struct Totals {
    private(set) var counts = [UInt64](repeating: 0, count: Totals.names.count)

    private static let names = [
      "enrollment", "remediation", "writing", "a wipe", "phones", "notes read back", "completed wipes",
      "restarts asked", "kills of the extension", "items taken in", "commands handed over", "killed launches",
      "wipes cut short",
    ]

    init() {}

    /// Reads a lane's last line.
    init?(_ line: String) {
      let numbers = line.split(separator: " ").dropFirst().compactMap { UInt64($0) }
      guard line.hasPrefix("done "), numbers.count == counts.count else { return nil }
      counts = numbers
    }

    var line: String { "done " + counts.map { "\($0)" }.joined(separator: " ") }

    var sentence: String {
      let kills = counts.prefix(4).reduce(0, +)
      let parts = zip(counts, Self.names).prefix(4).map { "\($0) during \($1)" }
      return """
        \(kills) kills of the app (\(parts.joined(separator: ", "))) and \(counts[8]) of its share extension on \
        \(counts[4]) phones, \(counts[11]) launches killed as well, every one followed by a launch that ended right; \
        \(counts[5]) notes read back, \(counts[6]) wipes completed, cut short \(counts[12]) times, \(counts[7]) restarts asked for; the extension took in \(counts[9]) items, and handed over \
        \(counts[10]) commands
        """
    }

    mutating func add(_ other: Self) { for place in counts.indices { counts[place] += other.counts[place] } }

    mutating func count(_ story: Story) { counts[story.place] += 1 }
    mutating func countPhone() { counts[4] += 1 }
    mutating func countNotes(_ count: Int) { counts[5] += UInt64(count) }
    mutating func countWipe() { counts[6] += 1 }
    mutating func countRestart() { counts[7] += 1 }
    mutating func countExtension(_ told: [String]) {
      counts[8] += 1
      counts[9] += UInt64(told.count { $0.hasPrefix("taken in: ") })
    }
    mutating func countLaunch() { counts[11] += 1 }
    mutating func countCutWipe() { counts[12] += 1 }
    mutating func countHandedOver(_ count: Int) { counts[10] += UInt64(count) }
  }

  private let path: String
  private var generator: SeededGenerator
  private(set) var totals = Totals()

  init(at path: String, seed: UInt64) {
    self.path = path
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(_ runs: UInt64) throws(ProcessFailure) {
    var left = runs
    while left > 0 {
      Platform.removeTree(path)
      totals.countPhone()
      var phone = try KilledPhone(at: path)
      for _ in 0..<min(left, UInt64(10 + generator.below(20))) {
        try runOnce(on: &phone)
        left -= 1
      }
      try phone.checkOtherApp()
    }
    Platform.removeTree(path)
  }

  /// One story on a phone, its death, and the launch after it.
  private mutating func runOnce(on phone: inout KilledPhone) throws(ProcessFailure) {
    let story = Story.next(on: phone, &generator)
    let lines = story.lines(on: &phone, &generator)
    let shared = story.needsExtension || !generator.oneIn(3) ? story.sharedLines(on: &phone, &generator) : []
    // Mostly right after an answer, where the next step begins; otherwise at any time, from the start of the process on.
    // A wipe takes a few milliseconds, after the last write.
    let writes = story.needsExtension ? 0 : lines.count { $0.hasPrefix("write ") }
    let isAtOrder = story.place == 3 && generator.oneIn(2)
    let answers = generator.oneIn(3) ? nil : isAtOrder ? writes : generator.below(lines.count + 1)
    let delay = UInt64(generator.below(answers == nil ? 150_000 : 4_000))
    let order = KilledPhone.Order.allCases[generator.below(KilledPhone.Order.allCases.count)]
    var told = try phone.kill(
      after: answers, delayMicroseconds: delay, telling: lines, sharing: shared, order)
    if told.isWipeCut { totals.countCutWipe() }
    // The launch that mends what the death left may die, too.
    while generator.oneIn(2) {
      let launched = try phone.killLaunch(afterMicroseconds: UInt64(generator.below(100_000)))
      told.byApp += launched.byApp
      totals.countLaunch()
      if launched.isWipeCut { totals.countCutWipe() }
    }
    totals.count(story)
    if !shared.isEmpty { totals.countExtension(told.byExtension) }
    let before = phone.isManaged
    let outcome = try phone.recover(from: story, told: told)
    totals.countNotes(outcome.notes)
    totals.countHandedOver(outcome.handedOver)
    if before, !phone.isManaged { totals.countWipe() }
    if told.byApp.contains(where: { $0.hasPrefix("The app must be restarted") }) { totals.countRestart() }
  }
}

/// What the app is doing when it dies.
enum Story {
  case enrollment, remediation, writing
  /// Ordered in the app or by the administrator, or handed over by the extension.
  case wipe(isHandedOver: Bool)

  /// The place of its kind among the totals.
  var place: Int {
    switch self {
    case .enrollment: 0
    case .remediation: 1
    case .writing: 2
    case .wipe: 3
    }
  }

  /// One that is possible on the phone as it is.
  static func next(on phone: KilledPhone, _ generator: inout SeededGenerator) -> Story {
    guard phone.isManaged else { return generator.oneIn(3) ? .remediation : .enrollment }
    return switch generator.below(8) {
    case 0, 1: .wipe(isHandedOver: false)
    case 2: .wipe(isHandedOver: true)
    case 3: .remediation
    default: .writing
    }
  }

  var needsExtension: Bool { if case .wipe(isHandedOver: true) = self { true } else { false } }

  /// What the user types meanwhile.
  func lines(on phone: inout KilledPhone, _ generator: inout SeededGenerator) -> [String] {
    let alice = KilledPhone.alice
    switch self {
    case .enrollment:
      // Until the restart the policy is not in force: what is written before it must be encrypted by it.
      let wish = generator.oneIn(2) ? "" : "5"
      return ["sign-in \(alice)", wish, "switch \(alice)"] + phone.writes(2, for: alice, &generator)
    case .remediation:
      return ["remediate \(alice)"] + (phone.isManaged ? [] : [""]) + ["accounts", "remediate \(alice)"]
    case .writing:
      var lines: [String] = []
      for account in [alice, KilledPhone.bob, ""] where account == alice || generator.oneIn(2) {
        lines += ["switch \(account)"] + phone.writes(1 + generator.below(5), for: account, &generator)
        if account == alice { lines += phone.imports(generator.below(3)) }
      }
      return lines
    case .wipe(let isHandedOver):
      guard !isHandedOver else {
        // Alice may be gone at any line, and what is typed then is not hers.
        return ["switch \(KilledPhone.bob)"] + phone.writes(1 + generator.below(5), for: KilledPhone.bob, &generator)
          + ["switch \(alice)", "accounts", "resume"]
      }
      let order: String
      switch generator.below(3) {
      case 0:
        phone.orderWipe()
        order = "check-in \(alice)"
      case 1: order = "wipe \(alice)"
      default: order = "sign-out \(alice)"
      }
      return ["switch \(alice)"] + phone.writes(generator.below(6), for: alice, &generator) + [order, "accounts"]
    }
  }

  /// What other apps share meanwhile, and what the user asks for in the extension.
  func sharedLines(on phone: inout KilledPhone, _ generator: inout SeededGenerator) -> [String] {
    let alice = KilledPhone.alice
    let lines = phone.shares(1 + generator.below(3), &generator)
    switch self {
    case .enrollment: return lines
    case .remediation: return phone.isManaged ? lines + [phone.handover("remediate \(alice)")] : lines
    case .writing: return generator.oneIn(2) ? lines + [phone.handover("check-in \(alice)")] : lines
    case .wipe(let isHandedOver):
      guard isHandedOver else { return lines }
      let isOrdered = generator.oneIn(2)
      if isOrdered { phone.orderWipe() }
      return lines + [phone.handover("\(isOrdered ? "check-in" : "wipe") \(alice)")]
        + phone.shares(generator.below(2), &generator)
    }
  }
}
