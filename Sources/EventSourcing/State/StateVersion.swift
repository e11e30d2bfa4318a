/// A state and its position in the history. Copying it copies a reference.
public struct StateVersion<State: MachineState>: Sendable {
  /// Holds an unchanging state by reference, because a state may be large to copy.
  @usableFromInline
  final class Contents: Sendable {
    @usableFromInline let state: State
    @usableFromInline let sequence: UInt64
    /// The journal's chain after the last event. Set once, when the events are in the journal and before other threads see
    /// the version, which is why access needs no check.
    @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var chain: UInt32

    @inlinable
    init(state: consuming State, sequence: UInt64, chain: UInt32 = 0) {
      self.state = state
      self.sequence = sequence
      self.chain = chain
    }

    /// Passes the state to `body` without copying it. A method of the object, because the optimizer copies a state
    /// reached through a reference from outside, retaining each of its parts.
    @inlinable
    func withState<Result: ~Copyable, Failure: Error>(
      _ body: (borrowing State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try body(state)
    }

    /// Passes an earlier state and this one to `body` without copying them.
    @inlinable
    func withStates<Result: ~Copyable, Failure: Error>(
      since earlier: Contents, _ body: (borrowing State, borrowing State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try earlier.withState { (earlier) throws(Failure) in try body(earlier, state) }
    }

    /// Calls `body`, in order, with the number of each slice that differs from an earlier state; with every slice if
    /// no earlier state exists.
    @inlinable
    func forEachSlice(_ slices: Range<Int>, changedFrom earlier: Contents?, _ body: (Int, borrowing State) -> Void) {
      withState { state in
        guard let earlier else {
          for index in slices { body(index, state) }
          return
        }
        earlier.withState { earlier in
          for index in slices where !state.slice(index, equals: earlier) { body(index, state) }
        }
      }
    }
  }

  @usableFromInline let contents: Contents

  /// What the events up to ``sequence`` add up to.
  @inlinable public var state: State { contents.state }
  /// The last event folded into the state; 0 before the first.
  @inlinable public var sequence: UInt64 { contents.sequence }
  /// The journal's chain after that event.
  @inlinable public var chain: UInt32 { contents.chain }

  /// `chain` is the journal's chain after event `sequence`.
  @inlinable
  public init(state: State, sequence: UInt64, chain: UInt32) {
    self.init(Contents(state: state, sequence: sequence, chain: chain))
  }

  @inlinable
  init(_ contents: Contents) { self.contents = contents }
}
