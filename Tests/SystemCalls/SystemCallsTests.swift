import Expectations
import SystemCalls
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Calls of the operating system")
struct SystemCallsTests {
  @Test("Names of every length are read whole, also from the record at the end of the system's memory")
  func namesOfEveryLength() throws {
    try withFolder { folder in
      var made: Set<String> = []
      for number in 0..<1400 {
        let length = number % 255 + 1
        // Short names are few.
        let name = String(("\(number)" + String(repeating: "x", count: 255)).prefix(length))
        guard made.insert(name).inserted else { continue }
        try create("\(folder)/\(name)")
      }
      #expect(made.count > 1_380)
      let (names, error) = SystemCalls.names(in: folder)
      #expect(error == 0 && names.count == made.count && Set(names) == made)
      let (file, _) = SystemCalls.open(folder, .folder)
      defer { SystemCalls.close(file) }
      // The descriptor's own place stays, so the second look sees the same.
      for _ in 0..<2 { expectEqual(Set(SystemCalls.names(in: file).names), made) }
      expectEqual(SystemCalls.names(in: folder, limit: 100).names.count, 101)
      #expect(SystemCalls.names(in: "\(folder)/nowhere") == ([], ENOENT))
      expectEqual(SystemCalls.names(in: "\(folder)/\(names[0])").error, ENOTDIR)
      try create("\(folder)/.hidden")
      expectEqual(Set(SystemCalls.names(in: folder, skipsHidden: true).names), made)
    }
  }

  #if !canImport(Darwin)
    @Test("A name that is not UTF-8 is listed, examined, read and removed")
    func otherNames() throws {
      try withFolder { folder in
        let name = FileName.text([0xFF, 0x2E, 0xC3])
        try create("\(folder)/\(name)", [1, 2])
        expectEqual(SystemCalls.names(in: folder).names.map { FileName.bytes($0) }, [[0xFF, 0x2E, 0xC3]])
        expectEqual(SystemCalls.status(of: "\(folder)/\(name)").status?.size, 2)
        let (file, _) = SystemCalls.open(folder, .folder)
        defer { SystemCalls.close(file) }
        expectEqual(SystemCalls.status(of: name, in: file).status?.kind, .file)
        expectEqual(bytes(of: "\(folder)/\(name)"), [1, 2])
        #expect(SystemCalls.removeFile(name, in: file) == 0 && SystemCalls.names(in: folder).names == [])
      }
    }
  #endif

  @Test("A file is closed once, and an interruption is no failure")
  func closing() {
    for (code, error) in [(EINTR, 0), (EIO, EIO), (0, 0)] as [(Int32, Int32)] {
      var calls = 0
      expectEqual(
        SystemCalls.close(7) { file in
          calls += file == 7 ? 1 : 100
          errno = code
          return code == 0 ? 0 : -1
        }, error)
      expectEqual(calls, 1)
    }
  }

  @Test("A call that a signal interrupts is made again, and one that fails otherwise is not", arguments: [0, 1, 5])
  func interrupted(count: Int) throws {
    var calls = 0
    func isInterrupted() -> Bool {
      calls += 1
      errno = EINTR
      return calls <= count
    }
    for code in [EIO, ENOSPC, EAGAIN, EBADF] {
      calls = 0
      let (value, error) = SystemCalls.uninterrupted { () -> Int in
        if !isInterrupted() { errno = code }
        return -1
      }
      #expect(value == -1 && error == code && calls == count + 1)
    }
    // Every second byte costs an interruption.
    calls = 0
    var written: [UInt8] = []
    let line = Array("every byte\n".utf8)
    let error = line.withUnsafeBytes { line in
      SystemCalls.write(line, to: 1) { _, rest in
        if isInterrupted() { return -1 }
        written += rest.prefix(2)
        return min(2, rest.count)
      }
    }
    #expect(error == 0 && written == line && calls == count + 6)
    calls = 0
    var rest = line[...]
    let (read, code) = SystemCalls.rest(of: 0, limit: 100) { _, buffer in
      if isInterrupted() { return -1 }
      let part = rest.prefix(3)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(3)
      return part.count
    }
    #expect(code == 0 && read == line)
  }

  @Test("What takes no byte and gives no reason is not asked for ever")
  func nothingTaken() {
    expectEqual([UInt8](repeating: 1, count: 4).withUnsafeBytes { SystemCalls.write($0, to: 1) { _, _ in 0 } }, EIO)
  }

  @Test("A pipe takes all bytes while another thread reads them, also when it does not wait itself")
  func pipes() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let reading = ends[0]
    // More than a pipe holds: without waiting for room, the first full pipe would be an error.
    var reader = pthread_t()
    let box = Unmanaged.passRetained(Reader(reading, bytes.count))
    try #require(
      pthread_create(&reader, nil, { context in context.map { Reader.run($0) } ?? nil }, box.toOpaque()) == 0)
    expectEqual(bytes.withUnsafeBytes { SystemCalls.write($0, to: ends[1]) }, 0)
    SystemCalls.close(ends[1])
    pthread_join(reader, nil)
    expectEqual(box.takeRetainedValue().found, bytes)
    SystemCalls.close(reading)
  }

  /// Unchecked: the thread that made it looks at it only after the other one has ended.
  private final class Reader: @unchecked Sendable {
    let file: Int32
    let limit: Int
    var found: [UInt8]?

    init(_ file: Int32, _ limit: Int) { (self.file, self.limit) = (file, limit) }

    static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      let reader = Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
      reader.found = SystemCalls.rest(of: reader.file, limit: reader.limit).bytes
      return nil
    }
  }

  @Test("A whole file is read up to the limit, and a link, a folder or an unused pipe is refused")
  func wholeFiles() throws {
    try withFolder { folder in
      let path = "\(folder)/file"
      try create(path, [1, 2, 3])
      #expect(bytes(of: path) == [1, 2, 3] && bytes(of: path, limit: 3) == [1, 2, 3])
      expectEqual(SystemCalls.contents(of: path, limit: 2), .tooLong)
      expectEqual(SystemCalls.contents(of: "/dev/null", limit: 2), .notAFile)
      let link = "\(folder)/link"
      try #require(symlink(path, link) == 0)
      expectEqual(bytes(of: link), [1, 2, 3])
      expectEqual(SystemCalls.contents(of: link, limit: 3, followsLinks: false), .failed(ELOOP))
      for access: SystemCalls.Access in [.read, .write, .update, .createOrUpdate, .replace, .overwrite] {
        #expect(SystemCalls.open(link, access, followsLinks: false) == (-1, ELOOP))
      }
      #expect(SystemCalls.open(link, .create) == (-1, EEXIST) && SystemCalls.createFolder(link) == EEXIST)
      let (directory, _) = SystemCalls.open(folder, .folder)
      defer { SystemCalls.close(directory) }
      #expect(SystemCalls.open("link", in: directory) == (-1, ELOOP))
      expectEqual(SystemCalls.status(of: "link", in: directory).status?.kind, .link)
      expectEqual(SystemCalls.status(of: link).status, SystemCalls.status(of: path).status)
      expectEqual(SystemCalls.status(of: link, followsLinks: false).status?.kind, .link)
      expectEqual(SystemCalls.contents(of: folder, limit: 3), .notAFile)
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      expectEqual(SystemCalls.contents(of: "\(folder)/pipe", limit: 3), .notAFile)
      expectEqual(SystemCalls.contents(of: "\(folder)/pipe", limit: 3, acceptsPipes: true), .notAFile)
    }
  }

  @Test(
    "A name is changed once, also when a signal interrupts the call before it was made or after it",
    arguments: [0, 1, 3], [false, true])
  func names(interruptions: Int, isDone: Bool) throws {
    try withFolder { folder in
      let (from, to) = ("\(folder)/a", "\(folder)/b")
      try create(from)
      var calls = 0
      func interrupted(_ call: () -> Int32) -> Int32 {
        calls += 1
        guard calls <= interruptions else { return call() }
        if isDone { _ = call() }
        errno = EINTR
        return -1
      }
      expectEqual(SystemCalls.rename(from, to) { from, to in interrupted { SystemCalls.systemRename(from, to) } }, 0)
      #expect(calls == interruptions + 1 && SystemCalls.names(in: folder).names == ["b"])
      calls = 0
      expectEqual(SystemCalls.remove(to) { path in interrupted { SystemCalls.systemRemove(path) } }, 0)
      #expect(calls == interruptions + 1 && SystemCalls.names(in: folder).names == [])
      #expect(SystemCalls.remove(to) == ENOENT && SystemCalls.rename(from, to) == ENOENT)
    }
  }

  @Test("Every call on a file gives its result, and its error for a file that is not open")
  func files() throws {
    try withFolder { folder in
      let (file, error) = SystemCalls.open("\(folder)/a", .replace)
      expectEqual(error, 0)
      defer { SystemCalls.close(file) }
      let bytes: [UInt8] = [1, 2, 3]
      #expect(bytes.withUnsafeBytes { SystemCalls.write(file, $0, at: 0) } == (3, 0))
      #expect(SystemCalls.setSize(file, 2) == 0 && SystemCalls.sync(file) == 0 && SystemCalls.lock(file) == 0)
      var read: [UInt8] = [0, 0, 0]
      #expect(read.withUnsafeMutableBytes { SystemCalls.read(file, $0, at: 0) } == (2, 0))
      #expect(read == [1, 2, 0] && SystemCalls.syncFolder(folder) == 0)
      #expect(SystemCalls.createFolder("\(folder)/b") == 0 && SystemCalls.remove("\(folder)/b") == 0)
      #expect(SystemCalls.open("\(folder)/c", .read) == (-1, ENOENT))
      expectEqual(SystemCalls.syncFolder("\(folder)/c"), ENOENT)
      #expect(SystemCalls.sync(-1) == EBADF && SystemCalls.setSize(-1, 1) == EBADF && SystemCalls.lock(-1) == EBADF)
      #expect(bytes.withUnsafeBytes { SystemCalls.write(-1, $0, at: 0) } == (-1, EBADF))
      #expect(read.withUnsafeMutableBytes { SystemCalls.read(-1, $0, at: 0) } == (-1, EBADF))
    }
  }

  private func create(_ path: String, _ bytes: [UInt8] = []) throws {
    let (file, error) = SystemCalls.open(path, .create)
    try #require(error == 0, "\(path)")
    defer { SystemCalls.close(file) }
    try #require(bytes.withUnsafeBytes { SystemCalls.write($0, to: file) } == 0)
  }

  private func bytes(of path: String, limit: Int = 1000) -> [UInt8]? {
    guard case .bytes(let bytes, _) = SystemCalls.contents(of: path, limit: limit) else { return nil }
    return bytes
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/system-calls-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
      for name in SystemCalls.names(in: made).names { _ = SystemCalls.remove("\(made)/\(name)") }
      _ = SystemCalls.remove(made)
    }
    try body(made)
  }
}
