import Expectations
import Testing

@testable import JSON

@Suite("Damaged JSON texts")
struct JSONMutationTests {
  /// A linear congruential generator: the same numbers in every process (Knuth, MMIX).
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  static let seed = #"{"a":[1,-2.5e+3,"é\u0041\ud83d\ude00",{"b":null,"c":[true,false,{}]}],"d":"\\\"","e":[[[]]]}"#

  /// Passes texts with a few changed bytes to `body`, with their numbers.
  static func forEachMutation(_ body: (Int, [UInt8]) -> Void) {
    var random = Generator(state: 2026)
    let alphabet = Array("{}[]\",:\\u0123dD8 \n\r\t-+.eE/'".utf8) + [0xFF, 0xC3, 0x00, 0xEF, 0xBB, 0xFE, 0xED]
    for round in 0..<6000 {
      var bytes = Array(Self.seed.utf8)
      if round % 4 == 0 {
        bytes = JSONEncodingTests.utf16(Self.seed, lowByteFirst: round % 8 == 0, mark: round % 3 == 0)
      }
      for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.remove(at: index)
        case 3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.removeSubrange(index...)
        }
      }
      body(round, bytes)
    }
  }

  @Test("Whatever happens to the bytes, the parser returns a value that survives, or an error inside the text")
  func mutations() {
    Self.forEachMutation { round, bytes in
      do throws(JSONError) {
        let value = try JSONDocument.parse(bytes).value
        let again = try? JSONDocument.parse(value.description).value
        expectEqual(again, value, "round \(round) of seed 2026")
      } catch {
        #expect(error.position.offset <= bytes.count, "round \(round) of seed 2026: \(error)")
        #expect(error.position.line >= 1 && error.position.column >= 1)
      }
    }
  }

  @Test("An array whose elements are read one at a time has the same elements and places, and the same error")
  func streaming() {
    var streamed = 0
    Self.forEachMutation { round, bytes in
      let whole = Result { () throws(JSONError) in try JSONDocument.parse(bytes).root }
      let parts = Result { () throws(JSONError) in try JSONDocument.parse(bytes, streaming: "a") }
      switch (whole, parts) {
      case (.failure(let one), .failure(let other)): expectEqual(one, other, "round \(round)")
      case (.success(let root), .success(let (rest, elements))):
        guard let array = try? root.optional("a"), let nodes = try? array.elements() else {
          #expect(elements.count == 0 && rest.value == root.value, "round \(round)")
          return
        }
        for _ in 0..<2 {
          var cursor = elements.cursor()
          for node in nodes {
            let element = try? cursor.next()
            #expect(element?.value == node.value && element?.path == node.path, "round \(round)")
            expectEqual(element?.position, node.position, "round \(round)")
          }
          #expect((try? cursor.next()) == nil && elements.count == nodes.count, "round \(round)")
        }
        streamed += nodes.count
        let left = try? root.members().map { $0.name == "a" ? .array([]) : $0.node.value }
        #expect((try? rest.members().map(\.node.value)) == left, "round \(round)")
      case (.success, .failure), (.failure, .success): Issue.record("round \(round)")
      }
    }
    #expect(streamed > 100)
  }

  @Test("No prefix of a text is accepted as a whole one")
  func prefixes() {
    let bytes = Array(Self.seed.utf8)
    for count in 0..<bytes.count {
      #expect(throws: JSONError.self, "\(count) bytes") { try JSONDocument.parse(Array(bytes.prefix(count))) }
    }
  }

  @Test("Work grows in proportion to the text: many members, many names, one long line")
  func linearWork() throws {
    let members = (0..<30_000).map { JSONObject.Member("name \($0)", .number($0)) }
    let text = JSONValue.object(members).description
    let root = try JSONDocument.parse(text).root
    try expectEqual(root.object().count, 30_000)
    expectEqual(root.value.description, text)
    try expectEqual(root.members().last?.name, "name 29999")
    let error = try #require(throws: JSONError.self) { try root.required("nome 29999") }
    expectEqual(error.remedy, #"add "nome 29999", or rename "name 29999""#)
  }
}
