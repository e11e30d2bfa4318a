/// A manual page under construction, written with roff's `man` macros (man(7)).
struct RoffPage {
  private(set) var text = ""
  /// Whether the heading of a section was just added: a paragraph begins there by itself.
  private var followsHeading = false

  mutating func request(_ name: String, _ arguments: String...) {
    followsHeading = name == "SH"
    text += ([".\(name)"] + arguments.map { "\"\(Self.escaped($0))\"" }).joined(separator: " ") + "\n"
  }

  mutating func paragraph(_ words: String) {
    if !followsHeading { text += ".PP\n" }
    line(words)
  }

  /// Adds a line of running text.
  mutating func line(_ words: String) {
    followsHeading = false
    // roff would take a dot or an apostrophe at the start of a line for a request.
    let guarded = words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" : ""
    text += guarded + Self.escaped(words) + "\n"
  }

  /// Adds lines verbatim.
  mutating func preformatted(_ lines: [String]) {
    text += ".PP\n.RS 4\n.nf\n"
    for one in lines { line(one) }
    text += ".fi\n.RE\n"
  }

  /// Words in bold, then words in italics, on a separate line.
  mutating func synopsis(bold: String, italic: String) {
    let words = [("B", bold), ("I", italic)].filter { !$0.1.isEmpty }
    text += words.map { "\\f\($0.0)\(Self.escaped($0.1))\\fR" }.joined(separator: " ") + "\n"
  }

  /// A term, partly bold and partly italic, and its meaning.
  mutating func entry(bold: String = "", italic: String = "", _ meaning: String) {
    text += ".TP\n"
    synopsis(bold: bold, italic: italic)
    line(meaning)
  }

  /// Names of other pages of section 1, in bold.
  mutating func references(_ names: [String]) {
    for (index, name) in names.enumerated() {
      text += ".BR \"\(Self.escaped(name))\" (1)\(index < names.count - 1 ? "," : "")\n"
    }
  }

  mutating func entry(_ option: OptionDescription) {
    entry(bold: option.words.joined(separator: ", "), italic: option.placeholder ?? "", option.fullMeaning)
  }

  mutating func entry(_ code: ExitCodeDescription) {
    entry(bold: String(code.code), code.meaning)
  }

  mutating func blocks(_ blocks: [HelpBlock], exitCodes: [ExitCodeDescription]) {
    for block in blocks {
      switch block {
      case .paragraph(let text): paragraph(text)
      case .preformatted(let lines): preformatted(lines)
      case .definitions(let definitions): for one in definitions { entry(bold: one.term, one.meaning) }
      case .exitCodes: for code in exitCodes { entry(code) }
      }
    }
  }

  /// The text with everything escaped that roff would interpret or replace by a typographic character. Characters
  /// outside ASCII become `\[uXXXX]`, so that the encoding of the file does not matter.
  private static func escaped(_ words: String) -> String {
    var result = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case " "..."~": result.unicodeScalars.append(scalar)
      case "\u{A0}"...:
        let hex = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex + "]"
      default: result += " "
      }
    }
    return result
  }
}
