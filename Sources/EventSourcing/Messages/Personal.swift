import WireFormat

/// A property that holds personal data and can be sealed.
///
/// ```swift
/// struct Customer: FieldList {
///   @Personal var name = ""
///   @Personal var email: String?
///   static func visit<V: FieldVisitor>(_ customer: inout Self, _ field: inout V) throws(V.Failure) {
///     try field(1, "name", &customer.$name, privacy: .account)
///     try field(2, "email", &customer.$email, privacy: .account)
///   }
/// }
/// ```
///
/// Rules read and write the property like any other. A store with keys seals it when an event is appended; from then on the
/// property keeps its sealed bytes beside the text, and every encoding, digest and comparison uses these. So a state is the
/// same with the key and without: only what rules and people read depends on it.
///
/// Without the key the property reads as empty, or `nil`. A reducer may copy a sealed property, and must not depend on its
/// text: events are folded before anything is opened.
@propertyWrapper
public struct Personal<Value: PersonalValue>: Equatable, FieldValue {
  // What only a sealed value has is behind one reference: states with plain values are copied at no greater cost.
  @usableFromInline var form: Form

  @usableFromInline
  enum Form {
    case plain(Value)
    case sealed(SealedForm)
  }

  /// A sealed value, and its text where it was opened.
  @usableFromInline
  final class SealedForm {
    @usableFromInline let value: SealedValue
    @usableFromInline let text: Value?
    @usableFromInline let isErased: Bool

    @usableFromInline
    init(_ value: SealedValue, text: Value?, isErased: Bool) {
      self.value = value
      self.text = text
      self.isErased = isErased
    }
  }

  /// A plain value.
  @inlinable
  public init(wrappedValue: Value) {
    form = .plain(wrappedValue)
  }

  /// A plain value.
  @inlinable
  public init(_ value: Value) {
    self.init(wrappedValue: value)
  }

  /// A sealed value that was not opened.
  @inlinable
  public init(_ sealed: SealedValue) {
    form = .sealed(SealedForm(sealed, text: nil, isErased: false))
  }

  /// The text, if it is plain or was opened; otherwise empty or `nil`. Setting it makes it plain.
  @inlinable public var wrappedValue: Value {
    get {
      switch form {
      case .plain(let value): value
      case .sealed(let sealed): sealed.text ?? .erased
      }
    }
    set { form = .plain(newValue) }
  }

  /// The property itself, for the list of fields.
  @inlinable public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The sealed form; `nil` for a plain value.
  @inlinable public var sealed: SealedValue? {
    if case .sealed(let sealed) = form { sealed.value } else { nil }
  }

  /// Whether the keys were at hand, and none opened it.
  @inlinable public var isErased: Bool {
    if case .sealed(let sealed) = form { sealed.isErased } else { false }
  }

  /// Whether the text can be read here.
  @inlinable public var isReadable: Bool {
    if case .sealed(let sealed) = form { sealed.text != nil } else { true }
  }

  /// Whether nothing is there, plain or sealed: an empty text, or none.
  @inlinable public var isAbsent: Bool {
    if case .plain(let value) = form { value.content == nil } else { false }
  }

  /// Whether the stored bytes are equal. The text of a sealed value does not count, since it is there only with the key.
  @inlinable
  public static func == (one: Self, other: Self) -> Bool {
    switch (one.form, other.form) {
    case (.plain(let one), .plain(let other)): one == other
    case (.sealed(let one), .sealed(let other)): one === other || one.value == other.value
    case (.plain, .sealed), (.sealed, .plain): false
    }
  }

  /// That of the value, which may be sealed.
  @inlinable public static var coding: PersonalCoding<Value> { PersonalCoding() }

  mutating func seal(as sealed: SealedValue) {
    form = .sealed(SealedForm(sealed, text: wrappedValue, isErased: false))
  }

  mutating func open(_ value: Value?) {
    guard case .sealed(let known) = form else { return }
    form = .sealed(SealedForm(known.value, text: value, isErased: value == nil))
  }
}

extension Personal: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
  ExpressibleByStringLiteral
where Value == String {
  /// A plain text.
  @inlinable
  public init(stringLiteral text: String) {
    self.init(wrappedValue: text)
  }
}

extension Personal.SealedForm: Sendable where Value: Sendable {}
extension Personal.Form: Sendable where Value: Sendable {}
extension Personal: Sendable where Value: Sendable {}

/// What a ``Personal`` property may hold: a value whose field is length-delimited, such as a text or a GUID, or such a value
/// that may be missing.
public protocol PersonalValue: Equatable {
  /// What the field holds.
  associatedtype Content: FieldValue

  /// What a property reads as without the key.
  static var erased: Self { get }

  /// How often the field occurs.
  static var cardinality: FieldDescriptor.Cardinality { get }

  /// The property that holds a value.
  init(_ content: Content)

  /// What the field holds; `nil` where it is left out.
  var content: Content? { get }
}

extension String: PersonalValue {
  /// The empty text.
  @inlinable public static var erased: String { "" }
  /// Once.
  @inlinable public static var cardinality: FieldDescriptor.Cardinality { .single }
  /// Itself; `nil` for the empty text, which is left out.
  @inlinable public var content: String? { isEmpty ? nil : self }
}

extension Optional: PersonalValue where Wrapped: FieldValue {
  /// None.
  @inlinable public static var erased: Wrapped? { nil }
  /// Once or not at all.
  @inlinable public static var cardinality: FieldDescriptor.Cardinality { .optional }
  /// Itself.
  @inlinable public var content: Wrapped? { self }
}
