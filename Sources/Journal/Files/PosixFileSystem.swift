import SystemCalls

/// The operating system's own file system.
public struct PosixFileSystem: FileSystem {
  /// Creates the file system.
  public init() {}

  private func check(_ code: Int32, _ operation: String) throws(FileSystemError) {
    if code != 0 { throw FileSystemError(code, during: operation) }
  }

  /// `open`, never inherited by child processes; new files get mode 0600.
  public func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let (file, code) = OperatingSystem.open(path, mode)
    try check(code, "open")
    return OpenFile(number: file)
  }

  /// `close`, and `flock` before it: a child process holds our files until it runs its own program, and with them any
  /// lock that was not released.
  public func close(_ file: OpenFile) {
    SystemCalls.unlock(file.number)
    SystemCalls.close(file.number)
  }

  /// `pread`, repeated when a signal interrupts it.
  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    guard let place = Int64(exactly: offset) else {
      throw FileSystemError(OperatingSystem.fileTooLarge, during: "read")
    }
    let (count, code) = SystemCalls.read(file.number, buffer, at: place)
    try check(code, "read")
    return count
  }

  /// `pwrite`, repeated when a signal interrupts it.
  public func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    guard let place = Int64(exactly: offset) else {
      throw FileSystemError(OperatingSystem.fileTooLarge, during: "write")
    }
    let (count, code) = SystemCalls.write(file.number, bytes, at: place)
    try check(code, "write")
    return count
  }

  /// `fstat`.
  public func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    let (size, code) = OperatingSystem.size(file.number)
    try check(code, "stat")
    return UInt64(clamping: size)
  }

  /// `lseek` with `SEEK_DATA`, where the file system knows it.
  public func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? {
    guard let place = Int64(exactly: offset) else { return offset }
    let (data, code) = OperatingSystem.seekData(file.number, place)
    if code == OperatingSystem.noSuchAddress { return nil }
    return code == 0 ? UInt64(clamping: data) : offset
  }

  /// `posix_fadvise` with `POSIX_FADV_DONTNEED`; on Apple platforms `F_NOCACHE`, which only keeps later reads out of memory.
  public func forgetCached(_ file: OpenFile) {
    OperatingSystem.forgetCached(file.number)
  }

  /// `ftruncate`.
  public func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    guard let length = Int64(exactly: size) else {
      throw FileSystemError(OperatingSystem.fileTooLarge, during: "truncate")
    }
    try check(SystemCalls.setSize(file.number, length), "truncate")
  }

  /// `fdatasync`; on Apple platforms `F_FULLFSYNC`, because `fsync` leaves bytes in the drive's cache there.
  public func sync(_ file: OpenFile) throws(FileSystemError) {
    try check(SystemCalls.sync(file.number), "sync")
  }

  /// `fsync` of the directory.
  public func syncDirectory(_ path: String) throws(FileSystemError) {
    try check(SystemCalls.syncFolder(path), "sync directory")
  }

  /// `fstat` and `fchmod`.
  public func copyMode(of file: OpenFile, to other: OpenFile) throws(FileSystemError) {
    try check(OperatingSystem.copyMode(file.number, other.number), "change mode")
  }

  /// `rename`.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try check(SystemCalls.rename(path, newPath), "rename")
  }

  /// `link` and `unlink`. A process that dies between them leaves both names, as does an `unlink` that fails.
  public func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError) {
    try check(SystemCalls.link(path, newPath), "link")
    try? remove(path)
  }

  /// `fstat` and `lstat`.
  public func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    let (isNamed, code) = OperatingSystem.isNamed(file.number, path)
    try check(code, "stat")
    return isNamed
  }

  /// `remove`: `unlink`, or `rmdir` for a directory.
  public func remove(_ path: String) throws(FileSystemError) {
    try check(SystemCalls.remove(path), "remove")
  }

  /// `mkdir` with mode 0700.
  public func createDirectory(_ path: String) throws(FileSystemError) {
    try check(SystemCalls.createFolder(path), "create directory")
  }

  /// `readdir`.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    let (names, code) = SystemCalls.names(in: path)
    try check(code, "list")
    return names
  }

  /// `stat`: when the directory was last changed. `nil` while that is so recent that another change could have the same
  /// time, and where the file system records whole seconds only.
  public func stampOfNames(in path: String) -> UInt64? {
    guard let (changed, now) = OperatingSystem.changeTime(path), changed % 1_000_000_000 != 0 else { return nil }
    return now &- changed >= Self.settlingTime ? UInt64(bitPattern: changed) : nil
  }

  /// Longer than any system's steps in the times of changes, which are 10 ms at most.
  private static let settlingTime: Int64 = 100_000_000

  /// `flock`, exclusive, without waiting.
  public func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    let code = SystemCalls.lock(file.number)
    if code == OperatingSystem.wouldBlock { return false }
    try check(code, "lock")
    return true
  }

  /// On Linux from `/proc/locks`, where the kernel names the process as this one's namespace knows it; it is the one
  /// that took the lock, even before it has written its number.
  public func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder {
    OperatingSystem.lockHolder(file.number, stated: number)
  }

  /// The device and inode numbers.
  public func identity(of path: String) throws(FileSystemError) -> String {
    let (device, inode, code) = OperatingSystem.identity(path)
    try check(code, "stat")
    return "\(device):\(inode)"
  }

  /// `CLOCK_MONOTONIC`.
  public var monotonicNanoseconds: UInt64 { OperatingSystem.monotonicNanoseconds }

  /// `nanosleep`.
  public func pause(nanoseconds: UInt64) {
    OperatingSystem.pause(nanoseconds: nanoseconds)
  }

  /// `pthread_create`, detached.
  public func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    OperatingSystem.startThread(body)
  }

  /// `inotify` on Linux, `kqueue` on Apple platforms.
  public func watch(_ path: String) -> (any DirectoryWatch)? {
    OperatingSystem.Watch(path, file: Format.headName)
  }

  /// `getpid`.
  public var processIdentifier: Int32 { OperatingSystem.processIdentifier }
}
