import Journal
import Synchronization

/// A file system in memory that records every change, so that what a power cut can leave can be worked out afterwards.
///
/// Calls fail as a ``FaultPlan`` says. A call on a file that is not open is a mistake of the caller's, and is noted in
/// ``misuse``. May be used from several threads.
package final class RecordingFileSystem: FileSystem {
  struct Descriptor {
    var file: Int
    var isWritable: Bool
    var holdsLock = false
  }

  struct State {
    var directories: Set<String> = ["."]
    var names: [String: Int] = [:]
    var contents: [[UInt8]] = []
    var locked: Set<Int> = []
    var descriptors: [Int32: Descriptor] = [:]
    var nextDescriptor: Int32 = 3
    var operations: [DiskOperation] = []
    var calls: [String] = []
    var plan: FaultPlan?
    var isDead = false
    var misuse: [String] = []
    var now: UInt64 = 0
    var canary: Canary?
    /// The contents at the last sync; kept only for a system that forgets what it could not write.
    var synced: [Int: [UInt8]] = [:]
    var forgetsAtFailedSync = false
  }

  let state: Mutex<State>
  private let name: String
  private static let instances = Atomic<Int>(0)

  /// Starts with what is on a device.
  ///
  /// - Parameters:
  ///   - canary: a lie that the system tells.
  ///   - forgetsAtFailedSync: whether a failed sync takes what it could not write out of the cache too, so that reading
  ///     shows older bytes, as systems do that drop such pages.
  package init(_ image: DiskImage = DiskImage(), canary: Canary? = nil, forgetsAtFailedSync: Bool = false) {
    var state = State()
    state.canary = canary
    state.forgetsAtFailedSync = forgetsAtFailedSync
    state.directories.formUnion(image.directories)
    // The numbers of files must not depend on the order of a dictionary.
    for path in image.files.keys.sorted() {
      state.names[path] = state.contents.count
      if forgetsAtFailedSync { state.synced[state.contents.count] = image.files[path] }
      state.contents.append(image.files[path] ?? [])
    }
    self.state = Mutex(state)
    name = "simulation \(Self.instances.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// What running programs see.
  package var image: DiskImage {
    state.withLock { state in
      var image = DiskImage()
      image.directories = state.directories.subtracting(["."])
      for (path, file) in state.names { image.files[path] = state.contents[file] }
      return image
    }
  }

  /// The bytes of every file that ever had a name.
  package var allContents: [[UInt8]] { state.withLock { $0.contents } }
  /// The changes so far.
  package var operations: [DiskOperation] { state.withLock { $0.operations } }
  /// How many changes there were so far.
  package var position: Int { state.withLock { $0.operations.count } }
  /// The kinds of the calls so far, in order.
  package var calls: [String] { state.withLock { $0.calls } }
  /// Calls on files that were not open, or not open for writing.
  package var misuse: [String] { state.withLock { $0.misuse } }
  /// Files that were not closed.
  package var openFileCount: Int { state.withLock { $0.descriptors.count } }
  /// Whether a ``FaultPlan/Fault/death`` was met.
  package var isDead: Bool { state.withLock { $0.isDead } }

  package func setPlan(_ plan: FaultPlan?) { state.withLock { $0.plan = plan } }

  package func advance(nanoseconds: UInt64) { state.withLock { $0.now += nanoseconds } }

  /// Another process begins after one that died: its files are closed and its locks gone.
  package func revive() {
    state.withLock { state in
      state.isDead = false
      state.plan = nil
      state.descriptors = [:]
      state.locked = []
    }
  }

  /// Runs one call: counts it, and lets it fail when the plan says so.
  private func call<Value: Sendable>(
    _ kind: String, _ body: (inout State, FaultPlan.Fault?) -> Result<Value, FileSystemError>
  ) throws(FileSystemError) -> Value {
    let result: Result<Value, FileSystemError> = state.withLock { state in
      state.calls.append(kind)
      let fault = state.plan?.fault(at: state.calls.count, kind)
      if case .death? = fault { state.isDead = true }
      if state.isDead { return .failure(FileSystemError(Platform.deviceError, during: kind)) }
      if case .error(let code)? = fault {
        if kind != "sync", kind != "syncDirectory" { return .failure(FileSystemError(code, during: kind)) }
      }
      return body(&state, fault)
    }
    return try result.get()
  }

  private static func fail<Value>(_ code: Int32, _ kind: String) -> Result<Value, FileSystemError> {
    .failure(FileSystemError(code, during: kind))
  }

  /// The open file of a call, or a note that it is not open.
  private static func descriptor(
    _ file: OpenFile, _ state: inout State, _ kind: String, writing: Bool = false
  ) -> Descriptor? {
    guard let known = state.descriptors[file.number], known.isWritable || !writing else {
      state.misuse.append("\(kind) on file \(file.number), which is not open for it")
      return nil
    }
    return known
  }

  package func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try call("open") { (state, _) -> Result<OpenFile, FileSystemError> in
      let file: Int
      if let known = state.names[path] {
        file = known
        if mode == .replace, !state.contents[file].isEmpty {
          state.contents[file] = []
          state.operations.append(.setSize(file: file, size: 0))
        }
      } else {
        guard mode == .createOrUpdate || mode == .replace, state.directories.contains(path.parentPath) else {
          return Self.fail(Platform.noEntry, "open")
        }
        file = state.contents.count
        state.contents.append([])
        state.names[path] = file
        state.operations.append(.create(path, file: file))
      }
      let number = state.nextDescriptor
      state.nextDescriptor += 1
      state.descriptors[number] = Descriptor(file: file, isWritable: mode != .read)
      return .success(OpenFile(number: number))
    }
  }

  package func close(_ file: OpenFile) {
    state.withLock { state in
      guard !state.isDead else { return }
      guard let known = state.descriptors.removeValue(forKey: file.number) else {
        state.misuse.append("close of file \(file.number), which is not open")
        return
      }
      if known.holdsLock { state.locked.remove(known.file) }
    }
  }

  package func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try call("read") { (state, fault) -> Result<Int, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "read") else { return Self.fail(Platform.badFile, "read") }
      let size = state.contents[known.file].count
      guard offset < UInt64(size) else { return .success(0) }
      var count = min(buffer.count, size - Int(offset))
      if case .short(let limit)? = fault { count = min(count, max(limit, 1)) }
      state.contents[known.file].withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + count]))
      }
      return .success(count)
    }
  }

  package func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let bytes = bytes
    return try call("write") { (state, fault) -> Result<Int, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "write", writing: true) else {
        return Self.fail(Platform.badFile, "write")
      }
      var count = bytes.count
      switch fault {
      case .short(let limit)?, .shortThenError(let limit, _)?: count = min(count, limit)
      default: break
      }
      guard count > 0 else { return .success(0) }
      let (taken, place) = Self.arriving(bytes.prefix(count), Int(offset), state)
      Disk.write(taken, at: place, to: &state.contents[known.file])
      state.operations.append(.write(file: known.file, offset: place, bytes: taken))
      return .success(count)
    }
  }

  /// What a write leaves, and where: what it was given, unless a canary lies.
  private static func arriving(
    _ bytes: Slice<UnsafeRawBufferPointer>, _ offset: Int, _ state: State
  ) -> (bytes: [UInt8], offset: Int) {
    guard let canary = state.canary, canary.lies(in: state.operations.count, one: 10) else {
      return (Array(bytes), offset)
    }
    switch canary {
    case .losesEnd: return (Array(bytes.dropLast(24)), offset)
    case .writesElsewhere: return (Array(bytes), offset + 8)
    case .forgetsWrite: return ([], offset)
    case .forgetsSync, .forgetsDirectorySync: return (Array(bytes), offset)
    }
  }

  package func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    try call("size") { state, _ in
      guard let known = Self.descriptor(file, &state, "size") else { return Self.fail(Platform.badFile, "size") }
      return .success(UInt64(state.contents[known.file].count))
    }
  }

  package func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try call("setSize") { (state, _) -> Result<Void, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "setSize", writing: true) else {
        return Self.fail(Platform.badFile, "setSize")
      }
      Disk.setSize(Int(size), of: &state.contents[known.file])
      state.operations.append(.setSize(file: known.file, size: Int(size)))
      return .success(())
    }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {
    try call("sync") { (state, fault) -> Result<Void, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "sync") else { return Self.fail(Platform.badFile, "sync") }
      if case .error(let code)? = fault {
        state.operations.append(.failedSync(file: known.file))
        if state.forgetsAtFailedSync { state.contents[known.file] = state.synced[known.file] ?? [] }
        return Self.fail(code, "sync")
      }
      if state.canary == .forgetsSync, Canary.forgetsSync.lies(in: state.calls.count, one: 4) { return .success(()) }
      state.operations.append(.sync(file: known.file))
      if state.forgetsAtFailedSync { state.synced[known.file] = state.contents[known.file] }
      return .success(())
    }
  }

  package func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory") { (state, fault) -> Result<Void, FileSystemError> in
      guard state.directories.contains(path) else { return Self.fail(Platform.noEntry, "syncDirectory") }
      if case .error(let code)? = fault {
        state.operations.append(.failedSyncDirectory(path))
        return Self.fail(code, "syncDirectory")
      }
      if state.canary == .forgetsDirectorySync { return .success(()) }
      state.operations.append(.syncDirectory(path))
      return .success(())
    }
  }

  package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try call("rename") { (state, _) -> Result<Void, FileSystemError> in
      guard let file = state.names.removeValue(forKey: path) else { return Self.fail(Platform.noEntry, "rename") }
      state.names[newPath] = file
      state.operations.append(.rename(path, to: newPath, file: file))
      return .success(())
    }
  }

  package func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError) {
    try call("rename") { (state, _) -> Result<Void, FileSystemError> in
      guard state.names[newPath] == nil else { return Self.fail(Platform.exists, "rename") }
      guard let file = state.names.removeValue(forKey: path) else { return Self.fail(Platform.noEntry, "rename") }
      state.names[newPath] = file
      state.operations.append(.rename(path, to: newPath, file: file))
      return .success(())
    }
  }

  package func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    try call("isNamed") { (state, _) -> Result<Bool, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "isNamed") else { return Self.fail(Platform.badFile, "isNamed") }
      return .success(state.names[path] == known.file)
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try call("remove") { (state, _) -> Result<Void, FileSystemError> in
      let wasFile = state.names.removeValue(forKey: path) != nil
      guard wasFile || state.directories.remove(path) != nil else { return Self.fail(Platform.noEntry, "remove") }
      state.operations.append(.remove(path))
      return .success(())
    }
  }

  package func createDirectory(_ path: String) throws(FileSystemError) {
    try call("createDirectory") { (state, _) -> Result<Void, FileSystemError> in
      guard state.directories.insert(path).inserted else { return Self.fail(Platform.exists, "createDirectory") }
      state.operations.append(.createDirectory(path))
      return .success(())
    }
  }

  package func list(_ path: String) throws(FileSystemError) -> [String] {
    try call("list") { state, _ in
      guard state.directories.contains(path) else { return Self.fail(Platform.noEntry, "list") }
      return .success(
        state.names.keys.filter { $0.hasPrefix(path + "/") }.sorted().map { String($0.dropFirst(path.count + 1)) })
    }
  }

  package func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try call("lock") { (state, _) -> Result<Bool, FileSystemError> in
      guard let known = Self.descriptor(file, &state, "lock") else { return Self.fail(Platform.badFile, "lock") }
      guard state.locked.insert(known.file).inserted else { return .success(false) }
      state.descriptors[file.number]?.holdsLock = true
      return .success(true)
    }
  }

  package func identity(of path: String) throws(FileSystemError) -> String {
    try call("identity") { state, _ in
      guard state.directories.contains(path) else { return Self.fail(Platform.noEntry, "identity") }
      return .success("\(name) \(path)")
    }
  }

  package var monotonicNanoseconds: UInt64 { state.withLock { $0.now } }
  package func pause(nanoseconds: UInt64) {}
  package var processIdentifier: Int32 { 42 }
}
