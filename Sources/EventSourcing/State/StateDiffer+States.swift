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

extension StateDiffer {
  /// Passes each value that differs between some slices of a state and of a later one to `body`, in order. Allocates nothing
  /// where few values differ.
  ///
  /// - Parameters:
  ///   - slices: The slices to compare.
  ///   - changed: Those that may differ; others are not looked at.
  ///   - body: Must not use this differ.
  @inlinable
  package func forEachChange<State: MachineState>(
    from before: borrowing State, to after: borrowing State, inSlices slices: [Int],
    among changed: ChangedSlices = ChangedSlices(), _ body: (StateChange) -> Void
  ) {
    let root = begin()
    for index in slices where changed.contains(index) {
      if before.slice(index, equals: after) { continue }
      before.compareSlice(
        index, with: after, at: root.part(UInt64(index), { State.sliceNames[index] }, in: self), self)
    }
    end(body)
  }

  /// Whether any value differs between a state and a later one, as far as slices may that changed.
  @inlinable
  package func findsChange<State: MachineState>(
    from before: borrowing State, to after: borrowing State, among changed: ChangedSlices
  ) -> Bool {
    let root = begin()
    // The last slices are those that change most often, and the smallest ones.
    for index in State.sliceNames.indices.reversed() where changed.contains(index) {
      if before.slice(index, equals: after) { continue }
      before.compareSlice(
        index, with: after, at: root.part(UInt64(index), { State.sliceNames[index] }, in: self), self)
      if !diff.changes.isEmpty { break }
    }
    let isFound = !diff.changes.isEmpty
    diff.removeAll()
    return isFound
  }
}
