import WireFormat

extension MachineState {
  /// The slice's member of ``tree()``; an empty tree if there is none.
  public func tree(ofSlice index: Int) -> StateTree {
    guard Self.sliceNames.indices.contains(index) else { return .members([]) }
    return tree().member(named: Self.sliceNames[index]) ?? .members([])
  }

  /// Compares the canonical encodings. O(size of the slice).
  public func slice(_ index: Int, equals other: Self) -> Bool {
    encodedSlice(index) == other.encodedSlice(index)
  }

  /// Writes the canonical form.
  public func digestSlice(_ index: Int, into writer: inout DigestWriter) {
    encodeSlice(index, into: &writer.fields)
  }

  /// Removes nothing.
  public static func leaveOutCommonRows(ofSlice index: Int, _ one: inout Self, _ other: inout Self) {}

  /// The bytes that ``encodeSlice(_:into:)`` writes for one slice.
  public func encodedSlice(_ index: Int) -> [UInt8] {
    var writer = WireWriter()
    encodeSlice(index, into: &writer)
    return writer.bytes
  }

  /// The part of the state at `path`, built from its slice alone; the whole state for `/`; `nil` if nothing is there.
  public func tree(at path: String) -> StateTree? {
    guard let first = StateTree.components(of: path).first else { return tree() }
    guard let index = Self.sliceNames.firstIndex(of: String(first)) else { return nil }
    return StateTree.members([StateTree.Member(Self.sliceNames[index], tree(ofSlice: index))])[path: path]
  }

  /// The difference between this state and a later one. Costs what differs, apart from slices without tables that
  /// differ anywhere.
  public func changes(to later: Self) -> StateDiff {
    var diff = StateDiff()
    for (index, name) in Self.sliceNames.enumerated() where !slice(index, equals: later) {
      var (before, after) = (self, later)
      Self.leaveOutCommonRows(ofSlice: index, &before, &after)
      diff.compare(before.tree(ofSlice: index), after.tree(ofSlice: index), at: "/" + name)
    }
    return diff
  }
}
