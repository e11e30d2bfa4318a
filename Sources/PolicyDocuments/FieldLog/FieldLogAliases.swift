/// Which of the hashes that the SDK writes for an account's object id, identity and address stand for one account: those that
/// a line names together.
struct FieldLogAliases: Sendable {
  /// For each hash of another kind, that of the object id which a line named it with.
  private var objectIDs: [String: String] = [:]
  /// For each other hash, the first one that a line named it with.
  private var others: [String: String] = [:]

  /// The most hashes.
  private static let most = 20_000

  /// A line names an account.
  ///
  /// - Parameter names: What it names the account by, as `FieldLog.accounts(in:)` has it. A hash that was named with another
  ///   account before stays that one's.
  mutating func add(_ names: [String]) {
    guard let first = names.first, names.count > 1, objectIDs.count + others.count < Self.most else { return }
    let isObjectID = !["identity-", "m-"].contains(where: first.hasPrefix)
    for name in names.dropFirst() {
      if isObjectID { objectIDs[name] = objectIDs[name] ?? first } else { others[name] = others[name] ?? first }
    }
  }

  /// The name that stands for an account, whichever of its names a line has.
  func name(of name: String) -> String {
    if let objectID = objectIDs[name] { return objectID }
    // An address that lines name with an identity, which other lines name with the object id.
    guard let other = others[name] else { return name }
    return objectIDs[other] ?? other
  }
}
