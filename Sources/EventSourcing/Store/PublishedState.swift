import Synchronization

/// The newest version of a state, for readers that wait for nobody: not for a writer, not for a lock, not for one another.
///
/// Versions lie in a few slots, one of which is the newest. A reader notes in a slot that it is looking, makes sure that
/// the slot is still the newest, and keeps a reference to what lies there. The writer fills a slot that is not the newest
/// and into which nobody looks, and then calls it the newest:
///
/// - A reader that looks where the writer writes sees that the slot is not the newest, leaves it unread and looks again.
/// - A reader that found its slot the newest is seen by the writer, which takes another slot. That a reader was
///   interrupted between two instructions therefore makes nobody wait; only when readers are stuck in all slots but one
///   does the writer try again until one of them goes on.
///
/// The three steps on both sides are sequentially consistent: of a reader that announces itself and a writer that moves
/// on at the same time, at least one sees the other.
@usableFromInline
final class PublishedState<State: MachineState>: @unchecked Sendable {
  // Unchecked because of the slots, which are written and read as the text above says.

  @usableFromInline
  struct Slot: ~Copyable {
    /// How many readers are looking into the slot at this moment.
    @usableFromInline let readers = Atomic<Int>(0)
    @usableFromInline var version: StateVersion<State>

    @usableFromInline
    init(_ version: StateVersion<State>) { self.version = version }
  }

  /// More slots than there can reasonably be interrupted readers; each keeps one version alive.
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

  /// The newest version. Tries again only when a version was published in between.
  @inlinable
  var current: StateVersion<State> {
    while true {
      let index = newest.load(ordering: .sequentiallyConsistent)
      slots[index].readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { slots[index].readers.wrappingSubtract(1, ordering: .releasing) }
      if newest.load(ordering: .sequentiallyConsistent) == index { return slots[index].version }
    }
  }

  /// Makes a version the newest. There must be one caller at a time.
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
}
