/// The entities that a command is about, each with its last event that the caller knows of.
///
/// ```swift
/// try store.append(.move(booking), at: now, expecting: [.entity(.room(17), at: 4711), .entity(.room(18), at: 0)])
/// ```
public struct ExpectedVersions: Hashable, Sendable, ExpressibleByArrayLiteral {
  struct Version: Hashable, Sendable {
    let entity: Entity
    let sequence: UInt64
  }

  let versions: [Version]

  /// Nothing is expected.
  @usableFromInline var isEmpty: Bool { versions.isEmpty }

  private init(_ versions: [Version]) { self.versions = versions }

  /// All that the elements expect.
  public init(arrayLiteral elements: ExpectedVersions...) {
    self.init(elements)
  }

  /// All that the elements expect, such as one for each entity that a form shows.
  public init(_ elements: some Sequence<ExpectedVersions>) {
    self.init(elements.flatMap(\.versions))
  }

  /// An entity at a version: the number of its last event, or 0 for one without events.
  public static func entity(_ entity: Entity, at version: UInt64) -> ExpectedVersions {
    ExpectedVersions([Version(entity: entity, sequence: version)])
  }
}
