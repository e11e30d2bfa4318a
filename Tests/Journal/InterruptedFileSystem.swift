import Synchronization

@testable import Journal

/// A reader's way to a file system that others use as well: before one of its calls, somebody else takes a step, or a
/// listing leaves out a name that somebody puts there meanwhile.
final class InterruptedFileSystem: FileSystem {
  private let base: MemoryFileSystem
  private let state: Mutex<(calls: Int, due: Int, step: (@Sendable () -> Void)?)>

  /// The names that the next listings leave out, one each, the next one last.
  private let leftOut: Mutex<[String]>

  /// - Parameter names: what the next listings leave out, one each.
  init(_ base: MemoryFileSystem, leavingOut names: [String]) {
    self.base = base
    state = Mutex((0, .max, nil))
    leftOut = Mutex(names.reversed())
  }

  /// - Parameter number: before which call `step` happens, from 1.
  init(_ base: MemoryFileSystem, beforeCall number: Int, step: @escaping @Sendable () -> Void) {
    self.base = base
    state = Mutex((0, number, step))
    leftOut = Mutex([])
  }

  /// Whether the reader came as far as the call.
  var wasInterrupted: Bool { state.withLock { $0.step == nil } }

  private func enter() {
    let step: (@Sendable () -> Void)? = state.withLock { state in
      state.calls += 1
      guard state.calls == state.due else { return nil }
      defer { state.step = nil }
      return state.step
    }
    step?()
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    enter()
    return try base.open(path, mode)
  }

  func close(_ file: OpenFile) { base.close(file) }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    enter()
    return try base.read(file, into: buffer, at: offset)
  }

  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    enter()
    return try base.size(of: file)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    enter()
    let names = try base.list(path)
    let gone = leftOut.withLock { $0.popLast() }
    return names.filter { $0 != gone }
  }

  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
    try base.write(file, bytes, at: offset)
  }

  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) { try base.setSize(of: file, to: size) }
  func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try base.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  func createDirectory(_ path: String) throws(FileSystemError) { try base.createDirectory(path) }
  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.lock(file) }
  func identity(of path: String) throws(FileSystemError) -> String { try base.identity(of: path) }
  var monotonicNanoseconds: UInt64 { base.monotonicNanoseconds }
  func pause(nanoseconds: UInt64) { base.pause(nanoseconds: nanoseconds) }
  var processIdentifier: Int32 { base.processIdentifier }
}
