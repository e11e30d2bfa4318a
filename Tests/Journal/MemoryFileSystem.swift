import Synchronization
import Testing

@testable import Journal

/// A file system in memory, with faults on demand. Power cuts are not simulated: what is written is there.
final class MemoryFileSystem: FileSystem {
  /// What happens to a call.
  enum Fault {
    case error(Int32)
    /// A write takes only this many bytes, and the next one fails for lack of room.
    case short(Int)
  }

  final class File {
    var bytes: [UInt8] = []
    var isLocked = false
    /// Zeros after the bytes that were never written.
    var hole: UInt64 = 0
  }

  struct Contents {
    var files: [String: File] = [:]
    var open: [Int32: (file: File, path: String, holdsLock: Bool)] = [:]
    var nextNumber: Int32 = 3
    var nameChanges: UInt64 = 0
    var calls: [(operation: String, path: String)] = []
    var fault: (@Sendable (_ operation: String, _ path: String, _ count: Int) -> Fault?)?
    var now: UInt64 = 0
    var pauses = 0
    var beforeSync: (@Sendable (_ count: Int) -> Void)?
    var syncs = 0
    var bytesRead = 0
    var onPause: (@Sendable (_ count: Int) -> Void)?
    var unreadable: (path: String, ranges: [Range<Int>], refusesWhole: Bool)?
    var onClock: (@Sendable () -> Void)?
  }

  // Everything is behind one mutex; the class references never leave it.
  private let contents: Mutex<Contents>
  private let name: String
  /// Whether a journal gets a thread of its own.
  private let hasThreads: Bool
  private static let instances = Atomic<Int>(0)

  /// Whether it says where zeros are: exactly, which no file system with blocks would.
  private let knowsHoles: Bool
  /// Whether it tells when names were changed.
  private let stampsNames: Bool

  init(
    _ files: [String: [UInt8]] = [:], hasThreads: Bool = false, knowsHoles: Bool = true, stampsNames: Bool = false
  ) {
    self.hasThreads = hasThreads
    self.stampsNames = stampsNames
    self.knowsHoles = knowsHoles
    var contents = Contents()
    for (path, bytes) in files {
      let file = File()
      file.bytes = bytes
      contents.files[path] = file
    }
    self.contents = Mutex(contents)
    name = "memory \(Self.instances.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// The bytes of every file.
  var files: [String: [UInt8]] { contents.withLock { $0.files.mapValues { Array($0.bytes) } } }

  /// The calls so far, with the paths' last components.
  var calls: [String] {
    contents.withLock { $0.calls.map { "\($0.operation) \($0.path.split(separator: "/").last ?? "")" } }
  }

  /// How many bytes were read.
  var bytesRead: Int { contents.withLock { $0.bytesRead } }

  /// How often somebody waited.
  var pauses: Int { contents.withLock { $0.pauses } }

  /// Does something whenever somebody lets time pass; told how often that happened, from 1.
  func onPauses(_ body: (@Sendable (_ count: Int) -> Void)?) {
    contents.withLock { $0.onPause = body }
  }

  /// Does something whenever somebody looks at the clock.
  func onClock(_ body: (@Sendable () -> Void)?) {
    contents.withLock { $0.onClock = body }
  }

  /// Does something before each sync of a file, without keeping other calls from running; told which sync it is, from 1.
  func beforeSyncs(_ body: (@Sendable (_ count: Int) -> Void)?) {
    contents.withLock { contents in
      contents.beforeSync = body
      contents.syncs = 0
    }
  }

  func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { hasThreads && OperatingSystem.startThread(body) }

  /// Makes the device fail where it is to read these bytes of a file.
  ///
  /// - Parameter refusesWhole: whether a read that touches them gives nothing, instead of what is before them.
  func setUnreadable(_ path: String, _ ranges: [Range<Int>], refusesWhole: Bool) {
    contents.withLock { $0.unreadable = (path, ranges, refusesWhole) }
  }

  /// How many files are open.
  var openCount: Int { contents.withLock { $0.open.count } }

  func forgetCalls() { contents.withLock { $0.calls = [] } }

  /// Changes a file in place.
  func edit(_ path: String, _ body: @Sendable (inout [UInt8]) -> Void) {
    contents.withLock { contents in
      if let file = contents.files[path] { body(&file.bytes) }
    }
  }

  /// Makes a file longer by zeros that take no room.
  func extend(_ path: String, by hole: UInt64) {
    contents.withLock { $0.files[path]?.hole = hole }
  }

  func advance(nanoseconds: UInt64) { contents.withLock { $0.now += nanoseconds } }

  /// Decides about every call from here on; `count` is the number of calls of any kind since the start.
  func setFault(_ fault: (@Sendable (_ operation: String, _ path: String, _ count: Int) -> Fault?)?) {
    contents.withLock { $0.fault = fault }
  }

  private static func enter(_ contents: inout Contents, _ operation: String, _ path: String) -> Fault? {
    contents.calls.append((operation, path))
    return contents.fault?(operation, path, contents.calls.count)
  }

  private func perform<Value: Sendable>(
    _ operation: String, _ path: String?, _ file: OpenFile?,
    _ body: (inout Contents, File?, Fault?) -> Swift.Result<Value, FileSystemError>
  ) throws(FileSystemError) -> Value {
    let result: Swift.Result<Value, FileSystemError> = contents.withLock { contents in
      let known = file.flatMap { contents.open[$0.number] }
      let fault = Self.enter(&contents, operation, path ?? known?.path ?? "")
      if case .error(let code)? = fault { return .failure(FileSystemError(code, during: operation)) }
      return body(&contents, known?.file, fault)
    }
    return try result.get()
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try perform("open", path, nil) { (contents, _, _) -> Swift.Result<OpenFile, FileSystemError> in
      if contents.files[path] == nil {
        guard mode == .createOrUpdate || mode == .replace else {
          return .failure(FileSystemError(OperatingSystem.noEntry, during: "open"))
        }
        contents.files[path] = File()
        contents.nameChanges += 1
      }
      guard let file = contents.files[path] else { return .failure(FileSystemError(5, during: "open")) }
      if mode == .replace { file.bytes = [] }
      let number = contents.nextNumber
      contents.nextNumber += 1
      contents.open[number] = (file, path, false)
      return .success(OpenFile(number: number))
    }
  }

  func close(_ file: OpenFile) {
    contents.withLock { contents in
      // On a real disk, that would close whatever another thread has opened meanwhile.
      guard let known = contents.open.removeValue(forKey: file.number) else {
        Issue.record("file \(file.number) is closed, and not open")
        return
      }
      if known.holdsLock { known.file.isLocked = false }
    }
  }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try perform("read", nil, file) { (contents, file, _) -> Swift.Result<Int, FileSystemError> in
      guard let file else { return .success(0) }
      let bytes = file.bytes
      guard offset < UInt64(bytes.count) else {
        let end = UInt64(bytes.count) + file.hole
        let zeros = offset < end ? Int(min(UInt64(buffer.count), end - offset)) : 0
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<zeros]).initializeMemory(as: UInt8.self, repeating: 0)
        return .success(zeros)
      }
      var rest = bytes[Int(offset)...].prefix(buffer.count)
      if let unreadable = contents.unreadable, contents.files[unreadable.path] === file,
        let range = unreadable.ranges.first(where: { $0.overlaps(rest.indices) })
      {
        rest = rest[..<max(range.lowerBound, rest.startIndex)]
        if unreadable.refusesWhole || rest.isEmpty {
          return .failure(FileSystemError(OperatingSystem.deviceError, during: "read"))
        }
      }
      buffer.copyBytes(from: rest)
      contents.bytesRead += rest.count
      return .success(rest.count)
    }
  }

  func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let bytes = bytes
    return try perform("write", nil, file) { (_, file, fault) -> Swift.Result<Int, FileSystemError> in
      guard let file else { return .failure(FileSystemError(OperatingSystem.deviceError, during: "write")) }
      var count = bytes.count
      if case .short(let limit)? = fault { count = min(count, limit) }
      let end = Int(offset) + count
      if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
      file.bytes.replaceSubrange(Int(offset)..<end, with: bytes.prefix(count))
      return .success(count)
    }
  }

  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    try perform("size", nil, file) { _, file, _ in .success(UInt64(file?.bytes.count ?? 0) + (file?.hole ?? 0)) }
  }

  func forgetCached(_ file: OpenFile) {
    contents.withLock { contents in
      if let known = contents.open[file.number] { contents.calls.append(("forgetCached", known.path)) }
    }
  }

  func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? {
    contents.withLock { contents in
      guard let known = contents.open[file.number] else { return offset }
      contents.calls.append(("nextData", known.path))
      guard knowsHoles else { return offset }
      guard offset < UInt64(known.file.bytes.count) else { return nil }
      return known.file.bytes[Int(offset)...].firstIndex { $0 != 0 }.map { UInt64($0) }
    }
  }

  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try perform("setSize", nil, file) { (_, file, _) -> Swift.Result<Void, FileSystemError> in
      guard let file else { return .success(()) }
      let size = Int(size)
      if size < file.bytes.count {
        file.bytes.removeLast(file.bytes.count - size)
      } else {
        file.bytes += [UInt8](repeating: 0, count: size - file.bytes.count)
      }
      return .success(())
    }
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    let (body, count) = contents.withLock { contents in
      contents.syncs += 1
      return (contents.beforeSync, contents.syncs)
    }
    body?(count)
    try perform("sync", nil, file) { _, _, _ in .success(()) }
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try perform("syncDirectory", path, nil) { _, _, _ in .success(()) }
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try perform("rename", newPath, nil) { (contents, _, _) -> Swift.Result<Void, FileSystemError> in
      guard let file = contents.files.removeValue(forKey: path) else {
        return .failure(FileSystemError(OperatingSystem.noEntry, during: "rename"))
      }
      contents.files[newPath] = file
      contents.nameChanges += 1
      for (number, known) in contents.open where known.file === file {
        contents.open[number] = (file, newPath, known.holdsLock)
      }
      return .success(())
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    try perform("remove", path, nil) { (contents, _, _) -> Swift.Result<Void, FileSystemError> in
      contents.files[path] = nil
      contents.nameChanges += 1
      return .success(())
    }
  }

  func createDirectory(_ path: String) throws(FileSystemError) {
    try perform("createDirectory", path, nil) { _, _, _ in .success(()) }
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try perform("list", path, nil) { contents, _, _ in
      .success(contents.files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) })
    }
  }

  func stampOfNames(in path: String) -> UInt64? { stampsNames ? contents.withLock { $0.nameChanges } : nil }

  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try perform("lock", nil, file) { (contents, known, _) -> Swift.Result<Bool, FileSystemError> in
      guard let known, !known.isLocked else { return .success(false) }
      known.isLocked = true
      contents.open[file.number]?.holdsLock = true
      return .success(true)
    }
  }

  func identity(of path: String) throws(FileSystemError) -> String { "\(name) \(path)" }
  var monotonicNanoseconds: UInt64 {
    let (now, body) = contents.withLock { ($0.now, $0.onClock) }
    body?()
    return now
  }
  func pause(nanoseconds: UInt64) {
    let (body, count) = contents.withLock { contents in
      contents.pauses += 1
      return (contents.onPause, contents.pauses)
    }
    body?(count)
  }
  var processIdentifier: Int32 { 42 }
}
