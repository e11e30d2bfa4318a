import WireFormat

/// The SHA-256 digests of a state: one for each slice, and one over all of them.
///
/// A slice's digest is that of its canonical encoding. The combined digest is that of, slice after slice in their
/// order, the length of the slice's name in UTF-8 (32 bits, little endian), the name, and the slice's digest.
/// Equal states have equal digests in every process and on every machine.
public struct StateDigest: Equatable, Sendable {
  /// The digests of the slices, in the order of ``MachineState/sliceNames``.
  public let slices: [Slice]
  /// The digest over all slices.
  public let combined: Digest

  /// The digest of one slice.
  public struct Slice: Equatable, Sendable {
    /// The slice's name.
    public let name: String
    /// The digest of its canonical encoding.
    public let digest: Digest

    /// Creates a named digest.
    public init(name: String, digest: Digest) {
      self.name = name
      self.digest = digest
    }
  }

  /// Combines the digests of slices.
  public init(slices: [Slice]) {
    self.slices = slices
    combined = .sha256(SliceDigests(slices).bytes)
  }

  @usableFromInline
  init(slices: [Slice], combined: Digest) {
    self.slices = slices
    self.combined = combined
  }

  /// Encodes and digests every slice of `state`. O(size of the state).
  public init<State: MachineState>(of state: State) {
    var digester = StateDigester<State>()
    self = digester.digest(of: state)
  }
}

/// What the combined digest of a state is computed over.
@usableFromInline
struct SliceDigests: Sendable {
  /// Slice after slice: the length of the name, the name, the digest.
  @usableFromInline private(set) var bytes: [UInt8] = []
  /// Where the digest of each slice begins.
  @usableFromInline private(set) var places: [Int] = []

  @usableFromInline
  init(_ slices: [StateDigest.Slice] = []) {
    for slice in slices {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: slice.name.utf8.count).littleEndian) {
        bytes.append(contentsOf: $0)
      }
      bytes.append(contentsOf: slice.name.utf8)
      places.append(bytes.count)
      slice.digest.append(to: &bytes)
    }
  }

  /// The digest of one slice.
  @usableFromInline
  subscript(index: Int) -> Digest {
    get { Digest(bytes, at: places[index]) }
    set { newValue.write(to: &bytes, at: places[index]) }
  }
}

/// Computes the digests of one state after another, encoding only the slices that changed in between.
///
/// It keeps the last state it saw.
public struct StateDigester<State: MachineState>: Sendable {
  @usableFromInline var last: (contents: StateVersion<State>.Contents, digest: Digest)?
  @usableFromInline var slices = SliceDigests()
  @usableFromInline var writer = WireWriter()
  @usableFromInline let computer = Digest.Computer()

  /// Creates a digester that has seen no state.
  public init() {}

  /// The digest of `state`. O(number of slices + size of the slices that changed since the last call).
  @inlinable
  public mutating func digest(of state: State) -> StateDigest {
    let combined = combined(of: state)
    return StateDigest(
      slices: State.sliceNames.enumerated().map { StateDigest.Slice(name: $1, digest: slices[$0]) }, combined: combined)
  }

  /// The digest over all slices of `state` alone, which is there sooner.
  @inlinable
  public mutating func combined(of state: State) -> Digest {
    combined(of: StateVersion<State>.Contents(state: state, sequence: 0))
  }

  @inlinable
  mutating func combined(of contents: StateVersion<State>.Contents) -> Digest {
    if last == nil {
      slices = SliceDigests(State.sliceNames.map { StateDigest.Slice(name: $0, digest: .sha256([])) })
    }
    var isChanged = false
    contents.forEachSlice(slices.places.indices, changedFrom: last?.contents) { index, state in
      isChanged = true
      writer.removeAll()
      state.encodeSlice(index, into: &writer)
      slices[index] = computer.sha256(writer)
    }
    if !isChanged, let last { return last.digest }
    let digest = computer.sha256(slices.bytes)
    self.last = (contents, digest)
    return digest
  }
}
