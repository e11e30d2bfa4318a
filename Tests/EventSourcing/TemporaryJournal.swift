import EventSourcing
import Journal
import Testing
import WireFormat

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A directory of its own for one test, removed with everything in it when the test lets go of it.
final class TemporaryJournal: Sendable {
  private let directory: String
  /// Where the journal is to be.
  let path: String

  init() throws {
    var template = Array("/tmp/policyjournal-XXXXXX".utf8CString)
    directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    path = directory + "/journal"
  }

  deinit {
    for name in files { unlink(path + "/" + name) }
    rmdir(path)
    rmdir(directory)
  }

  /// The names of the files in the journal's directory.
  var files: [String] { ((try? PosixFileSystem().list(path)) ?? []).sorted() }

  /// Each file's name, size, times and bytes, and the times of the directory: what a program that writes nothing leaves as
  /// it is.
  func stamps() throws -> [String: [UInt8]] {
    var stamps: [String: [UInt8]] = [:]
    for name in files + ["."] {
      var status = stat()
      try #require(stat(path + "/" + name, &status) == 0)
      #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
      #else
        let times = [status.st_mtim, status.st_ctim]
      #endif
      let text = times.map { "\($0.tv_sec).\($0.tv_nsec)" }.joined(separator: " ")
      stamps[name] = Array("\(status.st_size) \(text) ".utf8) + (name == "." ? [] : try contents(name))
    }
    return stamps
  }

  /// Removes one file.
  func remove(_ name: String) throws { try #require(unlink(path + "/" + name) == 0) }

  /// Inverts one byte of a file.
  func damage(_ name: String, at offset: UInt64) throws {
    try invertByte(of: path + "/" + name, at: offset)
  }

  /// Inverts a byte of an event's payload; the journal may be damaged before it.
  func damage(event sequence: UInt64) throws {
    var cursor = try JournalReader(path: path).cursor(after: sequence - 1, beyondDamage: true)
    while let item = try cursor.next() {
      guard case .event(let event) = item, event.sequence == sequence else { continue }
      return try damage(event.file, at: event.offset + 17)
    }
    Issue.record("event \(sequence) is missing")
  }

  /// The bytes of a file.
  func contents(_ name: String) throws -> [UInt8] {
    let files = PosixFileSystem()
    let file = try files.open(path + "/" + name, .read)
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
    let count = try bytes.withUnsafeMutableBytes { try files.read(file, into: $0, at: 0) }
    try #require(count == bytes.count)
    return bytes
  }

  /// Puts other bytes into a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    let files = PosixFileSystem()
    let file = try files.open(path + "/" + name, .replace)
    defer { files.close(file) }
    let count = try bytes.withUnsafeBytes { $0.isEmpty ? 0 : try files.write(file, $0, at: 0) }
    try #require(count == bytes.count)
  }

  /// Copies one file to the same name in another journal's directory.
  func copy(_ name: String, to other: TemporaryJournal) throws {
    try copyFile(path + "/" + name, to: other.path + "/" + name)
  }

  static let id = JournalID(bytes: [UInt8](1...16)) ?? .none

  /// Creates a store on an empty journal; nothing is synced.
  func create<Machine: Decider>(
    _ machine: Machine.Type = Ledger.self, _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> EventStore<Machine> {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    change(&options)
    return try EventStore<Machine>.create(at: path, journalID: Self.id, createdNanoseconds: 1, options: options)
  }

  /// Opens a store on the journal as it is.
  func open<Machine: Decider>(
    _ machine: Machine.Type = Ledger.self, _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> EventStore<Machine> {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    change(&options)
    return try EventStore<Machine>.open(at: path, options: options)
  }

  /// The journal as a history.
  func history<Machine: Reducer>(_ machine: Machine.Type = Ledger.self) throws -> History<Machine> {
    try History<Machine>(at: path)
  }

  /// Appends envelopes past any store, each a batch of its own.
  func appendRaw(_ envelopes: [Envelope], of events: any JournaledEvent.Type = LedgerEvent.self) throws {
    let journal = try JournalWriter.open(at: path, options: JournalOptions(of: events))
    var batch = JournalBatch()
    for envelope in envelopes {
      var writer = WireWriter()
      envelope.encode(into: &writer)
      try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
      _ = try journal.append(&batch)
    }
    try journal.close()
  }

  /// Appends payloads that need not be envelopes.
  func appendRaw(payloads: [[UInt8]], of events: any JournaledEvent.Type = LedgerEvent.self) throws {
    let journal = try JournalWriter.open(at: path, options: JournalOptions(of: events))
    var batch = JournalBatch()
    for payload in payloads {
      try batch.append(payload: payload, label: 0)
      _ = try journal.append(&batch)
    }
    try journal.close()
  }
}

private func copyFile(_ source: String, to target: String) throws {
  let input = open(source, O_RDONLY)
  try #require(input >= 0)
  defer { close(input) }
  let output = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  try #require(output >= 0)
  defer { close(output) }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  let count = read(input, &buffer, buffer.count)
  try #require(count >= 0 && write(output, buffer, count) == count)
}

private func invertByte(of file: String, at offset: UInt64) throws {
  let descriptor = open(file, O_RDWR)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  var byte: UInt8 = 0
  try #require(pread(descriptor, &byte, 1, off_t(offset)) == 1)
  byte = ~byte
  try #require(pwrite(descriptor, &byte, 1, off_t(offset)) == 1)
}

extension Moment {
  /// So many seconds after the epoch.
  static func seconds(_ seconds: Int64) -> Moment { Moment(wallNanoseconds: seconds * 1_000_000_000) }
}

/// The commands of a small story; the one at index i is given at second 100 + i.
let story: [LedgerCommand] = [
  .start,
  .open("Ada", email: "ada@example.com"),
  .open("Bob"),
  .move(from: 1, to: 2, 40),
  .note(["first", "second"]),
  .move(from: 2, to: 1, 90),
  .open("Cyd", email: ""),
  .move(from: 1, to: 3, 120),
  .close(2),
  .note(["third", "fourth", "fifth"]),
  .move(from: 3, to: 1, 60),
]

/// How many events the story leads to.
let storyLength: UInt64 = 14

extension EventStore where Machine.Command == LedgerCommand {
  /// Gives the first commands of the story, the one at index i at second 100 + i.
  func tell(_ commands: some Collection<LedgerCommand> = story, from second: Int64 = 100) throws {
    for (index, command) in commands.enumerated() {
      try append(command, at: .seconds(second + Int64(index)))
    }
  }
}

/// The states of a history after each of its events, the first being the initial one, by folding alone.
func statesFromNothing<Machine: Reducer>(_ history: History<Machine>) throws -> [Machine.State] {
  var states = [Machine.initialState]
  var cursor = try history.events()
  while let item = try cursor.next() {
    guard case .event(let step) = item, let event = step.record.event, var state = states.last else { continue }
    Machine.reduce(
      into: &state, event, EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment))
    states.append(state)
  }
  return states
}
