/// Why bytes are not a message in Protocol Buffers wire format, and where.
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: Equatable, Sendable {
    /// The message ends inside a tag, a number or a length-delimited value.
    case truncated
    /// A varint has more than ten bytes, or its tenth byte is more than 1.
    case varintTooLong
    /// A tag has field number 0.
    case fieldNumberZero
    /// A tag has one of the wire types 3, 4, 6 or 7.
    case unknownWireType(UInt8)
    /// A field's wire type differs from the one in its schema.
    case wrongWireType(field: Int)
    /// A string is not UTF-8.
    case invalidUTF8(field: Int)
    /// A number does not fit its schema type, or a list is longer than its bound.
    case outOfRange(field: Int)
    /// A required field is missing.
    case missing(field: Int)
  }

  /// The kind of error.
  public let code: Code

  /// The place of the error, in bytes from the start of the outermost message.
  public let offset: Int

  /// `offset` counts from the start of the outermost message.
  @inlinable
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// One sentence that states the place and the reason.
  public var description: String {
    let reason =
      switch code {
      case .truncated: "the message ends in the middle of a value"
      case .varintTooLong: "a number has more bytes than 64 bits need"
      case .fieldNumberZero: "a tag has field number 0"
      case .unknownWireType(let type): "a tag has wire type \(type), which is not in use"
      case .wrongWireType(let field): "field \(field) has a different wire type from its schema"
      case .invalidUTF8(let field): "field \(field) is not UTF-8"
      case .outOfRange(let field): "field \(field) holds a value outside its range"
      case .missing(let field): "field \(field) is missing"
      }
    return "byte \(offset): \(reason)"
  }
}
