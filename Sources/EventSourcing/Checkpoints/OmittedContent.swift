import WireFormat

/// What a state lacks because the programs that computed it did not know it: events that may be left out, slices, and fields
/// of slices.
///
/// A program that knows one of them folds the events again instead of using the state.
@usableFromInline
struct OmittedContent: Equatable, Sendable {
  /// One kind of event, one slice, or one field of a slice.
  struct Part: Equatable, Sendable {
    /// The event type and its version; zero for a slice or a field, and for everything beyond ``OmittedContent/capacity``.
    var type: UInt32 = 0
    var version: UInt32 = 0
    /// The slice's name; empty for events.
    var slice = ""
    /// The number of a field of the slice, after those of the messages around it; empty for all of the slice.
    var field = ""
    /// The last event at which it was left out.
    var last: UInt64 = 0
  }

  /// The most kinds that are distinguished.
  static var capacity: Int { 256 }

  private(set) var parts: [Part] = []

  /// Adds an event whose type or version is unknown.
  @usableFromInline
  mutating func add(type: UInt32, version: UInt32, at sequence: UInt64) {
    add(Part(type: type, version: version, last: sequence))
  }

  /// Adds a part.
  mutating func add(_ part: Part) {
    var part = part
    if let index = index(of: part) ?? (parts.count < Self.capacity ? nil : index(ofOther: &part)) {
      parts[index].last = max(parts[index].last, part.last)
    } else {
      parts.append(part)
    }
  }

  /// Whether a slice that this program has may be another than in the program that left out nothing: events were left out,
  /// which may have changed any, or a field of one was.
  var concernsKnownSlices: Bool { parts.contains { $0.slice.isEmpty || !$0.field.isEmpty } }

  /// Whether it has a kind that `other` does not have.
  func exceeds(_ other: OmittedContent) -> Bool {
    parts.contains { !other.contains($0) }
  }

  /// Whether it has a part of that kind.
  func contains(_ part: Part) -> Bool { index(of: part) != nil }

  /// Forgets all other parts.
  mutating func keep(where isWanted: (Part) -> Bool) { parts.removeAll { !isWanted($0) } }

  /// Forgets the parts that a program knows.
  ///
  /// - Parameter isOwn: Whether that program stored the state.
  mutating func forget<Machine: Reducer>(knownTo machine: Machine.Type, isOwn: Bool) {
    parts.removeAll { $0.isKnown(to: machine, isOwn: isOwn) }
  }

  /// What the parts are called.
  @usableFromInline
  func texts<Machine: Reducer>(in machine: Machine.Type) -> [String] { parts.map { $0.text(in: machine) } }

  private func index(of part: Part) -> Int? {
    parts.firstIndex { ($0.type, $0.version, $0.slice, $0.field) == (part.type, part.version, part.slice, part.field) }
  }

  /// Where everything beyond the capacity is noted.
  private func index(ofOther part: inout Part) -> Int? {
    part = Part(last: part.last)
    return index(of: part)
  }
}

extension OmittedContent.Part {
  /// Reads a part.
  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: type = try reader.unsigned(field, as: UInt32.self)
      case 2: version = try reader.unsigned(field, as: UInt32.self)
      case 3: slice = try reader.string(field)
      case 4: last = try reader.unsigned(field)
      case 5: self.field = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  /// Writes the part.
  func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: UInt64(type))
    writer.write(2, unsigned: UInt64(version))
    writer.write(3, string: slice)
    writer.write(4, unsigned: last)
    writer.write(5, string: field)
  }

  /// What it is called, as far as this is known.
  func text<Machine: Reducer>(in machine: Machine.Type) -> String {
    if !field.isEmpty { return "field \(field) of the slice \(slice)" }
    if !slice.isEmpty { return "the slice \(slice)" }
    guard type > 0 else { return "events of further types" }
    return "\(Machine.Event.catalog[type]?.name ?? "type \(type)") of version \(version)"
  }

  /// Whether a program knows it. What is beyond the capacity counts as known, and so does a field that another program left
  /// out: no catalogue describes the fields of a slice.
  ///
  /// - Parameter isOwn: Whether that program stored the state.
  func isKnown<Machine: Reducer>(to machine: Machine.Type, isOwn: Bool) -> Bool {
    if !field.isEmpty { return !isOwn }
    if !slice.isEmpty { return Machine.State.sliceNames.contains(slice) }
    guard type > 0 else { return true }
    return Machine.Event.catalog[type].map { (1...max(1, $0.version)).contains(version) } ?? false
  }
}
