#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

extension OperatingSystem {
  /// Notices changes in a directory: any on Linux; on Apple platforms those of its names and of one file in it.
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
        files = [directory, directory + "/" + file].map { (path: String) in
          FileName.withPath(path) { Darwin.open($0, O_EVTONLY | O_CLOEXEC) }
        }.filter { $0 >= 0 }
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
        // Segments are not watched individually, so unsynced writes are found by polling.
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
        // Whatever changed, the next look sees it; bytes left in the pipe wake later waiters too.
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
