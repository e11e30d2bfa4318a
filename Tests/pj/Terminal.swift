#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `pj` as a process of its own on a pseudo-terminal, with what its user would see.
struct Terminal {
  /// Everything that the terminal got, line ends as `\n`.
  let screen: String
  /// How the process ended: its exit code, or minus the signal.
  let code: Int32

  /// The lines without escape sequences.
  var lines: [String] {
    screen.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The program that was built beside the tests.
  static var program: String {
    let tests = CommandLine.arguments.first ?? ""
    let beside = tests.lastIndex(of: "/").map { tests[..<$0] + "/pj" } ?? "pj"
    // A bundle of tests that is loaded by another program lies in the folder of what was built.
    return access(String(beside), X_OK) == 0 ? String(beside) : Repository.root + "/.build/debug/pj"
  }

  /// Runs a command line until it ends.
  ///
  /// - Parameters:
  ///   - output: A file that standard output goes to; the terminal when `nil`.
  ///   - environment: Variables beside `PATH`; `nil` takes one away.
  init(
    columns: Int, rows: Int = 24, _ words: [String], output: String? = nil, environment: [String: String?] = [:]
  ) throws {
    let (controller, device) = try Self.pair()
    defer { close(controller) }
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(device, UInt(TIOCSWINSZ), &size) == 0 else { throw TestFiles.Failed("ioctl") }
    let process = try Self.start(words, on: device, output: output, environment: environment)
    close(device)
    screen = Self.everything(from: controller).replacing("\r\n", with: "\n")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// The two ends of a pseudo-terminal, neither of which a process inherits.
  private static func pair() throws -> (controller: Int32, device: Int32) {
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard controller >= 0 else { throw TestFiles.Failed("open of /dev/ptmx") }
    #if canImport(Darwin)
      guard grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller) else {
        throw TestFiles.Failed("unlockpt")
      }
      let path = String(cString: name)
    #else
      // TIOCSPTLCK and TIOCGPTN, which stand behind unlockpt and ptsname.
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard ioctl(controller, 0x4004_5431, &isLocked) == 0, ioctl(controller, 0x8004_5430, &number) == 0 else {
        throw TestFiles.Failed("ioctl of /dev/ptmx")
      }
      let path = "/dev/pts/\(number)"
    #endif
    let device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard device >= 0 else { throw TestFiles.Failed("open of \(path)") }
    return (controller, device)
  }

  private static func start(
    _ words: [String], on device: Int32, output: String?, environment: [String: String?]
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [0, 1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, device, descriptor) }
    if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    var variables: [String: String?] = ["PATH": getenv("PATH").map { String(cString: $0) }, "TERM": "xterm"]
    variables.merge(environment) { _, given in given }
    let settings = variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
    var strings: [UnsafeMutablePointer<CChar>?] = settings.sorted().map { strdup($0) } + [nil]
    defer { for text in arguments + strings { free(text) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &arguments, &strings) == 0 else {
      throw TestFiles.Failed("posix_spawn \(program)")
    }
    return process
  }

  /// Reads until no process has the terminal any more, which Linux reports as an error.
  private static func everything(from controller: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(controller, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
