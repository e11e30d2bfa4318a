/// The elements of a long array, which stay in the text and are parsed one at a time, again at each pass: a million of them
/// take no more memory than their text.
package struct JSONElements: Sendable {
  let source: JSONSource
  let depthLimit: Int
  /// The array's own depth.
  let depth: Int
  /// The path to the array.
  let path: JSONPath
  /// The place after the opening bracket.
  let start: Int
  /// The number of elements.
  package internal(set) var count = 0

  init(_ source: JSONSource, depthLimit: Int, depth: Int = 0, path: JSONPath = JSONPath(), start: Int = 0) {
    self.source = source
    self.depthLimit = depthLimit
    self.depth = depth
    self.path = path
    self.start = start
  }

  /// A pass over the elements, from the first one.
  package func cursor() -> JSONElementCursor { JSONElementCursor(self) }
}

/// A pass over the elements of a long array. It holds one element at a time.
package struct JSONElementCursor {
  private let elements: JSONElements
  private var parser: JSONParser
  private var place = 0

  init(_ elements: JSONElements) {
    self.elements = elements
    parser = JSONParser(at: elements)
  }

  /// The next element with its path; `nil` after the last one.
  ///
  /// - Throws: Nothing in practice: the whole text was parsed before.
  package mutating func next() throws(JSONError) -> JSONNode? {
    guard place < elements.count, let value = try parser.element(place) else { return nil }
    defer { place += 1 }
    return JSONNode(value, path: elements.path.appending(.element(place)))
  }
}
