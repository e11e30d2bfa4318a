extension StateDiffer {
  /// Passes each value that differs between some slices of a state and of a later one to `body`, in order. Allocates nothing
  /// where few values differ.
  ///
  /// `body` must not use this differ.
  @inlinable
  package func forEachChange<State: MachineState>(
    from before: borrowing State, to after: borrowing State, inSlices slices: [Int], _ body: (StateChange) -> Void
  ) {
    let root = begin()
    for index in slices where !before.slice(index, equals: after) {
      before.compareSlice(
        index, with: after, at: root.part(UInt64(index), { State.sliceNames[index] }, in: self), self)
    }
    end(body)
  }
}
