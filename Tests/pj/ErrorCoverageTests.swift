import Expectations
import Testing

@testable import CommandSupport

/// Every message of a failure is in a test or a reviewed output, so that each was seen once and none changes unseen.
@Suite("Coverage of error messages")
struct ErrorCoverageTests {
  /// Messages that no test can bring about, and why.
  private static let unreached = [
    "the journal, the position and the target are needed": "the parser asks for each of them first",
    "the journal and the first event to keep are needed": "the parser asks for each of them first",
    "cannot be asked so": "no question of this domain refuses what its parameters accept",
    "libarchive is out of memory": "no test can use up the memory of its process",
    ", which its libarchive was built without; unpack it first": "the tests have a libarchive with every compression",
    ": this is not a regular file, so nothing is written": "only a pipe that another process fills gets that far",
    ": the file changed since it was read, so nothing is written": "another process would have to write in between",
    "is not as it was; nothing is written": "every policy of the tests is read back as it was",
    "; name a folder that holds them": "the names of the folders would have to fill eight mebibytes",
    ": this folder cannot be read": "the superuser, who may run the tests, can read every folder",
  ]

  /// What makes a failure, and the labels after which its next step stands.
  private static let makers = [
    "Failure", "FilterError", "PositionError", "refusal", "failure", "wrongUse", "self.init",
  ]
  private static let labels = ["next", "remedy"]
  /// The shortest piece of a message that tells it from others.
  private static let leastLength = 10

  /// The longest piece of each message between what is filled in.
  private static func messages(of text: String) -> [String] {
    SourceText(text).literals(after: makers, upTo: labels).compactMap { pieces in
      pieces.map(trimmed).max { $0.count < $1.count }.flatMap { $0.count < leastLength ? nil : $0 }
    }
  }

  private static func trimmed(_ piece: String) -> String {
    String(piece.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The paths below a folder, with this ending.
  private static func files(below folder: String, _ ending: String) throws -> [String] {
    let list = try #require(Platform.names(in: folder, limit: 10_000))
    return try list.sorted().flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      switch Platform.kind(of: path) {
      case .folder?: return try files(below: path, ending)
      default: return name.hasSuffix(ending) ? [path] : []
      }
    }
  }

  @Test("Every message is in a test or a reviewed output, or in the list of those that cannot be reached")
  func coverage() throws {
    let root = Repository.root
    var known = ""
    for path in try Self.files(below: "\(root)/Tests", ".swift") where !path.hasSuffix("/ErrorCoverageTests.swift") {
      known += SourceText(String(decoding: try TestFiles.read(path), as: UTF8.self)).text
    }
    for path in try Self.files(below: "\(root)/Tests/pj/Golden", ".txt") {
      known += String(decoding: try TestFiles.read(path), as: UTF8.self)
    }
    var missing: [String] = []
    var found: Set<String> = []
    for module in [
      "CommandSupport", "ProtectionSupport", "ReplayTool", "PolicyCommands", "JournalCommands", "pj", "Forensics",
    ] {
      for path in try Self.files(below: "\(root)/Sources/\(module)", ".swift") {
        for message in Self.messages(of: String(decoding: try TestFiles.read(path), as: UTF8.self)) {
          found.insert(message)
          guard !TestFiles.isFound(message, in: known), Self.unreached[message] == nil else { continue }
          missing.append("\(path.dropFirst(root.count + 1)): \(message)")
        }
      }
    }
    #expect(found.count > 100)
    expectEqual(missing, [], "add a test, or a command line to the snapshot \"errors\"")
    expectEqual(Self.unreached.keys.filter { !found.contains($0) }, [], "these messages are gone")
    expectEqual(Self.unreached.keys.filter { TestFiles.isFound($0, in: known) }, [], "these messages are in a test")
  }

  @Test("Messages are found whole, with what is filled in left out, and without the next step")
  func reading() {
    let source = #"""
      throw Failure(
        .wrongUse, isLong ? "this is \(Self.name("a)")) much too long" : "and this is too short", // "not this one"
        next: "pj help everything")
      let text = "a text that is none"
      return FilterError(column: 1, """
        a message \
        over two lines
        """, remedy: "write another one")
      """#
    expectEqual(Self.messages(of: source), ["much too long", "and this is too short", "a message over two lines"])
  }
}
