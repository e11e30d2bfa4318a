import Forensics
import Journal

/// The files of one table: gzip-compressed JSON Lines. They are several because neither DuckDB nor Spark can read one gzip file
/// in several threads.
final class TableFile {
  private static let bufferSize = 64 << 10

  private let folder: String
  private let fileSystem: any FileSystem
  private let partSize: Int
  /// The names of the files so far.
  private(set) var paths: [String] = []
  /// The number of rows.
  private(set) var rows: UInt64 = 0
  /// Why nothing is written any more.
  private(set) var failure: FileSystemError?

  private var sink: Sink?
  private var gzip: GzipWriter?
  private var buffer: [UInt8] = []
  private var textBytes = 0

  /// Where the compressed bytes of one file go.
  private final class Sink {
    let file: OpenFile
    private let fileSystem: any FileSystem
    private var offset: UInt64 = 0
    private(set) var failure: FileSystemError?

    init(_ path: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
      self.fileSystem = fileSystem
      file = try fileSystem.open(path, .createOrUpdate)
    }

    func write(_ bytes: [UInt8]) {
      guard failure == nil else { return }
      do throws(FileSystemError) {
        try fileSystem.writeAll(file, bytes, at: offset)
        offset += UInt64(bytes.count)
      } catch {
        failure = error
      }
    }
  }

  /// - Parameters:
  ///   - folder: The table's folder, which exists and is empty.
  ///   - partSize: The most text in one file in bytes, unless its only line is longer.
  init(_ folder: String, _ fileSystem: any FileSystem, partSize: Int = 256 << 20) {
    (self.folder, self.fileSystem, self.partSize) = (folder, fileSystem, partSize)
    begin()
  }

  deinit {
    if let sink { fileSystem.close(sink.file) }
  }

  /// Writes a row, with the line end after it.
  func write(_ row: [UInt8]) {
    guard failure == nil else { return }
    if textBytes > 0, textBytes + row.count > partSize {
      end()
      begin()
    }
    rows += 1
    textBytes += row.count
    buffer.append(contentsOf: row)
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Ends the last file: it is whole and durable, unless there is a ``failure``.
  func finish() {
    end()
    attempt { () throws(FileSystemError) in try fileSystem.syncDirectory(folder) }
  }

  private func begin() {
    let number = "\(paths.count + 1)"
    let path = "\(folder)/\(String(repeating: "0", count: max(0, 5 - number.count)) + number).jsonl.gz"
    paths.append(path)
    textBytes = 0
    attempt { () throws(FileSystemError) in
      let sink = try Sink(path, fileSystem)
      (self.sink, gzip) = (sink, GzipWriter { sink.write($0) })
    }
  }

  private func flush() {
    gzip?.write(buffer)
    buffer.removeAll(keepingCapacity: true)
    failure = failure ?? sink?.failure
  }

  private func end() {
    flush()
    gzip?.finish()
    failure = failure ?? sink?.failure
    if let sink {
      attempt { () throws(FileSystemError) in try fileSystem.sync(sink.file) }
      fileSystem.close(sink.file)
    }
    (sink, gzip) = (nil, nil)
  }

  private func attempt(_ work: () throws(FileSystemError) -> Void) {
    guard failure == nil else { return }
    do throws(FileSystemError) {
      try work()
    } catch {
      failure = error
    }
  }
}
