/// What readers do with a key that stands in its dictionary already: the caller decides.
struct RepeatedKeys {
  /// Whether a key may stand twice.
  let mayRepeat: (PropertyListPath) -> Bool
  /// Those that did and may.
  private(set) var found: [PropertyList.RepeatedKey] = []

  init(mayRepeat: @escaping (PropertyListPath) -> Bool) {
    self.mayRepeat = mayRepeat
  }

  /// Takes note of a key that stands once more.
  ///
  /// - Throws: ``PropertyListError`` when it may not.
  mutating func note(
    _ key: String, _ path: PropertyListPath, at position: PropertyListPosition
  ) throws(PropertyListError) {
    guard mayRepeat(path) else { throw .repeatedKey(key, path, at: position) }
    if found.count < PropertyList.mostRepeatedKeys { found.append(.init(path: path, position: position)) }
  }
}

extension PropertyListError {
  /// A key stands twice in one dictionary.
  static func repeatedKey(
    _ key: String, _ path: PropertyListPath, at position: PropertyListPosition
  ) -> PropertyListError {
    PropertyListError(
      .duplicateKey, at: position, path: path,
      "the key \(PropertyListExcerpt.quoted(key)) occurs twice in one dictionary", remedy: "remove one of them")
  }
}
