import CommandLineInterface
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Shell {
  /// Whether the program of this name is installed.
  static func isInstalled(_ program: String) -> Bool {
    (try? run("command -v \(program) >/dev/null"))?.status == 0
  }

  /// Runs a line of POSIX shell; standard output and standard error come back together.
  static func run(_ line: String) throws -> (output: String, status: Int32) {
    let stream = try #require(popen("exec 2>&1; \(line)", "r"))
    let output = read(stream)
    return (output, pclose(stream))
  }

  /// Everything that can still be read from a stream.
  static func read(_ stream: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs `body` with the path of a directory that holds a file `name` with `text`, and removes both.
  static func withFile<Result>(_ name: String, _ text: String, _ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/command-line-interface.XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { _ = try? run("rm -rf \(folder)") }
    let file = try #require(fopen("\(folder)/\(name)", "w"))
    fputs(text, file)
    fclose(file)
    return try body(folder)
  }
}
