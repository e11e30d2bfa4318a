import JSON
import Journal
import Simulation

/// The file in a fleet's folder that says what was planted in each journal: one JSON object a line.
struct FleetManifest: ~Copyable {
  /// Its name.
  static let name = "manifest.jsonl"

  private let path: String
  private let fileSystem = PosixFileSystem()
  private let file: OpenFile
  private var length: UInt64 = 0

  /// Creates the file.
  init(in folder: String) throws(ScenarioError) {
    path = "\(folder)/\(Self.name)"
    do throws(FileSystemError) {
      file = try fileSystem.open(path, .replace)
    } catch {
      throw Self.failed(path, error)
    }
  }

  deinit { fileSystem.close(file) }

  /// Adds a journal.
  mutating func append(_ member: FleetMember) throws(ScenarioError) {
    let record = JSONValue.object([
      .init("path", .string(member.path)), .init("family", member.family.map { .string($0.id) } ?? .null),
      .init("cause", .string(member.cause)), .init("event", member.event.map { .number($0) } ?? .null),
      .init("type", member.type.map(JSONValue.string) ?? .null), .init("events", .number(member.events)),
    ])
    let line = Array("\(record.text(style: .compact))\n".utf8)
    do throws(FileSystemError) {
      try fileSystem.writeAll(file, line, at: length)
    } catch {
      throw Self.failed(path, error)
    }
    length += UInt64(line.count)
  }

  private static func failed(_ path: String, _ error: FileSystemError) -> ScenarioError {
    ScenarioError(
      .journal, file: path, message: "\(error)", remedy: "make room for the fleet, and write it into a new folder")
  }
}
