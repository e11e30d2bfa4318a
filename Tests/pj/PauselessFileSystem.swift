import Journal

@testable import CommandSupport
@testable import pj

/// The file system without waiting: readers give an unfinished write a sixteenth of a second to finish, and in these tests
/// no writer is in the middle of one.
final class PauselessFileSystem: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()

  func pause(nanoseconds: UInt64) {}
}

extension ToolEnvironment {
  /// That of pj.
  init() { self.init(of: PolicyJournalTool.definition) }

  /// An environment in which reading the end of a torn journal takes no time.
  static var withoutPauses: ToolEnvironment {
    var environment = ToolEnvironment()
    environment.fileSystem = PauselessFileSystem()
    return environment
  }
}
