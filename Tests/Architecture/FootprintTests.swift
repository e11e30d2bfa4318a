import Expectations
import Foundation
import Testing

/// A program links whole modules. The symbols of the programs that were built beside the tests say which.
@Suite("The modules in each program")
struct FootprintTests {
  private static let journal: Set = ["Cryptography", "Journal", "PlainText", "SystemCalls"]
  private static let store = journal.union(["EventSourcing", "SensitiveText", "WireFormat"])
  /// What an app that embeds the engine links.
  private static let kit = store.union([
    "AppProtection", "AppProtectionKit", "EventSourcingKit", "FileProtection", "PolicySettings", "PropertyList",
  ])
  private static let services = kit.union(["GraphDocuments", "JSON", "PolicyServices"])

  /// Programs, each in place of the products that it links. Those of the tests also simulate a file system, which needs the
  /// store.
  private static let programs: [(name: String, modules: Set<String>)] = [
    ("crash-test", store), ("key-crash-test", store.union(["FileProtection"])),
    ("rooms-crash-test", store.union(["EventSourcingKit", "FileProtection"])),
    ("app-crash-test", store.union(["AppProtection", "FileProtection"])), ("share-test", kit),
    ("sample-notes", services.union(["SampleNotes"])),
    ("service-check", services.union(["Forensics", "PolicyServicesNetwork"])),
    (
      "rooms-tool",
      store.union([
        "CommandLineInterface", "CommandSupport", "EventSourcingKit", "FileProtection", "Forensics", "JSON",
        "PageAssets", "ReplayTool",
      ])
    ),
    (
      "pj",
      kit.union([
        "AppProtectionInsight", "Archives", "CommandLineInterface", "CommandSupport", "Forensics", "GraphDocuments",
        "JSON", "JournalCommands", "PageAssets", "PolicyCommands", "PolicyDocuments", "ProtectionSupport", "ReplayTool",
        "Simulation", "pj",
      ])
    ),
  ]

  @Test("A program contains the modules that its list names, and no other", arguments: programs)
  func contents(program: (name: String, modules: Set<String>)) throws {
    let bytes = try Data(contentsOf: Self.folder.appending(path: program.name), options: .alwaysMapped)
    let found = bytes.withUnsafeBytes(Self.modules)
    expectEqual(found.intersection(try Self.modules), program.modules)
  }

  @Test("The questions about a history are asked for an account book without a module of the product's domain")
  func questions() throws {
    let folder = Self.folder.appending(path: "AccountBookTests.build")
    let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "o" }
    let found = try objects.reduce(into: Set<String>()) { found, object in
      found.formUnion(try Data(contentsOf: object).withUnsafeBytes(Self.modules))
    }
    #expect(found.contains("Forensics"))
    let allowed = Self.store.union(["EventSourcingTesting", "Forensics", "JSON"])
    #expect(found.intersection(try Self.modules).isSubset(of: allowed))
  }

  /// The modules that symbols name first: `$s`, the length of the name, and the name.
  private static func modules(in bytes: UnsafeRawBufferPointer) -> Set<String> {
    guard let start = bytes.baseAddress else { return [] }
    var found: Set<String> = []
    var place = 0
    while let sign = memchr(start + place, 0x24, bytes.count - place) {
      place = UnsafeRawPointer(sign) - start + 1
      guard place < bytes.count, bytes[place] == UInt8(ascii: "s") else { continue }
      let digits = bytes[(place + 1)...].prefix(2).prefix { (0x30...0x39).contains($0) }
      guard let length = Int(String(decoding: digits, as: UTF8.self)) else { continue }
      found.insert(String(decoding: bytes[digits.endIndex...].prefix(length), as: UTF8.self))
    }
    return found
  }

  /// Every module of the package.
  private static var modules: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: SwiftSource.root.appending(path: "Sources").path).filter {
        !$0.hasPrefix(".")
      }
    }
  }

  /// Where the programs are: beside the tests, or where a build puts them if another program loads the tests.
  private static var folder: URL {
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let isBuilt = FileManager.default.fileExists(atPath: beside.appending(path: "pj").path)
    return isBuilt ? beside : SwiftSource.root.appending(path: ".build/debug")
  }
}
