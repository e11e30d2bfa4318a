/// The difference of two texts as `diff -u` and `patch` have it (POSIX, `diff`, "Diff -u Output Format").
package enum UnifiedDiff {
  /// How many equal lines stand around a difference.
  private static let context = 3

  /// A line of the old text, the new one, or both.
  private enum Line {
    case both(ArraySlice<UInt8>), old(ArraySlice<UInt8>), new(ArraySlice<UInt8>)
  }

  /// The lines of the patch; empty where the texts are equal.
  package static func lines(_ old: [UInt8], _ new: [UInt8], name: String) -> [String] {
    let lines = merged(split(old), split(new))
    let places = lines.indices.filter { if case .both = lines[$0] { false } else { true } }
    guard let first = places.first else { return [] }
    var hunks: [Range<Int>] = []
    var hunk = max(0, first - context)..<first + 1
    for place in places.dropFirst() {
      if place - hunk.upperBound > 2 * context {
        hunks.append(hunk.lowerBound..<min(lines.count, hunk.upperBound + context))
        hunk = place - context..<place + 1
      } else {
        hunk = hunk.lowerBound..<place + 1
      }
    }
    hunks.append(hunk.lowerBound..<min(lines.count, hunk.upperBound + context))
    let path = name.hasPrefix("/") ? name : "/" + name
    var result = ["--- a\(path)", "+++ b\(path)"]
    var (oldLine, newLine, index) = (1, 1, 0)
    for hunk in hunks {
      oldLine += hunk.lowerBound - index
      newLine += hunk.lowerBound - index
      let (olds, news) = counts(lines[hunk])
      result.append("@@ -\(start(oldLine, olds)),\(olds) +\(start(newLine, news)),\(news) @@")
      for line in lines[hunk] { result += text(of: line) }
      (oldLine, newLine, index) = (oldLine + olds, newLine + news, hunk.upperBound)
    }
    return result
  }

  /// Where a part begins; one without lines names the line before it.
  private static func start(_ line: Int, _ count: Int) -> Int { count == 0 ? line - 1 : line }

  private static func counts(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
    lines.reduce(into: (0, 0)) { counts, line in
      switch line {
      case .both: counts = (counts.0 + 1, counts.1 + 1)
      case .old: counts.0 += 1
      case .new: counts.1 += 1
      }
    }
  }

  private static func text(of line: Line) -> [String] {
    let (sign, bytes) =
      switch line {
      case .both(let bytes): (" ", bytes)
      case .old(let bytes): ("-", bytes)
      case .new(let bytes): ("+", bytes)
      }
    let isWhole = bytes.last == 0x0A
    let text = String(decoding: isWhole ? bytes.dropLast() : bytes, as: UTF8.self)
    return isWhole ? [sign + text] : [sign + text, "\\ No newline at end of file"]
  }

  /// The lines of a text, each with its line feed.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    if !rest.isEmpty { lines.append(rest) }
    return lines
  }

  private static func merged(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
    let difference = new.difference(from: old)
    let removed = Set(
      difference.removals.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
      })
    let inserted = Set(
      difference.insertions.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
      })
    var lines: [Line] = []
    var (one, other) = (0, 0)
    while one < old.count || other < new.count {
      if one < old.count, removed.contains(one) {
        lines.append(.old(old[one]))
        one += 1
      } else if other < new.count, inserted.contains(other) {
        lines.append(.new(new[other]))
        other += 1
      } else {
        lines.append(.both(old[one]))
        one += 1
        other += 1
      }
    }
    return lines
  }
}
