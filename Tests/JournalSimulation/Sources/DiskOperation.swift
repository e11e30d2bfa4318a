/// Something that changed files or names, or made such changes last, in the order in which the system took it.
///
/// Files are known by a number, as inodes are: names come and go.
package enum DiskOperation: Hashable, Sendable {
  case createDirectory(String)
  case create(String, file: Int)
  case write(file: Int, offset: Int, bytes: [UInt8])
  case setSize(file: Int, size: Int)
  case rename(String, to: String, file: Int)
  case remove(String)
  case sync(file: Int)
  /// The device failed: what was not durable in the file may be lost for good, and no later sync brings it back.
  case failedSync(file: Int)
  case syncDirectory(String)
  /// The device failed: names of the directory that were not durable may be lost for good, as with a file's bytes.
  case failedSyncDirectory(String)
}
