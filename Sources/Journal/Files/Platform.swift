#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's calls that the journal uses, each as thin as it can be.
///
/// Everything that differs between platforms is in this type. A call returns what the system returned; `errno` is
/// handed over as a value so that nothing in between can overwrite it.
@usableFromInline
enum Platform {
  static let noEntry = ENOENT
  static let exists = EEXIST
  static let noSpace = ENOSPC
  static let quotaExceeded = EDQUOT
  static let deviceError = EIO
  static let readOnly = EROFS
  static let isDirectory = EISDIR
  static let notADirectory = ENOTDIR
  static let isLink = ELOOP
  static let wouldBlock = EWOULDBLOCK
  static let noAccess = EACCES
  static let tooManyFiles = EMFILE
  static let fileTooLarge = EFBIG
  static let interrupted = EINTR
  static let noSuchAddress = ENXIO

  /// Whether an error number means that the path is not a regular file: a directory, a pipe, a socket, a link to
  /// itself.
  static func isOfOtherKind(_ code: Int32) -> Bool { [EISDIR, ESPIPE, ENXIO, ELOOP].contains(code) }

  /// What helps after a call that failed with an error number: trying again helps only where something else changes it.
  static func remedy(_ code: Int32) -> String {
    switch code {
    case EFBIG: "raise the limit for file sizes (ulimit -f), then try again"
    case EMFILE, ENFILE: "close files, or raise the limit for open ones (ulimit -n), then try again"
    case _ where isOfOtherKind(code): "move what stands there to another place, then try again"
    case EROFS: "name a place on a device that can be written to"
    case EACCES, EPERM: "let this user read it, and write where that is needed (ls -l, chmod), or run as one who may"
    case ENOENT: "create the folder that is missing, or correct the name"
    case ENOTDIR: "correct the name: a part of it that should be a folder is a file"
    case ENAMETOOLONG: "choose a shorter name"
    case EIO: "copy what can still be read to another device: this one fails"
    default: "check the permissions and the device, then try again"
    }
  }

  /// The system's name for an error number, in words.
  static func describe(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or directory"
    case EEXIST: "the file exists"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "the disk quota is used up"
    case EIO: "the device reported an error"
    case EROFS: "the file system is read-only"
    case EISDIR: "it is a directory"
    case ENOTDIR: "it is not a directory"
    case EACCES: "permission denied"
    case EPERM: "operation not permitted"
    case ESPIPE, ENXIO: "it is not a regular file"
    case ELOOP: "it is a symbolic link"
    case EMFILE, ENFILE: "too many open files"
    case EFBIG: "the file would be too large"
    default: strerror(code).map { String(cString: $0) } ?? "system error \(code)"
    }
  }

  /// Repeats a call as long as a signal interrupts it; an interruption proves nothing about the device.
  ///
  /// Every call goes through here, whether its manual page lists `EINTR` or not: a file system that is a program of its own
  /// or on another machine may end any of them with it. Only `close` must not be repeated, because the number may be another
  /// file's by then, and a waiting reader looks again after any answer.
  static func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
    while true {
      let value = call()
      if value >= 0 { return (value, 0) }
      let error = errno
      if error != EINTR { return (-1, error) }
    }
  }

  static func open(_ path: String, _ mode: OpenMode) -> (file: Int32, error: Int32) {
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .createOrUpdate: O_RDWR | O_CREAT
      case .replace: O_RDWR | O_CREAT | O_TRUNC
      }
    // A pipe or a device under one of our names must not block us, and a link must not redirect our writes.
    let guards = O_CLOEXEC | O_NONBLOCK | (mode == .read ? 0 : O_NOFOLLOW)
    let (file, error) = uninterrupted {
      FileName.withPath(path) { path in
        #if canImport(Darwin)
          Darwin.open(path, flags | guards, 0o600)
        #else
          Glibc.open(path, flags | guards, 0o600)
        #endif
      }
    }
    guard error == 0 else { return (-1, error) }
    var status = stat()
    let code = uninterrupted { fstat(file, &status) }.error
    let kind = status.st_mode & S_IFMT
    if code == 0, kind == S_IFREG || (kind == S_IFDIR && mode == .read) { return (file, 0) }
    close(file)
    return (-1, code == 0 ? ESPIPE : code)
  }

  static func close(_ file: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(file)
    #else
      _ = Glibc.close(file)
    #endif
  }

  static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> (Int, Int32) {
    uninterrupted { pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  static func write(_ file: Int32, _ buffer: UnsafeRawBufferPointer, at offset: Int64) -> (Int, Int32) {
    uninterrupted { pwrite(file, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  static func size(_ file: Int32) -> (Int64, Int32) {
    var status = stat()
    let error = uninterrupted { fstat(file, &status) }.error
    return error == 0 ? (Int64(status.st_size), 0) : (-1, error)
  }

  /// Gives a file the permissions of another one, without the bits that let it run as another user.
  static func copyMode(_ file: Int32, _ other: Int32) -> Int32 {
    var status = stat()
    let error = uninterrupted { fstat(file, &status) }.error
    return error == 0 ? uninterrupted { fchmod(other, status.st_mode & 0o777) }.error : error
  }

  /// Asks the system to read the file from the device next.
  static func forgetCached(_ file: Int32) {
    #if canImport(Darwin)
      _ = uninterrupted { fcntl(file, F_NOCACHE, 1) }
    #else
      _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    #endif
  }

  /// Where data may resume at or after an offset; `noSuchAddress` when only holes follow.
  static func seekData(_ file: Int32, _ offset: Int64) -> (Int64, Int32) {
    #if canImport(Darwin)
      let data = SEEK_DATA
    #else
      // `SEEK_DATA` of <unistd.h>, which it declares for GNU sources only.
      let data: Int32 = 3
    #endif
    let (place, error) = uninterrupted { lseek(file, off_t(offset), data) }
    return (Int64(place), error)
  }

  /// The device and inode numbers of a path.
  static func identity(_ path: String) -> (device: UInt64, inode: UInt64, error: Int32) {
    var status = stat()
    let error = uninterrupted { FileName.withPath(path) { stat($0, &status) } }.error
    guard error == 0 else { return (0, 0, error) }
    return (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino), 0)
  }

  /// Whether a path leads to an open file; a link does not.
  static func isNamed(_ file: Int32, _ path: String) -> (Bool, Int32) {
    var opened = stat()
    var named = stat()
    let code = uninterrupted { fstat(file, &opened) }.error
    guard code == 0 else { return (false, code) }
    let error = uninterrupted { FileName.withPath(path) { lstat($0, &named) } }.error
    if error == ENOENT || error == ENOTDIR { return (false, 0) }
    return (opened.st_dev == named.st_dev && opened.st_ino == named.st_ino, error)
  }

  /// The time of a path's last status change, and the current time, in nanoseconds by the settable clock.
  static func changeTime(_ path: String) -> (changed: Int64, now: Int64)? {
    var status = stat()
    var now = timespec()
    guard uninterrupted({ FileName.withPath(path) { stat($0, &status) } }).error == 0,
      clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    return (nanoseconds(changed), nanoseconds(now))
  }

  static func setSize(_ file: Int32, _ size: Int64) -> Int32 {
    uninterrupted { ftruncate(file, off_t(size)) }.error
  }

  /// Makes a file's bytes and length survive a power cut, as far as the platform can tell.
  static func sync(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      // On Apple platforms fsync leaves the bytes in the drive's own cache.
      let error = uninterrupted { fcntl(file, F_FULLFSYNC) }.error
      // Only where the file system does not know it: any other failure may have cost the bytes.
      guard error == ENOTSUP || error == EINVAL else { return error }
      return uninterrupted { fsync(file) }.error
    #else
      return uninterrupted { fdatasync(file) }.error
    #endif
  }

  static func syncDirectory(_ path: String) -> Int32 {
    let (file, error) = open(path, .read)
    guard file >= 0 else { return error }
    defer { close(file) }
    return uninterrupted { fsync(file) }.error
  }

  /// - Parameter call: the system's, except in tests.
  static func rename(_ from: String, _ to: String, by call: (String, String) -> Int32 = systemRename) -> Int32 {
    movingOnce { call(from, to) }
  }

  /// Gives a file a second name, which must be free.
  static func link(_ from: String, _ to: String) -> Int32 {
    uninterrupted {
      FileName.withPath(from) { from in
        FileName.withPath(to) { to in
          #if canImport(Darwin)
            Darwin.link(from, to)
          #else
            Glibc.link(from, to)
          #endif
        }
      }
    }.error
  }

  /// - Parameter call: the system's, except in tests.
  static func remove(_ path: String, by call: (String) -> Int32 = systemRemove) -> Int32 {
    movingOnce { call(path) }
  }

  /// Repeats an interrupted call that removes a name. The interrupted call may have succeeded: the repetition then
  /// finds nothing to remove.
  private static func movingOnce(_ call: () -> Int32) -> Int32 {
    var calls = 0
    let error = uninterrupted {
      calls += 1
      return call()
    }.error
    return error == ENOENT && calls > 1 ? 0 : error
  }

  private static func systemRename(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
      FileName.withPath(from) { from in FileName.withPath(to) { Darwin.rename(from, $0) } }
    #else
      FileName.withPath(from) { from in FileName.withPath(to) { Glibc.rename(from, $0) } }
    #endif
  }

  private static func systemRemove(_ path: String) -> Int32 {
    #if canImport(Darwin)
      FileName.withPath(path) { Darwin.remove($0) }
    #else
      FileName.withPath(path) { Glibc.remove($0) }
    #endif
  }

  static func createDirectory(_ path: String) -> Int32 {
    uninterrupted { FileName.withPath(path) { mkdir($0, 0o700) } }.error
  }

  static func list(_ path: String) -> ([String], Int32) {
    var opened = FileName.withPath(path) { opendir($0) }
    while opened == nil, errno == EINTR { opened = FileName.withPath(path) { opendir($0) } }
    guard let directory = opened else { return ([], errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        if errno == EINTR { continue }
        return (names, errno)
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        FileName.text(bytes.prefix { $0 != 0 })
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  static var monotonicNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  static func pause(nanoseconds: UInt64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    // After a signal, for the remaining time.
    _ = withUnsafeMutablePointer(to: &time) { time in uninterrupted { nanosleep(time, time) } }
  }

  /// How many threads can run at the same time.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  static var processIdentifier: Int32 { getpid() }
}
