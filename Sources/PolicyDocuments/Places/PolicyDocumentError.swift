import AppProtection
import JSON
import PropertyList

/// Why a document is not taken for a policy: the place, the reason and the next step.
public struct PolicyDocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: Equatable, Sendable {
    /// The text is not JSON, or a value has the wrong type or lies outside its range.
    case json(JSONError.Code)
    /// The file is a property list that cannot be read.
    case propertyList(PropertyListError.Code)
    /// The text of a duration or a date cannot be read; negative durations are among these.
    case text(PolicyTextError.Code)
    /// The document is something else than a policy for iOS, and says so.
    case foreignType
    /// The document does not say what it is, and its members do not tell.
    case unknownType
    /// JSON texts are packed into each other more often than any export does.
    case packedTooDeep

    /// Whether the trouble is one of JSON.
    public var isJSON: Bool {
      if case .json = self { true } else { false }
    }
  }

  /// What a document of a foreign type is.
  public enum ForeignKind: Equatable, Sendable {
    /// A document for this platform, such as `Android`.
    case platform(String)
    /// A document of this type, such as `deviceManagementScript`.
    case type(String)
  }

  /// What kind of trouble it is.
  public let code: Code
  /// The file as the caller named it; `nil` when there is none.
  public var file: String?
  /// Where it is in the file's text.
  public let position: JSONPosition
  /// Which member it concerns. Where a JSON text is packed into a string, the path goes on inside it.
  public let path: JSONPath
  /// What a document of a foreign type is; `nil` for every other trouble.
  public internal(set) var foreignKind: ForeignKind?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  init(_ code: Code, at position: JSONPosition, path: JSONPath, message: String, remedy: String) {
    self.code = code
    self.position = position
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// The same trouble as `error` found.
  public init(_ error: JSONError) {
    self.init(
      .json(error.code), at: error.position, path: error.path, message: error.message, remedy: error.remedy)
  }

  /// The same trouble as `error` found.
  public init(_ error: PropertyListError) {
    let message = error.path.components.isEmpty ? error.message : "\(error.path): \(error.message)"
    switch error.position {
    case .text(let line, let column):
      let position = JSONPosition(line: line, column: column, offset: 0)
      self.init(
        .propertyList(error.code), at: position, path: JSONPath(), message: message, remedy: error.remedy)
    case .byte, .program:
      self.init(
        .propertyList(error.code), at: .none, path: JSONPath(), message: "\(error.position): \(message)",
        remedy: error.remedy)
    }
  }

  /// File, place, reason and next step in one line: `policy.json: line 9, column 15: pinRequired: … ; …`.
  ///
  /// What comes from the document is quoted, shortened and free of control characters.
  public var description: String {
    let place = [file, position.isInText ? "\(position)" : nil, path.components.isEmpty ? nil : "\(path)"]
    return (place + ["\(message); \(remedy)"]).compactMap { $0 }.joined(separator: ": ")
  }
}

extension PolicyDocumentError {
  /// Runs something that throws a `JSONError`, and throws the same trouble as a ``PolicyDocumentError``.
  static func translate<Result>(
    _ body: () throws(JSONError) -> Result
  ) throws(PolicyDocumentError) -> Result {
    do throws(JSONError) {
      return try body()
    } catch {
      throw PolicyDocumentError(error)
    }
  }
}
