import EventSourcing

/// A setting with a closed list of names, as Graph's enumerations are.
///
/// Graph reserves the right to add members. An unknown name or number becomes ``unrecognized`` instead of failing the
/// whole document, and the document keeps the original. A decision must treat ``unrecognized`` as the most restrictive
/// member: block, do not transfer, do not add to an allow list.
public protocol PolicyChoice: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// A name or number that this program does not know.
  static var unrecognized: Self { get }
  /// The enumeration's name in the published schema.
  static var schemaName: String { get }
  /// The member's number in Graph, which is also its number on the wire.
  var number: UInt64 { get }
  /// How strict the member is where policies are combined: more is stricter. ``unrecognized`` is the strictest.
  var strictness: UInt64 { get }
}

extension PolicyChoice {
  /// The number of ``unrecognized`` on the wire. Graph's own numbers stay far below it.
  public static var unrecognizedNumber: UInt64 { 127 }

  /// The member with this number; ``unrecognized`` if none has it.
  public init(number: UInt64) {
    self = Self.allCases.first { $0.number == number } ?? .unrecognized
  }

  /// The ``number``: most enumerations of Graph are ordered from the loosest member to the strictest.
  public var strictness: UInt64 { self == .unrecognized ? .max : number }

  /// The names of all numbers.
  public static var descriptor: EnumerationDescriptor {
    EnumerationDescriptor(
      schemaName, allCases.map { (number: $0.number, name: $0.rawValue) }.sorted { $0.number < $1.number })
  }

  /// Whether the program knows what the member means; `false` also for Graph's placeholder `unknownFutureValue`.
  public var isRecognized: Bool { self != .unrecognized && rawValue != "unknownFutureValue" }
}
