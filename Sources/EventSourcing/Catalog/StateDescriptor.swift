/// What computes the states of a history: the revision of the rules, and the slices of a state.
///
/// The catalogue in each segment of a journal holds it beside the event types, so that a later program knows what the
/// digests in the segment cover, and an earlier one which slices it would have to understand.
public struct StateDescriptor: Hashable, Sendable {
  /// The revision of the rules, from 1.
  public let revision: UInt32
  /// The slices, in the order of their digests.
  public let slices: [Slice]

  /// One slice.
  public struct Slice: Hashable, Sendable {
    /// The slice's name.
    public let name: String
    /// What a program without the slice must do: leave it out of its states, or compute none.
    public let unknownReaders: UnknownReaderRule

    /// Describes a slice.
    public init(_ name: String, unknownReaders: UnknownReaderRule = .mustUnderstand) {
      self.name = name
      self.unknownReaders = unknownReaders
    }
  }

  /// `revision` counts from 1.
  public init(revision: UInt32, slices: [Slice]) {
    self.revision = revision
    self.slices = slices
  }
}
