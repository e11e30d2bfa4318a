import WireFormat

/// Computes the digests of successive states, digesting only the slices that changed in between.
///
/// Retains the last state digested under each scheme; of states that mark what changes, only the rows of small tables.
public struct StateDigester<State: MachineState>: Sendable {
  @usableFromInline var merkle = Memory(.merkle)
  @usableFromInline var listed = Memory(.listed)
  @usableFromInline var canonical = Memory(.canonical)
  /// How digests are computed unless a caller says otherwise.
  @usableFromInline let own = State.digestScheme
  @usableFromInline var writer = DigestWriter()

  /// The last state digested under one scheme.
  @usableFromInline
  struct Memory: Sendable {
    @usableFromInline let scheme: StateDigest.Scheme
    /// Whether the scheme is that of a list, and the state has come to write its digests itself.
    @usableFromInline let writesOwnDigests: Bool
    @usableFromInline var slices = SliceDigests()
    /// The combined digest; `nil` before the first state.
    @usableFromInline var digest: Digest?
    /// The state, to compare the next one with.
    @usableFromInline var last: StateVersion<State>.Contents?
    /// The slices that the next one marked.
    @usableFromInline var changed = ChangedSlices()

    @usableFromInline
    init(_ scheme: StateDigest.Scheme) {
      self.scheme = scheme
      writesOwnDigests = scheme == .listed && State.digestScheme != .listed
    }

    /// The combined digest of a state that is kept to be compared with the next one.
    @inlinable
    mutating func combined(of contents: StateVersion<State>.Contents, _ writer: inout DigestWriter) -> Digest {
      if digest == nil { begin() }
      var isChanged = false
      contents.forEachSlice(slices.indices, changedFrom: last) { index, state in
        isChanged = true
        update(index, of: state, isInPlace: false, &writer)
      }
      if !isChanged, let digest { return digest }
      return end(keeping: contents)
    }

    /// The combined digest of a state that marked what changed.
    @inlinable
    mutating func combined(ofMarked state: inout State, _ writer: inout DigestWriter) -> Digest {
      if digest == nil { begin() }
      for index in slices.indices where changed.contains(index) {
        update(index, of: state, isInPlace: true, &writer)
      }
      return end(keeping: nil)
    }

    @usableFromInline
    mutating func begin() {
      slices = SliceDigests(State.sliceNames.map { StateDigest.Slice(name: $0, digest: .sha256([])) }, as: scheme)
    }

    @inlinable
    mutating func update(
      _ index: Int, of state: borrowing State, isInPlace: Bool, _ writer: inout DigestWriter
    ) {
      writer.fields.removeAll()
      (writer.slice, writer.isInPlace, writer.scheme) = (index, isInPlace, scheme)
      switch scheme {
      case .listed where writesOwnDigests: StateDigest.writeListed(index, of: copy state, into: &writer)
      case .merkle, .listed: state.digestSlice(index, into: &writer)
      case .canonical: state.encodeSlice(index, into: &writer.fields)
      }
      slices.update(index, writer.fields)
    }

    @inlinable
    mutating func end(keeping contents: StateVersion<State>.Contents?) -> Digest {
      let combined = slices.combined()
      _ = changed.removeAll()
      (last, digest) = (contents, combined)
      return combined
    }
  }

  /// A digester whose first state is digested in full.
  public init() {}

  /// The digest of `state`. O(number of slices + what changed since the last call); with the canonical scheme, O(size of
  /// the slices that changed).
  @inlinable
  public mutating func digest(of state: State, as scheme: StateDigest.Scheme? = nil) -> StateDigest {
    let scheme = scheme ?? own
    let combined = combined(of: state, as: scheme)
    let digests =
      switch scheme {
      case .merkle: merkle.slices
      case .listed: listed.slices
      case .canonical: canonical.slices
      }
    return StateDigest(
      slices: State.sliceNames.enumerated().map { StateDigest.Slice(name: $1, digest: digests[$0]) },
      combined: combined, as: scheme)
  }

  /// The combined digest of `state`, computed faster than ``digest(of:as:)``.
  @inlinable
  public mutating func combined(of state: State, as scheme: StateDigest.Scheme? = nil) -> Digest {
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
    of contents: StateVersion<State>.Contents, as scheme: StateDigest.Scheme? = nil
  ) -> Digest {
    switch scheme ?? own {
    case .merkle: merkle.combined(of: contents, &writer)
    case .listed: listed.combined(of: contents, &writer)
    case .canonical: canonical.combined(of: contents, &writer)
    }
  }

  /// The combined digest of the successor of the last state, which changes in place if it marks what changes.
  ///
  /// - Parameter state: A state that only this digester asks for its changes, and that was the last one digested, or whose
  ///   changes were never asked for.
  @inlinable
  mutating func combined(following state: inout State, as scheme: StateDigest.Scheme? = nil) -> Digest {
    guard let changed = state.takeChangedSlices() else { return combined(of: state, as: scheme) }
    merkle.changed.formUnion(changed)
    listed.changed.formUnion(changed)
    canonical.changed.formUnion(changed)
    return switch scheme ?? own {
    case .merkle: merkle.combined(ofMarked: &state, &writer)
    case .listed: listed.combined(ofMarked: &state, &writer)
    case .canonical: canonical.combined(ofMarked: &state, &writer)
    }
  }
}

extension StateDigest {
  /// Writes what the digest of a slice covered as long as the state only listed its fields: it has a
  /// ``MachineState/digestSlice(_:into:)`` of its own since.
  @usableFromInline
  static func writeListed(_ index: Int, of state: some MachineState, into writer: inout DigestWriter) {
    if let list = state as? any FieldList {
      list.digestField(index, into: &writer)
    } else {
      state.encodeSlice(index, into: &writer.fields)
    }
  }
}
