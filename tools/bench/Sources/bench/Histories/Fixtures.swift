import AppProtection
import EventSourcing
import Journal

/// The histories that reading operations share. Each is made when it is first asked for, and stays as it is.
final class Fixtures {
  let options: Options
  let directory: String
  private var made: [String: String] = [:]
  private var payloads: [String: Payloads] = [:]
  private var contents: [String: (count: Int, bytes: Int)] = [:]
  private var nextNumber = 0

  /// What the checkpoint of a policy history leaves to be replayed.
  static let tail = 10_000

  init(_ options: Options) throws {
    self.options = options
    directory = try Platform.createTemporaryDirectory(below: options.directory)
  }

  deinit {
    Platform.remove(directory)
  }

  /// A path that nothing uses.
  func freshPath() -> String {
    nextNumber += 1
    return "\(directory)/\(nextNumber)"
  }

  /// Runs something with a path that nothing uses, and removes what it leaves there.
  func withFreshPath<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let path = freshPath()
    defer { Platform.remove(path) }
    return try body(path)
  }

  static func journalID(_ number: UInt8) -> JournalID {
    JournalID(bytes: [UInt8](repeating: number, count: 16)) ?? .none
  }

  /// Options for a store that is not to wait for the disk.
  static var unsynced: StoreOptions {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    return options
  }

  private func make(_ name: String, _ build: (String) throws -> Void) throws -> String {
    if let path = made[name] { return path }
    if Platform.showsProgress { Platform.note("\r\u{1B}[Kpreparing: \(name)") }
    let path = freshPath()
    try build(path)
    made[name] = path
    return path
  }

  /// A journal of so many readings, written in groups of 1000 by the typed store.
  func readings(_ count: Int) throws -> String {
    try make("\(count) readings") { path in
      try Histories.writeReadings(count, to: path)
    }
  }

  /// A journal of about so many events of a policy history, with a checkpoint ``tail`` events before its end.
  func policies(_ count: Int) throws -> String {
    try make("\(count) policy events") { path in
      try Histories.writePolicies(count, to: path, from: options.policies, checkpointBefore: Self.tail)
    }
  }

  /// A journal of so many rooms and guests, and three bookings or departures for each, with a checkpoint at its end.
  func rooms(_ count: Int) throws -> String {
    try make("\(count) rooms") { path in
      let store = try EventStore<House>.create(
        at: path, journalID: Self.journalID(4), createdNanoseconds: Histories.start, options: Self.unsynced)
      var history = RoomHistory(rooms: count)
      for _ in 0..<(history.preparation.count + 3 * count) { try store.append(history.next(), at: history.moment) }
      try store.checkpoint()
      try store.close()
    }
  }

  /// SQLite with the events of such a journal.
  func roomDatabase(_ count: Int) throws -> String {
    let journal = try rooms(count)
    return try make("SQLite with \(count) rooms") { path in
      try Platform.createDirectory(path)
      let database = try RoomDatabase(at: "\(path)/rooms.sqlite")
      var own = OwnStore<House>()
      var history = RoomHistory(rooms: count)
      let total = try History<House>(at: journal).lastSequence()
      var done: UInt64 = 0
      while done < total {
        try database.transaction {
          for _ in 0..<min(1000, total - done) {
            done = try own.append(history.next(), at: history.moment) { number, events, bytes, _ in
              try database.append(number, events[0], bytes)
            }
          }
        }
      }
    }
  }

  /// A history as ``policies(_:)`` makes them, in which one event is different: two thirds from the beginning.
  func changedPolicies(_ count: Int) throws -> (path: String, changed: UInt64) {
    let changed = UInt64(count / 3 * 2)
    let path = try make("\(count) policy events, number \(changed) changed") { path in
      try Histories.writePolicies(
        count, to: path, from: options.policies, checkpointBefore: Self.tail, changing: changed)
    }
    return (path, changed)
  }

  /// The payloads of a journal's first events.
  func payloads(of journal: String, limit: Int) throws -> Payloads {
    if let found = payloads[journal], found.count == limit { return found }
    let read = try Payloads(of: journal, limit: limit)
    payloads[journal] = read
    return read
  }

  /// How many events a journal has, and how many bytes their payloads.
  func contents(of journal: String) throws -> (count: Int, bytes: Int) {
    if let found = contents[journal] { return found }
    var sum = (count: 0, bytes: 0)
    try Payloads.forEachGroup(of: 1000, in: journal) { sum = (sum.count + $0.count, sum.bytes + $0.bytes.count) }
    contents[journal] = sum
    return sum
  }

  /// How large the events are that were made so far.
  var averageSizes: [(title: String, bytes: Double)] {
    made.keys.sorted().compactMap { title in
      made[title].flatMap { contents[$0] }.map { (title, Double($0.bytes) / Double(max($0.count, 1))) }
    }
  }

  /// Another engine's log with the payloads of a journal.
  func log(_ contestant: Contestant, of journal: String) throws -> String {
    try make("\(contestant.title) with the events of \(journal)") { path in
      try Platform.createDirectory(path)
      let log = try PeerLog(contestant, at: path, isDurable: false)
      try Payloads.forEachGroup(of: 1000, in: journal) { group in
        try group.forEachGroup(of: 1000) { bytes, sizes in try log.append(bytes, sizes: sizes) }
      }
    }
  }

  /// The segments of a journal.
  static func segments(of journal: String) -> [String] {
    Platform.list(journal).filter { $0.hasSuffix(".seg") }.map { "\(journal)/\($0)" }
  }
}
