/// Whether something holds, where facts may be missing (Kleene's logic).
public enum Truth: Equatable, Sendable {
  case yes
  case no
  /// It depends on facts that are not known.
  case unknown

  /// A truth value that is known.
  public init(_ flag: Bool) { self = flag ? .yes : .no }

  /// Whether both hold.
  static func && (one: Truth, other: Truth) -> Truth {
    if one == .no || other == .no { return .no }
    return one == .yes && other == .yes ? .yes : .unknown
  }

  /// Whether one of them holds.
  static func || (one: Truth, other: Truth) -> Truth {
    if one == .yes || other == .yes { return .yes }
    return one == .no && other == .no ? .no : .unknown
  }

  /// Whether it does not hold.
  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }
}
