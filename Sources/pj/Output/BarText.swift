/// A bar of a chart in text.
enum BarText {
  /// Length of the longest bar, in characters.
  static let width = 32

  /// A bar for `number` beside one for `largest`, in eighths of a character; nothing for zero, and never nothing else.
  static func bar(_ number: UInt64, of largest: UInt64) -> String {
    guard number > 0, largest > 0 else { return "" }
    let eighths = max(1, Int(Double(number) / Double(largest) * Double(width * 8)))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
