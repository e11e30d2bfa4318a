/// The configuration of one account as an app reads it: values that target the account come before the tenant's
/// default, and the values of several policies that target it may differ.
///
/// Each kind of value has one query for any value, and two that settle a conflict. For a key that is absent, or has no
/// value of the kind, they return `nil`, and the query for all values returns an empty list. A value that was erased is
/// absent.
public struct AppConfiguration: Equatable, Sendable {
  /// How different values become one yes or no.
  public enum BoolQuery: String, Sendable, CaseIterable {
    /// The first one.
    case any
    /// Yes if any of them is.
    case or
    /// Yes if all of them are.
    case and
  }

  /// How different values become one number.
  public enum NumberQuery: String, Sendable, CaseIterable {
    /// The first one.
    case any
    /// The least.
    case min
    /// The greatest.
    case max
  }

  /// How different values become one text.
  public enum StringQuery: String, Sendable, CaseIterable {
    /// The first one.
    case any
    /// The first in the order of their Unicode scalars.
    case min
    /// The last in that order.
    case max
  }

  /// All delivered entries in order, including the tenant's default (`fullData`).
  public let fullData: [ConfigurationEntry]
  /// Whether text counts as a yes or no, or as a number, where it is one.
  public let convertsText: Bool

  /// Creates a view of the delivered entries, as far as they can be read.
  public init(_ entries: [ConfigurationEntry], convertsText: Bool = true) {
    fullData = entries.map(\.readable)
    self.convertsText = convertsText
  }

  /// The values of a key that count: those that target the account; without any, the default's.
  private func values(_ key: String) -> [ConfigurationValue] {
    let targeted = fullData.filter { !$0.isDefault }.compactMap { $0[key] }
    return targeted.isEmpty ? fullData.filter(\.isDefault).compactMap { $0[key] } : targeted
  }

  /// Whether at least two policies target the account with different values of a key. The tenant's default conflicts with
  /// nothing.
  public func hasConflict(_ key: String) -> Bool {
    let targeted = fullData.filter { !$0.isDefault }.compactMap { $0[key] }
    guard let first = targeted.first else { return false }
    return targeted.contains { $0 != first }
  }

  /// All values of a key that count and are a yes or no.
  public func allBools(_ key: String) -> [Bool] {
    values(key).compactMap { $0.bool(convertsText: convertsText) }
  }

  /// All values of a key that count and are a number.
  public func allNumbers(_ key: String) -> [Double] {
    values(key).compactMap { $0.number(convertsText: convertsText) }
  }

  /// All values of a key that count and are text.
  public func allStrings(_ key: String) -> [String] {
    values(key).compactMap(\.string)
  }

  /// One yes or no for a key.
  public func bool(_ key: String, _ query: BoolQuery = .any) -> Bool? {
    let values = allBools(key)
    guard let first = values.first else { return nil }
    return switch query {
    case .any: first
    case .or: values.contains(true)
    case .and: !values.contains(false)
    }
  }

  /// One number for a key.
  public func number(_ key: String, _ query: NumberQuery = .any) -> Double? {
    let values = allNumbers(key)
    return switch query {
    case .any: values.first
    case .min: values.min()
    case .max: values.max()
    }
  }

  /// One text for a key.
  public func string(_ key: String, _ query: StringQuery = .any) -> String? {
    let values = allStrings(key)
    func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
    return switch query {
    case .any: values.first
    case .min: values.min(by: precedes)
    case .max: values.max(by: precedes)
    }
  }
}
