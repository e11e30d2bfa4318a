import EventSourcing
import Journal
import ProcessTesting
import RoomsDomain
import SystemCalls

/// Lets one worker after another work in a house, kills each, and compares what it said with what it left.
struct Conductor {
  /// What happened.
  struct Totals {
    var houses = 0
    var kills = 0
    var acknowledged = 0
    var repeated = 0
    var refused = 0
    var saved = 0
    var deliveries = 0
    var redeliveries = 0
    var retirements = 0
    var sought = 0
  }

  private let program: String
  private var generator: SeededGenerator
  private(set) var totals = Totals()

  private var chronicle = Chronicle()
  /// Opened after an earlier death; another one, once events that it has were retired.
  private var kept: History<House>?
  /// Every order that was sent.
  private var orders: Set<Order> = []
  /// The order that was sent last, unless it was answered.
  private var pending: Order?
  private var next: UInt64 = 1
  /// The last event that a worker was told is in the journal, that it was told is in the saved read model, and that it confirmed.
  private var acknowledged: UInt64 = 0
  private var saved: UInt64 = 0
  private var confirmed: UInt64 = 0
  /// The event whose mail was sent last.
  private var delivered: UInt64 = 0

  init(program: String, seed: UInt64) {
    self.program = program
    generator = SeededGenerator(seed: seed)
  }

  /// One house, by way of many deaths.
  mutating func runHouse(in folder: String, until deadline: UInt64) throws {
    (chronicle, orders, pending, next) = (Chronicle(), [], nil, 1)
    (acknowledged, saved, confirmed, delivered) = (0, 0, 0, 0)
    kept = nil
    totals.houses += 1
    let premises = Premises(folder: folder)
    try premises.begin()
    for _ in 0..<(10 + generator.below(30)) where Platform.monotonicNanoseconds < deadline {
      let worker = try ChildProcess(
        program, ["work", folder, "\(generator.next() >> 1)", "\(next)", pending?.text ?? "none"])
      // Often while it opens, and otherwise in the midst of its work.
      let life = generator.oneIn(3) ? generator.below(20_000) : 10_000 + generator.below(120_000)
      try worker.live(forMicroseconds: UInt64(life), as: "a worker") { line, _ throws(ProcessFailure) in try note(line)
      }
      totals.kills += 1
      // Before the first event there need not be a journal.
      if acknowledged > 0 { try check(premises) }
    }
    Platform.removeTree(folder)
  }

  private mutating func note(_ line: String) throws(ProcessFailure) {
    let words = line.split(separator: " ")
    let number = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
    switch words.first {
    case "open" where words.count == 3:
      guard number >= acknowledged, UInt64(words[2]) == confirmed else {
        throw ProcessFailure(
          "events \(acknowledged) and \(confirmed) were appended and confirmed, and a worker says: \(line)")
      }
    case "sending" where words.count == 2:
      guard let order = Order(words[1]) else { throw ProcessFailure("a worker says: \(line)") }
      if order == pending { totals.repeated += 1 }
      orders.insert(order)
      pending = order
      next = max(next, order.number + 1)
    case "appended" where words.count == 3:
      guard let sequence = UInt64(words[2]), sequence > acknowledged, number == pending?.number else {
        throw ProcessFailure("event \(acknowledged) was acknowledged, and then: \(line)")
      }
      acknowledged = sequence
      pending = nil
      totals.acknowledged += 1
    case "refused":
      next += 1
      totals.refused += 1
    case "saved":
      saved = number
      totals.saved += 1
    case "delivered":
      guard number == confirmed + 1 else { throw ProcessFailure("event \(confirmed) was confirmed, and then: \(line)") }
      totals.deliveries += 1
      if number == delivered { totals.redeliveries += 1 }
      delivered = number
    case "confirmed":
      guard number == delivered else { throw ProcessFailure("event \(delivered) was delivered, and then: \(line)") }
      confirmed = number
    case "retired": totals.retirements += 1
    default: throw ProcessFailure("a worker says: \(line)")
    }
  }

  /// Looks at what a dead worker left.
  private mutating func check(_ premises: Premises) throws {
    for finding in try JournalReader(path: premises.journal).verify().findings {
      guard case .torn = finding.verdict else { throw ProcessFailure("the journal is not sound: \(finding)") }
    }
    let desk = try premises.open(.random(&generator))
    let history = try History<House>(at: premises.journal)
    try chronicle.follow(history, orders)
    guard chronicle.last >= acknowledged else {
      throw ProcessFailure("event \(acknowledged) was acknowledged, and the last one is \(chronicle.last)")
    }
    for order in orders where order != pending && chronicle.sequences[order] == nil {
      throw ProcessFailure("order \(order.text) was acknowledged, and no event follows from it")
    }
    try chronicle.check(desk, history, saved: saved)
    let kept = self.kept.flatMap { $0.firstSequence == history.firstSequence ? $0 : nil } ?? history
    try chronicle.check(kept: kept)
    self.kept = kept
    guard try history.check().isSound else { throw ProcessFailure("the states are not those that were recorded") }
    if SystemCalls.names(in: premises.journal).names.contains("STREAMS") { totals.sought += 1 }
    // The worker may have died before it could say that it confirmed what it delivered.
    let position = desk.mails.health.position
    guard position == confirmed || position == delivered else {
      throw ProcessFailure("event \(confirmed) was confirmed, and the subscription is at event \(position)")
    }
    confirmed = position
    try desk.store.close()
  }
}
