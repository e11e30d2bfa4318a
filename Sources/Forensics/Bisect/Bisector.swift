/// Finds the first event after which a question is answered otherwise, by asking at as few events as possible.
///
/// It relies on the answer changing once. Events at which the question cannot be answered are skipped, as `git bisect` does.
public struct Bisector: Equatable, Sendable {
  /// The answer at one event.
  public enum Verdict: Equatable, Sendable {
    /// As before the first event.
    case good
    /// As after the last event.
    case bad
    /// It cannot be determined.
    case skipped
  }

  /// The last event known to be good.
  public private(set) var good: UInt64
  /// The first event known to be bad.
  public private(set) var bad: UInt64
  private var skipped: Set<UInt64> = []

  /// The most events that can be skipped.
  public static let maximumSkipped = 1000

  /// `good` must come before `bad`.
  public init(good: UInt64, bad: UInt64) {
    (self.good, self.bad) = (good, bad)
  }

  /// The event to ask about next: the one nearest to the middle that was not skipped; `nil` at the end.
  public var next: UInt64? {
    guard good < bad, bad - good > 1, skipped.count <= Self.maximumSkipped else { return nil }
    let middle = good + (bad - good) / 2
    for distance in 0...(bad - good) / 2 {
      for place in [middle - distance, middle &+ distance]
      where place > good && place < bad && !skipped.contains(place) {
        return place
      }
    }
    return nil
  }

  /// Records the answer at an event between the two.
  public mutating func record(_ verdict: Verdict, at sequence: UInt64) {
    switch verdict {
    case .good: good = max(good, sequence)
    case .bad: bad = min(bad, sequence)
    case .skipped: skipped.insert(sequence)
    }
  }

  /// The events of which one is the first bad one, at the end: several only where events were skipped.
  public var suspects: ClosedRange<UInt64> { min(good + 1, bad)...bad }
}
