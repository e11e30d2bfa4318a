/// Tells when something in a directory changes: files in it are written, or names come.
public protocol DirectoryWatch: Sendable {
  /// Returns when something has changed since the last call, when somebody called ``wake()``, or when this much time has
  /// passed. May return for no reason.
  func wait(nanoseconds: UInt64)
  /// Lets everybody who waits return, and everybody who waits later.
  func wake()
}
