import EventSourcing
import Journal
import SystemCalls
import WireFormat

@testable import AppProtection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Journals of a few events, written without an engine, so that they can hold whatever a test needs.
enum SampleJournal {
  typealias Machine = AppProtectionMachine

  /// Gives histories of the given events to `body`, and removes their journals afterwards.
  static func with<Result>(
    _ histories: [Envelope]..., body: ([History<Machine>]) throws -> Result
  ) throws -> Result {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/forensics-tests-\(String(repeating: "X", count: 6))".utf8CString)
    guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { throw Failed() }
    defer { remove(folder) }
    var opened: [History<Machine>] = []
    for (index, envelopes) in histories.enumerated() {
      let path = "\(folder)/\(index)"
      guard let id = JournalID(bytes: [UInt8](repeating: UInt8(index + 1), count: 16)) else { throw Failed() }
      let journal = try JournalWriter.create(
        at: path, id: id, createdNanoseconds: 0, options: JournalOptions(of: AppProtectionEvent.self))
      for envelope in envelopes {
        var writer = WireWriter()
        envelope.encode(into: &writer)
        var batch = JournalBatch()
        try batch.append(payload: writer.bytes, label: envelope.moment.wallNanoseconds)
        _ = try journal.append(&batch)
      }
      try journal.close()
      opened.append(try History(at: path))
    }
    return try body(opened)
  }

  /// An event at so many seconds after 1970, and after the device's start.
  static func event(_ event: AppProtectionEvent, at second: Int64, uptime: Int64? = nil) -> Envelope {
    let uptime = (uptime ?? second + 1) * 1_000_000_000
    var envelope = Envelope(
      type: event.type, at: Moment(wallNanoseconds: second * 1_000_000_000, uptimeNanoseconds: uptime))
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    envelope.body = writer.bytes
    return envelope
  }

  /// An account is mentioned for the first time.
  static func introduced(_ number: UInt32, _ name: String? = nil, at second: Int64) throws -> Envelope {
    guard let account = AccountNumber(number) else { throw Failed() }
    return event(
      .accountIntroduced(AccountIntroduced(account: account, userPrincipalName: name)), at: second)
  }

  /// An account is registered.
  static func registered(_ number: UInt32, at second: Int64) throws -> Envelope {
    guard let account = AccountNumber(number) else { throw Failed() }
    return event(.accountRegistered(AccountRegistered(account: account)), at: second)
  }

  /// An account's tokens are removed.
  static func tokenRemoved(_ number: UInt32, at second: Int64) throws -> Envelope {
    guard let account = AccountNumber(number) else { throw Failed() }
    return event(.tokenRemoved(TokenRemoved(account: account)), at: second)
  }

  private static func remove(_ folder: String) {
    for name in SystemCalls.names(in: folder).names { remove("\(folder)/\(name)") }
    _ = SystemCalls.remove(folder)
  }

  /// The file system refused, or a test is wrong.
  struct Failed: Error {}
}
