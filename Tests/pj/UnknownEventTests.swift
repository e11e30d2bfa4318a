import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@testable import AppProtection

/// Events that this program does not know or cannot read, between others that it does.
@Suite("Unknown events")
struct UnknownEventTests {
  /// Writes a journal: a process of SDK 9.2, the given event, and an account after it.
  private func log(_ odd: Envelope, _ words: [String] = []) throws -> (log: ToolRun, state: ToolRun, show: ToolRun) {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/odd.pj"
      try write(odd, to: path)
      return (ToolRun(["log", path] + words), ToolRun("state", path), ToolRun("show", path, "2"))
    }
  }

  private func write(_ odd: Envelope, to path: String) throws {
    let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
    let journal = try JournalWriter.create(
      at: path, id: id, createdNanoseconds: 0, options: JournalOptions(of: AppProtectionEvent.self))
    let number = try #require(AccountNumber(1))
    let events = [
      envelope(.processStarted(ProcessStarted(launch: 1, sdkVersion: "9.2"))), odd,
      envelope(.accountIntroduced(AccountIntroduced(account: number))),
    ]
    for event in events {
      var writer = WireWriter()
      event.encode(into: &writer)
      var batch = JournalBatch()
      try batch.append(payload: writer.bytes, label: 0)
      _ = try journal.append(&batch)
    }
    try journal.close()
  }

  private func envelope(_ event: AppProtectionEvent) -> Envelope {
    var envelope = Envelope(type: event.type, at: Moment(wallNanoseconds: 0, uptimeNanoseconds: 1))
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    envelope.body = writer.bytes
    return envelope
  }

  private func unknown(_ rule: UnknownReaderRule) -> Envelope {
    var envelope = Envelope(type: 4711, at: Moment(wallNanoseconds: 0, uptimeNanoseconds: 2))
    envelope.version = 3
    envelope.unknownReaders = rule
    envelope.body = Array("\u{0A}\u{05}alice".utf8)
    return envelope
  }

  @Test("A journal with an event that must be understood is neither retired nor continued after it")
  func keeping() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/odd.pj"
      try write(unknown(.mustUnderstand), to: path)
      let before = (try TestFiles.stamps(of: path), try TestFiles.names(in: folder))
      for words in [
        ["retire", path, "3", "--dry-run"], ["retire", path, "3", "--yes"], ["fork", path, "2", "\(folder)/f"],
      ] {
        let run = ToolRun(words)
        #expect(run.code == .needsNewerTool && run.output.isEmpty, "\(words): \(run.notes)")
        #expect(run.notes.contains("event 2 has the unknown type 4711"), "\(run.notes)")
      }
      #expect(try TestFiles.stamps(of: path) == before.0 && TestFiles.names(in: folder) == before.1)
      expectEqual(ToolRun("fork", path, "1", "\(folder)/f").code, .done)
    }
  }

  @Test("An unknown event that may be ignored is a line of its own, and nothing stops")
  func ignorable() throws {
    let runs = try log(unknown(.ignorable))
    #expect(runs.log.output.contains("\n   ?  2  type 4711 v3 (written by 9.2): unknown here, may be ignored\n"))
    #expect(runs.log.output.contains("3 events (1–3), 1 unknown."))
    #expect(runs.log.code == .done && runs.state.code == .done)
    #expect(!runs.show.output.contains("alice"), "what nobody knows may identify a person")
    #expect(runs.show.output.contains("field 1  (secret)"))
  }

  @Test("An event that needs an unknown feature is listed, without its body, and ends in 5")
  func unknownFeatures() throws {
    var odd = unknown(.ignorable)
    odd.features = EnvelopeFeatures(rawValue: 1 << 40)
    let runs = try log(odd)
    let need = "needs the feature of bit 40, which this program does not know"
    #expect(runs.log.output.contains("\n   ?  2  type 4711 v3 (written by 9.2): \(need)\n"))
    #expect(runs.log.code == .needsNewerTool && runs.state.code == .needsNewerTool)
    #expect(runs.state.notes.contains("event 2, type 4711, \(need)"), "\(runs.state.notes)")
    #expect(runs.show.output.contains("  It \(need): use a newer one.\n"), "\(runs.show.output)")
    #expect(runs.show.output.contains("features") && !runs.show.output.contains("alice"))
  }

  @Test("What an app attached to a command is shown, and its texts only where accounts are revealed")
  func attributes() throws {
    var odd = unknown(.ignorable)
    odd.attributes = CommandAttributes(
      origin: CommandOrigin(process: 81, at: Moment(wallNanoseconds: 1_000_000_000, uptimeNanoseconds: 3)),
      stream: "alice/inbox", metadata: [MetadataEntry("request", "of bob")])
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/odd.pj"
      try write(odd, to: path)
      for reveals in [false, true] {
        let words = reveals ? ["--reveal"] : []
        let (show, json) = (ToolRun(["show", path, "2"] + words), ToolRun(["log", "-j", path] + words))
        #expect(show.output.contains("process 81") && show.output.contains("1970-01-01T00:00:01Z"), "\(show.output)")
        let text = try #require(json.output.split(separator: "\n").first { $0.contains("\"seq\":2,") })
        #expect(text.contains(#""origin":{"process":81,"time":"1970-01-01T00:00:01Z","uptime":3}"#), "\(text)")
        for personal in ["alice/inbox", "of bob"] {
          #expect(show.output.contains(personal) == reveals && text.contains(personal) == reveals)
        }
        #expect(text.contains(reveals ? #""value":"of bob""# : #""value":{"redacted":"account"}"#))
      }
      try expectEqual(IndependentReaderTests().differs(on: path), [])
    }
  }

  @Test("One that must be understood ends in 5: later events are told, and no state is claimed")
  func mustUnderstand() throws {
    let runs = try log(unknown(.mustUnderstand))
    #expect(runs.log.output.contains("   ?  2  type 4711 v3 (written by 9.2): unknown here, must be understood\n"))
    #expect(
      runs.log.output.contains("   !  from here on, the state and each event's changes are unknown: event 2 has"))
    #expect(runs.log.output.contains("account.introduced"))
    #expect(!runs.log.output.contains("/accounts: + a1"))
    expectEqual(runs.log.code, .needsNewerTool)
    expectEqual(runs.state.code, .needsNewerTool)
    #expect(runs.state.notes.contains("this is the state after event 1, the last known one. Next: pj show "))
    #expect(runs.log.notes.contains("Next: pj show "))
  }

  /// The code in the last record.
  private func recordedCode(_ run: ToolRun) -> Int32? {
    run.records.last??.object?["exit"]?.number.flatMap { Int32($0.text) }
  }

  @Test("Beside a damaged journal it ends in 5 whichever is named first, and the last record says the same code")
  func besideDamage() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (odd, damaged) = ("\(folder)/odd.pj", Repository.journal("damaged-frame"))
      try write(unknown(.mustUnderstand), to: odd)
      for (one, other) in [(odd, damaged), (damaged, odd)] {
        for words in [["diff", "\(one)@end", "\(other)@end"], ["compare", one, other]] {
          let run = ToolRun(words + ["-j"])
          #expect(run.code == .needsNewerTool && ToolRun(words).code == .needsNewerTool, "\(words)")
          expectEqual(recordedCode(run), run.code.rawValue, "\(words)")
        }
      }
    }
  }

  @Test("Counts of a history whose state is not known everywhere are not complete, and say why")
  func stats() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/odd.pj"
      try write(unknown(.mustUnderstand), to: path)
      let run = ToolRun("stats", path, "-j")
      #expect(run.code == .needsNewerTool && recordedCode(run) == run.code.rawValue)
      #expect(run.output.contains(#""stateKnown":false"#) && run.output.contains(#""complete":false"#))
      expectEqual(
        run.notes,
        "pj stats: \(path): event 2 has the unknown type 4711 (version 3), which must be understood; mistakes in the app "
          + "after it are not counted. Next: pj show \(path) 2\n")
      expectEqual(ToolRun("stats", path, "1..1").code, .done, "nothing unknown is before it")
    }
  }

  @Test("A body that cannot be read is said so, and is no unknown type")
  func undecodable() throws {
    var broken = envelope(.tokenRemoved(TokenRemoved(account: try #require(AccountNumber(1)))))
    broken.body = [0x0F]
    let runs = try log(broken)
    #expect(runs.log.output.contains("   ?  2  token.removed v1 (written by 9.2): its body cannot be read (byte 0: "))
    expectEqual(runs.log.code, .partial)
    let records = try log(broken, ["-j"]).log.records.compactMap { $0?.object }
    let event = try #require(records.first { $0["seq"]?.number?.integer() == 2 })
    #expect(event["known"]?.bool == false && event["undecodable"]?.string != nil && event["changes"]?.isNull == true)
  }

  @Test("Field 9 lets no program leave out an event of a type that it knows, must understand and cannot read")
  func undecodableIgnorable() throws {
    var broken = envelope(.tokenRemoved(TokenRemoved(account: try #require(AccountNumber(1)))))
    (broken.body, broken.unknownReaders) = ([0x0F], .ignorable)
    let runs = try log(broken)
    #expect(runs.log.output.contains("must be understood") && !runs.log.output.contains("may be ignored"))
    #expect(runs.log.code == .partial && runs.state.code == .partial)
    #expect(runs.state.notes.contains("event 2, token.removed, has a body that cannot be read"), "\(runs.state.notes)")
    #expect(runs.state.notes.contains("this is the state after event 1, the last known one"))
    try TestFiles.withTemporaryFolder { folder in
      try write(broken, to: "\(folder)/odd.pj")
      try expectEqual(IndependentReaderTests().differs(on: "\(folder)/odd.pj"), [])
    }
    // A type that its own catalogue lets programs leave out is left out.
    var spare = envelope(.commandRefused(CommandRefused(command: "wipe", rule: "account.unknown")))
    (spare.body, spare.unknownReaders) = ([0x0F], .ignorable)
    let spared = try log(spare)
    #expect(spared.log.output.contains("may be ignored") && spared.log.code == .done && spared.state.code == .done)
  }

  @Test("Of very many fields, show lists the first, and says how many there are")
  func manyFields() throws {
    var odd = unknown(.ignorable)
    odd.body = (0..<1_234).flatMap { _ in [0x08, 0x01] as [UInt8] }
    let show = try log(odd).show
    expectEqual(show.lines.filter { $0 == "  field 1  (secret)" }.count, 1_000)
    #expect(show.lines.contains("  and 234 more: -j lists all"), "\(show.output.suffix(500))")
  }
}
