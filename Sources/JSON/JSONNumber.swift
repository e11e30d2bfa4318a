/// A number as written in a JSON text. Its digits are kept, so a program passes it on without loss.
///
/// Two numbers are equal if their texts are: `1` and `1.0` differ.
public struct JSONNumber: Hashable, Sendable {
  /// The number as JSON, such as `-12` or `1.5e3`.
  public let text: String

  /// `nil` if `text` is not a JSON number.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard case .success(let end) = JSONNumber.scan(bytes, from: 0), end == bytes.count else { return nil }
    self.text = text
  }

  /// The decimal digits of `value`.
  public init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// A finite value in the shortest form that reads back as the same value; `nil` for infinity or NaN.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = "\(value)"
  }

  /// For the parser, which has already checked the text.
  init(checked text: String) {
    self.text = text
  }

  /// The number as an integer of type `Number`, if it is written as one and fits; a fraction or exponent, even of zero,
  /// yields `nil`.
  public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Int64.self) -> Number? {
    Number(text, radix: 10)
  }

  /// The nearest `Double`; `nil` if the number is too large for one.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The error in a number's text.
  struct FormError: Error, Equatable {
    /// The index of the first byte not allowed in its place.
    var index: Int
    var message: String
    var remedy: String
  }

  /// The end of the number that begins at `start` (RFC 8259 section 6).
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
