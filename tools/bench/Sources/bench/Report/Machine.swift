/// The machine that everything runs on, as far as Linux tells.
enum Machine {
  static var processor: String {
    line(in: "/proc/cpuinfo", startingWith: "model name").map { String($0.drop { $0 != ":" }.dropFirst(2)) }
      ?? "unknown processor"
  }

  static var kernel: String { words(in: "/proc/version").dropFirst(2).first ?? "unknown" }

  static var loadAverage: String { words(in: "/proc/loadavg").prefix(3).joined(separator: " ") }

  /// A size from the process's status, in bytes: `VmHWM` is the most memory that was resident, `RssAnon`,
  /// `RssFile` and `RssShmem` what is now.
  static func memory(_ name: String) -> Int {
    guard let line = line(in: "/proc/self/status", startingWith: "\(name):") else { return 0 }
    return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
  }

  private static func text(_ path: String) -> String {
    (try? Platform.contents(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func words(in path: String) -> [String] {
    text(path).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func line(in path: String, startingWith name: String) -> String? {
    text(path).split(separator: "\n").first { $0.hasPrefix(name) }.map(String.init)
  }
}
