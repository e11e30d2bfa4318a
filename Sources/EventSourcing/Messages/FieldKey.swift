/// A value by which the parts of a dictionary or a set are put in order: their bytes do not depend on how a process hashes.
public protocol FieldKey: FieldValue, Hashable, Sendable {
  /// Whether a key comes before another one. Of two different keys, one does.
  static func precedes(_ one: Self, _ other: Self) -> Bool
}

extension FieldKey where Self: Comparable {
  /// The lesser key comes first.
  @inlinable public static func precedes(_ one: Self, _ other: Self) -> Bool { one < other }
}

extension String: FieldKey {
  /// The order of the UTF-8: another version of Unicode does not change it.
  @inlinable public static func precedes(_ one: Self, _ other: Self) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension Int: FieldKey {}
extension Int64: FieldKey {}
extension UInt32: FieldKey {}
extension UInt64: FieldKey {}
extension CivilDate: FieldKey {}
