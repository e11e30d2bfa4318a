/// Which errors each call of a `FileSystem` can report, by the manual pages of the system calls that it stands for
/// (section 2, Linux man-pages 6).
///
/// | call | stands for | not in the table, because |
/// |---|---|---|
/// | `open` | `open`, `fstat` | `ENOENT`, `EEXIST`: the answer, and given where it is true |
/// | `read` | `pread` | |
/// | `write` | `pwrite` | `EPIPE`, `EDESTADDRREQ`: of pipes and sockets |
/// | `size` | `fstat` | |
/// | `setSize` | `ftruncate` | |
/// | `sync` | `fdatasync` | |
/// | `syncDirectory` | `open`, `fsync` | |
/// | `rename` | `rename` | |
/// | `remove` | `unlink` | |
/// | `createDirectory` | `mkdir` | `EEXIST`: the answer |
/// | `list` | `open`, `getdents` | `ENOENT`, `ENOTDIR`: the answer that there is no journal |
/// | `lock` | `flock` | `EWOULDBLOCK`: the answer `false` |
/// | `identity` | `stat` | `ENOENT`, `ENOTDIR`: the answer |
///
/// `EBADF`, `EFAULT`, `ESPIPE`, and `EINVAL` where it is about an argument, are mistakes of the caller, which are noted as
/// such and cannot come and go. `EIO` and `ESTALE` are in no list and come from every device and every network. A call
/// that never fails at the seam has no errors: `close`, whose error comes too late to be of use; `nextData` (`lseek`),
/// which then knows nothing; `watch` (`inotify_init1`, `inotify_add_watch`), without which readers look now and then.
enum SystemCallErrors {
  /// The errors of a call, the gravest first.
  static func codes(of call: String) -> [Int32] {
    let everywhere = [Platform.deviceError, Platform.stale]
    let paths = [
      Platform.noAccess, Platform.tooManySymbolicLinks, Platform.nameTooLong, Platform.noMemory,
    ]
    let room = [Platform.noSpace, Platform.quotaExceeded]
    let opening =
      paths + [
        Platform.tooManyFiles, Platform.tooManyFilesInAll, Platform.interrupted, Platform.notPermitted,
        Platform.overflow,
      ]
    let names = paths + [Platform.notADirectory, Platform.notPermitted, Platform.readOnly]
    switch call {
    case "open":
      return everywhere + opening + room + [
        Platform.notADirectory, Platform.busy, Platform.isDirectory, Platform.noDevice, Platform.noSuchAddress,
        Platform.notSupported, Platform.readOnly, Platform.programIsRunning, Platform.again,
      ]
    case "read":
      return everywhere + [
        Platform.interrupted, Platform.again, Platform.isDirectory, Platform.noSuchAddress, Platform.overflow,
        Platform.noMemory, Platform.invalid,
      ]
    case "write":
      return everywhere + room + [
        Platform.interrupted, Platform.again, Platform.fileTooLarge, Platform.notPermitted, Platform.noSuchAddress,
        Platform.overflow, Platform.noMemory, Platform.invalid,
      ]
    case "size": return everywhere + [Platform.noMemory, Platform.overflow]
    case "setSize":
      return everywhere + room + [
        Platform.interrupted, Platform.fileTooLarge, Platform.notPermitted, Platform.readOnly,
        Platform.programIsRunning, Platform.noAccess, Platform.invalid,
      ]
    case "sync": return everywhere + room + [Platform.interrupted, Platform.readOnly, Platform.invalid]
    case "syncDirectory":
      return everywhere + opening + room + [
        Platform.noEntry, Platform.notADirectory, Platform.readOnly, Platform.invalid,
      ]
    case "rename":
      return everywhere + names + room + [
        Platform.noEntry, Platform.busy, Platform.exists, Platform.directoryNotEmpty, Platform.isDirectory,
        Platform.tooManyLinks, Platform.crossDevice, Platform.invalid,
      ]
    case "remove": return everywhere + names + [Platform.noEntry, Platform.busy, Platform.isDirectory]
    case "createDirectory":
      return everywhere + names + room + [Platform.noEntry, Platform.tooManyLinks, Platform.invalid]
    case "list": return everywhere + opening + [Platform.invalid]
    case "lock": return everywhere + [Platform.interrupted, Platform.noLocks, Platform.invalid, Platform.noMemory]
    case "identity": return everywhere + paths + [Platform.overflow]
    default: return everywhere
    }
  }
}
