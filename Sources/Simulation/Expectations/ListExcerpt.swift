/// Shortens long lists in messages to the relevant part, with the number of items before and after it.
enum ListExcerpt {
  /// The most items shown.
  static let longest = 12
  /// Number of items shown before the relevant one.
  private static let lead = 3

  /// All items, or those around the relevant one.
  static func text(_ items: [String], around index: Int = 0) -> String {
    guard items.count > longest else { return items.joined(separator: ", ") }
    let start = min(max(0, index - lead), items.count - longest)
    let end = start + longest
    var shown = Array(items[start..<end])
    if start > 0 { shown.insert("… \(start) before", at: 0) }
    if end < items.count { shown.append("… \(items.count - end) more") }
    return shown.joined(separator: ", ")
  }
}
