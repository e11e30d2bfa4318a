#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's calls that the journal uses, each as thin as it can be.
///
/// Everything that differs between platforms is in this file. A call returns what the system returned; `errno` is
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
  static let wouldBlock = EWOULDBLOCK
  static let noAccess = EACCES
  static let tooManyFiles = EMFILE
  static let fileTooLarge = EFBIG
  static let interrupted = EINTR
  static let noSuchAddress = ENXIO

  /// Whether an error number says that there is something else than a regular file: a directory, a pipe, a socket, a link
  /// to itself.
  static func isOfOtherKind(_ code: Int32) -> Bool { [EISDIR, ESPIPE, ENXIO, ELOOP].contains(code) }

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

  /// Makes a call again as long as a signal interrupts it, which says nothing about the device.
  ///
  /// Every call goes through here, whether its manual page lists `EINTR` or not: a file system that is a program of its own
  /// or on another machine may end any of them with it. Only `close` must not be repeated, because the number may be another
  /// file's by then, and whoever waits for changes in a directory looks again after any answer.
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
    // A pipe or a device under one of our names must not stop us, and what we write goes to no place that a link names.
    let guards = O_CLOEXEC | O_NONBLOCK | (mode == .createOrUpdate || mode == .replace ? O_NOFOLLOW : 0)
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

  /// Where data may be found again from an offset on; `noSuchAddress` when there are none up to the end.
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

  /// When a path's status changed last and what time it is, in nanoseconds by the clock that can be set.
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

  /// - Parameter call: the system's, but for tests.
  static func rename(_ from: String, _ to: String, by call: (String, String) -> Int32 = systemRename) -> Int32 {
    movingOnce { call(from, to) }
  }

  /// - Parameter call: the system's, but for tests.
  static func remove(_ path: String, by call: (String) -> Int32 = systemRemove) -> Int32 {
    movingOnce { call(path) }
  }

  /// Makes a call again that takes a name away. A call that was interrupted may have done so: then there is nothing left to
  /// take away the next time.
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
    // After a signal for the rest of it.
    _ = withUnsafeMutablePointer(to: &time) { time in uninterrupted { nanosleep(time, time) } }
  }

  /// How many threads can run at the same time.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  static var processIdentifier: Int32 { getpid() }

  /// Runs a function on a thread of its own, which nobody waits for; `false` when the system gives none.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { Platform.run($0) }, box.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, { $0.flatMap { Platform.run($0) } }, box.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { box.release() }
    return code == 0
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }

  private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  #if !canImport(Darwin)
    @usableFromInline typealias MutexPointer = UnsafeMutablePointer<pthread_mutex_t>

    static func createMutex() -> MutexPointer {
      let mutex = MutexPointer.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      return mutex
    }

    static func destroyMutex(_ mutex: MutexPointer) {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    @usableFromInline
    static func lockMutex(_ mutex: MutexPointer) { pthread_mutex_lock(mutex) }

    @usableFromInline
    static func unlockMutex(_ mutex: MutexPointer) { pthread_mutex_unlock(mutex) }
  #endif

  /// A lock whose holder can wait until another thread has changed what it guards.
  ///
  /// Unchecked because of the pointers: they are set once, freed with the object, and given to nobody but the system's
  /// functions, which may be called from any thread.
  final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      pthread_mutex_init(mutex, nil)
      #if canImport(Darwin)
        pthread_cond_init(condition, nil)
      #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
      #endif
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    func withLock<Value>(_ body: () -> Value) -> Value {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }

    /// Lets others have the lock until one of them wakes this thread. May return for no reason; the lock must be held.
    func wait() {
      pthread_cond_wait(condition, mutex)
    }

    /// The same, for at most this long.
    func wait(nanoseconds: UInt64) {
      #if canImport(Darwin)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
      #else
        let end = Platform.monotonicNanoseconds.addingReportingOverflow(nanoseconds)
        guard !end.overflow else { return wait() }
        var time = timespec(
          tv_sec: Int(end.partialValue / 1_000_000_000), tv_nsec: Int(end.partialValue % 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &time)
      #endif
    }

    /// Wakes everybody who waits.
    func wakeAll() {
      pthread_cond_broadcast(condition)
    }
  }

  /// Notices changes in a directory: any on Linux; on Apple platforms those of its names and of one file in it.
  ///
  final class Watch: DirectoryWatch {
    private let changes: Int32
    #if !canImport(Darwin)
      /// What wakes a waiting thread: a pipe's reading and writing end.
      private let pipeEnds: (reading: Int32, writing: Int32)
    #else
      private let files: [Int32]
    #endif

    #if canImport(Darwin)
      /// `nil` when the system cannot tell.
      init?(_ directory: String, file: String) {
        changes = kqueue()
        guard changes >= 0 else { return nil }
        files = [directory, directory + "/" + file].map { Darwin.open($0, O_EVTONLY | O_CLOEXEC) }.filter { $0 >= 0 }
        var wanted = files.map {
          kevent(
            ident: UInt($0), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
            fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil)
        }
        wanted.append(
          kevent(ident: 0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD), fflags: 0, data: 0, udata: nil))
        kevent(changes, wanted, Int32(wanted.count), nil, 0, nil)
      }

      deinit {
        for file in files { _ = Darwin.close(file) }
        _ = Darwin.close(changes)
      }

      func wait(nanoseconds: UInt64) {
        // Segments are not watched one by one, so that what is not synced is found by looking often.
        let limit = min(nanoseconds, 50_000_000)
        var time = timespec(tv_sec: 0, tv_nsec: Int(limit))
        var event = kevent()
        kevent(changes, nil, 0, &event, 1, &time)
      }

      func wake() {
        var event = kevent(
          ident: 0, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0, udata: nil)
        kevent(changes, &event, 1, nil, 0, nil)
      }
    #else
      /// `nil` when the system cannot tell.
      init?(_ directory: String, file: String) {
        changes = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard changes >= 0 else { return nil }
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        var ends: [Int32] = [-1, -1]
        guard inotify_add_watch(changes, directory, events) >= 0, pipe(&ends) == 0 else {
          _ = Glibc.close(changes)
          return nil
        }
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        pipeEnds = (ends[0], ends[1])
      }

      deinit {
        for file in [changes, pipeEnds.reading, pipeEnds.writing] { _ = Glibc.close(file) }
      }

      func wait(nanoseconds: UInt64) {
        var files = [changes, pipeEnds.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(clamping: (nanoseconds / 1_000_000) + 1)
        guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return }
        // Whatever changed, the next look sees it; what is left in the pipe wakes everybody who waits later too.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
          while Glibc.read(changes, buffer.baseAddress, buffer.count) > 0 {}
        }
      }

      func wake() {
        var byte: UInt8 = 1
        _ = Glibc.write(pipeEnds.writing, &byte, 1)
      }
    #endif
  }
}
