extension StateDiffer {
  /// The differences between a state and a later one. O(what differs), as far as the state's slices can be compared field
  /// by field.
  @inlinable
  public func changes<State: MachineState>(from before: State, to after: State) -> StateDiff {
    changes(from: before, to: after, inSlices: State.sliceNames.indices)
  }

  /// The differences between some slices of a state and of a later one.
  @inlinable
  public func changes<State: MachineState>(
    from before: borrowing State, to after: borrowing State, inSlices slices: some Sequence<Int>
  ) -> StateDiff {
    let root = begin()
    for index in slices {
      if before.slice(index, equals: after) { continue }
      before.compareSlice(
        index, with: after, at: root.part(UInt64(index), { State.sliceNames[index] }, in: self), self)
    }
    return end()
  }

  /// The differences in the slices that may have changed.
  @inlinable
  package func changes<State: MachineState>(
    from before: borrowing State, to after: borrowing State, among changed: ChangedSlices
  ) -> StateDiff {
    changes(from: before, to: after, inSlices: State.sliceNames.indices.lazy.filter(changed.contains))
  }
}
