import AppProtection
import JSON

/// An export from Microsoft Graph: one policy or many, in any form that exports take.
///
/// ```swift
/// let document = try GraphDocument.read(bytes, file: "level-3.json")
/// for item in document.policies { print(item.policy.about.displayName ?? "", item.source.position) }
/// ```
///
/// Accepts the policy itself; a policy or a list of policies under `value`, as in responses and the documentation's
/// examples; a bare array; templates that hold the policy's JSON as a string under `JSON`, `RAWJson` or `TemplateJson`,
/// encoded once or twice; objects of the Graph SDK for PowerShell; and any of these as a single JSON string. The text may
/// be UTF-8 or UTF-16.
public struct GraphDocument: Equatable, Sendable {
  /// The policies in the order of the document.
  public private(set) var policies: [SourcedPolicy] = []
  /// Entries of a list that are not policies for the platforms that were requested, each with its type and place. A
  /// document that consists of a single such entry is an error instead, unless everything was requested; then entries that
  /// are broken are here, too.
  public private(set) var refusals: [PolicyDocumentError] = []
  /// Other app management documents, in the order of the document; always empty unless requested.
  public private(set) var others: [ManagementDocument] = []
  /// Where the members of each of ``others`` stand.
  package private(set) var otherPlaces: [MemberPlaces] = []
  /// What is not as Graph writes it in each of ``others``.
  package private(set) var otherDoubts: [[MemberDoubt]] = []
  /// The encoding of the text.
  public let encoding: JSONDocument.Encoding

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - file: The file's name in messages.
  /// - Throws: ``PolicyDocumentError`` if the text is not JSON, the document is not a policy for iOS, or a policy in it
  ///   has a member with the wrong type, out of range, or with an unreadable duration or date.
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

  /// Which documents to read.
  public enum Content: Sendable {
    /// Policies for iOS only; any other single document is an error.
    case policies
    /// Policies for iOS, and every kind of ``ManagementDocument``, such as app configurations and registrations.
    case everything
    /// Everything, and policies for the other platforms. A value in another form than Graph's does not refuse its document: it
    /// is taken for what it stands for, or else left out.
    case everyPlatform

    /// The platforms whose policies are read.
    var platforms: [PolicyPlatform] {
      switch self {
      case .policies, .everything: [.ios]
      case .everyPlatform: PolicyPlatform.allCases
      }
    }

    /// Whether documents that are no policies are read too.
    var isEverything: Bool {
      switch self {
      case .policies: false
      case .everything, .everyPlatform: true
      }
    }

    /// Whether odd values are restated or left out.
    var isTolerant: Bool {
      switch self {
      case .policies, .everything: false
      case .everyPlatform: true
      }
    }
  }

  /// Reads a document from already parsed JSON.
  public static func read(
    _ json: JSONDocument, file: String? = nil, including content: Content = .policies
  ) throws(PolicyDocumentError) -> GraphDocument {
    try read(json.root, encoding: json.encoding, file: file, including: content)
  }

  /// Reads a value that may come from another language than JSON.
  package static func read(
    _ root: JSONNode, encoding: JSONDocument.Encoding, file: String?, including content: Content
  ) throws(PolicyDocumentError) -> GraphDocument {
    do throws(PolicyDocumentError) {
      var document = GraphDocument(encoding: encoding, content: content)
      try document.read(root, in: Surroundings())
      document.name(file)
      return document
    } catch {
      var error = error
      error.file = file
      throw error
    }
  }

  /// Reads a value inside another document, such as a scenario.
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

  /// Context that a value itself does not contain.
  private struct Surroundings {
    /// The type of entries according to the response's context.
    var contextType: GraphTypeName?
    /// Whether the context says that members were chosen, so that others are not there.
    var isSelection = false
    /// Whether the value is an entry of a list.
    var isListEntry = false
    /// The number of strings unpacked to reach the value.
    var packings = 0
    /// Whether the Graph SDK for PowerShell wrote the value.
    var isOfSDK = false

    /// The same for an entry of a list.
    var ofEntry: Surroundings {
      var surroundings = self
      surroundings.isListEntry = true
      return surroundings
    }
  }

  private mutating func read(_ node: JSONNode, in surroundings: Surroundings) throws(PolicyDocumentError) {
    if node.value.array != nil {
      let entries = try PolicyDocumentError.translate { () throws(JSONError) in try node.elements() }
      // A list without a single document, such as one of numbers, is refused as a whole.
      let hasDocuments = entries.contains { entry in
        entry.value.object != nil || entry.value.string.map(Self.looksPacked) ?? false
      }
      for entry in entries {
        try readEntry(refusing: hasDocuments) { (document) throws(PolicyDocumentError) in
          try document.read(entry, in: surroundings.ofEntry)
        }
      }
      return
    }
    if let text = node.value.string, Self.looksPacked(text) { return try unpack(node, in: surroundings) }
    guard let object = node.value.object else {
      var error = PolicyDocumentError(
        .unknownType, at: node.position, path: node.path,
        message: "a policy or a list of policies is needed, and \(JSONExcerpt.phrase(node.value)) was found",
        remedy: "give the JSON of an app protection policy")
      if content.isTolerant, surroundings.isListEntry { error.foreignKind = .type("element that is no document") }
      throw error
    }
    var inner = surroundings
    if let graph = node.value.asGraphWritesObjectOfSDK {
      inner.isOfSDK = true
      return try read(JSONNode(graph, path: node.path), in: inner)
    }
    if let context = object["@odata.context"]?.string {
      inner.contextType = GraphTypeName.type(context: context)
      inner.isSelection = GraphTypeName.isSelection(context: context)
    }
    if object["@odata.type"] == nil {
      if object["error"]?.object?["code"]?.string != nil { throw Self.serviceError(node) }
      if let value = object["value"], value.object != nil || value.array != nil {
        return try read(JSONNode(value, path: node.path.appending(.member("value"))), in: inner)
      }
      if let responses = object["responses"], responses.array != nil {
        return try readBatch(JSONNode(responses, path: node.path.appending(.member("responses"))), in: inner)
      }
      for name in Self.packedMembers {
        if let packed = object.member(ignoringCase: name), packed.value.string != nil {
          return try unpack(JSONNode(packed.value, path: node.path.appending(.member(packed.name))), in: inner)
        }
      }
    }
    try readEntity(node, object, in: inner)
  }

  /// The members of templates that hold a document as a text.
  private static let packedMembers = ["RAWJson", "JSON", "TemplateJson"]

  /// Reads the documents among the members of an object that is none itself, as in exports that collect several lists, or
  /// in a row of a backup, whose lists are texts.
  ///
  /// - Returns: Whether there are any.
  private mutating func readMembers(of node: JSONNode, _ object: JSONObject, in surroundings: Surroundings) -> Bool {
    var inside = GraphDocument(encoding: encoding, content: content)
    for member in object.members where GraphMember.named(member.name) == nil {
      let isPacked = member.value.string.map(Self.looksPacked) ?? false
      guard !member.name.contains("@"), isPacked || member.value.array != nil || member.value.object != nil else {
        continue
      }
      var inner = surroundings.ofEntry
      inner.contextType = GraphTypeName.type(context: "#\(member.name)") ?? surroundings.contextType
      do throws(PolicyDocumentError) {
        try inside.read(JSONNode(member.value, path: node.path.appending(.member(member.name))), in: inner)
      } catch {
        // A text that is not JSON is a text.
        if !isPacked || !error.code.isJSON { inside.refusals.append(error) }
      }
    }
    guard !inside.policies.isEmpty || !inside.others.isEmpty else { return false }
    policies += inside.policies
    others += inside.others
    otherPlaces += inside.otherPlaces
    otherDoubts += inside.otherDoubts
    // What is no document by itself is none of the export's lists either.
    refusals += inside.refusals.filter { $0.code != .unknownType }
    return true
  }

  /// Reads an entry of a list. Where everything is read, one that is broken does not keep the others from being read.
  private mutating func readEntry(
    refusing isRefused: Bool, _ read: (inout GraphDocument) throws(PolicyDocumentError) -> Void
  ) throws(PolicyDocumentError) {
    do throws(PolicyDocumentError) {
      try read(&self)
    } catch {
      guard content.isEverything, isRefused else { throw error }
      refusals.append(error)
    }
  }

  /// Whether the Graph SDK for PowerShell wrote an object: with names that begin with a capital letter.
  private static func isOfSDK(_ object: JSONObject, in surroundings: Surroundings) -> Bool {
    surroundings.isOfSDK
      || object.members.count { GraphMember.named($0.name) == nil && GraphMember.isName(ignoringCase: $0.name) } > 2
  }

  private static func lostBySDK(_ node: JSONNode) -> PolicyDocumentError {
    PolicyDocumentError(
      .lostValues, at: node.position, path: node.path,
      message: "the object was written by the Graph SDK for PowerShell, which loses the type and every choice",
      remedy: "export the response of Invoke-MgGraphRequest -OutputType Json instead")
  }

  /// Why an object without a type is no document, where its program is known.
  private static func refusal(
    of node: JSONNode, _ object: JSONObject, in surroundings: Surroundings
  ) -> PolicyDocumentError? {
    if isOfSDK(object, in: surroundings) { return lostBySDK(node) }
    guard object["terraform_version"]?.string != nil else { return nil }
    return PolicyDocumentError(
      .unknownType, at: node.position, path: node.path,
      message: "the object is a state or plan of Terraform, whose providers have names of their own for settings",
      remedy: "export the policies from Graph")
  }

  /// Reads the answers to a request with several parts (`$batch`).
  private mutating func readBatch(_ node: JSONNode, in surroundings: Surroundings) throws(PolicyDocumentError) {
    for response in try PolicyDocumentError.translate({ () throws(JSONError) in try node.elements() }) {
      try readEntry(refusing: true) { (document) throws(PolicyDocumentError) in
        let (body, status) = try PolicyDocumentError.translate { () throws(JSONError) in
          (try response.present("body"), try response.present("status")?.integer(in: 0...999))
        }
        if let status, status >= 400 { throw Self.serviceError(body ?? response, status) }
        if let body { try document.read(body, in: surroundings.ofEntry) }
      }
    }
  }

  /// What the service answered in place of a document.
  ///
  /// - Parameter status: The status of HTTP, where the answer has one.
  private static func serviceError(_ node: JSONNode, _ status: Int? = nil) -> PolicyDocumentError {
    let code = node.value.object?["error"]?.object?["code"]?.string.map { JSONExcerpt.plain($0) }
    let words = [status.map { "\($0)" }, code].compactMap(\.self)
    return PolicyDocumentError(
      .serviceError, at: node.position, path: node.path,
      message: "the service answered with an error instead of the document: \(words.joined(separator: " "))",
      remedy: "ask it again")
  }

  /// Whether a text may be a document that was encoded once too often: an object, an array, or another string.
  private static func looksPacked(_ text: String) -> Bool {
    switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
    case "{", "[", "\"": true
    case _: false
    }
  }

  private mutating func readEntity(
    _ node: JSONNode, _ object: JSONObject, in surroundings: Surroundings
  ) throws(PolicyDocumentError) {
    do throws(PolicyDocumentError) {
      if content.isEverything,
        let (other, doubts) = try ManagementDocument.read(
          node, contextType: surroundings.contextType, isTolerant: content.isTolerant),
        other.platform.map(content.platforms.contains) ?? true
      {
        others.append(other)
        otherPlaces.append(MemberPlaces(of: object, at: node))
        otherDoubts.append(doubts)
        return
      }
      let reading = try PolicyDocument.read(
        node, on: content.platforms, contextType: surroundings.contextType,
        ignoringCase: surroundings.packings > 0 || surroundings.isOfSDK,
        isTolerant: content.isTolerant)
      let source = PolicyPlace(
        file: nil, position: node.position, path: node.path, typeEvidence: reading.evidence,
        places: MemberPlaces(of: object, at: node))
      policies.append(
        SourcedPolicy(
          policy: reading.policy, source: source, doubts: reading.doubts, isSelection: surroundings.isSelection))
    } catch {
      if content.isTolerant, error.code == .unknownType, readMembers(of: node, object, in: surroundings) { return }
      let error = error.code == .unknownType ? Self.refusal(of: node, object, in: surroundings) ?? error : error
      let isForeign = error.code == .foreignType && (surroundings.isListEntry || content.isEverything)
      guard isForeign || (surroundings.isListEntry && content.isEverything) else { throw error }
      refusals.append(error)
    }
  }

  /// Reads the JSON text inside a string. Its contents take the place of the string, because an editor can open that
  /// place; messages add the place inside.
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
    for var item in document.policies {
      item.source.position = node.position
      item.source.places = MemberPlaces(packedIn: node)
      item.source.path = JSONPath(node.path.components + item.source.path.components)
      policies.append(item)
    }
    others += document.others
    otherPlaces += document.others.map { _ in MemberPlaces(packedIn: node) }
    otherDoubts += document.otherDoubts
    refusals += document.refusals.map { $0.moved(into: node) }
  }
}

extension PolicyDocumentError {
  /// The error as seen from outside the string that contains the text.
  fileprivate func moved(into node: JSONNode) -> PolicyDocumentError {
    var error = PolicyDocumentError(
      code, at: node.position, path: JSONPath(node.path.components + path.components),
      message: "in the JSON text inside this string, at \(position): \(message)", remedy: remedy)
    error.foreignKind = foreignKind
    error.foreignType = foreignType
    return error
  }
}
