import EventSourcing

/// One single value among the fields of an event, and where it is: `policy.minimumPinLength`.
public struct FieldLeaf: Equatable, Sendable {
  /// The names of the fields from the outermost, parted by dots; elements of lists have their number from 0.
  public let path: String
  /// The value.
  public let value: MessageFields.Value
  /// Who may see it.
  public let privacy: Privacy

  init(_ path: String, _ value: MessageFields.Value, _ privacy: Privacy = .public) {
    self.path = path
    self.value = value
    self.privacy = privacy
  }

  /// Whether it is a point in time.
  var isTime: Bool { if case .time = value { true } else { false } }

  /// All single values of a message, in its order.
  public static func all(in message: MessageFields, under prefix: String = "") -> [FieldLeaf] {
    var leaves: [FieldLeaf] = []
    for field in message.fields {
      let name = prefix + (field.name ?? "field \(field.number)")
      for (index, value) in field.values.enumerated() {
        let path = field.isRepeated ? "\(name)[\(index)]" : name
        if case .message(let inner) = value {
          leaves += all(in: inner, under: path + ".")
        } else {
          leaves.append(FieldLeaf(path, value, field.privacy))
        }
      }
    }
    return leaves
  }

  /// The values that differ, in the order of the first list, and then those that only the second one has.
  static func differences(
    _ ours: [FieldLeaf], _ theirs: [FieldLeaf]
  ) -> [(path: String, first: FieldLeaf?, second: FieldLeaf?)] {
    let theirValues = Dictionary(theirs.map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one })
    let ourPaths = Set(ours.map(\.path))
    var differences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)] = []
    for leaf in ours where theirValues[leaf.path]?.value != leaf.value {
      differences.append((leaf.path, leaf, theirValues[leaf.path]))
    }
    for leaf in theirs where !ourPaths.contains(leaf.path) { differences.append((leaf.path, nil, leaf)) }
    return differences
  }

  /// The values by which the events of two accounts can be compared: the account itself has one name in both, and what
  /// identifies a person, the numbers of other events and points in time differ by nature and do not count.
  static func comparable(_ message: MessageFields, of account: UInt64) -> [FieldLeaf] {
    all(in: message).compactMap { leaf in
      guard leaf.privacy == .public else { return nil }
      switch leaf.value {
      case .account(account): return FieldLeaf(leaf.path, .account(0))
      case .sequence, .time: return nil
      default: return leaf
      }
    }
  }
}
