import EventSourcing

/// A single value among the fields of an event, and its path, such as `policy.minimumPinLength`.
public struct FieldLeaf: Equatable, Sendable {
  /// The names of the fields from the outermost inwards, separated by dots; list elements are numbered from 0.
  public let path: String
  /// What the field holds, as it was decoded.
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

  /// The leaf without its value: only its presence counts.
  var withoutValue: FieldLeaf { FieldLeaf(path, .bytes([]), privacy) }

  /// All single values of a message, in order.
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

  /// The values that differ: those of the first list in order, then those only in the second.
  ///
  /// - Parameter compared: The part of a value that counts.
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

  /// What counts when comparing the events of two accounts: the account itself has one name in both, personal values do
  /// not count, and for event numbers and times, which differ by nature, only their presence counts.
  func comparable(of account: UInt64) -> FieldLeaf? {
    guard privacy == .public else { return nil }
    switch value {
    case .reference(account, EventAccounts.kind): return FieldLeaf(path, .reference(0, EventAccounts.kind))
    case .sequence, .time: return withoutValue
    case .bool, .unsigned, .signed, .text, .json, .bytes, .guid, .sealed, .duration, .double, .date, .reference,
      .enumeration, .message, .unknown, .undecodable:
      return self
    }
  }
}
