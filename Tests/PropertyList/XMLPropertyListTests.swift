import Expectations
import Testing

@testable import PropertyList

@Suite("Property lists in XML")
struct XMLPropertyListTests {
  static func read(_ text: String) throws -> PropertyListValue { try PropertyList.read(Array(text.utf8)).root }

  @Test("Every kind of value is read")
  func values() throws {
    let list = try PropertyList.read(Array(PropertyListSamples.xml.utf8))
    expectEqual(list.root, PropertyListSamples.value)
    expectEqual(list.format, .xml)
  }

  @Test("Keys and values have their places")
  func positions() throws {
    let list = try Self.read("<plist>\r\n<dict>\n  <key>é</key> <string>x</string></dict>\n</plist>")
    let entry = try #require(list.dictionary?.entry("é"))
    expectEqual(list.position, .text(line: 2, column: 1))
    expectEqual(entry.position, .text(line: 3, column: 3))
    expectEqual(entry.value.position, .text(line: 3, column: 16))
  }

  @Test(
    "Text may be written in several ways",
    arguments: [
      ("<string>a &lt;b&gt; &amp; &quot;c&apos; &#65;&#x1F642;</string>", "a <b> & \"c' A🙂"),
      ("<string>a<!-- not this -->b</string>", "ab"), ("<string>a<![CDATA[<b>&amp;]]>c</string>", "a<b>&amp;c"),
      ("<string/>", ""), ("<string></string>", ""), ("<string> a\r\nb\rc </string>", " a\nb\nc "),
      ("\u{FEFF}<string  note = 'x'\n>a</string\n>", "a"),
      ("<?xml version='1.0' encoding='utf-8'?><string>a</string>", "a"),
      ("<!-- x --><?tool y?><plist><string>a</string></plist><!-- z -->\n", "a"),
    ])
  func text(xml: String, expected: String) throws {
    try expectEqual(Self.read(xml).string, expected)
  }

  @Test(
    "Numbers, flags and dates may be written in several ways",
    arguments: [
      ("<integer> 0x1F </integer>", .integer(31)), ("<integer>-0x8000000000000000</integer>", .integer(.min)),
      ("<integer>+7</integer>", .integer(7)), ("<integer>9223372036854775808</integer>", .unsigned(1 << 63)),
      ("<real>-1.25e2</real>", .real(-125)), ("<real>+infinity</real>", .real(.infinity)),
      ("<real>3</real>", .real(3)), ("<true></true>", .bool(true)), ("<false/>", .bool(false)),
      ("<date>2001-01-01T00:00:00Z</date>", .date(0)), ("<date>2000-02-29T00:00:01Z</date>", .date(-26_524_799)),
      ("<date>0000-01-01T00:00:00Z</date>", .date(-63_145_526_400)), ("<data> AA\n== </data>", .data([0])),
      ("<data/>", .data([])),
    ] as [(String, PropertyListValue.Content)])
  func singleValues(xml: String, expected: PropertyListValue.Content) throws {
    try expectEqual(Self.read(xml).content, expected)
  }

  @Test("UTF-16 is read with and without a byte order mark, and its lines are counted")
  func utf16() throws {
    let text = "<plist>\n<array><string>Grüße 🙂</string></array></plist>"
    for isLittle in [true, false] {
      for mark in ["\u{FEFF}", ""] {
        let bytes = (mark + text).utf16.flatMap { unit -> [UInt8] in
          let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
          return isLittle ? pair : pair.reversed()
        }
        let element = try #require(try PropertyList.read(bytes).root.array?.first)
        #expect(element.string == "Grüße 🙂" && element.position == .text(line: 2, column: 8))
        let error = try #require(throws: PropertyListError.self) { try PropertyList.read(bytes + [0]) }
        expectEqual(error.code, .invalidEncoding)
      }
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var text: String
    var code: PropertyListError.Code
    var description: String
    var testDescription: String { PropertyListExcerpt.quoted(text) }
    init(_ text: String, _ code: PropertyListError.Code, _ description: String) {
      (self.text, self.code, self.description) = (text, code, description)
    }
  }

  static let refusals: [Refusal] = [
    .init("", .empty, "byte 0: the file is empty; check that the right file was given"),
    .init(
      "{ a = b; }", .unknownFormat,
      "byte 0: the file is neither XML nor a binary property list; give an Info.plist, or convert it: plutil -convert xml1 FILE"
    ),
    .init(
      "<?xml version='1.0' encoding='latin1'?><dict/>", .unsupportedEncoding,
      "line 1, column 1: the file declares its encoding as \"latin1\"; save it as UTF-8"),
    .init(
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><string>&a;</string>", .ownDeclarations,
      "line 1, column 1: the document type contains declarations; remove everything in [ ]: a property list needs no declarations"
    ),
    .init(
      "<dict>\n<key>a</key><string>&b;</string></dict>", .unknownEntity,
      "line 2, column 21: a: the reference \"&b;\" does not name a character; write the character itself, or its number as in &#65;"
    ),
    .init(
      "<string>a & b</string>", .unknownEntity,
      "line 1, column 11: an & does not begin a reference; write &amp; for an & in text"),
    .init("<string>&#0;</string>", .invalidCharacter, "line 1, column 9: U+0 is not allowed in XML; remove it"),
    .init("<string>&#xD800;</string>", .invalidCharacter, "line 1, column 9: U+D800 is not allowed in XML; remove it"),
    .init("<string>\u{1}</string>", .invalidCharacter, "line 1, column 9: U+1 is not allowed in XML; remove it"),
    .init(
      "<dict><key>a</key><true/><key>a</key><true/></dict>", .duplicateKey,
      "line 1, column 26: a: the key \"a\" occurs twice in one dictionary; remove one of them"),
    .init(
      "<plist><dict>\n#ifdef DEBUG\n<key>a</key><true/>\n#endif\n</dict></plist>", .preprocessed,
      "line 2, column 1: #ifdef is a C preprocessor directive; the preprocessor has not run yet; give the Info.plist of the built app, or run it first: cc -E -P -x c -traditional-cpp FILE"
    ),
    .init(
      "\n# include \"Common.plist\"\n<plist><dict/></plist>", .preprocessed,
      "line 2, column 1: #include is a C preprocessor directive; the preprocessor has not run yet; give the Info.plist of the built app, or run it first: cc -E -P -x c -traditional-cpp FILE"
    ),
    .init(
      "<array><true/>\n  #if A\n<true/></array>", .preprocessed,
      "line 2, column 3: #if is a C preprocessor directive; the preprocessor has not run yet; give the Info.plist of the built app, or run it first: cc -E -P -x c -traditional-cpp FILE"
    ),
    .init(
      "<dict/>\n#endif", .preprocessed,
      "line 2, column 1: #endif is a C preprocessor directive; the preprocessor has not run yet; give the Info.plist of the built app, or run it first: cc -E -P -x c -traditional-cpp FILE"
    ),
    .init(
      "<array>#iffy</array>", .unexpectedText,
      "line 1, column 8: expected </array>, found text; put it into <string>, or remove it"),
    .init(
      "# a comment", .unknownFormat,
      "byte 0: the file is neither XML nor a binary property list; give an Info.plist, or convert it: plutil -convert xml1 FILE"
    ),
    .init(
      "<dict><true/></dict>", .incompleteEntry,
      "line 1, column 7: a value in a dictionary has no key; write <key> before it"),
    .init(
      "<dict><key>a</key></dict>", .incompleteEntry,
      "line 1, column 19: a: the key \"a\" has no value; write a value after it, or remove the key"),
    .init(
      "<dict><key>a</key><key>b</key></dict>", .incompleteEntry,
      "line 1, column 19: a: expected a value, found a key; write the value of the key before it; keys belong in <dict>"
    ),
    .init(
      "<array><bool/></array>", .unexpectedTag,
      "line 1, column 8: [0]: property lists have no tag \"bool\"; write dict, array, string, true, false, integer, real, date or data"
    ),
    .init(
      "<array></dict>", .unexpectedTag,
      "line 1, column 8: [0]: expected a value, found the tag \"/dict\"; write a value before it, or remove what it closes"
    ),
    .init(
      "<string><b>x</b></string>", .unexpectedTag,
      "line 1, column 9: the tag \"b\" is inside <string>; write </string> before it, or &lt; for a < in text"),
    .init(
      "<array>x</array>", .unexpectedText,
      "line 1, column 8: expected </array>, found text; put it into <string>, or remove it"),
    .init("<true>yes</true>", .unexpectedText, "line 1, column 1: <true> contains text; write <true/>"),
    .init("<plist/>", .empty, "line 1, column 1: <plist/> contains no value; write <plist><dict/></plist>"),
    .init(
      "<plist><true/><true/></plist>", .unexpectedTag,
      "line 1, column 15: expected </plist>, found the tag \"true\"; keep one value in <plist>, or put several into <array>"
    ),
    .init("<true/>x", .trailingContent, "line 1, column 8: something follows the property list; remove it"),
    .init(
      "<true/><true/>", .trailingContent, "line 1, column 8: something follows the property list; remove it"),
    .init(
      "<array>", .unexpectedEnd,
      "line 1, column 8: expected </array>, but the file ends; the file was probably cut off: get it again"),
    .init(
      "<string>a", .unexpectedEnd,
      "line 1, column 10: expected </string>, but the file ends; the file was probably cut off: get it again"),
    .init(
      "<!-- a", .unexpectedEnd, "line 1, column 1: a comment that begins here is not closed; write --> where it ends"),
    .init(
      "<dict", .unexpectedEnd,
      "line 1, column 6: expected the end of a tag, but the file ends; the file was probably cut off: get it again"),
    .init("<true / >", .malformedMarkup, "line 1, column 1: the tag \"true\" is not well formed; write <name>"),
    .init("<true a=b/>", .malformedMarkup, "line 1, column 1: the tag \"true\" is not well formed; write <name>"),
    .init("< true/>", .malformedMarkup, "line 1, column 1: a tag has no name; write &lt; for a < in text"),
    .init(
      "<integer>1.5</integer>", .invalidNumber,
      "line 1, column 1: \"1.5\" is not a 64-bit whole number; write digits only"),
    .init("<integer/>", .invalidNumber, "line 1, column 1: \"\" is not a 64-bit whole number; write digits only"),
    .init(
      "<integer>18446744073709551616</integer>", .invalidNumber,
      "line 1, column 1: \"18446744073709551616\" is not a 64-bit whole number; write digits only"),
    .init(
      "<integer>-+5</integer>", .invalidNumber,
      "line 1, column 1: \"-+5\" is not a 64-bit whole number; write digits only"),
    .init("<real>0x1p3</real>", .invalidNumber, "line 1, column 1: \"0x1p3\" is not a number; write one like 1.5"),
    .init("<real>1e999</real>", .invalidNumber, "line 1, column 1: \"1e999\" is not a number; write one like 1.5"),
    .init(
      "<date>2026-02-29T00:00:00Z</date>", .invalidDate,
      "line 1, column 1: \"2026-02-29T00:00:00Z\" is not a date; write one like 2026-11-21T03:17:57Z"),
    .init(
      "<data>A</data>", .invalidData,
      "line 1, column 1: the data is not Base64; write groups of four characters, padded with ="),
    .init(
      "<data>=AAA</data>", .invalidData,
      "line 1, column 1: the data is not Base64; write groups of four characters, padded with ="),
  ]

  @Test("A file that is not a property list is refused with place, reason and next step", arguments: refusals)
  func isRefused(refusal: Refusal) throws {
    let error = try #require(throws: PropertyListError.self) { try Self.read(refusal.text) }
    expectEqual(error.code, refusal.code)
    expectEqual(error.description, refusal.description)
  }

  @Test("Bytes that are not UTF-8 are refused with their place")
  func encoding() throws {
    let error = try #require(throws: PropertyListError.self) {
      try PropertyList.read(Array("<string>\né".utf8) + [0xFF] + Array("</string>".utf8))
    }
    #expect(error.code == .invalidEncoding && error.position == .text(line: 2, column: 2))
  }

  @Test("Nesting, length and number of values are bounded")
  func limits() throws {
    let deep = { (count: Int) in
      String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
    }
    _ = try Self.read(deep(128))
    let error = try #require(throws: PropertyListError.self) { try Self.read(deep(129)) }
    expectEqual(error.code, .tooDeep)
    #expect(throws: PropertyListError.self) { try Self.read(String(repeating: "<array>", count: 1_000_000)) }
    let many = Array("<array><true/><true/></array>".utf8)
    _ = try PropertyList.read(many, limits: .init(bytes: many.count, values: 3))
    #expect(throws: PropertyListError.self) { try PropertyList.read(many, limits: .init(bytes: many.count - 1)) }
    let second = try #require(throws: PropertyListError.self) { try PropertyList.read(many, limits: .init(values: 2)) }
    #expect(second.code == .tooMany && second.position == .text(line: 1, column: 15))
    expectEqual(PropertyList.Limits(depth: 1_000_000).depth, 256)
  }
}
