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
    // The device stays open until all is read: where the last process closes it, a reader on a busy machine may see the
    // end before the output.
    defer { close(device) }
    let (ends, process) = try Self.start(words, on: device, output: output, environment: environment)
    defer { close(ends) }
    screen = try Self.everything(from: controller, until: ends).replacing("\r\n", with: "\n")
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
      // TIOCSPTLCK and TIOCGPTN, which stand after unlockpt and ptsname.
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

  /// Starts the program; `ends` has input at the end of the last process that has its other side.
  private static func start(
    _ words: [String], on device: Int32, output: String?, environment: [String: String?]
  ) throws -> (ends: Int32, process: pid_t) {
    var lifetime: [Int32] = [0, 0]
    #if canImport(Darwin)
      guard pipe(&lifetime) == 0 else { throw TestFiles.Failed("pipe") }
      for descriptor in lifetime { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #else
      // A process that another test starts at the same time must not keep it.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &lifetime) == 0 else { throw TestFiles.Failed("socketpair") }
    #endif
    defer { close(lifetime[1]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [0, 1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, device, descriptor) }
    posix_spawn_file_actions_adddup2(&actions, lifetime[1], 3)
    if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    var variables: [String: String?] = ["PATH": getenv("PATH").map { String(cString: $0) }, "TERM": "xterm"]
    variables.merge(environment) { _, given in given }
    let settings = variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
    var strings: [UnsafeMutablePointer<CChar>?] = settings.sorted().map { strdup($0) } + [nil]
    defer { for text in arguments + strings { free(text) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &arguments, &strings) == 0 else {
      close(lifetime[0])
      throw TestFiles.Failed("posix_spawn \(program)")
    }
    return (lifetime[0], process)
  }

  /// Reads until the processes have ended and what they wrote is read.
  private static func everything(from controller: Int32, until ends: Int32) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var watched = [
      pollfd(fd: controller, events: Int16(POLLIN), revents: 0), pollfd(fd: ends, events: Int16(POLLIN), revents: 0),
    ]
    var haveEnded = false
    while true {
      // Once the processes have ended, nothing more comes, so nothing is waited for.
      let count = poll(&watched, haveEnded ? 1 : 2, haveEnded ? 0 : -1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TestFiles.Failed("poll") }
      guard watched[0].revents != 0 else {
        if haveEnded { return String(decoding: bytes, as: UTF8.self) }
        haveEnded = true
        continue
      }
      let length = read(controller, &buffer, buffer.count)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { throw TestFiles.Failed("read of the terminal") }
      bytes += buffer[..<length]
    }
  }
}
