import EventSourcing

/// One configuration that the service delivered for an account: that of the tenant, or of a policy that targets it.
public struct ConfigurationEntry: FieldList, Hashable {
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
    return values.filter { seen.insert($0.key).inserted }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// The value of a key; `nil` when it has none.
  public subscript(key: String) -> ConfigurationValue? {
    values.first { $0.key == key }
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
