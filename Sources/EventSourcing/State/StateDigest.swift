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
    self.init(slices: slices, by: Digest.Computer())
  }

  @usableFromInline
  init(slices: [Slice], by computer: Digest.Computer) {
    self.slices = slices
    var bytes: [UInt8] = []
    bytes.reserveCapacity(slices.reduce(0) { $0 + 4 + $1.name.utf8.count + Digest.byteCount })
    for slice in slices {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: slice.name.utf8.count).littleEndian) {
        bytes.append(contentsOf: $0)
      }
      bytes.append(contentsOf: slice.name.utf8)
      slice.digest.append(to: &bytes)
    }
    combined = computer.sha256(bytes)
  }

  /// Encodes and digests every slice of `state`. O(size of the state).
  public init<State: MachineState>(of state: State) {
    var digester = StateDigester<State>()
    self = digester.digest(of: state)
  }
}

/// Computes the digests of one state after another, encoding only the slices that changed in between.
///
/// It keeps a copy of the last state it saw, which shares storage with the caller's.
public struct StateDigester<State: MachineState>: Sendable {
  @usableFromInline var state: State?
  @usableFromInline var digest: StateDigest?
  @usableFromInline var writer = WireWriter()
  @usableFromInline let computer = Digest.Computer()

  /// Creates a digester that has seen no state.
  public init() {}

  /// The digest of `state`. O(number of slices + size of the slices that changed since the last call).
  @inlinable
  public mutating func digest(of state: State) -> StateDigest {
    let names = State.sliceNames
    var slices = digest?.slices ?? []
    var changed = slices.count != names.count
    if changed { slices = names.map { StateDigest.Slice(name: $0, digest: .sha256([])) } }
    // Taken out once, because a state is large to copy; a digester that has seen none compares with this one.
    let last = self.state ?? state
    let isFirst = changed
    for index in names.indices where isFirst || !state.slice(index, equals: last) {
      changed = true
      writer.removeAll()
      state.encodeSlice(index, into: &writer)
      slices[index] = StateDigest.Slice(name: names[index], digest: computer.sha256(writer.bytes))
    }
    if !changed, let digest { return digest }
    let digest = StateDigest(slices: slices, by: computer)
    self.state = state
    self.digest = digest
    return digest
  }
}
