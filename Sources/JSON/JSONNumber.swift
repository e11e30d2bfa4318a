/// A number as it stands in a JSON text: digits are kept, so that nothing is lost on the way through a program.
///
/// Two numbers are equal when their texts are: `1` and `1.0` differ.
public struct JSONNumber: Hashable, Sendable {
  /// The number as JSON, such as `-12` or `1.5e3`.
  public let text: String

  /// Creates a number from its text; `nil` when it is not a JSON number.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard case .success(let end) = JSONNumber.scan(bytes, from: 0), end == bytes.count else { return nil }
    self.text = text
  }

  /// Creates a whole number.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// Creates a number from a finite value, in the shortest form that reads back as the same value; `nil` otherwise.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = "\(value)"
  }

  /// For the parser, which has checked the text.
  init(checked text: String) {
    self.text = text
  }

  /// The number as an integer of type `Number`, when it is written as one and fits; a fraction or an exponent, even
  /// one of zero, is not accepted.
  public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Int64.self) -> Number? {
    Number(text, radix: 10)
  }

  /// The number as the nearest `Double`; `nil` when it is too large for one.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// What is wrong with a number's text.
  struct FormError: Error, Equatable {
    /// Index of the first byte that cannot be there.
    var index: Int
    var message: String
    var remedy: String
  }

  /// Finds the end of the number that begins at `start` (RFC 8259 section 6).
  static func scan(_ bytes: [UInt8], from start: Int) -> Result<Int, FormError> {
    var index = start
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    func skipDigits() -> Int {
      let first = index
      while isDigit(byte(index)) { index += 1 }
      return index - first
    }
    if byte(index) == UInt8(ascii: "-") { index += 1 }
    let leading = index
    guard skipDigits() > 0 else {
      return .failure(FormError(index: index, message: "a number needs a digit here", remedy: "write a digit"))
    }
    if byte(leading) == 0x30 && index - leading > 1 {
      return .failure(
        FormError(index: leading, message: "a number begins with a superfluous zero", remedy: "remove the zero"))
    }
    if byte(index) == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() > 0 else {
        let remedy = "write a digit after the point or remove the point"
        return .failure(FormError(index: index, message: "a number's point is not followed by a digit", remedy: remedy))
      }
    }
    if byte(index) | 0x20 == UInt8(ascii: "e") {
      index += 1
      if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else {
        return .failure(
          FormError(index: index, message: "a number's exponent has no digit", remedy: "write the exponent's digits"))
      }
    }
    return .success(index)
  }
}
