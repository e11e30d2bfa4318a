/// A value of a property list with the place where it stands in its file.
public struct PropertyListValue: Sendable {
  /// What a value is.
  public enum Content: Equatable, Sendable {
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number above the largest of ``integer(_:)``.
    case unsigned(UInt64)
    /// A number with a fraction, which may be infinite or no number.
    case real(Double)
    /// True or false.
    case bool(Bool)
    /// A point in time, in seconds since the beginning of 2001 in UTC.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// Elements in order.
    case array([PropertyListValue])
    /// Values with keys.
    case dictionary(PropertyListDictionary)
  }

  /// What the value is.
  public var content: Content
  /// Where it begins in its file.
  public var position: PropertyListPosition

  /// Creates a value; one that is made by a program unless a position is given.
  public init(_ content: Content, at position: PropertyListPosition = .program) {
    self.content = content
    self.position = position
  }

  /// The text, when this is one.
  public var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The truth value, when this is one.
  public var bool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// The number, when this is one, whole or not; the nearest `Double`.
  public var number: Double? {
    switch content {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The elements, when this is an array.
  public var array: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The dictionary, when this is one.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = content { dictionary } else { nil }
  }
}

extension PropertyListValue: Equatable {
  /// Whether both are the same. Positions do not count.
  public static func == (one: PropertyListValue, other: PropertyListValue) -> Bool { one.content == other.content }
}
