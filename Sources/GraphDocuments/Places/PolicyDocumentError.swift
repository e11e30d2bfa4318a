import AppProtection
import JSON
import PropertyList

/// Why a document is not accepted as a policy: place, reason and next step.
public struct PolicyDocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: Equatable, Sendable {
    /// The text is not JSON, or a value has the wrong type or lies outside its range.
    case json(JSONError.Code)
    /// The file is an unreadable property list.
    case propertyList(PropertyListError.Code)
    /// The text of a duration or a date is malformed; this includes negative durations.
    case text(PolicyTextError.Code)
    /// The document states that it is not a policy for iOS.
    case foreignType
    /// The document does not state its type, and its members do not identify it.
    case unknownType
    /// JSON texts are nested in strings more deeply than in any export.
    case packedTooDeep
    /// The text is not a table of all values of policies.
    case table
    /// The text is not of the part of YAML that is read.
    case yaml
    /// The text is not of the part of PowerShell that Microsoft365DSC exports.
    case desiredState
    /// A statement of PowerShell stands where a resource could: what it makes is known only when it runs.
    case statement
    /// The file is a compiled configuration (MOF), which is not read.
    case compiledConfiguration
    /// The rule of a filter is malformed.
    case filterRule
    /// The exporting program wrote something else in place of the values.
    case lostValues
    /// The service answered with an error in place of a document.
    case serviceError

    /// Whether the error concerns JSON.
    public var isJSON: Bool {
      if case .json = self { true } else { false }
    }
  }

  /// The nature of a document with a foreign type.
  public enum ForeignKind: Equatable, Sendable {
    /// A document for this platform, such as `Android`.
    case platform(String)
    /// A document of this type, such as `deviceManagementScript`.
    case type(String)
  }

  /// The kind of error.
  public let code: Code
  /// The file as named by the caller; `nil` if there is none.
  public var file: String?
  /// The place in the file's text.
  public let position: JSONPosition
  /// The member concerned. If a JSON text is packed in a string, the path continues inside it.
  public let path: JSONPath
  /// The nature of a document with a foreign type; `nil` for all other errors.
  public package(set) var foreignKind: ForeignKind?
  /// The type of such a document, such as `androidManagedAppProtection`, quoted where it is not plain; `nil` for all other
  /// errors.
  public package(set) var foreignType: String?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  package init(_ code: Code, at position: JSONPosition, path: JSONPath, message: String, remedy: String) {
    self.code = code
    self.position = position
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// Converts an error of the JSON parser or decoder.
  public init(_ error: JSONError) {
    self.init(
      .json(error.code), at: error.position, path: error.path, message: error.message, remedy: error.remedy)
  }

  /// Converts an error of the property-list reader.
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
  /// Parts of the document are quoted, shortened and free of control characters.
  public var description: String {
    let place = [file, position.isInText ? "\(position)" : nil, path.components.isEmpty ? nil : "\(path)"]
    return (place + ["\(message); \(remedy)"]).compactMap { $0 }.joined(separator: ": ")
  }
}

extension PolicyDocumentError {
  /// Converts a `JSONError` thrown by `body` to a ``PolicyDocumentError``.
  package static func translate<Result>(
    _ body: () throws(JSONError) -> Result
  ) throws(PolicyDocumentError) -> Result {
    do throws(JSONError) {
      return try body()
    } catch {
      throw PolicyDocumentError(error)
    }
  }
}
