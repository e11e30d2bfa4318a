import Expectations
import CommandLineInterface
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file in `Golden` that holds a whole text, compared to the byte.
///
/// `UPDATE_GOLDEN=1 swift test --filter CommandLineInterfaceTests` writes the files anew; they are reviewed like code.
enum GoldenFile {
  static func expect(
    _ name: String, toHold text: String, testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = testFile.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Golden/\(name)"
    if getenv("UPDATE_GOLDEN") != nil {
      let file = try #require(fopen(path, "w"), sourceLocation: sourceLocation)
      defer { fclose(file) }
      #expect(fputs(text, file) >= 0, sourceLocation: sourceLocation)
    }
    let golden = try #require(contents(of: path), "\(path) is missing", sourceLocation: sourceLocation)
    // Compared line by line, so that a failure names the first line that differs.
    let (found, expected) = (lines(text), lines(golden))
    for (number, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
      Issue.record(
        "\(name):\(number + 1): found '\(pair.0)', expected '\(pair.1)'", sourceLocation: sourceLocation)
      return
    }
    expectEqual(found.count, expected.count, "\(name) has another number of lines", sourceLocation: sourceLocation)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return Shell.read(file)
  }
}
