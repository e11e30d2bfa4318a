import CommandLineInterface

/// The text about scenarios as blocks of help, so that it is wrapped as every other page is.
enum ScenarioHelp {
  /// A text in parts that empty lines separate: running text first, then parts under a title. What begins with two spaces
  /// is a term and, after two spaces or more, its meaning, perhaps more than once; what is indented further goes on with
  /// the line before. The part `EXAMPLE` is shown as it is.
  static func blocks(of text: String) -> [HelpBlock] {
    text.split(separator: "\n\n").flatMap { part -> [HelpBlock] in
      let lines = part.split(separator: "\n")
      guard let title = lines.first, lines.count > 1, lines[1].hasPrefix("  ") else {
        return [.paragraph(lines.joined(separator: " "))]
      }
      let rest = lines.dropFirst()
      guard title != "EXAMPLE" else {
        return [.paragraph(String(title)), .preformatted(rest.map { String($0.dropFirst(2)) })]
      }
      return [.paragraph(String(title)), .definitions(definitions(rest))]
    }
  }

  private static func definitions(_ lines: ArraySlice<Substring>) -> [HelpBlock.Definition] {
    var found: [HelpBlock.Definition] = []
    for line in lines {
      let isNew = !line.hasPrefix("   ")
      let cells = line.split(separator: "  ").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
      if isNew {
        for start in stride(from: 0, to: cells.count, by: 2) {
          found.append(.init(cells[start], start + 1 < cells.count ? cells[start + 1] : ""))
        }
      } else if let last = found.indices.last {
        found[last].meaning += " " + cells.joined(separator: " ")
      }
    }
    return found
  }
}
