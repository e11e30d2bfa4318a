// swift-tools-version: 6.2
import PackageDescription

/// Every module is built in Swift 6 mode, and a warning fails the build.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

// A package is known by the name of its folder. In a clone that is named like this one, both would be the same package; there
// a link leads to the one above by another name. Elsewhere it is named by its own path, so that what is built is used again.
let clone = Context.packageDirectory.split(separator: "/").dropLast(2).last?.lowercased() ?? ""
let isNamedLikeThis = clone == "bench" || clone == "bench.git"

let package = Package(
  name: "bench",
  dependencies: [.package(name: "PolicyJournal", path: isNamedLikeThis ? "PolicyJournal" : "../..")],
  targets: [
    // What the machine can do at best, in C, without any of our code.
    .target(name: "Limits", linkerSettings: [.linkedLibrary("z"), .linkedLibrary("crypto")]),

    // The other engines behind one small interface in C. Their libraries touch nothing but this package.
    .target(
      name: "Peers",
      linkerSettings: [
        .linkedLibrary("sqlite3"), .linkedLibrary("lmdb"), .linkedLibrary("leveldb"), .linkedLibrary("rocksdb"),
      ]),

    // Two of them again, for what they make of a log in which a bit was flipped.
    .target(name: "FlippedPeers", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("leveldb")]),
    .executableTarget(
      name: "flipped-bits", dependencies: ["FlippedPeers", .product(name: "Journal", package: "PolicyJournal")],
      swiftSettings: strict),

    .systemLibrary(name: "CSQLite"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CSQLite", "Limits", "Peers",
        .product(name: "AppProtection", package: "PolicyJournal"),
        .product(name: "EventSourcing", package: "PolicyJournal"),
        .product(name: "EventSourcingKit", package: "PolicyJournal"),
        .product(name: "FileProtection", package: "PolicyJournal"),
        .product(name: "Journal", package: "PolicyJournal"),
        .product(name: "WireFormat", package: "PolicyJournal"),
      ], swiftSettings: strict),
  ]
)
