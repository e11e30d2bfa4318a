import Expectations
import Testing

@testable import JSON

@Suite("Reading from JSON values")
struct JSONNodeTests {
  static let text = """
    {
      "displayName": "Level 3",
      "minimumPinLength": 6,
      "big": 4294967296,
      "fraction": 1.0,
      "pinRequired": "yes",
      "apps": [{"id": "a"}, {"ID": "b"}],
      "none": null
    }
    """

  func failure<Result>(_ body: (JSONNode) throws -> Result) throws -> String {
    let root = try JSONDocument.parse(Self.text).root
    return try #require(throws: JSONError.self) { _ = try body(root) }.description
  }

  @Test("Values of the right type are returned")
  func success() throws {
    let root = try JSONDocument.parse(Self.text).root
    try expectEqual(root.required("displayName").string(), "Level 3")
    try expectEqual(root.required("minimumPinLength").integer(in: 4...16), 6)
    try expectEqual(root.required("big").integer(), UInt64(4_294_967_296))
    try expectEqual(root.optional("none")?.isNull, true)
    #expect(try root.present("none") == nil)
    #expect(try root.optional("other") == nil)
    try expectEqual(root.required("apps").elements().count, 2)
    try expectEqual(root.members().map(\.name).first, "displayName")
    try expectEqual(root.required("displayName").name(from: ["Level 2", "Level 3"]), "Level 3")
    try expectEqual(root.required("apps").elements().first?.members().first?.node.path.description, "apps[0].id")
  }

  @Test("Errors name line, column, path, reason and next step")
  func failures() throws {
    try expectEqual(
      failure { try $0.required("pinRequired").bool() },
      #"line 6, column 18: pinRequired: true or false is needed, and the text "yes" was found; "#
        + "write true or false without quotes")
    try expectEqual(
      failure { try $0.required("minimumPinLength").integer(in: 8...16) },
      "line 3, column 23: minimumPinLength: the number 6 is out of range; write a number from 8 to 16")
    try expectEqual(
      failure { try $0.required("big").integer() as Int32 },
      "line 4, column 10: big: the number 4294967296 is out of range; "
        + "write a number from -2147483648 to 2147483647")
    try expectEqual(
      failure { try $0.required("fraction").integer(in: 0...9) },
      "line 5, column 15: fraction: the number 1.0 is not written as a whole number; write a number from 0 to 9")
    try expectEqual(
      failure { try $0.required("apps").elements()[1].required("id") },
      #"line 7, column 25: apps[1]: the member "id" is missing; add "id", or rename "ID""#)
    try expectEqual(
      failure { try $0.required("displayname") },
      #"line 1, column 1: the member "displayname" is missing; add "displayname", or rename "displayName""#)
    try expectEqual(
      failure { try $0.required("none").string() },
      "line 8, column 11: none: text is needed, and null was found; write the value in double quotes")
    try expectEqual(
      failure { try $0.required("apps").object() },
      "line 7, column 11: apps: an object is needed, and an array was found; write an object in { }")
    try expectEqual(
      failure { try $0.elements() },
      "line 1, column 1: an array is needed, and an object was found; write an array in [ ]")
    try expectEqual(
      failure { try $0.required("displayName").integer(in: 1...2) },
      #"line 2, column 18: displayName: a whole number is needed, and the text "Level 3" was found; "#
        + "write a number from 1 to 2")
    try expectEqual(
      failure { try $0.required("displayName").name(from: ["level 1", "level 33"]) },
      #"line 2, column 18: displayName: "Level 3" is not one of the names allowed here; write "level 1""#)
    try expectEqual(
      failure {
        try $0.expectMembers(["displayName", "minimumPinLength", "big", "fraction", "apps", "pinRequird", "none"])
      }, #"line 6, column 3: pinRequired: the name "pinRequired" is not known here; write "pinRequird""#)
  }

  @Test("Excerpts in messages are short and safe to print")
  func excerpts() {
    expectEqual(JSONExcerpt.quoted("a\u{1B}[31m\"\u{202E}"), #""a\u001b[31m\"\u202e""#)
    let long = JSONExcerpt.quoted(String(repeating: "x", count: 1000))
    expectEqual(long, "\"" + String(repeating: "x", count: 48) + "…\"")
    let digits = String(repeating: "1", count: 100)
    expectEqual(
      JSONNumber(text: digits).map { JSONExcerpt.phrase(JSONValue(.number($0))) }, "the number of many digits")
    expectEqual(
      JSONPath([.member("a b"), .element(2), .member("@odata.type")]).description, #"["a b"][2]["@odata.type"]"#)
  }

  @Test("Excerpts withhold a text that identifies someone, and secrets in links even where persons are shown")
  func sensitiveExcerpts() {
    let tenant = "https://login.microsoftonline.com/contoso.com"
    for text in [tenant, "ada@contoso.com", "?u=ada%40contoso.com", "11111111-2222-3333-4444-555555555555"] {
      #expect(JSONExcerpt.quoted(text) == "(withheld)" && JSONExcerpt.isWithheld(text))
      expectEqual(JSONPath([.member(text)]).description, "[(withheld)]")
      JSONExcerpt.$showsPersons.withValue(true) { expectEqual(JSONExcerpt.quoted(text), "\"\(text)\"") }
    }
    let link = "https://h.example/?state=1&code=abc"
    for showsPersons in [false, true] {
      JSONExcerpt.$showsPersons.withValue(showsPersons) {
        expectEqual(JSONExcerpt.quoted(link), #""https://h.example/?state=1&code=(secret)""#)
        expectEqual(JSONPath([.member(link)]).description, #"["https://h.example/?state=1&code=(secret)"]"#)
      }
    }
    // The annotations of OData name no one.
    #expect(!JSONExcerpt.isWithheld("@odata.type") && !JSONExcerpt.isWithheld("https://h.example/a"))
  }

  @Test("Numbers keep their digits, and are integers only when written so")
  func numbers() {
    expectEqual(JSONNumber(text: "1.50")?.text, "1.50")
    #expect(JSONNumber(text: "1e2")?.integer() == nil)
    expectEqual(JSONNumber(text: "-0")?.integer(), 0)
    expectEqual(JSONNumber(text: "9223372036854775807")?.integer(), Int64.max)
    #expect(JSONNumber(text: "9223372036854775808")?.integer() == nil)
    #expect(JSONNumber(text: "1e999")?.double == nil)
    #expect(JSONNumber(text: "01") == nil && JSONNumber(text: "1 ") == nil && JSONNumber(text: "") == nil)
    #expect(JSONNumber(0.1)?.text == "0.1" && JSONNumber(Double.nan) == nil)
    for value in [1e-5, 1e300, -2.5, 2.3e-308, 1e16] { expectEqual(JSONNumber(value)?.double, value) }
    for value in [1e-5, 1e300, 2.3e-308] { #expect(JSONNumber(value).flatMap { JSONNumber(text: $0.text) } != nil) }
  }
}
