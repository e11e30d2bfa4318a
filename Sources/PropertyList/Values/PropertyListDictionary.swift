/// A dictionary of a property list, with its entries in the order of the file.
///
/// Keys are compared by code points, not by appearance. Looking up a key takes time proportional to the number of
/// entries.
public struct PropertyListDictionary: Equatable, Sendable {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The name, which occurs once in a dictionary.
    public let key: String
    /// Where the key begins.
    public let position: PropertyListPosition
    /// What the dictionary holds under the key.
    public let value: PropertyListValue

    /// Omit `position` for an entry that does not come from a file.
    public init(_ key: String, _ value: PropertyListValue, at position: PropertyListPosition = .program) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  /// The entries in order. A dictionary read from a file has no repeated keys.
  public let entries: [Entry]

  /// Of several entries with the same key, the first counts.
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// The entry with this key; `nil` if there is none.
  public func entry(_ key: String) -> Entry? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// The value for this key; `nil` if there is none.
  public subscript(key: String) -> PropertyListValue? { entry(key)?.value }
}

extension PropertyListDictionary.Entry: Equatable {
  /// Whether both have the same key, compared by code points, and the same value. Positions are ignored.
  public static func == (one: Self, other: Self) -> Bool {
    one.key.utf8.elementsEqual(other.key.utf8) && one.value == other.value
  }
}
