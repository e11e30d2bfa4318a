/// The slices of a state that may have changed since they were last taken.
///
/// A state that keeps one beside its slices enters each slice that is written:
///
/// ```swift
/// public internal(set) var accounts = AccountTable<Account>() { didSet { changed.insert(2) } }
/// ```
///
/// It says nothing about what a state is, so any two are equal.
public struct ChangedSlices: Sendable, Equatable {
  /// A bit for each slice; slices share one if there are more than 64, which only makes digests slower.
  @usableFromInline var bits: UInt64

  /// Every slice: nothing is known of a new state.
  @inlinable
  public init() { bits = .max }

  /// Enters the slice with this number.
  @inlinable
  public mutating func insert(_ slice: Int) { bits |= 1 &<< UInt64(truncatingIfNeeded: slice) }

  /// Removes and returns all slices.
  @inlinable
  public mutating func take() -> ChangedSlices {
    defer { bits = 0 }
    return self
  }

  @inlinable
  package func contains(_ slice: Int) -> Bool { bits & 1 &<< UInt64(truncatingIfNeeded: slice) != 0 }

  @inlinable
  package mutating func formUnion(_ other: ChangedSlices) { bits |= other.bits }

  /// `true`.
  @inlinable
  public static func == (one: ChangedSlices, other: ChangedSlices) -> Bool { true }
}
