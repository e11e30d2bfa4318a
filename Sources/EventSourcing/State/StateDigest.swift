import WireFormat

/// The SHA-256 digests of a state: one per slice and a combined one.
///
/// A slice's digest covers its canonical encoding. The combined digest covers, for each slice in order, the length of
/// its name in UTF-8 (32 bits, little endian), the name, and the slice's digest.
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
    /// The SHA-256 of its canonical encoding.
    public let digest: Digest

    /// `digest` must cover the slice's canonical encoding.
    public init(name: String, digest: Digest) {
      self.name = name
      self.digest = digest
    }
  }

  /// Computes the combined digest from those of the slices.
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

/// The input of a state's combined digest.
@usableFromInline
struct SliceDigests: Sendable {
  /// For each slice: the length of its name, the name, the digest.
  @usableFromInline private(set) var bytes: [UInt8] = []
  /// The offset of each slice's digest.
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

/// Computes the digests of successive states, encoding only the slices that changed in between.
///
/// Retains the last state digested.
public struct StateDigester<State: MachineState>: Sendable {
  @usableFromInline var last: (contents: StateVersion<State>.Contents, digest: Digest)?
  @usableFromInline var slices = SliceDigests()
  @usableFromInline var writer = WireWriter()
  @usableFromInline let computer = Digest.Computer()

  /// A digester whose first state is encoded in full.
  public init() {}

  /// The digest of `state`. O(number of slices + size of the slices that changed since the last call).
  @inlinable
  public mutating func digest(of state: State) -> StateDigest {
    let combined = combined(of: state)
    return StateDigest(
      slices: State.sliceNames.enumerated().map { StateDigest.Slice(name: $1, digest: slices[$0]) }, combined: combined)
  }

  /// The combined digest of `state`, computed faster than ``digest(of:)``.
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
