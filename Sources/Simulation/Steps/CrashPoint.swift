/// The point at which the app's process crashes.
public enum CrashPoint: Equatable, Sendable {
  /// Immediately, while nothing is being written.
  case now
  /// After an event of this type is decided and before any of it is written.
  case before(String)
  /// After this many bytes of the write that carries an event of this type have reached the file.
  case during(String, bytes: Int)
  /// After an event of this type is durable and before it is acknowledged.
  case after(String)

  /// The type of event that triggers the crash; `nil` for ``now``.
  public var eventType: String? {
    switch self {
    case .now: nil
    case .before(let type), .during(let type, _), .after(let type): type
    }
  }
}
