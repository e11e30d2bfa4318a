extension Collection {
  /// Whether each element comes before the next one: the elements are in order, and no two are equal. For assertions.
  package func isAscending(by precedes: (Element, Element) -> Bool) -> Bool {
    zip(self, dropFirst()).allSatisfy(precedes)
  }
}
