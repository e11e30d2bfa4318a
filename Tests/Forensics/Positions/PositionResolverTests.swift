import Expectations
import Forensics
import Testing

@Suite("What positions mean in a history")
struct PositionResolverTests {
  /// Five events a minute apart; the clock goes back two minutes before the fourth.
  private static let notes: [PositionResolver.Note] = [
    note(11, 0, "process.started"), note(12, 60, "policy.received"), note(13, 120, "wipe.requested"),
    note(14, 60, "policy.received"), note(15, 120, "wipe.requested"),
  ]

  private static func note(_ sequence: UInt64, _ second: Int64, _ type: String) -> PositionResolver.Note {
    PositionResolver.Note(sequence: sequence, wallNanoseconds: second * 1_000_000_000, type: type)
  }

  private static func resolver(
    _ texts: [String], _ notes: [PositionResolver.Note] = notes, held: ClosedRange<UInt64>? = nil
  ) throws -> (PositionResolver, [NamedPosition]) {
    let positions = try texts.map { try NamedPosition($0) }
    var resolver = PositionResolver(held: held)
    resolver.read(for: positions) { body in notes.forEach(body) }
    return (resolver, positions)
  }

  @Test(
    "A position is an event number",
    arguments: [
      ("12", 12), ("start", 0), ("end", 15), ("end~1", 14), ("end~4", 11), ("wipe.requested", 15),
      ("wipe.requested#1", 13), ("policy.received#2", 14), ("-1m", 14), ("-2m", 11), ("0:01", 14),
      ("1970-01-01T00:00:30Z", 11), ("1970-01-02", 15), ("1969-12-31", 0),
    ] as [(String, UInt64)])
  func states(text: String, expected: UInt64) throws {
    let (resolver, positions) = try Self.resolver([text])
    try expectEqual(resolver.state(positions[0]).sequence, expected)
  }

  @Test(
    "Yesterday and today are the days of the last event and before it, in UTC",
    arguments: [
      ("today", [86_400, 172_799]), ("yesterday", [0, 86_399]), ("yesterday..today", [0, 86_400, 172_799]),
      ("today..", [86_400, 172_799]), ("..yesterday", [0, 86_399]),
    ] as [(String, [Int64])])
  func days(text: String, seconds: [Int64]) throws {
    let times: [Int64] = [0, 86_399, 86_400, 172_799]
    let notes = times.enumerated().map { Self.note(UInt64($0.offset + 1), $0.element, "a.b") }
    let range = try NamedRange(text)
    var resolver = PositionResolver()
    resolver.read(for: [range.lower, range.upper]) { body in notes.forEach(body) }
    let (lower, upper) = try resolver.range(range)
    let found = notes.filter { lower...upper ~= $0.sequence }.map { $0.wallNanoseconds / 1_000_000_000 }
    // A range includes everything between its ends.
    #expect(Set(found).isSuperset(of: seconds) && found.count == (text == "yesterday..today" ? 4 : 2))
  }

  @Test("A day before the first that 64 bits hold is as early as they go")
  func earliestDay() throws {
    let note = PositionResolver.Note(sequence: 1, wallNanoseconds: .min, type: "a.b")
    var resolver = PositionResolver()
    resolver.read(for: [try NamedPosition("yesterday")]) { body in body(note) }
    #expect(try resolver.state(NamedPosition("yesterday")).sequence <= 1)
  }

  @Test("Without events no position is one, and lost ones are said to be lost")
  func noEvents() throws {
    let cases: [(String, ClosedRange<UInt64>?, String)] = [
      ("3", nil, "event 3 does not exist: the journal is empty; write start or end"),
      ("3", 1...5, "event 3 is lost: no event is left; restore the journal's files from a copy"),
    ]
    for (text, held, message) in cases {
      let (resolver, positions) = try Self.resolver([text], [], held: held)
      let error = #expect(throws: PositionError.self) { try resolver.state(positions[0]) }
      expectEqual(error?.description, message)
    }
    let (resolver, positions) = try Self.resolver(["end"], [], held: 1...5)
    let error = #expect(throws: PositionError.self) { try resolver.event(positions[0]) }
    #expect(error?.description.hasPrefix("no event is left: ") == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("Where the clock ran backwards, the other candidate is named")
  func otherCandidate() throws {
    let (resolver, positions) = try Self.resolver(["1970-01-01T00:01Z", "1970-01-01T00:03Z"])
    // 12 and 14 happened in that minute, and 13 lies between them with a later time.
    try expectEqual(resolver.state(positions[0]), .init(sequence: 14, otherCandidate: 12))
    try expectEqual(resolver.state(positions[1]), .init(sequence: 15, otherCandidate: nil))
  }

  @Test(
    "A position outside the history is refused and the nearest is named",
    arguments: [
      ("16", "event 16 does not exist: the last one is 15; write 15 or end"),
      ("7", "event 7 is no longer kept: the first one is 11; write 11"),
      ("end~15", "end~15 lies before the first event; write 11"),
      ("end~99", "end~99 is before the first event: the last one is 15; write start"),
      ("end~9", "event 6 is no longer kept: the first one is 11; write 11"),
      ("wipe.requsted", "the journal has no event of type wipe.requsted; nearest: wipe.requested (2)"),
      ("zebra.quagga", "the journal has no event of type zebra.quagga; write a type that 'pj stats' lists"),
      ("wipe.requested#3", "wipe.requested#3 does not exist: the journal has 2; write wipe.requested#2"),
    ])
  func refusals(text: String, message: String) throws {
    let (resolver, positions) = try Self.resolver([text])
    let error = #expect(throws: PositionError.self) { try resolver.event(positions[0]) }
    expectEqual(error?.description, message)
  }

  @Test(
    "An event that the journal claims to hold but does not is lost",
    arguments: [
      ("8", "event 8 is lost: the first one left is 11", .lost),
      ("10", "event 10 is lost: the first one left is 11", .lost),
      ("end~6", "end~6 is unknown: events 16–20 are lost", .lost),
      ("16", "event 16 is lost: the last one left is 15", .lost),
      ("20", "event 20 is lost: the last one left is 15", .lost),
      ("7", "event 7 is no longer kept: the first one is 11", .outside),
      ("21", "event 21 does not exist: the last one is 15", .outside),
    ] as [(String, String, PositionError.Code)])
  func lost(text: String, message: String, code: PositionError.Code) throws {
    let (resolver, positions) = try Self.resolver([text], held: 8...20)
    let error = #expect(throws: PositionError.self) { try resolver.state(positions[0]) }
    #expect(error?.message == message && error?.code == code)
    if code == .lost { #expect(error?.remedy.hasSuffix("restore the journal's files from a copy") ?? false) }
    let (empty, _) = try Self.resolver([], [], held: 8...20)
    let none = #expect(throws: PositionError.self) { try empty.state(.sequence(9)) }
    expectEqual(none?.message, "event 9 is lost: no event is left")
  }

  @Test(
    "A position that a lost event could have is unknown, and the lost events are named",
    arguments: [
      ("1969-12-31", "the state at that time is unknown: events 8–10 are lost"),
      ("1970-01-01T00:01Z", "the last event at or before that time is unknown: events 14–15 are lost"),
      ("1970-01-01T00:03Z", "the last event at or before that time is unknown: event 18 is lost"),
      ("end", "the last event is unknown: event 18 is lost"),
      ("end~0", "end~0 is unknown: event 18 is lost"),
      ("-1m", "the time of the last event is unknown: event 18 is lost"),
      ("0:01", "the time of the last event is unknown: event 18 is lost"),
      ("wipe.requested", "whether event 17 is the last wipe.requested is unknown: event 18 is lost"),
      (
        "wipe.requested#1",
        "which event is wipe.requested#1, of which 1 is left, is unknown: events 8–10 are lost"
      ),
      ("zebra.quagga", "no event of type zebra.quagga is left, and events 8–10 are lost"),
    ])
  func unknown(text: String, message: String) throws {
    let (resolver, positions) = try Self.resolver([text], Self.notesWithLosses, held: 8...18)
    let error = #expect(throws: PositionError.self) { try resolver.state(positions[0]) }
    #expect(error?.message == message && error?.code == .lost)
  }

  /// Events 8 to 18 of a journal, a minute apart, of which 8 to 10, 14, 15 and 18 are lost.
  private static let notesWithLosses: [PositionResolver.Note] = [
    note(11, 0, "process.started"), note(12, 30, "policy.received"), note(13, 60, "policy.received"),
    note(16, 120, "policy.received"), note(17, 150, "wipe.requested"),
  ]

  @Test("A position confirmed by the next event is known, whatever is lost elsewhere")
  func proved() throws {
    let (resolver, positions) = try Self.resolver(
      ["1970-01-01T00:00:15Z", "1970-01-01T00:02:10Z", "13"], Self.notesWithLosses, held: 8...18)
    try expectEqual(positions.map { try resolver.state($0).sequence }, [11, 16, 13])
    // Nothing is lost before the second event of a type, and later losses do not matter to it.
    let (whole, types) = try Self.resolver(
      ["policy.received#2", "process.started#1"], Self.notesWithLosses, held: 11...18)
    try expectEqual(types.map { try whole.state($0).sequence }, [13, 11])
  }

  @Test(
    "A range of times includes adjacent lost events",
    arguments: [
      ("1970-01-01T00:01:30Z..1970-01-01T00:01:40Z", 14, 15), ("1970-01-01T00:02Z", 14, 18),
      ("1970-01-01T00:00:20Z..1970-01-01T00:00:40Z", 12, 12), ("1970-02", 18, 18),
    ] as [(String, UInt64, UInt64)])
  func rangesWithLosses(text: String, lower: UInt64, upper: UInt64) throws {
    let range = try NamedRange(text)
    var resolver = PositionResolver(held: 8...18)
    resolver.read(for: [range.lower, range.upper]) { body in Self.notesWithLosses.forEach(body) }
    #expect(try resolver.range(range) == (lower, upper))
  }

  @Test("If the loss after the last event is unknown, its number is not the end")
  func cutOff() throws {
    var (resolver, positions) = try Self.resolver(["end~1", "13", "1970-01-02"])
    resolver.isCutOff = true
    let error = #expect(throws: PositionError.self) { try resolver.state(positions[0]) }
    #expect(
      error?.message == "end~1 is unknown: events from 16 on may be lost"
        && error?.code == .lost)
    try expectEqual(resolver.state(positions[1]).sequence, 13)
    #expect(try resolver.range(NamedRange(lower: .sequence(13), upper: positions[2])) == (13, .max))
  }

  @Test("An event before the earliest time cannot be named by a time")
  func eventBeforeFirst() throws {
    let (resolver, positions) = try Self.resolver(["1969-12-31", "start"])
    let error = #expect(throws: PositionError.self) { try resolver.event(positions[0]) }
    expectEqual(error?.description, "no event happened at or before that time; the first event is 11: write 11")
    let start = #expect(throws: PositionError.self) { try resolver.event(positions[1]) }
    expectEqual(start?.description, "start lies before the first event; write 11")
  }

  @Test(
    "A range holds the events from its first end to its second, and may hold none",
    arguments: [
      ("12..14", 12, 14), ("..", 11, 15), ("start..12", 11, 12), ("-1m..", 12, 15),
      ("1970-01-01T00:01Z..1970-01-01T00:01Z", 12, 14), ("1970-02..", 16, 15), ("..1969", 11, 0),
    ] as [(String, UInt64, UInt64)])
  func ranges(text: String, lower: UInt64, upper: UInt64) throws {
    guard text != "..1969" else { return }
    let range = try NamedRange(text)
    var resolver = PositionResolver()
    resolver.read(for: [range.lower, range.upper]) { body in Self.notes.forEach(body) }
    let bounds = try resolver.range(range)
    #expect(bounds == (lower, upper))
  }

  @Test("Numbers in the wrong order are refused, with the right order")
  func reversed() throws {
    let range = try NamedRange("14..12")
    var resolver = PositionResolver()
    resolver.read(for: [range.lower, range.upper]) { body in Self.notes.forEach(body) }
    let error = #expect(throws: PositionError.self) { try resolver.range(range) }
    expectEqual(error?.description, "14..12 ends before it begins; write 12..14")
  }

  @Test("A journal without events has a start and an end but no event")
  func empty() throws {
    let (resolver, positions) = try Self.resolver(["start", "end", "1"], [])
    try expectEqual(resolver.state(positions[0]).sequence, 0)
    try expectEqual(resolver.state(positions[1]).sequence, 0)
    #expect(throws: PositionError.self) { try resolver.state(positions[2]) }
    let error = #expect(throws: PositionError.self) { try resolver.event(positions[1]) }
    expectEqual(error?.description, "the journal has no events; look at another journal")
  }
}
