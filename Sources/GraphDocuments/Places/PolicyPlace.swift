import AppProtection
import JSON

/// Where a policy stood.
public struct PolicyPlace: Equatable, Sendable {
  /// The file as the caller named it; `nil` when there is none.
  public var file: String?
  /// Where the policy begins in the file's text; for one packed into a string, where that string begins.
  public var position: JSONPosition
  /// The way to the policy from the document's outermost value; empty when it is the document itself.
  public var path: JSONPath
  /// How the document says what it is.
  public var typeEvidence: TypeEvidence
  /// Where its members and their elements stand in the file's text.
  package var places: MemberPlaces

  /// How a document says what it is.
  public enum TypeEvidence: String, Equatable, Sendable {
    /// By its `@odata.type`.
    case declared
    /// By the `@odata.context` of the response that it stands in.
    case context
    /// By members that only policies for iOS have.
    case members
  }
}

/// A policy and where it stood.
public struct SourcedPolicy: Equatable, Sendable {
  /// What was read at the place.
  public var policy: PolicyDocument
  /// Where it stood.
  public var source: PolicyPlace
}
