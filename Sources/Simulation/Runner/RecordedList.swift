/// A list of texts that repeat, such as the types of a million events: four bytes for each item.
struct RecordedList {
  /// The different texts, in the order of their first occurrences, and the number of each.
  private var texts: [String] = []
  private var numbers: [String: UInt32] = [:]
  /// The number of each item's text.
  private var items: [UInt32] = []

  /// The number of items.
  var count: Int { items.count }

  /// Adds an item.
  mutating func append(_ text: String) {
    let number = numbers[text] ?? UInt32(clamping: texts.count)
    if Int(number) == texts.count {
      texts.append(text)
      numbers[text] = number
    }
    items.append(number)
  }

  /// The items from a place on.
  func items(from start: Int) -> [String] {
    items.dropFirst(start).map { texts[Int($0)] }
  }
}
