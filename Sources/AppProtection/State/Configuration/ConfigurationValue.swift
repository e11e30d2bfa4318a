import EventSourcing
import SensitiveText

/// One key of an app configuration with its value. Keys are compared as they are.
///
/// Of a configuration that was delivered to an account, a journal with keys holds the value sealed, and the key as well if
/// it is a secret.
public struct ConfigurationValue: Equatable, Sendable {
  /// The name under which the app asks for the value.
  @Personal public var key: String
  /// The kind of the value.
  public var kind: ConfigurationKind
  /// The value as text: `true` or `false` for a boolean, decimal digits for a number.
  @Personal public var text: String
  /// Whether the app lists it among the values that no log may show (`ValuesToScrubFromLogging`): the app reads it like
  /// any other, but no output shows it.
  public var isSecret = false
  /// Whether the key itself holds a listed value: then no output shows the key either.
  public var isKeySecret = false

  /// The most values that one configuration may have.
  public static let maximumCount = 1_000
  /// The most bytes that a key or a value may have.
  public static let maximumLength = 16_384
  /// The most bytes that all keys and values of one configuration may have.
  public static let maximumTotalLength = 1 << 20

  /// Creates a value as text, which is how the service delivers every one.
  public init(_ key: String, _ text: String, kind: ConfigurationKind = .string) {
    self.key = key
    self.kind = kind
    self.text = text
  }

  /// A value that is true or false.
  public init(_ key: String, _ flag: Bool) {
    self.init(key, flag ? "true" : "false", kind: .boolean)
  }

  /// A value that is a whole number.
  public init(_ key: String, _ number: Int64) {
    self.init(key, "\(number)", kind: .integer)
  }

  /// Whether device management left the value as the administrator wrote it: an unreplaced placeholder such as
  /// `{{userprincipalname}}`.
  public var isPlaceholder: Bool { Placeholders.begin(text) }

  /// Whether key and value can be read: each is plain, or the account's key opened it.
  public var isReadable: Bool { $key.isReadable && $text.isReadable }

  /// Whether the journal holds key or value sealed.
  var isSealed: Bool { $key.sealed != nil || $text.sealed != nil }

  /// The value with opened texts as plain ones, which are compared by what they say; itself where it cannot be read.
  var opened: ConfigurationValue {
    guard isSealed, isReadable else { return self }
    var value = self
    (value.key, value.text) = (key, text)
    return value
  }

  /// The value as yes or no; `nil` if it was erased. Text counts if `convertsText` is true: `true`, `yes` and `1`, `false`,
  /// `no` and `0`, ignoring case.
  public func bool(convertsText: Bool) -> Bool? {
    guard isReadable else { return nil }
    switch kind {
    case .boolean: return text == "true"
    case .string where convertsText:
      switch text.lowercased() {
      case "true", "yes", "1": return true
      case "false", "no", "0": return false
      default: return nil
      }
    case .string, .integer, .real: return nil
    }
  }

  /// The value as a finite number. Text counts if `convertsText` is true and it is a number.
  public func number(convertsText: Bool) -> Double? {
    switch kind {
    case .boolean: return nil
    case .string where !convertsText: return nil
    case .string, .integer, .real: return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// The value as text; `nil` for a value of another kind, and if it was erased.
  public var string: String? { kind == .string && isReadable ? text : nil }

  var isUsable: Bool {
    !key.isEmpty && key.utf8.count <= Self.maximumLength && text.utf8.count <= Self.maximumLength
  }

  /// The values for people. A slash in a key becomes `%2F`; keys that are secrets are numbered, as `%secret1`.
  static func tree(_ values: [ConfigurationValue]) -> StateTree {
    var secretKeys = 0
    return .members(
      values.map { value in
        if value.isKeySecret { secretKeys += 1 }
        let name =
          value.isKeySecret
          ? "%secret\(secretKeys)" : value.key.replacing("%", with: "%25").replacing("/", with: "%2F")
        return .init(name.isEmpty ? "%" : name, value.textTree)
      })
  }

  private var textTree: StateTree {
    guard $text.isReadable else { return Personal<String>.Coding.tree(of: $text, .account) }
    let isSecret = isSecret || Privacy.isSecret(text, named: key)
    let privacy = isSecret ? Privacy.secret : Privacy.account.ofValue(text)
    return .value(privacy == .public ? .text(text) : .personal(text, privacy))
  }
}

extension ConfigurationValue: FormedMessage {
  /// The value on the wire: content that no output may show has separate fields.
  public struct Form: FieldList {
    var key = ""
    var kind = ConfigurationKind.string
    @Personal var text = ""
    var secretText: Personal<String>?
    var secretKey: Personal<String>?

    /// The value that decoding starts from.
    public static var blank: Self { Self() }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &form.key, "the key; absent where it is a secret")
      try field(2, "kind", &form.kind, "what the value is")
      try field(3, "text", &form.$text, privacy: .account, "the value as text; absent where it is a secret")
      try field(
        4, "secretText", &form.secretText, privacy: .secret, "the value as text, where no output may show it")
      try field(5, "secretKey", &form.secretKey, privacy: .secret, "the key, where no output may show it")
    }
  }

  /// The fields of this value.
  public var form: Form {
    var form = Form(key: isKeySecret ? "" : key, kind: kind)
    if isSecret { form.secretText = $text } else { form.$text = $text }
    if isKeySecret { form.secretKey = $key }
    return form
  }

  /// The value that the fields represent.
  public init(_ form: Form) {
    self.init(form.key, "", kind: form.kind)
    $text = form.secretText ?? form.$text
    $key = form.secretKey ?? $key
    isSecret = form.secretText != nil
    isKeySecret = form.secretKey != nil
  }
}
