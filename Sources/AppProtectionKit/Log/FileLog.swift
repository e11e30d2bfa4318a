import Journal
import Synchronization

/// A log in a file, and the one before it.
///
/// A line that would make the file longer than its limit begins a new one; the old one gets the ending `.1` and replaces the
/// file that had it. The files are readable by their owner only. Lines that cannot be written, as on a full disk, are counted,
/// and the next line that is written is preceded by their number. Lines survive the process, but are not synced: a power cut may
/// take the last ones.
///
/// One process writes a file: give each extension a file of its own.
public final class FileLog: LogDestination {
  private struct State {
    var file: OpenFile?
    var size: UInt64
    var lost = 0
  }

  private let path: String
  private let limit: UInt64
  private let files: any FileSystem
  private let state: Mutex<State>

  /// - Parameters:
  ///   - path: The file, in a folder that exists.
  ///   - maximumSize: The longest file, in bytes; at least one line is written to each.
  ///   - files: The file system.
  /// - Throws: The file cannot be opened.
  public init(
    at path: String, maximumSize: UInt64 = 1 << 20, files: any FileSystem = PosixFileSystem()
  ) throws(FileSystemError) {
    self.path = path
    self.files = files
    limit = maximumSize
    let file = try files.open(path, .createOrUpdate)
    do throws(FileSystemError) {
      state = Mutex(State(file: file, size: try files.size(of: file)))
    } catch {
      files.close(file)
      throw error
    }
  }

  deinit {
    if let file = state.withLock({ $0.file }) { files.close(file) }
  }

  /// The file, and the one before it, if it is there.
  public var paths: [String] {
    state.withLock { _ in
      [path, earlier].filter { name in
        guard let file = try? files.open(name, .read) else { return false }
        files.close(file)
        return true
      }
    }
  }

  public func write(_ line: LogLine) {
    state.withLock { state in
      do throws(FileSystemError) {
        if state.lost > 0 {
          try append(
            LogLine(.error, "\(state.lost) lines could not be written", at: line.wallNanoseconds), to: &state)
          state.lost = 0
        }
        try append(line, to: &state)
      } catch {
        state.lost += 1
      }
    }
  }

  private var earlier: String { path + ".1" }

  private func append(_ line: LogLine, to state: inout State) throws(FileSystemError) {
    let bytes = Array("\(line)\n".utf8)
    if state.size > 0, state.size + UInt64(bytes.count) > limit { try rotate(&state) }
    if state.file == nil {
      let file = try files.open(path, .createOrUpdate)
      do throws(FileSystemError) {
        (state.file, state.size) = (file, try files.size(of: file))
      } catch {
        files.close(file)
        throw error
      }
    }
    guard let file = state.file else { return }
    try files.writeAll(file, bytes, at: state.size)
    // The length is counted only for a whole line, so that the next one overwrites what is left of a torn one.
    state.size += UInt64(bytes.count)
  }

  private func rotate(_ state: inout State) throws(FileSystemError) {
    try files.rename(path, to: earlier)
    if let file = state.file { files.close(file) }
    (state.file, state.size) = (nil, 0)
  }
}
