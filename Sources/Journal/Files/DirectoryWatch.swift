/// Reports when something in a directory changes: a file is written, or a name appears.
public protocol DirectoryWatch: Sendable {
  /// Returns when something has changed since the last call, after a call of ``wake()``, or when this much time has
  /// passed. May return for no reason.
  func wait(nanoseconds: UInt64)
  /// Releases every current waiter and every later one.
  func wake()
}
