import Expectations
import PlainText
import Testing

@testable import PropertyList

@Suite("Edits of property lists")
struct PropertyListEditTests {
  typealias Edit = PropertyListEdit

  static let list = PropertyListPath([.key("a")])
  static let root = PropertyListPath()

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var edits: [Edit]
    var after: String
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "elements go behind the last and the comments that follow it",
      before:
        "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<string>x</string> <!-- one -->\n\t\t<!-- two -->\n\t</array>\n</dict>\n",
      edits: [Edit(list, .append([.text("y"), .text("<&>")]))],
      after:
        "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<string>x</string> <!-- one -->\n\t\t<!-- two -->\n\t\t<string>y</string>\n\t\t<string>&lt;&amp;&gt;</string>\n\t</array>\n</dict>\n"
    ),
    Case(
      name: "elements go before the first, and line ends stay",
      before:
        "<dict>\r\n  <key>a</key>\r\n  <array>\r\n    <!-- one -->\r\n    <string>x</string>\r\n  </array>\r\n</dict>",
      edits: [Edit(list, .prepend([.text("y")])), Edit(list, .append([.text("z")]))],
      after:
        "<dict>\r\n  <key>a</key>\r\n  <array>\r\n    <string>y</string>\r\n    <!-- one -->\r\n    <string>x</string>\r\n    <string>z</string>\r\n  </array>\r\n</dict>"
    ),
    Case(
      name: "an empty tag becomes two",
      before: "<dict>\n    <key>a</key>\n    <array />\n</dict>", edits: [Edit(list, .append([.text("y")]))],
      after: "<dict>\n    <key>a</key>\n    <array>\n        <string>y</string>\n    </array>\n</dict>"),
    Case(
      name: "an empty list keeps its comment",
      before: "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<!-- none -->\n\t</array>\n</dict>",
      edits: [Edit(list, .append([.text("y")]))],
      after: "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<!-- none -->\n\t\t<string>y</string>\n\t</array>\n</dict>"),
    Case(
      name: "an empty list on one line is spread as the file is",
      before: "<dict>\n\t<key>a</key>\n\t<array></array>\n</dict>", edits: [Edit(list, .prepend([.text("y")]))],
      after: "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<string>y</string>\n\t</array>\n</dict>"),
    Case(
      name: "a file in one line stays in one line",
      before: "<plist><dict><key>a</key><array/></dict></plist>",
      edits: [
        Edit(list, .append([.text("y")])), Edit(root, .add(.init("b", .dictionary([.init("c", .list([.text("z")]))])))),
      ],
      after:
        "<plist><dict><key>a</key><array><string>y</string></array><key>b</key><dict><key>c</key><array><string>z</string></array></dict></dict></plist>"
    ),
    Case(
      name: "entries follow the layout of the last one",
      before: "<dict>\n  <key>a</key> <true/>\n</dict>",
      edits: [Edit(root, .add(.init("b", .text("x")))), Edit(root, .add(.init("c", .list([.text("y")]))))],
      after:
        "<dict>\n  <key>a</key> <true/>\n  <key>b</key> <string>x</string>\n  <key>c</key> <array>\n    <string>y</string>\n  </array>\n</dict>"
    ),
    Case(
      name: "text goes between references, and the rest of the string keeps them",
      before: "<dict><key>a</key><string>&quot;b&quot; &amp;&#38;\n <!-- c -->d</string></dict>",
      edits: [
        Edit(list, .insert("<", atByte: 3)), Edit(list, .insert("!", atByte: 9)), Edit(list, .insert("(", atByte: 0)),
      ],
      after: "<dict><key>a</key><string>(&quot;b&quot;&lt; &amp;&#38;\n <!-- c -->d!</string></dict>"),
    Case(
      name: "text goes into a CDATA section as it is",
      before: "<dict><key>a</key><string><![CDATA[x &\r\ny]]></string></dict>",
      edits: [Edit(list, .insert("|", atByte: 4))],
      after: "<dict><key>a</key><string><![CDATA[x &\r\n|y]]></string></dict>"),
    Case(
      name: "a value gives way to another",
      before: "<dict>\n\t<key>a</key>\n\t<dict>\n\t\t<key>b</key>\n\t\t<true/>\n\t</dict>\n\t<!-- end -->\n</dict>",
      edits: [Edit(list, .replace(.text("x")))],
      after: "<dict>\n\t<key>a</key>\n\t<string>x</string>\n\t<!-- end -->\n</dict>"),
    Case(
      name: "an empty text gets one",
      before: "<dict>\n<key>a</key>\n<string/>\n</dict>", edits: [Edit(list, .replace(.text("x\r")))],
      after: "<dict>\n<key>a</key>\n<string>x&#13;</string>\n</dict>"),
  ]

  @Test("XML keeps every other byte, in every encoding", arguments: cases)
  func xml(example: Case) throws {
    let encodings: [(String) -> [UInt8]] = [
      { Array($0.utf8) }, { [0xEF, 0xBB, 0xBF] + Array($0.utf8) },
      { text in [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } },
      { text in text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] } },
    ]
    for encode in encodings {
      let result = try PropertyList.edited(encode(example.before), by: example.edits)
      expectEqual(result, encode(example.after), "\(String(decoding: result, as: UTF8.self))")
    }
  }

  @Test("The binary form says the same after the same edits", arguments: cases)
  func binary(example: Case) throws {
    let before = try PropertyList.read(Array(example.before.utf8)).root
    let result = try PropertyList.edited(BinaryPropertyListWriter.bytes(of: before), by: example.edits)
    let list = try PropertyList.read(result)
    let after = try PropertyList.read(Array(example.after.utf8))
    #expect(list.format == .binary && list.root == after.root)
  }

  @Test("The binary form is written as CPython's plistlib writes it")
  func writer() throws {
    let bytes = try #require(Base64.decode(spaced: PropertyListSamples.binaryText))
    expectEqual(BinaryPropertyListWriter.bytes(of: PropertyListSamples.value), bytes)
  }

  @Test("Whatever is written in the binary form is read back, of any size")
  func sizes() throws {
    for count in [0, 14, 15, 16, 255, 256, 300, 70_000] {
      let value = PropertyListValue.dictionary([
        ("text", .string(String(repeating: "é", count: count))), ("data", .data(Array(repeating: 7, count: count))),
        ("list", .array((0..<count).map { .integer(Int64($0) * 1_000_003) })), ("real", .real(.nan)),
        ("date", .date(-1.5)), ("least", .integer(.min)), ("most", .unsigned(.max)),
      ])
      let list = try PropertyList.read(BinaryPropertyListWriter.bytes(of: value))
      #expect(list.root.isIdentical(to: value), "\(count)")
    }
  }

  @Test("A text is inserted before a line break of two bytes, and not into it", arguments: ["\r\n", "\r", "\n"])
  func lineBreaks(lineBreak: String) throws {
    let path = PropertyListPath([.key("a")])
    for (text, offset) in [("x\ny", 1), ("\n", 0), ("x\n\ny", 2), ("x\n", 1)] {
      let file = "<dict><key>a</key><string>\(text)</string></dict>".replacing("\n", with: lineBreak)
      let result = try PropertyList.edited(Array(file.utf8), by: [PropertyListEdit(path, .insert("-", atByte: offset))])
      let expected = text.prefix(offset) + "-" + text.dropFirst(offset)
      try expectEqual(PropertyList.read(result).root.dictionary?["a"]?.string, String(expected))
      expectEqual(String(decoding: result, as: UTF8.self).replacing("-", with: ""), file)
    }
  }

  @Test("Without edits, the bytes stay the same")
  func nothing() throws {
    let bytes = Array(PropertyListSamples.xml.utf8)
    try expectEqual(PropertyList.edited(bytes, by: []), bytes)
  }

  @Test(
    "An edit that does not fit is an error, and so is a file whose keys are ambiguous",
    arguments: [
      Edit(list, .append([])), Edit(list, .add(.init("b", .text("")))), Edit(list, .insert("x", atByte: 5)),
      Edit(list, .insert("x", atByte: 1)), Edit(list, .insert("x", atByte: -1)), Edit(list, .prepend([.text("")])),
      Edit(PropertyListPath([.key("b")]), .replace(.text(""))),
      Edit(PropertyListPath([.key("a"), .element(0)]), .replace(.text(""))), Edit(root, .add(.init("a", .text("")))),
      // U+FFFE and most control characters cannot stand in XML.
      Edit(list, .replace(.text("\u{1}"))),
    ])
  func unfit(edit: Edit) throws {
    let text = "<dict><key>a</key><string>é\u{301}</string></dict>"
    let error = try #require(throws: PropertyListError.self) { try PropertyList.edited(Array(text.utf8), by: [edit]) }
    expectEqual(error.code, .unfitEdit)
    #expect(
      error.description.contains("the file cannot be changed here without changing something else; change it by hand"))
    let twice = "<dict><key>a</key><true/><key>a</key><true/></dict>"
    #expect(throws: PropertyListError.self) { try PropertyList.edited(Array(twice.utf8), by: [edit]) }
  }

  @Test("Damaged files are refused, whatever happens to their bytes")
  func mutations() {
    var random = PropertyListMutationTests.Generator(state: 15)
    let edits = [
      Edit(PropertyListPath([.key("Flags")]), .append([.text("x")])), Edit(Self.root, .add(.init("New", .list([])))),
    ]
    for seed in PropertyListMutationTests.seeds {
      for round in 0..<1500 {
        var bytes = seed
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        guard let result = try? PropertyList.edited(bytes, by: edits) else { continue }
        // What is accepted says what was intended.
        let intended = (try? PropertyList.read(bytes))?.root.applying(edits)
        #expect(
          (try? PropertyList.read(result))?.root.isIdentical(to: intended ?? .bool(false)) == true, "round \(round)")
      }
    }
  }
}
