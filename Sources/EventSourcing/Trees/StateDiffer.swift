/// Finds the differences between states, one pair after another, without building the trees of what is equal.
///
/// It remembers the paths at which it found differences, so that a log of a million events does not make up the same few
/// again. It belongs to one thread at a time.
///
/// ```swift
/// let differ = StateDiffer()
/// let changes = differ.changes(from: before, to: after).changes
/// ```
public final class StateDiffer {
  // It belongs to one thread, and nothing called while this changes comes back, so that accesses need no check.
  /// What differs, as far as it was compared.
  @usableFromInline @exclusivity(unchecked) var diff = StateDiff()
  /// The values of the messages being compared.
  @usableFromInline let values = ValueStack()
  /// Ranks the paths for a domain.
  let rank: ((String) -> HeadlineRank)?
  private var root = StatePlace()
  private var placeCount = 0

  /// The most places remembered, some ten megabytes.
  private static let maximumPlaces = 65_536

  /// - Parameter rank: How well the part of a state at a path describes the event that changed it.
  public init(rank: ((String) -> HeadlineRank)? = nil) {
    self.rank = rank
  }

  /// Begins a comparison; returns the place of a whole state.
  @usableFromInline
  func begin() -> StatePlace {
    if placeCount > Self.maximumPlaces {
      root = StatePlace()
      placeCount = 0
    }
    return root
  }

  /// Ends it; returns the differences that were added.
  @usableFromInline
  func end() -> StateDiff {
    defer { diff = StateDiff() }
    return diff
  }

  /// Ends it; passes the values that differ to `body`, and keeps the memory that held them.
  @inlinable
  func end(_ body: (StateChange) -> Void) {
    for index in diff.changes.indices { body(diff.changes[index]) }
    diff.removeAll()
  }

  func countNewPlace() { placeCount += 1 }

  /// The part of a place that a field holds, or what stands for a field.
  public func part(_ number: Int, _ name: StaticString, of place: StatePlace) -> StatePlace {
    place.part(UInt64(clamping: number), { name.description }, in: self)
  }

  /// A part that no field holds. Its name's address stands for the name.
  @usableFromInline
  func part(shownAs name: StaticString, of place: StatePlace) -> StatePlace {
    guard name.hasPointerRepresentation else { return place.part(.max, { name.description }, in: self) }
    return place.part(UInt64(UInt(bitPattern: name.utf8Start)), { name.description }, in: self)
  }

  /// The part of a place for one entry of a table.
  ///
  /// - Parameters:
  ///   - key: The entry's key, by which no other name is found in the table.
  ///   - name: The entry's name.
  public func part(key: UInt64, _ name: () -> String, of place: StatePlace) -> StatePlace {
    place.part(key, name, in: self)
  }

  /// The part of a place for an entry whose name alone finds it.
  func part(named name: String, of place: StatePlace) -> StatePlace { place.part(named: name, in: self) }

  /// Adds a part that is new, or gone.
  func compare(_ before: StateTree?, _ after: StateTree?, at place: StatePlace) {
    diff.compare(before, after, at: place.path.text)
  }

  /// Compares two parts of a state as trees. O(size of both).
  public func compare(_ before: StateTree, _ after: StateTree, at place: StatePlace) {
    switch (before, after) {
    case (.value(let old), .value(let new)): diff.add(old, new, at: place.path)
    case (.members, _), (_, .members): diff.compare(before, after, at: place.path.text)
    }
  }
}
