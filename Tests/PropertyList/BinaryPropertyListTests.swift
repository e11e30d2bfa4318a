import Expectations
import PlainText
import Testing

@testable import PropertyList

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  @Test("Another program's file is read, and means the same as its XML form")
  func sample() throws {
    let bytes = try #require(Base64.decode(spaced: PropertyListSamples.binaryText))
    let list = try PropertyList.read(bytes)
    expectEqual(list.root, PropertyListSamples.value)
    expectEqual(list.format, .binary)
    expectEqual(list.root.position, .byte(8))
    expectEqual(list.root.dictionary?.entry("Text")?.position, .byte(23))
  }

  @Test("Offsets of every width are read", arguments: 1...8)
  func offsetSizes(size: Int) throws {
    let file = BinaryFile(objects: [[0xA2, 1, 2], BinaryFile.text("a"), [0x09]], offsetSize: size)
    try expectEqual(PropertyList.read(file.bytes).root, .array([.string("a"), .bool(true)]))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var code: PropertyListError.Code
    var description: String
    var testDescription: String { name }
  }

  private static func refusal(
    _ name: String, _ objects: [[UInt8]], _ code: PropertyListError.Code, _ description: String,
    trailer: @escaping (inout [UInt8]) -> Void = { _ in }
  ) -> Refusal {
    Refusal(
      name: name, bytes: BinaryFile(objects: objects, trailer: trailer).bytes, code: code, description: description)
  }

  private static let again = "; the file is damaged: get it again, or build the app again"
  private static let cutOff = "; the file was probably cut off: get it again"
  private static let rightFile = "; check that the right file was given"

  static let refusals: [Refusal] = [
    Refusal(
      name: "version", bytes: Array("bplist15".utf8), code: .unknownFormat,
      description: "byte 0: the version of the binary form is not 00; convert it: plutil -convert xml1 FILE"),
    Refusal(
      name: "no trailer", bytes: Array("bplist00".utf8), code: .invalidTrailer,
      description: "byte 0: the file is too short for a trailer\(cutOff)"),
    refusal(
      "width 0", [[9]], .invalidTrailer,
      "byte 11: the trailer says that a number has 0 bytes or more than 8\(cutOff)", trailer: { $0[6] = 0 }),
    refusal(
      "width 9", [[9]], .invalidTrailer,
      "byte 11: the trailer says that a number has 2 bytes or more than 8\(cutOff)", trailer: { $0[7] = 9 }),
    refusal(
      "table outside", [[9]], .invalidTrailer,
      "byte 11: the trailer places the offset table outside the file\(cutOff)",
      trailer: { $0[24] = 0xFF }),
    refusal(
      "huge count", [[9]], .invalidTrailer,
      "byte 11: the trailer declares 18374686479671623681 objects, which does not match the offset table\(cutOff)",
      trailer: { $0[8] = 0xFF }),
    refusal(
      "no objects", [[9]], .invalidTrailer,
      "byte 11: the trailer declares 0 objects, which does not match the offset table\(cutOff)",
      trailer: { $0[15] = 0 }),
    refusal(
      "outermost", [[9]], .invalidTrailer, "byte 11: the trailer names missing object 1 as the outermost\(cutOff)",
      trailer: { $0[23] = 1 }),
    refusal(
      "offset", [[9, 9, 9]], .invalidReference, "byte 9: object 0 lies outside the objects\(again)",
      trailer: { $0[31] = 9 }),
    refusal(
      "reference", [[0xA1, 7]], .invalidReference, "byte 9: [0]: object 7 is referenced, but the file has 1\(again)"),
    refusal("cycle", [[0xA1, 0]], .cycle, "byte 9: [0]: an object contains itself\(again)"),
    refusal(
      "cycle through a dictionary", [[0xD1, 1, 2], BinaryFile.text("a"), [0xA1, 0]], .cycle,
      "byte 14: a[0]: an object contains itself\(again)"),
    refusal(
      "huge text", [[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .truncatedObject,
      "byte 8: an object extends past the end of the objects\(again)"),
    refusal(
      "huge array", [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .truncatedObject,
      "byte 8: an object extends past the end of the objects\(again)"),
    refusal(
      "text that reaches into the table", [[0x53, 0x61]], .truncatedObject,
      "byte 8: an object extends past the end of the objects\(again)"),
    refusal(
      "no count", [[0xDF, 0x50]], .truncatedObject, "byte 8: an object's length is missing\(again)"),
    refusal(
      "half a number", [[0x13, 0]], .truncatedObject,
      "byte 8: an object extends past the end of the objects\(again)"),
    refusal(
      "null", [[0]], .unsupportedObject,
      "byte 8: an object is of kind 0x0, which property lists of apps do not use\(rightFile)"),
    refusal(
      "set", [[0xC0]], .unsupportedObject,
      "byte 8: an object is of kind 0xC0, which property lists of apps do not use\(rightFile)"),
    refusal(
      "no key", [[0xD1, 1, 1], [0x10, 5]], .invalidKey, "byte 9: a key is the number 5 instead of text\(again)"),
    refusal(
      "duplicate key", [[0xD2, 1, 2, 3, 3], BinaryFile.text("a"), BinaryFile.text("a"), [9]], .duplicateKey,
      "byte 10: a: the key \"a\" occurs twice in one dictionary; remove one of them"),
    refusal(
      "not ASCII", [[0x51, 0xE9]], .invalidCharacter, "byte 8: a text marked as ASCII is not ASCII\(again)"),
    refusal(
      "half a pair", [[0x61, 0xD8, 0x00]], .invalidCharacter,
      "byte 8: half of a surrogate pair is not a character on its own\(again)"),
    refusal(
      "65 bits", [[0x14] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]], .invalidNumber,
      "byte 8: a number needs more than 64 bits; write a smaller one"),
  ]

  @Test("A damaged or hostile file is refused with the place, the reason and the next step", arguments: refusals)
  func isRefused(refusal: Refusal) throws {
    let error = try #require(throws: PropertyListError.self) { try PropertyList.read(refusal.bytes) }
    expectEqual(error.code, refusal.code)
    expectEqual(error.description, refusal.description)
  }

  @Test("A file that refers to each object twice, forty levels deep, costs no more than its length")
  func sharedObjects() throws {
    var objects: [[UInt8]] = (1...40).map { [0xA2, UInt8($0), UInt8($0)] }
    objects.append([9])
    var code: PropertyListError.Code?
    // No expectation gets to see the value: describing it would take forever.
    do throws(PropertyListError) {
      _ = try PropertyList.read(BinaryFile(objects: objects).bytes)
    } catch {
      code = error.code
    }
    expectEqual(code, .tooMany)
    // Ten levels are two thousand values, which is allowed.
    _ = try PropertyList.read(
      BinaryFile(objects: Array(objects[30...]).map { $0.map { $0 >= 31 && $0 <= 40 ? $0 - 30 : $0 } }).bytes)
  }

  @Test("Nesting is bounded, even for objects decoded earlier at a lesser depth")
  func depth() throws {
    func chain(_ length: Int) -> [[UInt8]] { (1..<length).map { [0xA1, UInt8($0)] } + [[0xA0]] }
    _ = try PropertyList.read(BinaryFile(objects: chain(128)).bytes)
    var error = try #require(throws: PropertyListError.self) {
      try PropertyList.read(BinaryFile(objects: chain(129)).bytes)
    }
    expectEqual(error.code, .tooDeep)
    // The outermost array names the innermost first, so that each is decoded at depth two.
    let count = 200
    let inner: [[UInt8]] = (1...count).map { $0 == 1 ? [0xA0] : [0xA1, UInt8($0 - 1)] }
    let outer: [UInt8] = [0xAF, 0x10, UInt8(count)] + (1...count).map { UInt8($0) }
    error = try #require(throws: PropertyListError.self) {
      try PropertyList.read(BinaryFile(objects: [outer] + inner).bytes)
    }
    expectEqual(error.code, .tooDeep)
  }
}
