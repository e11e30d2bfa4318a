import EventSourcing
import Expectations
import Foundation
import Journal
import ReplayTool
import Testing

@testable import CommandSupport
@testable import rooms_tool

/// The commands of `pj`, asked by the tool of another domain, whose rules answer no questions.
@Suite("The tool of a domain of one's own")
struct ReplayToolTests {
  /// Two rooms are opened, and both are booked; Bob has the second one in the end.
  private static let events: [RoomEvent] = [
    .opened(room: 1, name: "Attic"), .opened(room: 2, name: "Cellar"), .booked(room: 1, guest: "Ada"),
    .freed(room: 1), .booked(room: 2, guest: "Bob"),
  ]

  /// Command lines in their order; `@` stands for the folder in which they write.
  private static let lines = [
    "help", "help log", "help show", "help filters", "help templates", "help paths", "help bisect", "help compare",
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
    let output = house.run(["schema", "--json-output", "fleet"])
    #expect(
      output.code == 2
        && output.notes.contains("--json-output: no output is named fleet; there are error, log, show, state"))
    for target in ["", "-"] {
      let imported = house.run(["import", "@/house.pjx", "-o", target])
      #expect(imported.code == 2 && imported.notes.contains("--output is missing"), "\(target)")
    }
  }

  @Test("What needs more than a domain is not in the help, and every example of the help can be typed")
  func help() throws {
    let table = RoomsTool.tool.shell.table
    let names = Set(table.commands.map(\.name))
    #expect(names.isDisjoint(with: ["diagnose", "fleet", "policy", "settings", "simulate"]))
    for command in table.commands {
      #expect(!command.examples.isEmpty, "\(command.name)")
      for example in command.examples {
        #expect(example.line.contains("rooms-tool \(command.name)"), "\(example.line)")
        #expect(!example.line.contains("policies") && !example.line.contains("wipe"), "\(example.line)")
      }
    }
    expectEqual(table.problems().filter { !$0.hasSuffix("not three") }, [])
  }
}

/// A journal of rooms in a folder of its own, which is removed with the test.
private final class WrittenHouse {
  private let folder: String

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
