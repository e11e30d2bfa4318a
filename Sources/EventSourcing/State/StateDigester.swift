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

    @usableFromInline
    init() {}

    @inlinable
    mutating func combined(
      of contents: StateVersion<State>.Contents, as scheme: StateDigest.Scheme, _ computer: Digest.Computer,
      _ digest: (Int, borrowing State) -> Digest
    ) -> Digest {
      if last == nil {
        slices = SliceDigests(State.sliceNames.map { StateDigest.Slice(name: $0, digest: .sha256([])) }, as: scheme)
      }
      var isChanged = false
      contents.forEachSlice(slices.places.indices, changedFrom: last?.contents) { index, state in
        isChanged = true
        slices[index] = digest(index, state)
      }
      if !isChanged, let last { return last.digest }
      let combined = computer.sha256(slices.bytes)
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
      merkle.combined(of: contents, as: scheme, writer.computer) { index, state in
        writer.fields.removeAll()
        state.digestSlice(index, into: &writer)
        return writer.computer.sha256(writer.fields)
      }
    case .canonical:
      canonical.combined(of: contents, as: scheme, writer.computer) { index, state in
        writer.fields.removeAll()
        state.encodeSlice(index, into: &writer.fields)
        return writer.computer.sha256(writer.fields)
      }
    }
  }
}
