import EventSourcing

/// One configuration that the service delivered for an account: that of the tenant, or of a policy that targets it.
public struct ConfigurationEntry: FieldList {
  /// Whether it is the default for the whole tenant (`__IsDefault`), which counts only where nothing else does.
  public var isDefault: Bool
  /// The values in the order of their keys' bytes; for each key the first counts.
  public private(set) var values: [ConfigurationValue]

  /// Creates an entry. Of several values with one key, the first is kept.
  public init(_ values: [ConfigurationValue], isDefault: Bool = false) {
    self.isDefault = isDefault
    self.values = Self.sorted(values)
  }

  /// The values in the order of their keys, each key once.
  static func sorted(_ values: [ConfigurationValue]) -> [ConfigurationValue] {
    var seen: Set<String> = []
    let sorted = values.filter { seen.insert($0.key).inserted }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    assert(sorted.isAscending { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }, "a key has several values")
    return sorted
  }

  /// The value of a key; `nil` when it has none, or one that was erased.
  public subscript(key: String) -> ConfigurationValue? {
    values.first { $0.key == key && $0.isReadable }
  }

  /// The entry with opened texts as plain ones, so that entries are compared by what they say. What cannot be read stays sealed.
  var opened: ConfigurationEntry { changingSealed(\.opened) }

  /// The entry as an app reads it: opened texts are plain ones, and what cannot be read is left out.
  var readable: ConfigurationEntry { changingSealed { $0.isReadable ? $0.opened : nil } }

  private func changingSealed(_ change: (ConfigurationValue) -> ConfigurationValue?) -> ConfigurationEntry {
    values.contains(where: \.isSealed) ? changing(change) : self
  }

  /// The entry with other values for its keys, in the same order.
  func changing(_ change: (ConfigurationValue) -> ConfigurationValue?) -> ConfigurationEntry {
    var entry = self
    entry.values = values.compactMap(change)
    return entry
  }

  /// The values under their keys.
  public func tree() -> StateTree {
    .members([.init("isDefault", .bool(isDefault)), .init("values", ConfigurationValue.tree(values))])
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self([]) }

  public static func visit<V: FieldVisitor>(_ entry: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "isDefault", &entry.isDefault, "whether it is the tenant's default, which counts only where nothing else does")
    try field(2, "values", &entry.values, "the values, in the order of their keys")
  }
}
