import AppProtection
import EventSourcing

extension Operations {
  /// The command line tool, started as people start it.
  func tool() -> [Operation] {
    let count = max(options.events, 3 * Fixtures.tail)
    let tool = options.tool.isEmpty ? Platform.folderOfProgram + "/pj" : options.tool
    let fixtures = fixtures
    return [
      Operation("pj-log", "pj log on \(grouped(count)) events: first line", .time, limit: 0.05).with(.store) {
        let path = try fixtures.policies(count)
        return try Sample.timing(1) { _ = try Platform.run(tool, ["log", path], untilFirstLine: true) }
      },
      Operation("pj-show", "pj show of an event in the middle of \(grouped(count))", .time, limit: 0.05).with(.store) {
        try Self.answer(["show", try fixtures.policies(count), "\(count / 2)"], tool)
      },
      Operation("pj-state", "pj state in the middle of \(grouped(count)) events", .time, limit: 0.05).with(.store) {
        try Self.answer(["state", try fixtures.policies(count), "--at", "\(count / 2)"], tool)
      },
      Operation("pj-log-end", "pj log -n 5 of \(grouped(count)) events", .time, limit: 0.05).with(.store) {
        try Self.answer(["log", try fixtures.policies(count), "-n", "5"], tool)
      },
      Operation("pj-check", "pj check, policy history", .events).with(.store) {
        try Self.check(try fixtures.policies(count), count, tool)
      },
      Operation("pj-check-ratio", "pj check to a replay in a process that runs", .ratio, floor: 0.5).with(.store) {
        let path = try fixtures.policies(count)
        let replay = try Self.replay(path, as: AppProtectionMachine.self)
        return try Self.check(path, count, tool).ratio(to: replay)
      },
    ]
  }

  private static func answer(_ words: [String], _ tool: String) throws -> Sample {
    try Sample.timing(1) {
      let code = try Platform.run(tool, words)
      guard code == 0 else { throw Failure("pj \(words.joined(separator: " ")) ended with \(code)") }
    }
  }

  private static func check(_ path: String, _ count: Int, _ tool: String) throws -> Sample {
    try Sample.timing(count) {
      let code = try Platform.run(tool, ["check", path])
      guard code == 0 else { throw Failure("pj check \(path) ended with \(code)") }
    }
  }
}
