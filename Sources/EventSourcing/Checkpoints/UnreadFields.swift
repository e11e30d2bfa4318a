import WireFormat

/// Finds what a program drops of a stored message when it reads it: fields that only a later program has.
enum UnreadFields {
  /// The deepest messages that are compared field by field.
  private static var maximumDepth: Int { 32 }

  /// The first field that a program has not kept: its number, after those of the messages around it, such as `1.4`;
  /// `nil` if the program kept all of them. Fields that only the kept message has do not count: an earlier program did not
  /// write them.
  ///
  /// O(n log n), in the number of fields.
  ///
  /// - Parameters:
  ///   - stored: The message as it was stored.
  ///   - kept: What the program encodes after it has read it.
  static func first(in stored: [UInt8], keptAs kept: [UInt8]) -> String? {
    guard stored != kept else { return nil }
    return stored.withUnsafeBytes { stored in
      kept.withUnsafeBytes { kept in
        first(in: stored, keptAs: kept, depth: 1).map { $0.map(String.init).joined(separator: ".") }
      }
    }
  }

  private static func first(
    in stored: UnsafeRawBufferPointer, keptAs kept: UnsafeRawBufferPointer, depth: Int
  ) -> [Int]? {
    // What is not a message was changed as a whole.
    guard depth <= maximumDepth, let fields = fields(of: stored), let others = Self.fields(of: kept) else { return [] }
    var rest = others[...]
    for field in fields {
      rest = rest.drop { $0.number < field.number }
      guard let other = rest.first, other.number == field.number else { return [field.number] }
      rest.removeFirst()
      guard !field.bytes.elementsEqual(other.bytes) else { continue }
      guard let message = field.message, let otherMessage = other.message else { return [field.number] }
      if let inner = first(in: message, keptAs: otherMessage, depth: depth + 1) { return [field.number] + inner }
    }
    return nil
  }

  private struct Field {
    var number: Int
    /// With the tag.
    var bytes: UnsafeRawBufferPointer
    /// Without tag and length; `nil` for a number.
    var message: UnsafeRawBufferPointer?
    var place: Int
  }

  /// The fields in the order of their numbers; `nil` if the bytes are not a message.
  private static func fields(of bytes: UnsafeRawBufferPointer) -> [Field]? {
    var reader = WireReader(bytes)
    var fields: [Field] = []
    do throws(WireError) {
      while let field = try reader.nextField() {
        let message = field.type == .lengthDelimited ? reader.peekBytes(field) : nil
        let all = try reader.skipRaw(field)
        fields.append(Field(number: field.number, bytes: all, message: message, place: fields.count))
      }
    } catch {
      return nil
    }
    return fields.sorted { ($0.number, $0.place) < ($1.number, $1.place) }
  }
}
