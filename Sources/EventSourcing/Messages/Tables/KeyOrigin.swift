import WireFormat

/// Finds out who may see the keys of rows: it reads rows that differ in one field, and looks whether their keys differ.
///
/// A class applies to all that is in a field, so what counts are the innermost fields.
struct KeyOrigin<Row: KeyedRow> {
  /// What a field holds on the wire.
  private enum Sample {
    case unsigned(UInt64)
    case signed(Int64)
    case fixed(Int64)
    case bytes([UInt8])
  }

  private struct Field {
    /// Its number after those of the fields that it is in.
    let numbers: [Int]
    let privacy: Privacy
    let samples: [Sample]
  }

  /// The place of a sample for each field; `nil` for one that is absent.
  private typealias Choice = [Int?]

  /// How many rows are read at most.
  private static var limit: Int { 10_000 }

  private var fields: [Field] = []

  init(_ row: MessageDescriptor) { collect(row, within: [], .public) }

  private mutating func collect(_ message: MessageDescriptor, within numbers: [Int], _ privacy: Privacy) {
    for field in message.fields {
      let numbers = numbers + [field.number]
      let privacy = Self.highest([privacy, field.privacy])
      if case .message(let inner) = field.type {
        collect(inner, within: numbers, privacy)
      } else {
        fields.append(Field(numbers: numbers, privacy: privacy, samples: Self.samples(of: field)))
      }
    }
  }

  private static func samples(of field: FieldDescriptor) -> [Sample] {
    switch field.type {
    case .bool: [.unsigned(0), .unsigned(1)]
    case .unsigned, .reference, .sequence: [.unsigned(1), .unsigned(2)]
    case .signed, .duration: [.signed(1), .signed(2)]
    case .time where field.refinement == .double: [1.0, 2.0].map { .fixed(Int64(bitPattern: $0.bitPattern)) }
    case .time: [.fixed(1), .fixed(2)]
    // A key may come from a part of a text.
    case .string: ["1", "2", "ab@cd.example/e f"].map { .bytes(Array($0.utf8)) }
    case .json: ["1", "2"].map { .bytes(Array($0.utf8)) }
    case .bytes:
      [1, 16, 32].flatMap { [.bytes(Array(repeating: 1, count: $0)), .bytes(Array(repeating: 2, count: $0))] }
    case .guid: [.bytes(Array(repeating: 1, count: 16)), .bytes(Array(repeating: 2, count: 16))]
    case .enumeration(let enumeration): enumeration.members.map { .unsigned($0.number) }
    case .message: []
    }
  }

  /// The highest class of the fields that the keys come from, or may come from as far as could be tried.
  var privacy: Privacy {
    let personal = fields.indices.filter { fields[$0].privacy != .public }
    guard !personal.isEmpty else { return .public }
    let bases = bases
    let count = { (places: [Int]) in places.reduce(0) { $0 + fields[$1].samples.count + 1 } }
    let isSure =
      !bases.isEmpty && count(personal) * count(Array(fields.indices)) <= Self.limit / 2
      && fields.indices.allSatisfy { place in
        // One that cannot differ makes no difference.
        fields[place].samples.count == 1 || bases.contains { isTried(place, $0) }
      }
    return Self.highest(
      personal.filter { place in !isSure || bases.contains { decides(place, $0) } }.map { fields[$0].privacy })
  }

  private static func highest(_ classes: [Privacy]) -> Privacy {
    classes.max { $0.rawValue < $1.rawValue } ?? .public
  }

  /// A row with all fields that it can have, and one with those that it must have; none if no such rows can be read.
  private var bases: [Choice] {
    let all: Choice = fields.map { $0.samples.isEmpty ? nil : 0 }
    guard var most = [all, fields.map { _ in nil }].first(where: { row($0) != nil }) else { return [] }
    for place in fields.indices where most[place] == nil {
      most = choices(of: place, most).dropFirst().first { row($0) != nil } ?? most
    }
    var least = most
    for place in fields.indices {
      var less = least
      less[place] = nil
      if row(less) != nil { least = less }
    }
    return [most, least]
  }

  /// The choices that differ in one field, the first one without it.
  private func choices(of place: Int, _ base: Choice) -> [Choice] {
    ([nil] + fields[place].samples.indices.map(Optional.some)).map { sample in
      var choice = base
      choice[place] = sample
      return choice
    }
  }

  /// Whether a field holds one value or another.
  private func isTried(_ place: Int, _ base: Choice) -> Bool {
    let rows = choices(of: place, base).compactMap(row).map { row in
      var writer = WireWriter()
      row.encode(into: &writer)
      return writer.bytes
    }
    return rows.contains { $0 != rows[0] }
  }

  /// Whether keys differ with a field, whatever one other field holds.
  private func decides(_ place: Int, _ base: Choice) -> Bool {
    ([base] + fields.indices.filter { $0 != place }.flatMap { choices(of: $0, base) }).contains { base in
      let keys = choices(of: place, base).compactMap(row).map(\.key)
      return keys.contains { !KeyedSlot<Row>.areSame($0, keys[0]) }
    }
  }

  private func row(_ choice: Choice) -> Row? {
    let values = zip(fields, choice).compactMap { field, sample in
      sample.map { (numbers: field.numbers[...], sample: field.samples[$0]) }
    }
    var writer = WireWriter()
    Self.write(values[...], to: &writer)
    return try? WireReader.decode(writer.bytes) { (reader) throws(WireError) in try Row(from: &reader) }
  }

  private static func write(
    _ values: ArraySlice<(numbers: ArraySlice<Int>, sample: Sample)>, to writer: inout WireWriter
  ) {
    var rest = values
    while let (numbers, sample) = rest.first, let number = numbers.first {
      let inner = rest.prefix { $0.numbers.first == number }
      rest = rest.dropFirst(inner.count)
      guard numbers.count == 1 else {
        writer.write(number) { write(inner.map { ($0.numbers.dropFirst(), $0.sample) }[...], to: &$0) }
        continue
      }
      switch sample {
      case .unsigned(let value): writer.writePresent(number, unsigned: value)
      case .signed(let value): writer.writePresent(number, signed: value)
      case .fixed(let value): writer.writePresent(number, fixed: value)
      case .bytes(let bytes): writer.write(number, bytes: bytes)
      }
    }
  }
}
