/// Long lists in messages: the part that matters, and how many items stand before and after it.
enum ListExcerpt {
  /// The most items that are shown.
  static let longest = 12
  /// How many items are shown before the one that matters.
  private static let lead = 3

  /// The items, or those around the one that matters.
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
