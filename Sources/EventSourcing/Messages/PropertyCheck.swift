/// Finds the properties of a message that its list of fields forgets: they would be written nowhere, and be gone after reading.
///
/// A field belongs to the property in whose memory it is, or otherwise to the one with its name. A computed field with a name of
/// its own may belong to any property, so each such field excuses one property from being reported.
struct PropertyCheck: FieldVisitor {
  typealias Failure = Never

  /// A property, or a value of an event.
  private struct Property {
    var name: String
    /// Its place in the message; `nil` if that is not known.
    var range: Range<Int>?
  }

  /// The message's memory; `nil` if the fields are copies.
  private let memory: UnsafeRawBufferPointer?
  private var fields: [(name: String, offset: Int?)] = []

  /// A check of copies.
  init() { memory = nil }

  private init(in memory: UnsafeRawBufferPointer) { self.memory = memory }

  private mutating func add<Value>(_ label: FieldLabel, _ value: inout Value) {
    let offset = memory.flatMap { memory in
      memory.address(ofStored: &value).flatMap { place in memory.baseAddress.map { UnsafeRawPointer(place) - $0 } }
    }
    fields.append((label.name.description, offset))
  }

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) { add(label, &value) }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    add(label, &value)
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) { add(label, &values) }

  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) { add(label, &table) }

  /// The names of the properties without a field.
  private func forgotten(_ properties: [Property]) -> [String] {
    var rest = fields
    var forgotten: [String] = []
    for property in properties {
      let count = rest.count
      rest.removeAll { field in
        if let range = property.range, !range.isEmpty, let offset = field.offset { return range.contains(offset) }
        return field.name == property.name
      }
      if rest.count == count { forgotten.append(property.name) }
    }
    // A value without a name of its own has any field's.
    while !rest.isEmpty, let unnamed = forgotten.firstIndex(where: { $0.hasPrefix(".") }) {
      forgotten.remove(at: unnamed)
      rest.removeLast()
    }
    return forgotten.count > rest.count ? forgotten : []
  }
}

extension FieldList {
  /// What the list forgets, for which a release build does not look, and which of its values absence cannot mean, as clauses.
  @usableFromInline static var listFaults: [String] { PropertyCheck.faults(of: self) + AbsenceCheck.faults(of: self) }
}

extension PropertyCheck {
  fileprivate static func faults<List: FieldList>(of list: List.Type) -> [String] {
    #if DEBUG
      var message = list.blank
      let all = properties(of: message)
      let unknown = list.derivedProperties.filter { name in !all.contains { $0.name == name } }
      let check = withUnsafeMutablePointer(to: &message) { message in
        var check = PropertyCheck(in: UnsafeRawBufferPointer(start: message, count: MemoryLayout<List>.size))
        list.visit(&message.pointee, &check)
        return check
      }
      return check.forgotten(all.filter { !list.derivedProperties.contains($0.name) }).map {
        "property \($0) is not visited, so it would not be stored: visit it, or name it in 'derivedProperties'"
      } + unknown.map { "'derivedProperties' names \($0), which is no stored property" }
    #else
      return []
    #endif
  }

  /// What is wrong with the fields of an event, as clauses.
  func faults(ofCase event: Any) -> [String] {
    #if DEBUG
      // The case is the only child. Of several values, or of one with a name, it is a tuple.
      guard let value = Mirror(reflecting: event).children.first?.value else { return [] }
      let mirror = Mirror(reflecting: value)
      let names = mirror.displayStyle == .tuple ? mirror.children.map { $0.label ?? "" } : [".0"]
      return forgotten(names.map { Property(name: $0) }).map {
        "value \($0) is not visited, so it would not be stored: visit it"
      }
    #else
      return []
    #endif
  }

  /// The stored properties of a structure.
  private static func properties<List>(of message: List) -> [Property] {
    let mirror = Mirror(reflecting: message)
    guard mirror.displayStyle == .struct, !(message is any CustomReflectable) else { return [] }
    var end = 0
    let properties = mirror.children.map { child in
      let (size, alignment) = layout(type(of: child.value))
      let start = (end + alignment - 1) / alignment * alignment
      end = start + size
      return Property(name: StoredProperty.name(child.label), range: start..<end)
    }
    // The value of an existential property is smaller than its place.
    return end == MemoryLayout<List>.size ? properties : properties.map { Property(name: $0.name) }
  }

  private static func layout(_ type: any Any.Type) -> (size: Int, alignment: Int) {
    func layout<Value>(_ type: Value.Type) -> (Int, Int) { (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) }
    return layout(type)
  }
}
