import WireFormat

extension MachineState {
  /// None: every slice must be understood.
  public static var ignorableSlices: [String] { [] }

  /// None.
  public static var sliceDescriptors: [MessageDescriptor] { [] }

  /// The slice's member of ``tree()``; an empty tree if there is none.
  public func tree(ofSlice index: Int) -> StateTree {
    guard Self.sliceNames.indices.contains(index) else { return .members([]) }
    return tree().member(named: Self.sliceNames[index]) ?? .members([])
  }

  /// Compares the canonical encodings. O(size of the slice).
  public func slice(_ index: Int, equals other: Self) -> Bool {
    encodedSlice(index) == other.encodedSlice(index)
  }

  /// Copies the whole state.
  @inlinable
  public mutating func copySlice(_ index: Int, of other: Self) { self = other }

  /// Writes the canonical form.
  public func digestSlice(_ index: Int, into writer: inout DigestWriter) {
    encodeSlice(index, into: &writer.fields)
  }

  /// The bytes that ``encodeSlice(_:into:)`` writes for one slice.
  public func encodedSlice(_ index: Int) -> [UInt8] {
    var writer = WireWriter()
    encodeSlice(index, into: &writer)
    return writer.bytes
  }

  /// The part of the state at `path`, built from its slice alone; the whole state for `/`; `nil` if nothing is there.
  public func tree(at path: String) -> StateTree? {
    let names = StateTree.components(of: path)
    guard let first = names.first else { return tree() }
    guard let index = Self.sliceNames.firstIndex(where: { $0.utf8.elementsEqual(first.utf8) }) else { return nil }
    return part(ofSlice: index, at: names.dropFirst())
  }

  /// Extracts the part from the slice's tree.
  public func part(ofSlice index: Int, at names: ArraySlice<Substring>) -> StateTree? {
    tree(ofSlice: index)[names: names]
  }

  /// Compares the trees of one slice. O(size of the slice).
  public func compareSlice(_ index: Int, with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    differ.compare(tree(ofSlice: index), later.tree(ofSlice: index), at: place)
  }

  /// The difference between this state and a later one, found by comparing slices first. A ``StateDiffer`` compares many
  /// states faster.
  public func changes(to later: Self) -> StateDiff {
    StateDiffer().changes(from: self, to: later)
  }
}

/// The slices of a state that may have changed since they were last taken.
///
/// A state that keeps one beside its slices enters each slice that is written:
///
/// ```swift
/// public internal(set) var accounts = AccountTable<Account>() { didSet { changed.insert(2) } }
/// ```
///
/// It says nothing about what a state is, so any two are equal.
public struct ChangedSlices: Sendable, Equatable {
  /// A bit for each slice; slices share one if there are more than 64, which only makes digests slower.
  @usableFromInline var bits: UInt64

  /// Every slice: nothing is known of a new state.
  @inlinable
  public init() { bits = .max }

  /// Enters the slice with this number.
  @inlinable
  public mutating func insert(_ slice: Int) { bits |= 1 &<< UInt64(truncatingIfNeeded: slice) }

  /// Removes and returns all slices.
  @inlinable
  public mutating func removeAll() -> ChangedSlices {
    defer { bits = 0 }
    return self
  }

  @inlinable
  package func contains(_ slice: Int) -> Bool { bits & 1 &<< UInt64(truncatingIfNeeded: slice) != 0 }

  @inlinable
  package mutating func formUnion(_ other: ChangedSlices) { bits |= other.bits }

  /// `true`.
  @inlinable
  public static func == (one: ChangedSlices, other: ChangedSlices) -> Bool { true }
}
