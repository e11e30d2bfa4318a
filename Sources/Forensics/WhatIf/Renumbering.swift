/// The numbers that events have in an imagined history, by those in the real one.
///
/// Memory is bounded: of a history with very many gaps, only the newest numbers are known.
public struct Renumbering: Sendable {
  /// Where a real event is in the imagined history.
  public enum Place: Equatable, Sendable {
    /// It has this number.
    case event(UInt64)
    /// It is not there.
    case absent
    /// Its number is not known any more.
    case forgotten
  }

  /// Consecutive events that stay consecutive.
  @usableFromInline
  struct Run: Sendable {
    @usableFromInline var first: UInt64
    @usableFromInline var last: UInt64
    @usableFromInline var imagined: UInt64

    @inlinable
    init(first: UInt64, imagined: UInt64) {
      (self.first, self.last, self.imagined) = (first, first, imagined)
    }
  }

  @usableFromInline var runs: [Run] = []
  /// The first real event whose place is remembered.
  @usableFromInline var firstKnown: UInt64
  /// The last real event that has no run because numbers up to it are the same.
  @usableFromInline let same: UInt64
  /// Events out of their order.
  @usableFromInline var moved: [UInt64: UInt64] = [:]

  /// The most runs that are remembered: 6 MiB.
  @inlinable static var maximumRuns: Int { 262_144 }

  /// - Parameter same: The last event that keeps its number because nothing before it changes.
  @inlinable
  init(same: UInt64) {
    (self.same, firstKnown) = (same, same + 1)
  }

  /// Records the next event of the real history that stays.
  @inlinable
  mutating func record(_ sequence: UInt64, is imagined: UInt64) {
    if let last = runs.indices.last, runs[last].last + 1 == sequence,
      runs[last].imagined + (sequence - runs[last].first) == imagined
    {
      runs[last].last = sequence
      return
    }
    if runs.count >= Self.maximumRuns {
      runs.removeFirst(Self.maximumRuns / 2)
      firstKnown = runs.first?.first ?? firstKnown
    }
    runs.append(Run(first: sequence, imagined: imagined))
  }

  /// Records an event that was moved.
  @inlinable
  mutating func recordMove(_ sequence: UInt64, to imagined: UInt64) {
    moved[sequence] = imagined
  }

  /// Where a real event is. O(log n) in the number of gaps.
  public func place(of sequence: UInt64) -> Place {
    if sequence <= same { return .event(sequence) }
    if let number = moved[sequence] { return .event(number) }
    guard sequence >= firstKnown else { return .forgotten }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].last < sequence { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count, runs[low].first <= sequence else { return .absent }
    return .event(runs[low].imagined + (sequence - runs[low].first))
  }

  /// The number by which an imagined event refers to a real one; 0 where that is not there.
  func reference(to sequence: UInt64) -> UInt64 {
    if case .event(let number) = place(of: sequence) { number } else { 0 }
  }
}
