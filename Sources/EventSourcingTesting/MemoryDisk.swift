import Journal
import Synchronization

/// A file system in memory, for the real journal of a store under test, with power cuts where the test places them.
///
/// ```swift
/// let disk = MemoryDisk()
/// let store = try disk.store(of: Book.self)
/// disk.cutPower(inAppend: 2, keeping: 20)
/// try store.append(.deposited(cents: 100), at: clock.now)
/// #expect(throws: (any Error).self) { try store.append(.deposited(cents: 200), at: clock.now) }
/// disk.restorePower()
/// try disk.store(of: Book.self).state.cents  // 100: of the second append, only 20 bytes arrived
/// ```
///
/// What was synced lasts; everything else is gone after a cut, except for the bytes that the test lets arrive. It has no
/// threads, so that a journal does all its work inside its callers' calls, always in the same order. May be used from any
/// thread.
public final class MemoryDisk: FileSystem {
  /// A file, and how to undo what a power cut takes back.
  private struct File {
    var bytes: [UInt8] = []
    var unsynced: [Undo] = []

    // As whole pieces of memory: a debug build would take each byte on its own.
    mutating func write(_ new: UnsafeRawBufferPointer, at offset: Int) {
      setCount(max(offset + new.count, bytes.count))
      bytes.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + new.count]).copyMemory(from: new)
      }
    }

    mutating func setCount(_ count: Int) {
      if count < bytes.count {
        bytes.removeLast(bytes.count - count)
      } else {
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
      }
    }

    /// Remembers the bytes in a range, which are about to change, and the file's length.
    mutating func remember(_ range: Range<Int>) {
      let old = range.clamped(to: bytes.indices)
      unsynced.append(Undo(offset: old.lowerBound, bytes: Array(bytes[old]), count: bytes.count))
    }

    mutating func undoUnsynced() {
      for undo in unsynced.reversed() {
        setCount(undo.count)
        undo.bytes.withUnsafeBytes { write($0, at: undo.offset) }
      }
      unsynced = []
    }
  }

  private struct Undo {
    var offset: Int
    var bytes: [UInt8]
    /// The file's length.
    var count: Int
  }

  private struct Descriptor {
    var file: Int
    var isSegment: Bool
    var isWritable: Bool
    var holdsLock = false
  }

  /// Where the power is to be cut, in batches from now.
  private enum Cut {
    case afterBatch(Int)
    case inBatch(Int, keeping: Int)
  }

  private struct State {
    var directories: Set<String> = ["."]
    var files: [File] = []
    var names: [String: Int] = [:]
    /// The names that a power cut leaves.
    var lastingNames: [String: Int] = [:]
    var descriptors: [Int32: Descriptor] = [:]
    var lastDescriptor: Int32 = 2
    var locked: Set<Int> = []
    var cut: Cut?
    var isOff = false
    /// How often the power came back.
    var restartCount = 0

    mutating func cutPower() {
      for index in files.indices { files[index].undoUnsynced() }
      names = lastingNames
      (isOff, cut) = (true, nil)
    }

    /// Counts a batch that is about to be written. If the power is cut now, how many of its bytes arrive; otherwise `nil`.
    mutating func keptAtCut() -> Int? {
      switch cut {
      case nil: return nil
      case .afterBatch(0)?: return 0
      case .afterBatch(let number)?: cut = .afterBatch(number - 1)
      case .inBatch(1, let count)?: return count
      case .inBatch(let number, let count)?: cut = .inBatch(number - 1, keeping: count)
      }
      return nil
    }

    mutating func setCount(_ count: Int, of file: Int) {
      files[file].remember(min(count, files[file].bytes.count)..<files[file].bytes.count)
      files[file].setCount(count)
    }
  }

  /// The clock by which a journal measures how long ago it synced.
  public let clock: TestClock
  private let state = Mutex(State())
  private let name: String
  private static let count = Atomic<Int>(0)

  /// An empty disk.
  public init(clock: TestClock = TestClock()) {
    self.clock = clock
    name = "memory disk \(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Whether the power is on; while it is not, every call fails.
  public var hasPower: Bool { state.withLock { !$0.isOff } }

  /// Cuts the power now.
  public func cutPower() {
    state.withLock { $0.cutPower() }
  }

  /// Cuts the power right after an append has become durable: the one with this number from now on, 1 for the next. Where
  /// the journal's policy does not sync that append, the cut comes before the one after it, and takes it along.
  ///
  /// Appends that are written together count as one.
  public func cutPower(afterAppend number: Int) {
    state.withLock { $0.cut = .afterBatch(max(number, 1)) }
  }

  /// Cuts the power while an append is on its way to the device: the one with this number from now on, 1 for the next.
  ///
  /// - Parameters:
  ///   - number: The append.
  ///   - count: How many of its bytes arrive: 0 for none, `.max` for all of them, although no caller was informed.
  public func cutPower(inAppend number: Int, keeping count: Int) {
    state.withLock { $0.cut = .inBatch(max(number, 1), keeping: max(count, 0)) }
  }

  /// Lets the next process begin with what lasted. Files that were open are closed, and locks released.
  public func restorePower() {
    state.withLock { state in
      if !state.isOff { state.cutPower() }
      state.isOff = false
      state.restartCount += 1
      state.descriptors = [:]
      state.locked = []
    }
  }

  /// The bytes of a file, as a running program sees them; `nil` if there is none of this name.
  public func contents(of path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].map { state.files[$0].bytes } }
  }

  private func call<Value: Sendable>(
    _ operation: String, _ body: (inout State) -> Result<Value, SystemError>
  ) throws(FileSystemError) -> Value {
    let result: Result<Value, SystemError> = state.withLock { state in
      state.isOff ? .failure(.inputOutput) : body(&state)
    }
    do throws(SystemError) {
      return try result.get()
    } catch {
      throw FileSystemError(error.rawValue, during: operation)
    }
  }

  public func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try call("open") { state in
      guard state.directories.contains(Self.folder(of: path)) else { return .failure(.noEntry) }
      let file: Int
      if let known = state.names[path] {
        file = known
        if mode == .replace { state.setCount(0, of: file) }
      } else {
        guard mode == .createOrUpdate || mode == .replace else { return .failure(.noEntry) }
        file = state.files.count
        state.files.append(File())
        state.names[path] = file
      }
      state.lastDescriptor += 1
      state.descriptors[state.lastDescriptor] = Descriptor(
        file: file, isSegment: path.hasSuffix(".seg"), isWritable: mode != .read)
      return .success(OpenFile(number: state.lastDescriptor))
    }
  }

  public func close(_ file: OpenFile) {
    state.withLock { state in
      guard let known = state.descriptors.removeValue(forKey: file.number), known.holdsLock else { return }
      state.locked.remove(known.file)
    }
  }

  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try call("read") { state in
      guard let known = state.descriptors[file.number] else { return .failure(.inputOutput) }
      return state.files[known.file].bytes.withUnsafeBytes { bytes in
        guard offset < UInt64(bytes.count) else { return .success(0) }
        let part = bytes[Int(offset)..<min(Int(offset) + buffer.count, bytes.count)]
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        return .success(part.count)
      }
    }
  }

  public func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let bytes = bytes
    return try call("write") { state in
      guard let known = state.descriptors[file.number], known.isWritable else { return .failure(.inputOutput) }
      if known.isSegment, Self.isBatch(bytes), let kept = state.keptAtCut() {
        state.cutPower()
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(kept))
        if kept > 0 { state.files[known.file].write(part, at: Int(offset)) }
        return .failure(.inputOutput)
      }
      state.files[known.file].remember(Int(offset)..<Int(offset) + bytes.count)
      state.files[known.file].write(bytes, at: Int(offset))
      return .success(bytes.count)
    }
  }

  public func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    try call("size") { state in
      guard let known = state.descriptors[file.number] else { return .failure(.inputOutput) }
      return .success(UInt64(state.files[known.file].bytes.count))
    }
  }

  public func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try call("setSize") { state -> Result<Void, SystemError> in
      guard let known = state.descriptors[file.number], known.isWritable else { return .failure(.inputOutput) }
      state.setCount(Int(size), of: known.file)
      return .success(())
    }
  }

  public func sync(_ file: OpenFile) throws(FileSystemError) {
    try call("sync") { state -> Result<Void, SystemError> in
      guard let known = state.descriptors[file.number] else { return .failure(.inputOutput) }
      state.files[known.file].unsynced = []
      if known.isSegment, case .afterBatch(0)? = state.cut { state.cutPower() }
      return .success(())
    }
  }

  public func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory") { state -> Result<Void, SystemError> in
      guard state.directories.contains(path) else { return .failure(.noEntry) }
      state.lastingNames = state.lastingNames.filter { Self.folder(of: $0.key) != path }
      for (name, file) in state.names where Self.folder(of: name) == path { state.lastingNames[name] = file }
      return .success(())
    }
  }

  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try call("rename") { state -> Result<Void, SystemError> in
      guard let file = state.names.removeValue(forKey: path) else { return .failure(.noEntry) }
      state.names[newPath] = file
      for (number, known) in state.descriptors where known.file == file {
        state.descriptors[number]?.isSegment = newPath.hasSuffix(".seg")
      }
      return .success(())
    }
  }

  public func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    try call("isNamed") { state in
      guard let known = state.descriptors[file.number] else { return .failure(.inputOutput) }
      return .success(state.names[path] == known.file)
    }
  }

  public func remove(_ path: String) throws(FileSystemError) {
    try call("remove") { state -> Result<Void, SystemError> in
      let wasFile = state.names.removeValue(forKey: path) != nil
      return wasFile || state.directories.remove(path) != nil ? .success(()) : .failure(.noEntry)
    }
  }

  public func createDirectory(_ path: String) throws(FileSystemError) {
    try call("createDirectory") { state -> Result<Void, SystemError> in
      guard state.directories.contains(Self.folder(of: path)) else { return .failure(.noEntry) }
      return state.directories.insert(path).inserted ? .success(()) : .failure(.exists)
    }
  }

  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try call("list") { state in
      guard state.directories.contains(path) else { return .failure(.noEntry) }
      let names = state.names.keys.filter { Self.folder(of: $0) == path }
      return .success(names.map { String($0.split(separator: "/").last ?? "") }.sorted())
    }
  }

  public func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try call("lock") { state in
      guard let known = state.descriptors[file.number] else { return .failure(.inputOutput) }
      guard state.locked.insert(known.file).inserted else { return .success(false) }
      state.descriptors[file.number]?.holdsLock = true
      return .success(true)
    }
  }

  public func identity(of path: String) throws(FileSystemError) -> String {
    try call("identity") { state in
      // What a store of the process that ended holds open does not concern those of the next.
      state.directories.contains(path)
        ? .success("\(name), process \(state.restartCount), \(path)") : .failure(.noEntry)
    }
  }

  public var monotonicNanoseconds: UInt64 { UInt64(max(0, clock.now.uptimeNanoseconds)) }

  /// Does nothing: only the test moves the clock.
  public func pause(nanoseconds: UInt64) {}

  /// Always 1: the test is the only process.
  public var processIdentifier: Int32 { 1 }

  /// The folder that holds a path.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Whether bytes of a segment begin a batch: with the frame of an event (1), or with the mark (3) that precedes it. The page
  /// on the file format says where a frame has its type.
  private static func isBatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count > 16 && (bytes[15] == 1 || bytes[15] == 3)
  }
}

/// The numbers of Linux and of Apple's systems for what can go wrong here, which are the same.
private enum SystemError: Int32, Error {
  case noEntry = 2
  case inputOutput = 5
  case exists = 17
}
