import Expectations
import CommandLineInterface
import Testing

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test(
    "Characters that could disturb or deceive are escaped, and nothing else changes",
    arguments: [
      ("", ""), ("plain text ~", "plain text ~"), ("a\tb\nc\r\n", "a\\tb\\nc\\r\\n"), ("\u{0}\u{1F}", "\\u{0}\\u{1F}"),
      ("\u{1B}[31mred\u{7}", "\\u{1B}[31mred\\u{7}"), ("\u{7F}\u{80}\u{9B}\u{9F}", "\\u{7F}\\u{80}\\u{9B}\\u{9F}"),
      ("\u{202A}\u{202E}x\u{2066}\u{2069}", "\\u{202A}\\u{202E}x\\u{2066}\\u{2069}"),
      ("\u{61C}\u{200E}\u{200F}\u{206F}", "\\u{61C}\\u{200E}\\u{200F}\\u{206F}"),
      ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
      ("a\u{200B}b\u{FEFF}\u{AD}\u{2060}\u{FFF9}", "a\\u{200B}b\\u{FEFF}\\u{AD}\\u{2060}\\u{FFF9}"),
      ("caf\u{10FFE9}\u{10FF80}", "caf\\xE9\\x80"), ("x\u{E0041}", "x\\u{E0041}"),
      ("e\u{301}\u{202E}", "e\u{301}\\u{202E}"),
      ("größe 政策 👩‍👧 \u{A0} \\n", "größe 政策 👩‍👧 \u{A0} \\n"),
    ])
  func visible(text: String, expected: String) {
    // By scalars: Swift compares strings by canonical equivalence.
    expectEqual(Array(TerminalText.visible(text).unicodeScalars), Array(expected.unicodeScalars))
  }

  @Test("No control character and no bidirectional override survives")
  func allScalars() {
    for value in UInt32(0)...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let survives = TerminalText.visible("a\(scalar)").unicodeScalars.contains(scalar)
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: #expect(!survives, "U+\(String(value, radix: 16))")
      case .format, .unassigned: #expect(!survives || !scalar.properties.isBidiControl, "U+\(String(value, radix: 16))")
      default:
        let isInvisible = scalar.properties.isDefaultIgnorableCodePoint
        #expect(survives || isInvisible, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(
    "Widths are those of a terminal with a current Unicode",
    arguments: [
      ("", 0), ("abc", 3), ("größe", 5), ("e\u{301}", 1), ("\u{301}", 0), ("政策", 4), ("ｆｕｌｌ", 8), ("한국", 4), ("ﾊﾝ", 2),
      ("👍", 2), ("👍🏽", 2), ("👩‍👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("✓ → …", 5), ("\u{200D}", 0), ("✅", 2),
    ])
  func widths(text: String, expected: Int) {
    expectEqual(TerminalText.width(of: text), expected)
  }

  @Test("Text is padded to a width on the requested side")
  func padding() {
    expectEqual(TerminalText.padded("ab", to: 4), "ab  ")
    expectEqual(TerminalText.padded("ab", to: 4, .right), "  ab")
    expectEqual(TerminalText.padded("政", to: 4), "政  ")
    expectEqual(TerminalText.padded("abcde", to: 4), "abcde")
    expectEqual(TerminalText.padded("ab", to: -1), "ab")
  }

  @Test(
    "Text is truncated to a width with an ellipsis",
    arguments: [
      ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("政策文", 5, "政策…"), ("政策文", 4, "政…"), ("abc", 1, "…"), ("abc", 0, ""),
      ("abc", -1, ""), ("", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
  func truncation(text: String, width: Int, expected: String) {
    expectEqual(TerminalText.truncated(text, to: width), expected)
    #expect(TerminalText.width(of: TerminalText.truncated(text, to: width)) <= max(0, width))
  }

  @Test("Text is broken at spaces, and only there")
  func wrapping() {
    expectEqual(TerminalText.wrapped("aa bb cc", to: 5), ["aa bb", "cc"])
    expectEqual(TerminalText.wrapped("aa bb cc", to: 4), ["aa", "bb", "cc"])
    expectEqual(TerminalText.wrapped("  a \n b  ", to: 9), ["a b"])
    expectEqual(TerminalText.wrapped("abcdefgh i", to: 3), ["abcdefgh", "i"])
    expectEqual(TerminalText.wrapped("政策 文", to: 5), ["政策", "文"])
    expectEqual(TerminalText.wrapped("", to: 5), [""])
    expectEqual(TerminalText.wrapped("a b", to: 0), ["a", "b"])
  }

  @Test("A line is folded at spaces, keeps its own spaces and escape sequences, and continues under its column")
  func folding() {
    expectEqual(TerminalText.folded("short", to: 5), ["short"])
    expectEqual(TerminalText.folded("  a  bb  cc", to: 8), ["  a  bb", "  cc"])
    expectEqual(
      TerminalText.folded("name  one two three", to: 12, hanging: 6), ["name  one", "      two", "      three"])
    expectEqual(
      TerminalText.folded("a /a/long/path", to: 11, hanging: 6), ["a", " /a/long/path".dropFirst().description])
    expectEqual(TerminalText.folded("\u{1B}[31maa\u{1B}[0m bb", to: 5), ["\u{1B}[31maa\u{1B}[0m bb"])
    expectEqual(TerminalText.folded("政策 政策 e\u{301}e\u{301}", to: 9), ["政策 政策", "e\u{301}e\u{301}"])
    expectEqual(TerminalText.folded("a b", to: 1), ["a", "b"])
  }

  @Test("A style that is off changes nothing")
  func styles() {
    expectEqual(Style.plain.apply([.bold, .red], to: "x"), "x")
    expectEqual(Style.ansi.apply([.bold, .red], to: "x"), "\u{1B}[1;31mx\u{1B}[0m")
    expectEqual(Style.ansi.apply([], to: "x"), "x")
    expectEqual(Style.ansi.apply([.dim], to: ""), "")
    expectEqual(Style.ansi.bold("x") + Style.ansi.underline("y"), "\u{1B}[1mx\u{1B}[0m\u{1B}[4my\u{1B}[0m")
    expectEqual(Style(isEnabled: false), .plain)
  }
}
