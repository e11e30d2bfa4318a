import Synchronization

@testable import Journal

/// A reader's way to a file system that others use as well: before one of its calls, somebody else takes a step, or a
/// listing leaves out a name that somebody puts there meanwhile.
final class InterruptedFileSystem: ForwardingFileSystem {
  let base: any FileSystem
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
}
