/// A thing that events are about, such as one room of a hotel: its kind, and the key that tells it from others of the kind.
///
/// ``EventTypes/keyed(_:by:)`` says which fields of the events hold the keys. A domain gives its kinds names in Swift:
///
/// ```swift
/// extension Entity {
///   static func room(_ number: UInt64) -> Entity { Entity("room", number) }
/// }
/// ```
public struct Entity: Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing it is, as ``EventTypes/keyed(_:by:)`` names it.
  public let kind: String
  /// What tells it from others of its kind.
  public let key: Key

  /// The key of an entity.
  public enum Key: Hashable, Sendable {
    /// A number.
    case number(UInt64)
    /// A GUID.
    case guid(GUID)
  }

  /// An entity whose key is a number.
  public init(_ kind: String, _ number: UInt64) {
    self.kind = kind
    key = .number(number)
  }

  /// An entity whose key is a GUID.
  public init(_ kind: String, _ id: GUID) {
    self.kind = kind
    key = .guid(id)
  }

  init(_ kind: String, _ key: Key) {
    self.kind = kind
    self.key = key
  }

  /// The kind and the key, such as `room 17`.
  public var description: String {
    switch key {
    case .number(let number): "\(kind) \(number)"
    case .guid(let id): "\(kind) \(id)"
    }
  }
}
