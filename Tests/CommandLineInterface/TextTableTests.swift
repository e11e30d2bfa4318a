import Expectations
import CommandLineInterface
import Testing

@Suite("Tables")
struct TextTableTests {
  @Test("Columns are as wide as their widest cell, and no line ends in a space")
  func lines() {
    var table = TextTable([TextColumn("seq", .right), TextColumn("event"), TextColumn("n", .right), TextColumn("note")])
    table.append(["41", "enrollment.succeeded", "1", ""])
    table.append(["9,112", "政策", "", "x"])
    table.append(["1"])
    table.append(["2", "a", "10", "y", "dropped"])
    expectEqual(
      table.lines(),
      [
        "  seq  event                  n  note",
        "   41  enrollment.succeeded   1",
        "9,112  政策                      x",
        "    1",
        "    2  a                     10  y",
      ])
  }

  @Test("Without titles, no line of titles is printed; without rows, nothing else is")
  func titles() {
    var bare = TextTable([TextColumn(""), TextColumn("")])
    expectEqual(bare.lines(), [])
    bare.append(["a", "b"])
    expectEqual(bare.lines(), ["a  b"])
    expectEqual(TextTable([TextColumn("a"), TextColumn("bc")]).lines(), ["a  bc"])
  }

  @Test("A cell beyond the bound of its column is kept whole and pushes the rest of its line")
  func bounds() {
    var table = TextTable([TextColumn("a", maximumWidth: 4), TextColumn("b")])
    table.append(["abcdef", "x"])
    table.append(["ab", "y"])
    expectEqual(table.lines(), ["a     b", "abcdef  x", "ab    y"])
  }

  @Test("A table that fits is not changed by a width")
  func fits() {
    var table = TextTable([TextColumn("a"), TextColumn("b")])
    table.append(["one", "two words"])
    #expect(table.lines(width: 14) == table.lines() && table.lines(width: nil) == table.lines())
  }

  @Test("Text wraps under its column, and later columns stay on the first line")
  func wraps() {
    var table = TextTable([TextColumn("path"), TextColumn("change"), TextColumn("by", .right)])
    table.append(["/a/b", "one two three four five six seven", "12"])
    table.append(["/c", "政策 政策 政策 政策 政策 政策 e\u{301}nd", "3"])
    expectEqual(
      table.lines(width: 34),
      [
        "path  change" + String(repeating: " ", count: 20) + "by",
        "/a/b  one two three four five   12",
        "      six seven",
        "/c    政策 政策 政策 政策 政策   3",
        "      政策 e\u{301}nd",
      ])
  }

  @Test("A cell wider than its column gets its own line, and a long word begins further left")
  func stacks() {
    var table = TextTable([TextColumn(""), TextColumn("")])
    table.append(["/accounts/a1/enrollment/status", "unset → a value of several words"])
    table.append(["/x", "https://example.org/a/very/long/address"])
    expectEqual(
      table.lines(width: 42),
      [
        "/accounts/a1/enrollment/status", "          unset → a value of several words", "/x",
        "   https://example.org/a/very/long/address",
      ])
    for width in 20...90 {
      let lines = table.lines(width: width)
      expectEqual(
        lines.joined(separator: " ").split(separator: " "), table.lines().joined(separator: " ").split(separator: " "))
      #expect(lines.allSatisfy { $0.last != " " })
      let longest = max(width, 39)
      #expect(lines.allSatisfy { TerminalText.width(of: $0) <= longest }, "\(width)")
    }
  }

  @Test("Styles do not count as width, and untrusted text is escaped for the terminal")
  func styles() {
    var table = TextTable([TextColumn("", .right), TextColumn("")])
    table.append([TextCell("\u{1B}", [.red]), TextCell("a\nb", [.dim])])
    table.append([TextCell("1", [.green, .bold]), "\(2 + 3)"])
    expectEqual(
      table.lines(style: .ansi),
      [
        "\u{1B}[31m\\u{1B}\u{1B}[0m  \u{1B}[2ma\\nb\u{1B}[0m",
        "     \u{1B}[32;1m1\u{1B}[0m  5",
      ])
    expectEqual(table.lines(), ["\\u{1B}  a\\nb", "     1  5"])
  }

  @Test("A single line has the given widths, and a wide cell pushes the rest")
  func singleLines() {
    let columns = [TextColumn("seq", .right), TextColumn("event")]
    expectEqual(TextTable.line(["7", "x"], columns: columns, widths: [4, 9]), "   7  x")
    expectEqual(TextTable.line(["12345", "x"], columns: columns, widths: [4, 9]), "12345  x")
    expectEqual(TextTable.line(["", ""], columns: columns, widths: [4, 9]), "")
  }
}
