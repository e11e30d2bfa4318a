import WireFormat

/// The value that folding a history of events produces.
///
/// A state is divided into slices, each encoded and digested separately, so that a difference between two states can be
/// located without comparing everything.
public protocol MachineState: Equatable, Sendable {
  /// The names of the slices. Elsewhere a slice is identified by its index in this array.
  static var sliceNames: [String] { get }

  /// The slices that a program without them may leave out of its states, as it may leave out ignorable events. The
  /// default is none: a program that does not know a slice computes no states after its first writer.
  ///
  /// An ignorable slice depends only on event types and versions that such a program does not know either, and no other
  /// slice depends on it.
  static var ignorableSlices: [String] { get }

  /// The fields of each slice, in the order of ``sliceNames``; none where the state does not describe them.
  ///
  /// Tools read from them who may see which part of a stored state, and which names a value can have.
  static var sliceDescriptors: [MessageDescriptor] { get }

  /// Writes one slice in canonical form: equal slices produce equal bytes, in every process.
  func encodeSlice(_ index: Int, into writer: inout WireWriter)

  /// Writes what a slice's digest covers: the canonical form, with the digests of each large ``StateTable``
  /// in place of its rows.
  ///
  /// The default writes the canonical form, as a slice without tables requires.
  func digestSlice(_ index: Int, into writer: inout DigestWriter)

  /// Reads one slice that ``encodeSlice(_:into:)`` wrote.
  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError)

  /// The whole state in readable form. The outermost members are the slices, in order.
  func tree() -> StateTree

  /// One slice in readable form: its member of ``tree()``.
  ///
  /// The default extracts it from ``tree()``. Building a slice on its own makes logs and blame much faster.
  func tree(ofSlice index: Int) -> StateTree

  /// Whether one slice equals that of `other`.
  ///
  /// The default compares canonical encodings. Comparing stored properties is much faster, and arrays that share
  /// storage compare in constant time. Slices with different encodings must not be equal. Swift's `==` of strings
  /// ignores how a letter is composed: if a rule may change only that, compare such strings by their UTF-8.
  func slice(_ index: Int, equals other: Self) -> Bool

  /// Returns the slices that may have changed since the last call, and forgets them; `nil` if the state does not know.
  ///
  /// The default is `nil`: then digests of successive states compare each with a copy of the one before. A state that keeps
  /// ``ChangedSlices`` makes checks and logs much faster. It must name every slice that changed; before the first call that is each.
  mutating func takeChangedSlices() -> ChangedSlices?

  /// Becomes equal to `other` in one slice. The others stay, or become equal as well.
  ///
  /// The default copies the whole state. Copying one slice makes blame and bisection faster.
  mutating func copySlice(_ index: Int, of other: Self)

  /// The part of one slice at a path of names, the whole slice for none; `nil` if nothing is there.
  ///
  /// The default extracts it from the slice's tree.
  func part(ofSlice index: Int, at names: ArraySlice<Substring>) -> StateTree?

  /// Adds what differs between one slice and that of a later state. Called for slices that are not equal.
  ///
  /// The default compares the slice's trees. Comparing field by field, as a ``FieldTree`` does, makes logs much faster.
  func compareSlice(_ index: Int, with later: Self, at place: StatePlace, _ differ: StateDiffer)

  /// Passes the personal data in the state to be opened.
  ///
  /// The default of a ``FieldList`` passes its ``Personal`` fields; other states have none.
  mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError)
}

extension MachineState {
  /// `nil`: the state does not know.
  @inlinable
  public mutating func takeChangedSlices() -> ChangedSlices? { nil }

  /// Passes nothing.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {}
}
