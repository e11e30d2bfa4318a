/// Where the app's process dies.
public enum CrashPoint: Equatable, Sendable {
  /// At once, while nothing is being written.
  case now
  /// When an event of this type has been decided and nothing of it has been written.
  case before(String)
  /// When so many bytes of the write that carries an event of this type have reached the file.
  case during(String, bytes: Int)
  /// When an event of this type is durable, and nobody has been told of it.
  case after(String)

  /// The type of event that is waited for.
  public var eventType: String? {
    switch self {
    case .now: nil
    case .before(let type), .during(let type, _), .after(let type): type
    }
  }
}
