import EventSourcing
import WireFormat

/// What rules ask about a PIN. The PIN itself is never kept, and cannot be had from this.
public struct PINFacts: Equatable, Sendable {
  /// How many characters it has.
  public var length: UInt32 = 0
  /// Whether it has a digit.
  public var hasDigit = false
  /// Whether it has a letter.
  public var hasLetter = false
  /// Whether it has a character that is neither digit nor letter.
  public var hasSymbol = false
  /// Whether three digits in a row are equal, or count up or down by one: 1112 and 1235 are simple, 1122 is not.
  public var hasSimpleRun = false

  /// Creates facts about the empty PIN.
  public init() {}

  /// Looks at a PIN. O(length).
  public init(of pin: String) {
    var last: (older: Int, newer: Int)?
    var previous: Int?
    for character in pin {
      length = length == .max ? .max : length + 1
      let digit = character.isASCII ? character.wholeNumberValue : nil
      if digit != nil {
        hasDigit = true
      } else if character.isLetter {
        hasLetter = true
      } else {
        hasSymbol = true
      }
      if let digit, let last {
        let step = last.newer - last.older
        if abs(step) <= 1 && digit - last.newer == step { hasSimpleRun = true }
      }
      last = if let digit, let previous { (previous, digit) } else { nil }
      previous = digit
    }
  }

  static let descriptor = MessageDescriptor(
    "PINFacts",
    [
      FieldDescriptor(1, "length", .unsigned, .single, "how many characters it has"),
      FieldDescriptor(2, "hasDigit", .bool, .single, "whether it has a digit"),
      FieldDescriptor(3, "hasLetter", .bool, .single, "whether it has a letter"),
      FieldDescriptor(4, "hasSymbol", .bool, .single, "whether it has a character that is neither digit nor letter"),
      FieldDescriptor(
        5, "hasSimpleRun", .bool, .single, "whether three digits in a row are equal or count up or down by one"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: UInt64(length))
    writer.write(2, bool: hasDigit)
    writer.write(3, bool: hasLetter)
    writer.write(4, bool: hasSymbol)
    writer.write(5, bool: hasSimpleRun)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: length = try reader.unsigned(field, as: UInt32.self)
      case 2: hasDigit = try reader.bool(field)
      case 3: hasLetter = try reader.bool(field)
      case 4: hasSymbol = try reader.bool(field)
      case 5: hasSimpleRun = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
  }
}
