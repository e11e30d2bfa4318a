/// One change to a property list, at a place in it.
///
/// ```swift
/// let edit = PropertyListEdit(PropertyListPath([.key("Schemes")]), .append([.text("https")]))
/// let changed = try PropertyList.edited(bytes, by: [edit])
/// ```
///
/// Paths and offsets refer to the list as it is before any edit. Of one place, there is at most one ``Action/replace(_:)``,
/// and nothing else inside what it replaces.
public struct PropertyListEdit: Equatable, Sendable {
  /// A new value.
  public indirect enum Addition: Equatable, Sendable {
    /// Text.
    case text(String)
    /// An array.
    case list([Addition])
    /// A dictionary, in order.
    case dictionary([Entry])
  }

  /// A key with its new value.
  public struct Entry: Equatable, Sendable {
    /// The name.
    public let key: String
    /// What the dictionary gets under it.
    public let value: Addition

    /// A key with its new value.
    public init(_ key: String, _ value: Addition) {
      self.key = key
      self.value = value
    }
  }

  /// What changes.
  public enum Action: Equatable, Sendable {
    /// An array gets elements before its first.
    case prepend([Addition])
    /// An array gets elements after its last.
    case append([Addition])
    /// A dictionary gets an entry after its last; it must not have the key yet.
    case add(Entry)
    /// A string gets text before this byte of its UTF-8; the offset of its end is its length.
    case insert(String, atByte: Int)
    /// A value gives way to another.
    case replace(Addition)
  }

  /// The value concerned.
  public let path: PropertyListPath
  /// What changes.
  public let action: Action

  /// A change of the value at a path.
  public init(_ path: PropertyListPath, _ action: Action) {
    self.path = path
    self.action = action
  }
}

extension PropertyListEdit.Addition {
  /// The value, outside any file.
  public var value: PropertyListValue {
    switch self {
    case .text(let text): PropertyListValue(.string(text))
    case .list(let elements): PropertyListValue(.array(elements.map(\.value)))
    case .dictionary(let entries):
      PropertyListValue(.dictionary(PropertyListDictionary(entries.map { .init($0.key, $0.value.value) })))
    }
  }
}

extension PropertyListValue {
  /// This value after edits; `nil` if one does not fit: its place is missing or of another kind, or its key is taken.
  func applying(_ edits: [PropertyListEdit]) -> PropertyListValue? {
    applying(edits.map { ($0.path.components[...], $0.action) })
  }

  private typealias Part = (path: ArraySlice<PropertyListPath.Component>, action: PropertyListEdit.Action)

  private func applying(_ edits: [Part]) -> PropertyListValue? {
    guard !edits.isEmpty else { return self }
    guard var value = applyingInside(edits.filter { !$0.path.isEmpty }) else { return nil }
    let own = edits.filter(\.path.isEmpty).map(\.action)
    if case .string(let text) = value.content, let inserted = Self.inserting(own, in: text) {
      value.content = .string(inserted)
      return value
    }
    // What is put first keeps its order.
    for action in own.reversed() {
      if case .prepend(let new) = action {
        guard case .array(let old) = value.content else { return nil }
        value.content = .array(new.map(\.value) + old)
      }
    }
    for action in own {
      switch (action, value.content) {
      case (.prepend, _): break
      case (.append(let new), .array(let old)): value.content = .array(old + new.map(\.value))
      case (.add(let entry), .dictionary(let old)):
        guard old.entry(entry.key) == nil else { return nil }
        value.content = .dictionary(PropertyListDictionary(old.entries + [.init(entry.key, entry.value.value)]))
      case (.replace(let new), _): value = new.value
      case (.append, _), (.add, _), (.insert, _): return nil
      }
    }
    return value
  }

  /// This value after edits of the values in it.
  private func applyingInside(_ edits: [Part]) -> PropertyListValue? {
    guard !edits.isEmpty else { return self }
    func parts(at component: PropertyListPath.Component) -> [Part] {
      edits.filter { $0.path.first == component }.map { ($0.path.dropFirst(), $0.action) }
    }
    var value = self
    var rest = edits.count
    switch content {
    case .array(var elements):
      for index in elements.indices {
        let own = parts(at: .element(index))
        guard let element = elements[index].applying(own) else { return nil }
        elements[index] = element
        rest -= own.count
      }
      value.content = .array(elements)
    case .dictionary(let dictionary):
      var entries: [PropertyListDictionary.Entry] = []
      for entry in dictionary.entries {
        let own = parts(at: .key(entry.key))
        guard let changed = entry.value.applying(own) else { return nil }
        entries.append(.init(entry.key, changed, at: entry.position))
        rest -= own.count
      }
      value.content = .dictionary(PropertyListDictionary(entries))
    case .string, .integer, .unsigned, .real, .bool, .date, .data: return nil
    }
    return rest == 0 ? value : nil
  }

  /// A text with the insertions among these actions; `nil` if there is none, or if one is outside it or within a character.
  private static func inserting(_ actions: [PropertyListEdit.Action], in text: String) -> String? {
    var bytes = Array(text.utf8)
    let places = actions.enumerated().compactMap { number, action -> (place: Int, number: Int, text: String)? in
      if case .insert(let text, let place) = action { (place, number, text) } else { nil }
    }
    guard !places.isEmpty, places.count == actions.count else { return nil }
    for insertion in places.sorted(by: { ($0.place, $0.number) > ($1.place, $1.number) }) {
      guard (0...bytes.count).contains(insertion.place) else { return nil }
      bytes.insert(contentsOf: insertion.text.utf8, at: insertion.place)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether both are the same value, numbers bit by bit: unlike `==`, this holds for NaN.
  func isIdentical(to other: PropertyListValue) -> Bool {
    switch (content, other.content) {
    case (.real(let one), .real(let other)), (.date(let one), .date(let other)):
      one.bitPattern == other.bitPattern || (one.isNaN && other.isNaN)
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isIdentical(to: $1) }
    case (.dictionary(let one), .dictionary(let other)):
      one.entries.count == other.entries.count
        && zip(one.entries, other.entries).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isIdentical(to: $1.value)
        }
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    default: self == other
    }
  }
}
