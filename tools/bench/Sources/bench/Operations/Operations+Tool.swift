import AppProtection
import EventSourcing

extension Operations {
  /// The command line tool, started as people start it.
  func tool() -> [Operation] {
    let count = max(options.events, 3 * Fixtures.tail)
    let tool = options.tool.isEmpty ? Platform.folderOfProgram + "/pj" : options.tool
    return [
      Operation("pj-log", "pj log on \(grouped(count)) events: first line", .time, limit: 0.05).with(.store) {
        [fixtures] in
        let path = try fixtures.policies(count)
        return try Sample.timing(1) { _ = try Platform.run(tool, ["log", path], untilFirstLine: true) }
      }
    ]
  }
}
