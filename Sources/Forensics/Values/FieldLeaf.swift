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

  /// The leaf with no value: it counts that there is one, and not which.
  var withoutValue: FieldLeaf { FieldLeaf(path, .bytes([]), privacy) }

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
  ///
  /// - Parameter compared: What of a value counts.
  static func differences(
    _ ours: [FieldLeaf], _ theirs: [FieldLeaf], by compared: (FieldLeaf) -> FieldLeaf? = { $0 }
  ) -> [(path: String, first: FieldLeaf?, second: FieldLeaf?)] {
    let theirValues = Dictionary(theirs.map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one })
    let ourPaths = Set(ours.map(\.path))
    var differences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)] = []
    for leaf in ours where theirValues[leaf.path].flatMap(compared)?.value != compared(leaf)?.value {
      differences.append((leaf.path, leaf, theirValues[leaf.path]))
    }
    for leaf in theirs where !ourPaths.contains(leaf.path) { differences.append((leaf.path, nil, leaf)) }
    return differences
  }

  /// What counts between the events of two accounts: the account itself has one name in both, what identifies a person
  /// does not count, and of the numbers of other events and points in time, which differ by nature, only whether they
  /// are set.
  func comparable(of account: UInt64) -> FieldLeaf? {
    guard privacy == .public else { return nil }
    switch value {
    case .account(account): return FieldLeaf(path, .account(0))
    case .sequence, .time: return withoutValue
    case .bool, .unsigned, .signed, .text, .json, .bytes, .guid, .duration, .account, .enumeration, .message,
      .unknown, .undecodable:
      return self
    }
  }
}
