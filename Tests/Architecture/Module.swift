/// A module of `Sources` and its rooms.
struct Module {
  /// Its name, which is its folder's.
  let name: String
  /// Its folders from the ground up: a file names only types of its own room and of those before it. What lies in no folder
  /// is the room "", where anything does.
  let rooms: [String]

  /// Every module with more than one room.
  static let all = [
    Module(
      "AppProtection",
      [
        "Values", "Policy", "Settings", "State", "Events", "Commands", "Rules", "Protection", "Effects", "Machine",
      ]),
    Module("AppProtectionInsight", ["Questions", "Diagnosis"]),
    Module("CommandLineInterface", ["Terminal", "Description", "Parsing", "Completions", "Help"]),
    Module(
      "EventSourcing",
      [
        "Values", "Sealing", "Catalog", "Envelopes", "Trees", "Messages", "State", "Machine", "Checkpoints", "History",
        "Store", "Projections", "Subscriptions", "Sharing",
      ]),
    Module("FileProtection", ["Values", "Keys", "Format", "Files", "Data", "Container"]),
    Module(
      "PolicyDocuments",
      ["Portal", "Findings", "Device", "FieldLog", "Exports", "Lint", "Levels", "", "Targeting", "Tenant"]),
    Module("GraphDocuments", ["Places", "Platforms", "GraphNames", "Management", "Graph"]),
    Module(
      "Forensics",
      [
        "", "Redaction", "Values", "Positions", "Schema", "Conditions", "Filters", "Diff", "Log", "Blame", "Bisect",
        "Explain", "Summary", "Stats", "Compare", "WhatIf", "Exchange", "Diagnosis", "Timeline", "Fleet",
      ]),
    Module(
      "Journal",
      [
        "Format", "Files", "Findings", "Scanning", "Catalog", "Reading", "Writing", "Checkpoints", "Comparison",
        "Keyframes", "Retention", "Salvage", "Spool", "Verification",
      ]),
    Module("CommandSupport", ["Domain", "Environment", "Failures", "Tools", "Input", "Output"]),
    Module("ReplayTool", ["Input", "Timeline", "Reports", "Log", "Tables", "Shell", "Commands", ""]),
    Module("PolicyCommands", ["Tables", "Input", "Reports", "Commands"]),
    Module("JournalCommands", ["Input", "Reports", "Log", "Commands"]),
    Module(
      "AppProtectionKit",
      ["Identity", "Delegates", "Service", "Files", "Core", "Log", "Engine", "Managers", "Sharing", ""]),
    Module("PolicyServices", ["Answers", "Directory", "HTTP"]),
    Module("PropertyList", ["Values", "XML", "Binary", ""]),
    Module("Simulation", ["", "Values", "Expectations", "Steps", "Scenario", "Runner"]),
  ]

  init(_ name: String, _ rooms: [String]) {
    self.name = name
    self.rooms = rooms
  }

  /// The listed module that holds a file.
  static func of(_ path: String) -> Module? { all.first { path.hasPrefix("Sources/\($0.name)/") } }

  /// The room of a file of this module: the listed folder that holds it, itself or with folders between.
  func room(of path: String) -> String? {
    var parts = path.split(separator: "/").dropFirst(2).dropLast()
    while !rooms.contains(parts.joined(separator: "/")) { guard parts.popLast() != nil else { return nil } }
    return parts.joined(separator: "/")
  }
}
