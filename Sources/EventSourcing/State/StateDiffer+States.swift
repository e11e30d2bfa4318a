extension StateDiffer {
  /// The differences between a state and a later one. O(what differs), as far as the state's slices can be compared field
  /// by field.
  public func changes<State: MachineState>(from before: State, to after: State) -> StateDiff {
    changes(from: before, to: after, inSlices: State.sliceNames.indices)
  }

  /// The differences between some slices of a state and of a later one.
  public func changes<State: MachineState>(
    from before: State, to after: State, inSlices slices: some Sequence<Int>
  ) -> StateDiff {
    differences { root in
      for index in slices where !before.slice(index, equals: after) {
        before.compareSlice(
          index, with: after, at: root.part(UInt64(index), { State.sliceNames[index] }, in: self), self)
      }
    }
  }
}
