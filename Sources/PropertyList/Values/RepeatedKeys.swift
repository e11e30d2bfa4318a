/// Handles keys that already occur in their dictionary: the caller decides whether they are allowed.
struct RepeatedKeys {
  /// Whether a key may occur twice.
  let mayRepeat: (PropertyListPath) -> Bool
  /// The repeated keys that were allowed.
  private(set) var found: [PropertyList.RepeatedKey] = []

  init(mayRepeat: @escaping (PropertyListPath) -> Bool) {
    self.mayRepeat = mayRepeat
  }

  /// Records a repeated key.
  ///
  /// - Throws: ``PropertyListError`` if the key may not be repeated.
  mutating func add(
    _ key: String, _ path: PropertyListPath, at position: PropertyListPosition
  ) throws(PropertyListError) {
    guard mayRepeat(path) else { throw .repeatedKey(key, path, at: position) }
    if found.count < PropertyList.mostRepeatedKeys { found.append(.init(path: path, position: position)) }
  }
}

extension PropertyListError {
  /// The error for a key that occurs twice in one dictionary.
  static func repeatedKey(
    _ key: String, _ path: PropertyListPath, at position: PropertyListPosition
  ) -> PropertyListError {
    PropertyListError(
      .duplicateKey, at: position, path: path,
      "the key \(PropertyListExcerpt.quoted(key)) occurs twice in one dictionary", remedy: "remove one of them")
  }
}
