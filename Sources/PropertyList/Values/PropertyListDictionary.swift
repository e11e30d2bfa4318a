/// A dictionary of a property list, with its entries in the order of the file.
///
/// Keys are compared by their code points, not by what they look like. Looking up a key takes time proportional to the
/// number of entries.
public struct PropertyListDictionary: Equatable, Sendable {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The key.
    public let key: String
    /// Where the key begins.
    public let position: PropertyListPosition
    /// The value.
    public let value: PropertyListValue

    /// Creates an entry.
    public init(_ key: String, _ value: PropertyListValue, at position: PropertyListPosition = .program) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  /// The entries in order. In a dictionary that was read no key occurs twice.
  public let entries: [Entry]

  /// Creates a dictionary. Of several entries with one key the first counts.
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// The entry of a key.
  public func entry(_ key: String) -> Entry? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// The value of a key.
  public subscript(key: String) -> PropertyListValue? { entry(key)?.value }
}

extension PropertyListDictionary.Entry: Equatable {
  /// Whether both have the same key, compared by its code points, and the same value. Positions do not count.
  public static func == (one: Self, other: Self) -> Bool {
    one.key.utf8.elementsEqual(other.key.utf8) && one.value == other.value
  }
}
