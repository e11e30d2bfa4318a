extension [String] {
  /// The first texts, and how many more there are.
  var shortened: String { prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "") }
}
