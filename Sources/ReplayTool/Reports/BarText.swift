/// Bars of a chart in text.
struct BarText {
  /// Length of the longest bar where nothing else limits it, in characters.
  static let standardWidth = 32

  /// Length of the longest bar, in characters.
  var width = standardWidth
  /// Whether bars are made of `#`, in whole characters.
  var isASCII = false

  /// A bar for `number` beside one for `largest`, in eighths of a character; nothing for zero, and never nothing else.
  func bar(_ number: UInt64, of largest: UInt64) -> String {
    guard number > 0, largest > 0 else { return "" }
    let length = Double(number) / Double(largest) * Double(width)
    if isASCII { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int(length * 8))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
