import CSQLite
import EventSourcing

/// SQLite as the store of the rooms: the events, an index of those about each room and guest, and the rows of a read model. One
/// connection that owns the file, statements prepared once, and no waiting for the disk.
final class RoomDatabase: @unchecked Sendable {
  // Unchecked because of the pointers: the benchmark uses them from one thread at a time.

  private let database: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer
  private let insertEvent: OpaquePointer
  private let insertEntity: OpaquePointer
  private let lastOfEntity: OpaquePointer
  private let eventsOfEntity: OpaquePointer
  private let allEvents: OpaquePointer
  private let insertBooking: OpaquePointer
  private let storePosition: OpaquePointer
  private let storedPosition: OpaquePointer

  private static let tables = """
    PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;
    CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, payload BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS entities (
      kind INTEGER, key INTEGER, number INTEGER, PRIMARY KEY (kind, key, number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS bookings (number INTEGER PRIMARY KEY, room INTEGER, guest INTEGER, nights INTEGER);
    CREATE TABLE IF NOT EXISTS positions (name TEXT PRIMARY KEY, position TEXT);
    """

  init(at path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw Failure("SQLite cannot open \(path)")
    }
    database = handle
    guard sqlite3_exec(handle, Self.tables, nil, nil, nil) == SQLITE_OK else { throw Self.failure(handle) }
    func prepare(_ sql: String) throws -> OpaquePointer {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
        let statement
      else { throw Self.failure(handle) }
      return statement
    }
    begin = try prepare("BEGIN IMMEDIATE")
    commit = try prepare("COMMIT")
    insertEvent = try prepare("INSERT INTO events VALUES (?, ?)")
    insertEntity = try prepare("INSERT INTO entities VALUES (?, ?, ?)")
    lastOfEntity = try prepare("SELECT max(number) FROM entities WHERE kind = ? AND key = ?")
    eventsOfEntity = try prepare(
      "SELECT number, payload FROM entities JOIN events USING (number) WHERE kind = ? AND key = ? ORDER BY number")
    allEvents = try prepare("SELECT number, payload FROM events ORDER BY number")
    insertBooking = try prepare("INSERT INTO bookings VALUES (?, ?, ?, ?)")
    storePosition = try prepare("INSERT OR REPLACE INTO positions VALUES ('bookings', ?)")
    storedPosition = try prepare("SELECT position FROM positions WHERE name = 'bookings'")
  }

  deinit {
    while let statement = sqlite3_next_stmt(database, nil) { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  private static func failure(_ database: OpaquePointer) -> Failure {
    Failure("SQLite: \(String(cString: sqlite3_errmsg(database)))")
  }

  private func run(_ statement: OpaquePointer, _ numbers: Int64...) throws {
    for (index, number) in numbers.enumerated() { sqlite3_bind_int64(statement, Int32(index) + 1, number) }
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw Self.failure(database) }
  }

  /// Runs a transaction.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run(begin)
    let result = try body()
    try run(commit)
    return result
  }

  /// Inserts an event and what it is about.
  func append(_ number: UInt64, _ event: RoomEvent, _ payload: UnsafeRawBufferPointer) throws {
    sqlite3_bind_blob64(insertEvent, 2, payload.baseAddress, UInt64(payload.count), nil)
    try run(insertEvent, Int64(number))
    for (kind, key) in event.keys { try run(insertEntity, kind, Int64(key), Int64(number)) }
  }

  /// The last event about a room; 0 if there is none.
  func version(ofRoom room: UInt64) throws -> UInt64 {
    sqlite3_bind_int64(lastOfEntity, 1, RoomEvent.roomKind)
    sqlite3_bind_int64(lastOfEntity, 2, Int64(room))
    defer { sqlite3_reset(lastOfEntity) }
    guard sqlite3_step(lastOfEntity) == SQLITE_ROW else { throw Self.failure(database) }
    return UInt64(sqlite3_column_int64(lastOfEntity, 0))
  }

  /// Shows the events about a room; all events for `nil`.
  func forEachEvent(ofRoom room: UInt64?, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Void) throws {
    let statement = room == nil ? allEvents : eventsOfEntity
    if let room {
      sqlite3_bind_int64(statement, 1, RoomEvent.roomKind)
      sqlite3_bind_int64(statement, 2, Int64(room))
    }
    defer { sqlite3_reset(statement) }
    while case let code = sqlite3_step(statement), code != SQLITE_DONE {
      guard code == SQLITE_ROW else { throw Self.failure(database) }
      try body(
        UInt64(sqlite3_column_int64(statement, 0)),
        UnsafeRawBufferPointer(
          start: sqlite3_column_blob(statement, 1), count: Int(sqlite3_column_bytes(statement, 1))))
    }
  }

  /// Inserts a row of the read model.
  func insert(_ booking: Booking) throws {
    try run(insertBooking, Int64(booking.number), Int64(booking.room), Int64(booking.guest), Int64(booking.nights))
  }

  /// How far the read model has come.
  var position: ProjectionPosition? {
    get throws {
      defer { sqlite3_reset(storedPosition) }
      guard sqlite3_step(storedPosition) == SQLITE_ROW else { return nil }
      return sqlite3_column_text(storedPosition, 0).flatMap { ProjectionPosition(String(cString: $0)) }
    }
  }

  func store(_ position: ProjectionPosition) throws {
    try position.description.withCString { text in
      sqlite3_bind_text(storePosition, 1, text, -1, nil)
      try run(storePosition)
    }
  }
}

/// A row of the read model.
struct Booking {
  var number: UInt64
  var room: UInt64
  var guest: UInt64
  var nights: UInt64
}

extension RoomEvent {
  static var roomKind: Int64 { 1 }
  private static var guestKind: Int64 { 2 }

  /// What the event is about, as the index of a table names it.
  fileprivate var keys: [(kind: Int64, key: UInt64)] {
    switch self {
    case .opened(let room, _), .vacated(let room): [(Self.roomKind, room)]
    case .registered(let guest, _): [(Self.guestKind, guest)]
    case .booked(let room, let guest, _): [(Self.roomKind, room), (Self.guestKind, guest)]
    }
  }
}

/// The read model in SQLite, each transaction with its position.
struct BookingSink: ProjectionSink {
  let database: RoomDatabase

  func position(of projection: String) throws -> ProjectionPosition? { try database.position }

  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout RoomDatabase) throws -> ProjectionPosition
  ) throws {
    var database = database
    try database.transaction {
      if let start { try start.requireStored(database.position) }
      try database.store(try body(&database))
    }
  }
}

enum BookingProjection: RowProjection {
  typealias Domain = House
  typealias Sink = BookingSink
  static let name = "bookings"

  static func write(_ event: RoomEvent, to database: inout RoomDatabase, _ context: EventContext) throws {
    guard case .booked(let room, let guest, let nights) = event else { return }
    try database.insert(Booking(number: context.sequence, room: room, guest: guest, nights: nights))
  }
}
