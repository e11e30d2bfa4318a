import WireFormat

/// The coding of a ``Personal`` property: that of its value, or the bytes of a sealed one in its place.
///
/// A sealed value begins with a byte that no text begins with, and is longer than a GUID, so it needs no field of its own.
public struct PersonalCoding<Content: PersonalValue>: FieldCoding {
  public typealias Value = Personal<Content>
  @usableFromInline typealias Plain = Content.Content.Coding

  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType { Plain.type }
  @inlinable public static var refinement: FieldRefinement? { Plain.refinement }

  /// `true`.
  @inlinable public static var isPersonal: Bool { true }

  /// Whether nothing is there, plain or sealed.
  @inlinable
  public static func isDefault(_ value: Personal<Content>) -> Bool { value.isAbsent }

  /// Writes the value; an empty text in a list is an empty field.
  ///
  /// - Precondition: No element of a list is missing: nothing stands for it.
  @inlinable
  public static func write(_ value: Personal<Content>, to number: Int, of writer: inout WireWriter) {
    if let sealed = value.sealed {
      writer.write(number, bytes: sealed.bytes)
    } else if let content = value.wrappedValue.content {
      Plain.write(content, to: number, of: &writer)
    } else {
      precondition(Content.cardinality == .single, "a list has a personal value that is missing")
      writer.write(number) { _ in }
    }
  }

  @inlinable
  public static func read(
    _ field: WireReader.Field, from reader: inout WireReader
  ) throws(WireError) -> Personal<Content>? {
    guard SealedValue.isSealed(reader.peekBytes(field)) else {
      return try Plain.read(field, from: &reader).map { Personal(wrappedValue: Content($0)) }
    }
    return Personal(SealedValue(try reader.rawBytes(field)))
  }

  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }

  @inlinable
  public static func tree(of value: Personal<Content>, _ privacy: Privacy) -> StateTree {
    if let sealed = value.sealed, !value.isReadable {
      return .value(.sealed(mark: sealed.mark, isErased: value.isErased))
    }
    return value.wrappedValue.content.map { Plain.tree(of: $0, privacy) } ?? .value(.unset)
  }

  /// Compares the trees; where these are equal, the same text was sealed twice, and the sealed values differ.
  @inlinable
  public static func compare(
    _ value: Personal<Content>, _ later: Personal<Content>, _ privacy: Privacy, at place: StatePlace,
    _ differ: StateDiffer
  ) {
    let trees = (tree(of: value, privacy), tree(of: later, privacy))
    guard trees.0 == trees.1 else { return differ.compare(trees.0, trees.1, at: place) }
    func mark(_ value: Personal<Content>) -> StateTree {
      value.sealed.map { .value(.sealed(mark: $0.mark, isErased: false)) } ?? tree(of: value, privacy)
    }
    differ.compare(mark(value), mark(later), at: place)
  }

  /// Seals or opens the value.
  public static func pass(
    _ value: inout Personal<Content>, _ privacy: Privacy, to pass: inout PersonalPass
  ) throws(SealingError) {
    try pass.pass(&value, kind: Plain.type.kind.rawValue, privacy)
  }
}
