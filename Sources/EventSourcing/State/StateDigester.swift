import Cryptography
import WireFormat

/// Computes the digests of successive states, digesting only the slices that changed in between.
///
/// Retains the last state digested under each scheme.
public struct StateDigester<State: MachineState>: Sendable {
  @usableFromInline var merkle = Memory()
  @usableFromInline var canonical = Memory()
  @usableFromInline var writer = DigestWriter()

  /// The last state digested under one scheme.
  @usableFromInline
  struct Memory: Sendable {
    @usableFromInline var last: (contents: StateVersion<State>.Contents, digest: Digest)?
    @usableFromInline var slices = SliceDigests()
    @usableFromInline var computers: [SuccessiveSHA256] = []
    @usableFromInline var computer = SuccessiveSHA256()

    @usableFromInline
    init() {}

    /// The combined digest; `write` writes what the digest of a slice covers.
    @inlinable
    mutating func combined(
      of contents: StateVersion<State>.Contents, as scheme: StateDigest.Scheme, _ writer: inout DigestWriter,
      _ write: (Int, borrowing State, inout DigestWriter) -> Void
    ) -> Digest {
      if last == nil {
        slices = SliceDigests(State.sliceNames.map { StateDigest.Slice(name: $0, digest: .sha256([])) }, as: scheme)
        computers = slices.places.map { _ in SuccessiveSHA256() }
      }
      var isChanged = false
      contents.forEachSlice(computers.indices, changedFrom: last?.contents) { index, state in
        isChanged = true
        writer.fields.removeAll()
        write(index, state, &writer)
        slices[index] = writer.fields.withBytes { Digest(computers[index].digest($0)) }
      }
      if !isChanged, let last { return last.digest }
      let combined = slices.bytes.withUnsafeBytes { Digest(computer.digest($0)) }
      last = (contents, combined)
      return combined
    }
  }

  /// A digester whose first state is digested in full.
  public init() {}

  /// The digest of `state`. O(number of slices + what changed since the last call); with the canonical scheme, O(size of
  /// the slices that changed).
  @inlinable
  public mutating func digest(of state: State, as scheme: StateDigest.Scheme = .merkle) -> StateDigest {
    let combined = combined(of: state, as: scheme)
    let digests = scheme == .merkle ? merkle.slices : canonical.slices
    return StateDigest(
      slices: State.sliceNames.enumerated().map { StateDigest.Slice(name: $1, digest: digests[$0]) },
      combined: combined)
  }

  /// The combined digest of `state`, computed faster than ``digest(of:as:)``.
  @inlinable
  public mutating func combined(of state: State, as scheme: StateDigest.Scheme = .merkle) -> Digest {
    combined(of: StateVersion<State>.Contents(state: state, sequence: 0), as: scheme)
  }

  /// The combined digest over some slices of `state`, in their order.
  @usableFromInline
  mutating func combined(of state: State, as scheme: StateDigest.Scheme, slices: [Int]) -> Digest {
    let all = digest(of: state, as: scheme).slices
    return StateDigest(slices: slices.map { all[$0] }, as: scheme).combined
  }

  @inlinable
  mutating func combined(
    of contents: StateVersion<State>.Contents, as scheme: StateDigest.Scheme = .merkle
  ) -> Digest {
    switch scheme {
    case .merkle:
      merkle.combined(of: contents, as: scheme, &writer) { index, state, writer in
        state.digestSlice(index, into: &writer)
      }
    case .canonical:
      canonical.combined(of: contents, as: scheme, &writer) { index, state, writer in
        state.encodeSlice(index, into: &writer.fields)
      }
    }
  }
}
