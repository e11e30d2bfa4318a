// swift-tools-version: 6.2
import PackageDescription

let journal: [Target.Dependency] = [
  .product(name: "EventSourcing", package: "PolicyJournal"),
  .product(name: "EventSourcingKit", package: "PolicyJournal"),
  .product(name: "FileProtection", package: "PolicyJournal"),
]

let package = Package(
  name: "Rooms",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../PolicyJournal")],
  targets: [
    .target(name: "Rooms", dependencies: journal),
    .executableTarget(name: "front-desk", dependencies: journal + ["Rooms"]),
    .executableTarget(name: "night-audit", dependencies: ["Rooms"]),
    .executableTarget(
      name: "rooms-history", dependencies: ["Rooms", .product(name: "ReplayTool", package: "PolicyJournal")]),
    .testTarget(
      name: "RoomsTests",
      dependencies: journal + ["Rooms", .product(name: "EventSourcingTesting", package: "PolicyJournal")]),
  ]
)
