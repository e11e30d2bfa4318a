import WireFormat

/// A value that a history of events adds up to.
///
/// A state is divided into slices, each encoded and digested on its own, so that a difference between two states can be
/// named without comparing everything.
public protocol MachineState: Equatable, Sendable {
  /// The names of the slices; a slice is known by its index here.
  static var sliceNames: [String] { get }

  /// Writes one slice in its canonical form: equal slices give equal bytes, in every process.
  func encodeSlice(_ index: Int, into writer: inout WireWriter)

  /// Reads one slice that ``encodeSlice(_:into:)`` wrote.
  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError)

  /// The whole state for people. The outermost members are the slices, in their order.
  func tree() -> StateTree

  /// One slice for people: the member of ``tree()`` that stands for it.
  ///
  /// The default takes it from ``tree()``; a state that can build one slice alone makes logs and blame much faster.
  func tree(ofSlice index: Int) -> StateTree

  /// Whether one slice is the same in `other`.
  ///
  /// The default compares canonical encodings; comparing the stored properties is much faster, and arrays that share
  /// their storage compare in constant time.
  func slice(_ index: Int, equals other: Self) -> Bool

  /// How much the part of ``tree()`` at `path`, such as `/accounts/a1/status`, says about the event that changed it.
  ///
  /// The default is ``HeadlineRank/ordinary`` for every part.
  static func headlineRank(ofPath path: String) -> HeadlineRank
}
