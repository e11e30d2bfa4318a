// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every module is built in Swift 6 mode, and a warning fails the build.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// A module and the modules on lower floors it may import.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = [],
  embedding embedded: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: excluded, resources: embedded.map { .embedInCode($0) },
    swiftSettings: strict)
}

/// The tests of one module, in the folder of the same name below `Tests`.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "Expectations"] + dependencies, path: "Tests/\(name)",
    exclude: excluded, swiftSettings: strict)
}

let package = Package(
  name: "PolicyJournal",
  // The first with Synchronization.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AppProtection", targets: ["AppProtection"]),
    .library(name: "AppProtectionInsight", targets: ["AppProtectionInsight"]),
    .library(name: "AppProtectionKit", targets: ["AppProtectionKit"]),
    .library(name: "AppProtectionQueues", targets: ["AppProtectionQueues"]),
    .library(name: "EventSourcing", targets: ["EventSourcing"]),
    .library(name: "EventSourcingKit", targets: ["EventSourcingKit"]),
    .library(name: "EventSourcingTesting", targets: ["EventSourcingTesting"]),
    .library(name: "FileProtection", targets: ["FileProtection"]),
    .library(name: "Forensics", targets: ["Forensics"]),
    .library(name: "GraphDocuments", targets: ["GraphDocuments"]),
    .library(name: "Journal", targets: ["Journal"]),
    .library(name: "PolicyDocuments", targets: ["PolicyDocuments"]),
    .library(name: "PolicyServices", targets: ["PolicyServices"]),
    .library(name: "PolicyServicesNetwork", targets: ["PolicyServicesNetwork"]),
    .library(name: "PolicySettings", targets: ["PolicySettings"]),
    .library(name: "ReplayTool", targets: ["ReplayTool"]),
    .library(name: "WireFormat", targets: ["WireFormat"]),
    .executable(name: "pj", targets: ["pj"]),
    .executable(name: "sample-notes", targets: ["SampleNotes"]),
  ],
  targets: [
    // Floor 0: system libraries.
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    // Archives.
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),

    // Floor 1: bytes and text. None of these knows an event.
    module("Archives", ["CArchive"]),
    module("PlainText"),
    module("SensitiveText"),
    module("WireFormat"),
    module("JSON", ["PlainText", "SensitiveText"]),
    module("PropertyList", ["PlainText", "SensitiveText"]),
    module("Cryptography", [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    module("SystemCalls"),
    module("Journal", ["CZlib", "Cryptography", "PlainText", "SystemCalls"]),
    module("CommandLineInterface", ["PlainText"]),
    module(
      "PageAssets",
      embedding: [
        "case.css", "report.css", "report.js", "timeline.css", "timeline.html", "timeline-details.js",
        "timeline-drawing.js", "timeline-interaction.js", "timeline-model.js", "timeline-ruler.js",
      ]),

    // Floor 2: events in general, and files that are encrypted.
    module("EventSourcing", ["WireFormat", "Journal", "Cryptography", "SensitiveText"]),
    module("FileProtection", ["Cryptography", "Journal", "PlainText", "SystemCalls", "WireFormat"]),

    // Floor 3: the domain, pure.
    module(
      "AppProtection", ["WireFormat", "EventSourcing", "PlainText", "SensitiveText"],
      excluding: ["policyjournal.proto"]),

    // Floor 4: answers, advice and diagnoses of the domain, the system's clock and random numbers, documents, the embedded
    // engine, its services, questions about a history, scripted histories.
    module("AppProtectionInsight", ["AppProtection", "EventSourcing", "PlainText"]),
    module("EventSourcingKit", ["EventSourcing", "FileProtection", "Journal", "SystemCalls"]),
    module("PolicySettings", ["AppProtection", "EventSourcing", "PlainText", "PropertyList"]),
    module(
      "GraphDocuments",
      ["AppProtection", "EventSourcing", "JSON", "PlainText", "PropertyList", "SensitiveText", "WireFormat"]),
    module(
      "PolicyDocuments",
      [
        "AppProtection", "EventSourcing", "GraphDocuments", "JSON", "PlainText", "PropertyList", "SensitiveText",
        "WireFormat",
      ]),
    module(
      "AppProtectionKit",
      [
        "AppProtection", "EventSourcing", "EventSourcingKit", "FileProtection", "Journal", "PlainText",
        "PolicySettings", "SystemCalls",
      ]),
    // Identities on the system's queues, which needs Foundation.
    module("AppProtectionQueues", ["AppProtection", "AppProtectionKit"]),
    module(
      "Forensics",
      [
        "Cryptography", "CZlib", "EventSourcing", "Journal", "JSON", "PlainText", "SensitiveText", "SystemCalls",
        "WireFormat",
      ]),
    // For the tests of an own domain: its rules, and its journal in memory.
    module("EventSourcingTesting", ["EventSourcing", "Forensics", "Journal", "WireFormat"]),
    module(
      "PolicyServices",
      ["AppProtection", "AppProtectionKit", "GraphDocuments", "JSON", "PlainText", "SensitiveText", "SystemCalls"]),
    // Needs Foundation.
    module("PolicyServicesNetwork", ["PolicyServices"]),
    module(
      "Simulation",
      [
        "AppProtection", "AppProtectionInsight", "AppProtectionKit", "Cryptography", "EventSourcing", "GraphDocuments",
        "Journal", "JSON", "PlainText", "SensitiveText", "SystemCalls",
      ]),

    // Floor 5: what every command needs, the commands about documents, those about journals, and the command line tool.
    module(
      "CommandSupport",
      [
        "CommandLineInterface", "EventSourcing", "Forensics", "Journal", "JSON", "PlainText", "SensitiveText",
        "SystemCalls", "WireFormat",
      ]),
    module(
      "ReplayTool",
      [
        "CommandLineInterface", "CommandSupport", "EventSourcing", "EventSourcingKit", "Forensics", "Journal", "JSON",
        "PageAssets", "PlainText", "SystemCalls",
      ]),
    module(
      "ProtectionSupport",
      [
        "AppProtection", "AppProtectionInsight", "Archives", "CommandLineInterface", "CommandSupport", "EventSourcing",
        "Forensics", "Journal", "JSON", "PlainText", "PolicyDocuments",
      ]),
    module(
      "PolicyCommands",
      [
        "AppProtection", "AppProtectionInsight", "Archives", "CommandLineInterface", "CommandSupport", "EventSourcing",
        "Forensics", "Journal", "JSON", "PageAssets", "PlainText", "PolicyDocuments", "PolicySettings", "PropertyList",
        "ProtectionSupport", "SensitiveText", "Simulation", "WireFormat",
      ]),
    module(
      "JournalCommands",
      [
        "AppProtection", "AppProtectionInsight", "CommandLineInterface", "CommandSupport", "EventSourcing",
        "Forensics", "Journal", "JSON", "PlainText", "PolicyDocuments", "ProtectionSupport", "ReplayTool", "Simulation",
        "SystemCalls", "WireFormat",
      ]),
    .executableTarget(
      name: "pj",
      dependencies: [
        "AppProtection", "AppProtectionInsight", "CommandLineInterface", "CommandSupport", "EventSourcing",
        "Forensics", "Journal", "JournalCommands", "JSON", "PlainText", "PolicyCommands", "PolicyDocuments",
        "PolicySettings", "ProtectionSupport", "ReplayTool", "Simulation", "SystemCalls",
      ], swiftSettings: strict),

    // Floor 5: an app that embeds the kit, to copy from.
    .executableTarget(
      name: "SampleNotes",
      dependencies: [
        "AppProtection", "AppProtectionKit", "EventSourcing", "EventSourcingKit", "FileProtection", "Journal",
        "PolicyServices", "SystemCalls",
      ], exclude: ["Company"], swiftSettings: strict),

    // The folders of a module.
    .testTarget(
      name: "ArchitectureTests", dependencies: ["Expectations"], path: "Tests/Architecture", exclude: ["Interface"],
      swiftSettings: strict),
    // What all tests expect with.
    .target(name: "Expectations", path: "Tests/Expectations/Sources", swiftSettings: strict),
    .testTarget(
      name: "ExpectationsTests", dependencies: ["Expectations"], path: "Tests/Expectations/Tests",
      swiftSettings: strict),
    tests(of: "SystemCalls"),
    tests(of: "Archives", ["CArchive", "CZlib"]),
    tests(of: "SensitiveText"),
    tests(of: "PlainText"),
    tests(of: "WireFormat"),
    tests(of: "JSON"),
    tests(of: "PropertyList", ["PlainText"]),
    tests(of: "Cryptography"),
    tests(of: "CommandLineInterface", excluding: ["Golden"]),
    tests(of: "AppProtection", ["AppProtectionInsight", "WireFormat", "EventSourcing", "SystemCalls"]),
    // On the app of the domain's own tests.
    tests(of: "AppProtectionInsight", ["AppProtection", "AppProtectionTests", "EventSourcing", "PlainText"]),
    tests(of: "PolicySettings", ["Fuzzing", "JournalSimulation", "PropertyList"]),
    tests(
      of: "PolicyDocuments",
      [
        "AppProtection", "GraphDocuments", "JSON", "JournalSimulation", "PlainText", "PolicySettings", "PropertyList",
        "SystemCalls", "WireFormat",
      ]),
    tests(of: "Journal", ["CZlib", "PlainText", "SystemCalls"], excluding: ["Format10"]),
    // A file system that fails and loses power, for the tests of the journal.
    .target(
      name: "JournalSimulation", dependencies: ["EventSourcing", "Journal", "WireFormat"],
      path: "Tests/JournalSimulation/Sources", swiftSettings: strict),
    .executableTarget(
      name: "fault-campaigns", dependencies: ["Journal", "JournalSimulation"], path: "Tests/JournalSimulation/Command",
      swiftSettings: strict),
    .testTarget(
      name: "JournalSimulationTests", dependencies: ["Expectations", "JournalSimulation", "Journal"],
      path: "Tests/JournalSimulation/Tests", swiftSettings: strict),
    // What must hold for any bytes; the fuzzer itself is below.
    .target(
      name: "Fuzzing",
      dependencies: [
        "AppProtection", "Archives", "CZlib", "Cryptography", "EventSourcing", "FileProtection", "Forensics", "JSON",
        "Journal", "JournalSimulation", "PlainText", "PolicyDocuments", "PolicySettings", "PropertyList", "WireFormat",
      ],
      path: "Tests/Fuzzing/Sources", swiftSettings: strict),
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "Archives", "EventSourcing", "Expectations", "Forensics", "Fuzzing", "JournalSimulation", "PolicyDocuments",
      ],
      path: "Tests/Fuzzing/Tests", swiftSettings: strict),
    // Real processes that write, follow, check and are killed.
    .target(
      name: "ProcessTesting", dependencies: ["Journal", "JournalSimulation", "SystemCalls"],
      path: "Tests/Processes/Sources", swiftSettings: strict),
    .executableTarget(
      name: "crash-test", dependencies: ["Journal", "JournalSimulation", "ProcessTesting"],
      path: "Tests/Processes/CrashTest", swiftSettings: strict),
    .executableTarget(
      name: "rooms-crash-test",
      dependencies: [
        "EventSourcing", "EventSourcingKit", "FileProtection", "Journal", "JournalSimulation", "ProcessTesting",
        "RoomsDomain", "SystemCalls",
      ], path: "Tests/Processes/RoomsCrashTest", swiftSettings: strict),
    .executableTarget(
      name: "key-crash-test", dependencies: ["FileProtection", "Journal", "JournalSimulation", "ProcessTesting"],
      path: "Tests/Processes/KeyCrashTest", swiftSettings: strict),
    .executableTarget(
      name: "share-test",
      dependencies: [
        "AppProtection", "AppProtectionKit", "EventSourcing", "EventSourcingKit", "Journal", "ProcessTesting",
      ], path: "Tests/Processes/ShareTest", swiftSettings: strict),
    .executableTarget(
      name: "live-verify", dependencies: ["Journal", "JournalSimulation", "ProcessTesting"],
      path: "Tests/Processes/LiveVerify", swiftSettings: strict),
    .executableTarget(
      name: "app-crash-test",
      dependencies: [
        "AppProtection", "EventSourcing", "FileProtection", "Journal", "JournalSimulation", "ProcessTesting",
      ],
      path: "Tests/Processes/AppCrashTest", swiftSettings: strict),
    tests(
      of: "EventSourcing", ["CZlib", "WireFormat", "Journal", "JournalSimulation", "RoomsDomain"],
      excluding: ["Updates"]),
    tests(of: "EventSourcingKit", ["EventSourcing", "FileProtection", "Journal"]),
    tests(of: "EventSourcingTesting", ["EventSourcing", "Journal"]),
    // Tasks that run one after another on the test's own thread.
    .target(name: "TaskTesting", path: "Tests/TaskTesting", swiftSettings: strict),
    tests(
      of: "FileProtection", ["Cryptography", "Journal", "JournalSimulation", "SystemCalls", "WireFormat"],
      excluding: ["Vectors"]),
    tests(
      of: "AppProtectionKit",
      [
        "AppProtection", "AppProtectionInsight", "EventSourcing", "EventSourcingKit", "FileProtection", "Forensics",
        "Journal", "PolicySettings", "PropertyList", "SystemCalls", "TaskTesting",
      ]),
    tests(of: "PolicyServices", ["AppProtection", "AppProtectionKit", "ServiceTesting"]),
    // A history with a management service: in the tests from a folder, in tools/service-check over a network.
    .target(
      name: "ServiceTesting",
      dependencies: ["AppProtection", "AppProtectionKit", "EventSourcing", "Forensics", "Journal", "PolicyServices"],
      path: "Tests/Services/Sources", swiftSettings: strict),
    .executableTarget(
      name: "service-check",
      dependencies: ["AppProtection", "AppProtectionKit", "PolicyServices", "PolicyServicesNetwork", "ServiceTesting"],
      path: "Tests/Services/Command", swiftSettings: strict),
    tests(
      of: "AppProtectionQueues",
      ["AppProtection", "AppProtectionKit", "EventSourcing", "EventSourcingKit", "FileProtection", "Journal"]),
    // Histories in which a known cause of a problem is planted, for tools/fleet.
    .executableTarget(
      name: "fleet-generator",
      dependencies: ["AppProtection", "AppProtectionInsight", "JSON", "Journal", "ProcessTesting", "Simulation"],
      path: "Tests/FleetGenerator", swiftSettings: strict),
    tests(
      of: "Simulation",
      [
        "AppProtection", "AppProtectionInsight", "AppProtectionKit", "EventSourcing", "fleet-generator", "Forensics",
        "JSON", "Journal", "PolicyDocuments", "SystemCalls", "TaskTesting",
      ],
      excluding: ["Diagnosis", "Golden", "Updates"]),
    tests(
      of: "Forensics",
      [
        "AppProtection", "AppProtectionInsight", "EventSourcing", "Journal", "JSON", "SensitiveText", "SystemCalls",
        "WireFormat",
      ]),
    // The questions about a history, asked for a domain that is not the product's.
    .testTarget(
      name: "AccountBookTests",
      dependencies: ["EventSourcing", "EventSourcingTesting", "Expectations", "Forensics", "Journal"],
      path: "Tests/AccountBook", swiftSettings: strict),
    tests(
      of: "pj",
      [
        "AppProtection", "AppProtectionInsight", "AppProtectionKit", "Archives", "CommandLineInterface",
        "CommandSupport", "EventSourcing", "Forensics", "Fuzzing", "Journal", "JournalCommands", "JournalSimulation",
        "JSON", "PlainText", "PolicyCommands", "PolicyDocuments", "PolicySettings", "ProtectionSupport", "ReplayTool",
        "SampleNotes", "SensitiveText", "SystemCalls", "WireFormat",
      ],
      excluding: ["Golden", "IntuneLogs", "Journals1.0", "Policies", "PropertyLists"]),
    // The commands of pj for another domain, and its tool.
    .executableTarget(
      name: "rooms-tool", dependencies: ["EventSourcing", "ReplayTool"], path: "Tests/RoomsTool",
      swiftSettings: strict),
    tests(
      of: "ReplayTool", ["CommandSupport", "EventSourcing", "Forensics", "Journal", "rooms-tool"], excluding: ["Golden"]
    ),
    tests(of: "SampleNotes", ["AppProtection", "AppProtectionKit", "EventSourcing", "Journal"]),
    // The domain of the page Rooms, whose package is put together by tools/embedding.
    .target(
      name: "RoomsDomain", dependencies: ["EventSourcing", "EventSourcingKit", "FileProtection"],
      path: "Tests/Rooms/Sources/Rooms", swiftSettings: strict),
    // The code in the pages.
    .testTarget(
      name: "PageTests",
      dependencies: [
        "AppProtection", "AppProtectionInsight", "AppProtectionKit", "AppProtectionQueues", "Archives",
        "CommandLineInterface", "EventSourcing", "EventSourcingKit", "Expectations", "FileProtection", "Forensics",
        "Journal", "JSON",
        "PolicyDocuments", "PolicyServices", "PolicySettings", "PlainText", "PolicyServicesNetwork", "PropertyList",
        "RoomsDomain", "Simulation",
        "SystemCalls", "WireFormat",
      ], path: "Tests/Pages", swiftSettings: strict),
  ]
)

// Links only with the fuzzer's runtime, which tools/fuzz asks for.
if Context.environment["POLICYJOURNAL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["Fuzzing", "Journal"], path: "Tests/Fuzzing/Command", swiftSettings: strict))
}

// The tests read, write and print many thousands of damaged journals: debug builds optimise the modules that do most of
// that work and keep the assertions. They compile each module as a whole, which takes less time than file by file and
// specialises generic code, and leave out what only a debugger reads. POLICYJOURNAL_UNOPTIMIZED turns all of this off.
// Only builds that are started in this package's folder have these flags: SwiftPM refuses them among the checkouts of another
// package, and an app has flags of its own.
let optimized: Set = [
  "Cryptography", "EventSourcing", "FileProtection", "JSON", "Journal", "JournalSimulation", "SensitiveText",
  "PlainText", "SystemCalls", "WireFormat",
]
// The index of a module is only written with an object file for each source, as two threads make them. The build appends -g, which
// only the compiler's own flag overrides. A module that is emitted by a job of its own is type-checked twice.
let wholeModule = [
  "-Xfrontend", "-gnone", "-wmo", "-disable-batch-mode", "-num-threads", "2", "-no-emit-module-separately-wmo",
]
func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
let isRoot = resolved(Context.environment["PWD"] ?? "/") == resolved(Context.packageDirectory)
if isRoot, Context.environment["POLICYJOURNAL_UNOPTIMIZED"] == nil {
  for target in package.targets where target.type != .system {
    let flags = optimized.contains(target.name) ? ["-O", "-assert-config", "Debug"] : []
    target.swiftSettings?.append(.unsafeFlags(flags + wholeModule, .when(configuration: .debug)))
  }
}

// Only these targets and what they depend on, for builds that begin from nothing, as with a sanitizer.
if var missing = Context.environment["POLICYJOURNAL_TARGETS"]?.split(separator: ",").map(String.init) {
  var kept: Set<String> = []
  while let name = missing.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { missing.append(name) }
      if case .targetItem(let name, _) = dependency { missing.append(name) }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
