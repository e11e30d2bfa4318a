import AppProtection
import JSON

/// What somebody exported from Microsoft Graph: one policy or many, in any of the shapes that exports have.
///
/// ```swift
/// let document = try GraphDocument.read(bytes, file: "level-3.json")
/// for item in document.policies { print(item.policy.about.displayName ?? "", item.source.position) }
/// ```
///
/// Accepted are the policy itself; a policy or a list of them under `value`, as responses and the documentation's
/// examples have it; a bare array; and templates that hold the policy's JSON as a string under `JSON` or `RAWJson`, once or
/// twice; and any of these encoded as a whole as one JSON string. The text may be UTF-8 or UTF-16.
public struct GraphDocument: Equatable, Sendable {
  /// The policies in the order of the document.
  public private(set) var policies: [SourcedPolicy] = []
  /// Entries of a list that are something else than policies for iOS, each with its type and place. A document that is a
  /// single entry of this kind is an error instead, unless everything is asked for.
  public private(set) var refusals: [PolicyDocumentError] = []
  /// Other documents of the management of apps, in the order of the document; always empty unless they are asked for.
  public private(set) var others: [ManagementDocument] = []
  /// Where the members of each of ``others`` stand.
  private(set) var otherPlaces: [MemberPlaces] = []
  /// The encoding of the text.
  public let encoding: JSONDocument.Encoding

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - file: How the file is called in messages.
  /// - Throws: ``PolicyDocumentError`` when the text is not JSON, the document is not a policy for iOS, or a policy in it
  ///   has a member of the wrong type, out of range, or with a duration or date that cannot be read.
  public static func read(_ bytes: [UInt8], file: String? = nil) throws(PolicyDocumentError) -> GraphDocument {
    let json: JSONDocument
    do throws(JSONError) {
      json = try JSONDocument.parse(bytes)
    } catch {
      var error = PolicyDocumentError(error)
      error.file = file
      throw error
    }
    return try read(json, file: file)
  }

  /// Which documents are read.
  public enum Content: Sendable {
    /// Policies only; a single document of another kind is an error.
    case policies
    /// Also app configurations, registrations and what else ``ManagementDocument`` is.
    case everything
  }

  /// Reads a document whose JSON was read already.
  public static func read(
    _ json: JSONDocument, file: String? = nil, including content: Content = .policies
  ) throws(PolicyDocumentError) -> GraphDocument {
    do throws(PolicyDocumentError) {
      var document = GraphDocument(encoding: json.encoding, content: content)
      try document.read(json.root, in: Surroundings())
      document.name(file)
      return document
    } catch {
      var error = error
      error.file = file
      throw error
    }
  }

  /// Reads what stands at a place inside another document, such as a scenario.
  public static func read(_ node: JSONNode) throws(PolicyDocumentError) -> GraphDocument {
    var document = GraphDocument(encoding: .utf8, content: .policies)
    try document.read(node, in: Surroundings())
    return document
  }

  private let content: Content

  private init(encoding: JSONDocument.Encoding, content: Content) {
    self.encoding = encoding
    self.content = content
  }

  private mutating func name(_ file: String?) {
    for index in policies.indices { policies[index].source.file = file }
    for index in refusals.indices { refusals[index].file = file }
  }

  /// What is known of a value from outside of it.
  private struct Surroundings {
    /// What the response's context says about its entries.
    var contextType: GraphTypeName?
    /// Whether the value is one of a list.
    var isListEntry = false
    /// How many strings have been opened to get here.
    var packings = 0
  }

  private mutating func read(_ node: JSONNode, in surroundings: Surroundings) throws(PolicyDocumentError) {
    if node.value.array != nil {
      var inner = surroundings
      inner.isListEntry = true
      for entry in try PolicyDocumentError.translate({ () throws(JSONError) in try node.elements() }) {
        try read(entry, in: inner)
      }
      return
    }
    if let text = node.value.string, Self.looksPacked(text) { return try unpack(node, in: surroundings) }
    guard let object = node.value.object else {
      throw PolicyDocumentError(
        .unknownType, at: node.position, path: node.path,
        message: "a policy or a list of policies is needed, and \(JSONExcerpt.phrase(node.value)) was found",
        remedy: "give the JSON of an app protection policy")
    }
    var inner = surroundings
    if let context = object["@odata.context"]?.string { inner.contextType = GraphTypeName.type(context: context) }
    if object["@odata.type"] == nil {
      if let value = object["value"], value.object != nil || value.array != nil {
        return try read(JSONNode(value, path: node.path.appending(.member("value"))), in: inner)
      }
      for name in ["RAWJson", "JSON"] {
        if let packed = object.member(ignoringCase: name), packed.value.string != nil {
          return try unpack(JSONNode(packed.value, path: node.path.appending(.member(packed.name))), in: inner)
        }
      }
    }
    try readEntity(node, object, in: inner)
  }

  /// Whether a text may be a document that was encoded once too often: an object, an array, or a string again.
  private static func looksPacked(_ text: String) -> Bool {
    switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
    case "{", "[", "\"": true
    case _: false
    }
  }

  private mutating func readEntity(
    _ node: JSONNode, _ object: JSONObject, in surroundings: Surroundings
  ) throws(PolicyDocumentError) {
    if content == .everything, let other = try ManagementDocument.read(node, contextType: surroundings.contextType) {
      others.append(other)
      otherPlaces.append(MemberPlaces(of: object, at: node.position))
      return
    }
    do throws(PolicyDocumentError) {
      let (policy, evidence) = try PolicyDocument.read(
        node, contextType: surroundings.contextType, ignoringCase: surroundings.packings > 0)
      let source = PolicySource(
        file: nil, position: node.position, path: node.path, typeEvidence: evidence,
        places: MemberPlaces(of: object, at: node.position))
      policies.append(SourcedPolicy(policy: policy, source: source))
    } catch {
      guard error.code == .foreignType, surroundings.isListEntry || content == .everything else { throw error }
      refusals.append(error)
    }
  }

  /// Reads the JSON text inside a string. What is found there is placed where the string stands, because that is what an
  /// editor can go to; messages add the place inside.
  private mutating func unpack(_ node: JSONNode, in surroundings: Surroundings) throws(PolicyDocumentError) {
    guard surroundings.packings < 2 else {
      throw PolicyDocumentError(
        .packedTooDeep, at: node.position, path: node.path,
        message: "JSON texts are packed into strings more than twice", remedy: "unpack the innermost policy first")
    }
    let text = try PolicyDocumentError.translate { () throws(JSONError) in try node.string() }
    var inner = surroundings
    inner.packings += 1
    var document = GraphDocument(encoding: encoding, content: content)
    do throws(PolicyDocumentError) {
      let json = try PolicyDocumentError.translate { () throws(JSONError) in try JSONDocument.parse(text) }
      try document.read(json.root, in: inner)
    } catch {
      throw error.moved(into: node)
    }
    for item in document.policies {
      var source = item.source
      source.position = node.position
      source.places = MemberPlaces(packedAt: node.position)
      source.path = JSONPath(node.path.components + source.path.components)
      policies.append(SourcedPolicy(policy: item.policy, source: source))
    }
    others += document.others
    otherPlaces += document.others.map { _ in MemberPlaces(packedAt: node.position) }
    refusals += document.refusals.map { $0.moved(into: node) }
  }
}

extension PolicyDocumentError {
  /// The error as seen from outside of the string in which its text is packed.
  fileprivate func moved(into node: JSONNode) -> PolicyDocumentError {
    var error = PolicyDocumentError(
      code, at: node.position, path: JSONPath(node.path.components + path.components),
      message: "in the JSON text inside this string, at \(position): \(message)", remedy: remedy)
    error.foreignKind = foreignKind
    return error
  }
}
