import Synchronization

/// The newest version of a state, for readers that never wait for a writer, a lock or one another.
///
/// Versions occupy a few slots, one of which is the newest. A reader announces itself in a slot, makes sure that the
/// slot is still the newest, and keeps a reference to its contents. The writer fills a slot that is not the newest and
/// has no readers, then makes it the newest:
///
/// - A reader that looks where the writer writes sees that the slot is not the newest, leaves it unread and retries.
/// - The writer sees a reader that found its slot the newest, and takes another slot. A reader interrupted between two
///   instructions therefore blocks no one; only when readers are stuck in all slots but one does the writer retry until
///   one of them continues.
///
/// The three steps on both sides are sequentially consistent: when a reader announces itself while a writer moves on,
/// at least one of them sees the other.
@usableFromInline
final class PublishedState<State: MachineState>: @unchecked Sendable {
  // Unchecked because of the slots, which are read and written as described above.

  @usableFromInline
  struct Slot: ~Copyable {
    /// Number of readers looking into the slot right now.
    @usableFromInline let readers = Atomic<Int>(0)
    @usableFromInline var version: StateVersion<State>

    @usableFromInline
    init(_ version: StateVersion<State>) { self.version = version }
  }

  /// More slots than the likely number of interrupted readers; each keeps one version alive.
  @usableFromInline static var slotCount: Int { 4 }

  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let newest = Atomic<Int>(0)

  init(_ version: StateVersion<State>) {
    slots = .allocate(capacity: Self.slotCount)
    for index in 0..<Self.slotCount { (slots + index).initialize(to: Slot(version)) }
  }

  deinit {
    slots.deinitialize(count: Self.slotCount)
    slots.deallocate()
  }

  /// The newest version. Retries only if another version was published in between.
  @inlinable
  var current: StateVersion<State> {
    while true {
      let index = newest.load(ordering: .sequentiallyConsistent)
      slots[index].readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { slots[index].readers.wrappingSubtract(1, ordering: .releasing) }
      if newest.load(ordering: .sequentiallyConsistent) == index { return slots[index].version }
    }
  }

  /// Makes a version the newest. Only one caller at a time is allowed.
  @inlinable
  func publish(_ version: StateVersion<State>) {
    let last = newest.load(ordering: .relaxed)
    var index = last
    repeat {
      index = (index + 1) % Self.slotCount
    } while index == last || slots[index].readers.load(ordering: .sequentiallyConsistent) != 0
    slots[index].version = version
    newest.store(index, ordering: .sequentiallyConsistent)
  }

  /// Lets go of the versions before the newest, which may share little with it, except where a reader looks right now. Not while
  /// another publishes.
  func dropEarlier() {
    let index = newest.load(ordering: .relaxed)
    for other in 0..<Self.slotCount
    where other != index && slots[other].readers.load(ordering: .sequentiallyConsistent) == 0 {
      slots[other].version = slots[index].version
    }
  }
}
