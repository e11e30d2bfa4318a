import WireFormat

/// A state that lists its fields: each one is a slice.
///
/// An operation on one slice visits every field and works on one, so it costs what that field has, and of a ``StateTable`` what
/// changed. A state of very many fields defines its slices itself.
extension MachineState where Self: FieldList {
  /// Visits the fields.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try Self.visit(&self, &pass)
  }

  /// The names of the fields. Found out once in a process.
  public static var sliceNames: [String] {
    fieldNames.value(ObjectIdentifier(Self.self)) { descriptor.fields.map(\.name) }
  }

  /// The fields, each with those within it.
  public static var sliceDescriptors: [MessageDescriptor] {
    descriptor.fields.map { field in
      if case .message(let part) = field.type { part } else { MessageDescriptor(field.name, [field]) }
    }
  }

  /// Writes one field.
  @inlinable
  public func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    var copy = self
    var field = FieldAt(index, WireWriter())
    swap(&field.visitor, &writer)
    Self.visit(&copy, &field)
    swap(&field.visitor, &writer)
  }

  /// Writes one field: of a large table the digests in place of its rows, unless the digest is one that journals recorded before
  /// the list said so.
  @inlinable
  public func digestSlice(_ index: Int, into writer: inout DigestWriter) {
    writer.isListed = true
    if writer.scheme == .listed {
      digestField(index, into: &writer)
    } else {
      encodeSlice(index, into: &writer.fields)
    }
  }

  /// Whether both have the field encoded alike. O(1) for what they share.
  @inlinable
  public func slice(_ index: Int, equals other: Self) -> Bool {
    other.withField(index) { place in
      var copy = self
      var field = FieldAt(index, FieldEquality(place))
      Self.visit(&copy, &field)
      return field.visitor.isEqual
    }
  }

  /// Copies one field.
  @inlinable
  public mutating func copySlice(_ index: Int, of other: Self) {
    other.withField(index) { place in
      var field = FieldAt(index, FieldAssignment(place))
      Self.visit(&self, &field)
    }
  }

  /// Reads one field; unknown ones are skipped.
  @inlinable
  public mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    var fields = FieldReader(reader)
    try Self.visit(&self, &fields)
    if !fields.reader.isAtEnd { try Self.visitRest(&self, &fields) }
    reader = fields.reader
  }
}

extension MachineState where Self: FieldTree {
  /// The tree of one field.
  @inlinable
  public func tree(ofSlice index: Int) -> StateTree { part(ofSlice: index, at: []) ?? .members([]) }

  /// The part of one field, without the others. O(log n) for a row of a table.
  @inlinable
  public func part(ofSlice index: Int, at names: ArraySlice<Substring>) -> StateTree? {
    guard Self.sliceNames.indices.contains(index) else { return StateTree.members([])[names: names] }
    var copy = self
    var field = FieldAt(index, FieldFinder(Self.sliceNames[index][...], names))
    Self.visit(&copy, &field)
    // A field that is not shown has no tree.
    return field.visitor.found ?? (names.isEmpty ? .members([]) : nil)
  }

  /// Compares one field; of a table the rows that differ.
  @inlinable
  public func compareSlice(_ index: Int, with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    let counts = differ.diff.counts
    let first = differ.values.count
    var (state, last) = (self, later)
    let isWhole = withUnsafeMutablePointer(to: &state) { state in
      let memory = UnsafeRawBufferPointer(start: state, count: MemoryLayout<Self>.size)
      var collector = FieldAt(index, FieldCollector(differ.values, of: memory))
      Self.visit(&state.pointee, &collector)
      var comparer = FieldAt(index, FieldComparer(differ, atFieldAt: place, first: first))
      Self.visit(&last, &comparer)
      differ.values.removeAll(from: first)
      return comparer.visitor.hasVisitedAll
    }
    if !isWhole {
      // The list depends on its values.
      differ.diff.shorten(to: counts)
      differ.compare(tree(ofSlice: index), later.tree(ofSlice: index), at: place)
    }
  }
}

/// The names of states' fields: a generic type cannot keep its own.
private let fieldNames = Memos<ObjectIdentifier, [String]>()
