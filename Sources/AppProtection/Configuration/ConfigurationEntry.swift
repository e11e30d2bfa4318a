import EventSourcing
import WireFormat

/// One configuration that the service delivered for an account: that of the tenant, or of a policy that targets it.
public struct ConfigurationEntry: Hashable, Sendable {
  /// Whether it is the default for the whole tenant (`__IsDefault`), which counts only where nothing else does.
  public var isDefault: Bool
  /// The values in the order of their keys' bytes; of one key the first counts.
  public private(set) var values: [ConfigurationValue]

  /// Creates an entry. Of values with one key the first is kept.
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

  static let descriptor = MessageDescriptor(
    "ConfigurationEntry",
    [
      FieldDescriptor(
        1, "isDefault", .bool, .single, "whether it is the tenant's default, which counts only where nothing else does"),
      FieldDescriptor(
        2, "values", .message(ConfigurationValue.descriptor), .repeated, "the values, in the order of their keys"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, bool: isDefault)
    for value in values { writer.write(2) { value.encode(into: &$0) } }
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init([])
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isDefault = try reader.bool(field)
      case 2:
        values.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationValue(from: &inner) })
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([.init("isDefault", .bool(isDefault)), .init("values", ConfigurationValue.tree(values))])
  }
}
