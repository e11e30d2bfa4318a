/// A value of a property list with its place in the file.
public struct PropertyListValue: Sendable {
  /// The kind of value.
  public enum Content: Equatable, Sendable {
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number too large for ``integer(_:)``.
    case unsigned(UInt64)
    /// A number with a fraction; may be infinite or NaN.
    case real(Double)
    /// True or false.
    case bool(Bool)
    /// A point in time, in seconds since the start of 2001 in UTC.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// Elements, in order.
    case array([PropertyListValue])
    /// Values with keys.
    case dictionary(PropertyListDictionary)
  }

  /// The value itself.
  public var content: Content
  /// Where the value begins in its file.
  public var position: PropertyListPosition

  /// Omit `position` for a value that does not come from a file.
  public init(_ content: Content, at position: PropertyListPosition = .program) {
    self.content = content
    self.position = position
  }

  /// The text; `nil` unless this is a string.
  public var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The truth value; `nil` unless this is one.
  public var bool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// The number, whole or not, as the nearest `Double`; `nil` unless this is one.
  public var number: Double? {
    switch content {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    case .string, .bool, .date, .data, .array, .dictionary: nil
    }
  }

  /// The elements; `nil` unless this is an array.
  public var array: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The entries; `nil` unless this is a dictionary.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = content { dictionary } else { nil }
  }
}

extension PropertyListValue: Equatable {
  /// Whether both are the same value. Positions are ignored.
  public static func == (one: PropertyListValue, other: PropertyListValue) -> Bool { one.content == other.content }
}
