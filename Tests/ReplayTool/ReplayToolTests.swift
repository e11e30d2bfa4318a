import EventSourcing
import Expectations
import Forensics
import Foundation
import Journal
import ReplayTool
import Testing

@testable import CommandSupport
@testable import rooms_tool

/// The commands of `pj`, asked by the tool of another domain.
@Suite("The tool of a domain of one's own")
struct ReplayToolTests {
  /// Two rooms are opened, and both are booked; Bob has the second one in the end.
  private static let events: [RoomEvent] = [
    .opened(room: 1, name: "Attic"), .opened(room: 2, name: "Cellar"), .booked(room: 1, guest: "Ada"),
    .freed(room: 1), .booked(room: 2, guest: "Bob"),
  ]

  /// Command lines in their order; `@` stands for the folder in which they write.
  private static let lines = [
    "help", "help diagnose", "help explain", "help whatif", "help questions", "help fleet", "help tables", "help log",
    "help show", "help filters", "help templates", "help paths", "help bisect", "help compare",
    "help timeline", "help own-domain", "help positions", "help blame",
    "help exports",
    "help damage", "version", "schema", "schema room.booked", "schema --proto",
    "state @/house --flat", "state @/house 3 --path /rooms/1 --reveal", "state @/house --path /room",
    "state @/house -j",
    "fields @/house", "stats @/house", "blame @/house /rooms/2/bookings", "blame @/house /rooms/9 --writes",
    "diff @/house 2 5", "verify @/house", "check @/house", "fork @/house 3 @/fork", "state @/fork --path /free",
    "retire @/house 4 --dry-run", "export @/house -o @/house.pjx --key 000102030405060708090a0b0c0d0e0f",
    "state @/house.pjx --path /rooms/2/guest --reveal",
    "import @/house.pjx -o @/copy", "import @/house.pjx -o -", "check @/copy", "salvage @/house -o @/saved",
    "state @/saved --path /free", "log @/house", "log @/house 3.. --reveal", "log @/house --type room.b* -j",
    "log @/house --path /rooms/2 -n 1", "log @/house --oneline -r", "log @/house --template {seq}:{type}:{/free}",
    "log @/house -g Bob", "log @/house -g Bob --reveal", "log @/house --account a1",
    "log @/house --where type=room.freed",
    "log @/house.pjx", "log @/none", "log @/house -f 1..2", "log @/house --exit-on /free=1", "show @/house 5",
    "show @/house 5 --reveal", "show @/house room.opened#1 -j", "show @/house 9",
    "bisect @/house --where /rooms/1/guest", "bisect @/house --where /free<2 -j", "bisect @/house 4.. --where /room",
    "compare @/house @/fork", "compare @/house @/house --exact -j", "compare @/house", "compare @/house @/saved",
    "timeline @/house -o @/house.html", "timeline @/house 1..2 -o @/two.json --format chrome-trace -j",
    "timeline @/house",
    "explain @/house free(2)", "explain @/house free(1) --when", "explain @/house@3 free(1) -j", "explain @/house",
    "explain @/house free(x)", "explain @/house book(1)", "explain @/house free(9)",
    "bisect @/house --where free(2)=no",
    "whatif @/house --drop 3", "whatif @/house --drop room.b* --diff -j",
    "whatif @/house --drop 3..4 --ask free(1) --ask free(2) --when",
    #"whatif @/house --insert 2={"type":"room.booked","data":{"room":1,"guest":"Eve"}}"#,
    #"whatif @/house --replace 5={"type":"room.opened","data":{"room":3,"name":"Hall"}} --at 5"#,
    "whatif @/house --move 3=1", "whatif @/house", "whatif @/house --drop 9", "whatif @/house --insert 2={}",
    "whatif @/house --drop room.freed -o @/other", "log @/other",
    "fork @/house 2 @/two", "diagnose @/house", "diagnose @/two", "diagnose @/two -j",
    "diagnose @/two --family freed-twice",
    "diagnose @/two --only over", "diagnose --families", "diagnose @/house --against @/two",
    "diagnose @/two 1.. --at 1",
    "timeline @/two -o @/two.html",
    "fleet @/house @/two", "fleet @/two -j", "fleet @/two --list", "fleet @/nowhere", "fleet @/two --csv",
    "tables @/house @/two -o @/tables --key 000102030405060708090a0b0c0d0e0f", "tables @/house",
    "schema --tables duckdb",
    "state @/none",
    "complete types -- ''", "complete paths -- /rooms/1 blame @/house",
  ]

  @Test("Each command answers for a journal of the domain, in its names and in the tool's")
  func commands() throws {
    let house = try WrittenHouse(Self.events)
    var text = ""
    for line in Self.lines {
      let (code, output, notes) = house.run(line.split(separator: " ").map { $0 == "''" ? "" : String($0) })
      text += "$ rooms-tool \(line)\n\(output)\(notes)[\(code)]\n\n"
    }
    // A fork's identity is drawn at random, and the columns of a table are as wide as the folder's name.
    text = text.replacing(/[ ]{12,}the state after/, with: "  the state after")
    // Where a long command is broken depends on it, too.
    text = text.replacing(/[ ]\\\n[ ]+/, with: " ")
    text = text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "‹id›")
    let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/commands.txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: golden)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    let (found, wanted) = (text.split(separator: "$ rooms-tool "), expected.split(separator: "$ rooms-tool "))
    expectEqual(found.count, wanted.count)
    for (one, other) in zip(found, wanted) { expectEqual(String(one), String(other)) }
    #expect(!text.contains(" pj "), "the name of another tool is shown")
  }

  @Test("What the tool does not have is refused, and says what it has")
  func refusals() throws {
    let house = try WrittenHouse(Self.events)
    expectEqual(house.run(["export", "@/house", "-o", "@/house.pjx"]).code, 0)
    let inner = house.run(["state", "@/house.pjx/inner"])
    #expect(inner.code == 4 && inner.notes.contains(": this tool reads no archives; unpack it first"))
    let output = house.run(["schema", "--json-output", "policy"])
    #expect(
      output.code == 2
        && output.notes.contains("--json-output: no output is named policy; there are error, log, show, state"))
    for target in ["", "-"] {
      let imported = house.run(["import", "@/house.pjx", "-o", target])
      #expect(imported.code == 2 && imported.notes.contains("--output is missing"), "\(target)")
    }
  }

  @Test("What needs more than a domain is not in the help, and every example of the help can be typed")
  func help() throws {
    let table = RoomsTool.tool.shell.table
    let names = Set(table.commands.map(\.name))
    #expect(names.isDisjoint(with: ["policy", "settings", "simulate"]))
    for command in table.commands {
      #expect(!command.examples.isEmpty, "\(command.name)")
      for example in command.examples {
        #expect(example.line.contains("rooms-tool \(command.name)"), "\(example.line)")
        #expect(!example.line.contains("policies") && !example.line.contains("wipe"), "\(example.line)")
      }
    }
    expectEqual(table.problems().filter { !$0.hasSuffix("not three") }, [])
  }

  /// What only app protection has a word for.
  private static var foreignWords: Regex<Substring> {
    /(?i)account|wipe|polic|enroll|\bMAM\b|intune|microsoft|tenant|object id|principal|launch|check-in|\/identit/
  }

  @Test("No text of the tool has a word of app protection, and examples are of the domain")
  func foreignWords() throws {
    let house = try WrittenHouse(Self.events)
    let table = RoomsTool.tool.shell.table
    func expectNone(in text: String, _ place: String) {
      // The class of a value, and the name of the package.
      let rest = text.replacing(#""redacted":"account""#, with: "").replacing(
        #"\(dqredacted\(dq:\(dqaccount\(dq"#, with: ""
      )
      .replacing("PolicyJournal", with: "")
      let found = rest.split(separator: "\n").filter { $0.contains(Self.foreignWords) }
      expectEqual(found, [], "\(place)")
    }
    let subjects = table.commands.map(\.name) + table.topics.map(\.name)
    for subject in subjects { expectNone(in: house.run(["help", subject]).output, subject) }
    for words in [["help"], ["help", "--man"]] + table.commands.map({ ["help", "--man", $0.name] }) {
      expectNone(in: house.run(words).output, "\(words)")
    }
    let lines: [[String]] = [
      ["log", "@/house", "soon"], ["log", "@/house", ""], ["log", "@/house", "99999999999999999999"],
      ["log", "@/house", "soon..5"], ["state", "@/house@soon"], ["log", "@/house", "room.lost"],
      ["log", "@/house", "-w", "= 1"], ["log", "@/house", "-w", "acount = 1"], ["log", "@/house", "-w", "x = 1"],
      ["log", "@/house", "-w", "account = a1"], ["log", "@/house", "--account", "a1"],
      ["log", "@/house", "--template", "{acount}"], ["log", "@/house", "--template", "{x}"],
      ["log", "@/house", "--type", "x.*"], ["log", "@/house", "--path", "/rom"],
      ["bisect", "@/house", "--where", "= 1"], ["bisect", "@/house", "--where", "fre(1) = yes"],
      ["whatif", "@/house", "--drop", "path = /rooms"], ["state", "@/house", "--due"],
      ["schema", "rom.opened"], ["schema", "x"], ["schema", ""], ["fields", "@/house", "/rom"],
      ["compare", "@/house", "--accounts", "a1,a2"], ["stats", "@/house"],
      ["log", "@/house"], ["log", "@/house", "--oneline"],
    ]
    for line in lines {
      let run = house.run(line)
      // What was typed is quoted.
      let typed = line.reduce(run.notes + run.output) { $1.isEmpty ? $0 : $0.replacing($1, with: "") }
      expectNone(in: typed.replacing("\"account\"", with: "").replacing("--account", with: ""), "\(line)")
    }
    #expect(house.run(["log", "@/house", "soon"]).notes.contains("10:30, -2h or room.opened. Next"))
    #expect(house.run(["bisect", "@/house", "--where", "= 1"]).notes.contains("a path such as /rooms, or one of free"))
    #expect(house.run(["schema", ""]).notes.contains("an event type is missing: the word is empty"))
    #expect(!house.run(["schema", "room.freed"]).output.contains("\n  \n"))
    #expect(house.run(["bisect", "@/house", "--where", "/free<2"]).output.contains("  does not hold  "))
  }

  @Test("A path in place of a position is one for --path")
  func pathAsPosition() throws {
    let notes = try WrittenHouse(Self.events).run(["state", "@/house", "/rooms/2"]).notes
    #expect(
      notes.contains(
        "/rooms/2 is a path, and stands where a position would. Next: rooms-tool state @/house --path /rooms/2"),
      "\(notes)")
  }

  @Test("A domain that answers no questions and knows no problems has no command for either, and no word about it")
  func plain() {
    let shell = ReplayTool<Counter>(name: "counter-tool", version: "1", summary: "counts").shell
    let names = Set(shell.table.commands.map(\.name))
    expectEqual(
      Set(RoomsTool.tool.shell.table.commands.map(\.name)).subtracting(names),
      ["diagnose", "explain", "fleet", "whatif"])
    let output = TextOutput()
    for words in [["help"], ["help", "tables"], ["help", "bisect"], ["schema", "--tables", "json"]] {
      _ = shell.run(words, output: output, notes: TextOutput(), environment: ToolEnvironment(of: shell.definition))
    }
    #expect(output.text.contains("mistake: what counter-tool log --findings says"))
    for word in ["diagnose", "counter-tool explain", "fleet", "(problems", "help questions", "whatif"] {
      #expect(!output.text.contains(word), "\(word)")
    }
  }

  @Test("Tables of rooms have the rows of both journals, in the domain's names, and no name of a guest")
  func tables() throws {
    let house = try WrittenHouse(Self.events + [.opened(room: 3, name: "Hall"), .freed(room: 1)])
    let run = house.run(["tables", "@/house", "-o", "@/tables", "--key", "000102030405060708090a0b0c0d0e0f"])
    expectEqual(run.code, 0)
    let journals = try house.rows(of: "journals")
    expectEqual(journals.count, 1)
    #expect(journals[0].contains(#""domain":"rooms","events":7,"lost":0,"firstSeq":1,"lastSeq":7"#))
    let events = try house.rows(of: "events")
    expectEqual(events.count, 7)
    #expect(events[2].contains(#""type":"room.booked","typeNumber":2"#) && events[2].contains(#""data":{"room":1,"#))
    #expect(!events.joined().contains("Ada"))
    let changes = try house.rows(of: "changes")
    #expect(changes.contains { $0.contains(#""path":"/rooms/2/bookings","before":0,"after":1"#) })
    let findings = try house.rows(of: "findings")
    expectEqual(findings.count, 2)
    #expect(findings[0].contains(#""kind":"problem","name":"freed-twice","severity":"warning""#))
    #expect(findings[1].contains(#""name":"never-booked""#) && findings[1].contains(#""subject":"room 3","seq":6"#))
  }
}

extension ReplayToolTests {
  @Test("A link with a signature that is a dictionary's key is in no table, revealed or not", arguments: [true, false])
  func signedKeys(isRevealed: Bool) throws {
    let house = try WrittenHouse([])
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try EventStore<Links>.create(
      at: house.folder + "/links", journalID: JournalID(bytes: [UInt8](repeating: 8, count: 16)) ?? .none,
      createdNanoseconds: 1, options: options)
    for link in ["https://h.example/x?sig=plantedsecret", "plain"] {
      try store.append(.followed(link: link), at: Moment(wallNanoseconds: 1))
    }
    try store.close()
    let notes = TextOutput()
    let shell = ReplayTool<Links>(name: "links-tool", version: "1", summary: "counts links").shell
    let code = shell.run(
      ["tables", house.folder + "/links", "-o", house.folder + "/tables"]
        + (isRevealed ? ["--reveal"] : ["--key", "000102030405060708090a0b0c0d0e0f"]),
      output: TextOutput(), notes: notes, environment: ToolEnvironment(of: shell.definition))
    expectEqual(code, .done, "\(notes.text)")
    for table in ["events", "changes"] {
      let rows = try house.rows(of: table)
      #expect(rows.count == 2 && !rows.joined().contains("plantedsecret"), "\(rows)")
    }
    #expect(try house.rows(of: "changes").joined().contains(#""path":"/links/plain""#))
  }

  @Test("An edit of another domain is refused, and not left out")
  func otherDomain() {
    let edits = DomainEdits<House>()
    for edit in [{ try edits.replace(1, with: EditContent(17)) }, { try edits.insert(EditContent(17), after: 1) }] {
      let error = #expect(throws: EditError.self) { try edit() }
      expectEqual(
        error?.description,
        "the edit is of another domain than the journal's, rooms; write an event as 'show -j' prints those of this journal"
      )
    }
    expectEqual(edits.count, 0)
  }
}

/// How often each link was followed.
private struct Links: Aggregate, QuestionDomain {
  var links: [String: Int] = [:]

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "links", &links) }
  mutating func apply(_ event: LinkEvent, _ context: EventContext) {
    switch event {
    case .followed(let link): links[link, default: 0] += 1
    }
  }
}

private enum LinkEvent: EventList {
  case followed(link: String = "")

  static let types = EventTypes<LinkEvent>("links", .followed())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> LinkEvent {
    switch self {
    case .followed(let link): try list.event(1, "link.followed", .followed(link: list.field(1, "link", link)))
    }
  }
}

/// A domain that answers no questions and knows no problems.
private struct Counter: Aggregate {
  var count: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ event: CounterEvent, _ context: EventContext) { count += 1 }
}

private enum CounterEvent: EventList {
  case counted(by: UInt64 = 0)

  static let types = EventTypes<CounterEvent>("counter", .counted())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> CounterEvent {
    switch self {
    case .counted(let step): try list.event(1, "number.counted", .counted(by: list.field(1, "by", step)))
    }
  }
}

extension Counter: QuestionDomain {}

/// A journal of rooms in a folder of its own, which is removed with the test.
private final class WrittenHouse {
  let folder: String

  init(_ events: [RoomEvent]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try EventStore<House>.create(
      at: "\(folder)/house", journalID: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none,
      createdNanoseconds: 1, options: options)
    for (index, event) in events.enumerated() {
      try store.append(event, at: Moment(wallNanoseconds: Int64(index + 1) * 60_000_000_000))
    }
    try store.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The lines of a table that was written there.
  func rows(of table: String) throws -> [String] {
    let path = "\(folder)/tables/\(table)/00001.jsonl.gz"
    let reader = GzipReader([UInt8](try Data(contentsOf: URL(filePath: path))))
    var text: [UInt8] = []
    while let piece = reader.next() { text += piece }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Runs a command line in which `@/` stands for the folder.
  func run(_ words: [String]) -> (code: Int32, output: String, notes: String) {
    let (output, notes) = (TextOutput(), TextOutput())
    let shell = RoomsTool.tool.shell
    let code = shell.run(
      words.map { $0.replacing("@/", with: "\(folder)/") }, output: output, notes: notes,
      environment: ToolEnvironment(of: shell.definition))
    return (
      code.rawValue, output.text.replacing("\(folder)/", with: "@/"), notes.text.replacing("\(folder)/", with: "@/")
    )
  }
}
