import WireFormat

/// Goes through the fields of a message, and seals, opens or counts the personal ones in place.
public struct PersonalPass: FieldVisitor {
  /// Why a value cannot be sealed or opened now.
  public typealias Failure = SealingError

  private let domain: String
  private let direction: Direction
  /// Number of values that are sealed, whether by this pass or before.
  private(set) var sealedCount = 0
  /// Number of sealed values that the pass has opened.
  private(set) var openedCount = 0
  /// Number of sealed values whose account has a key that does not open them.
  private(set) var refusedCount = 0
  /// Number of values that the pass has changed.
  private(set) var changeCount = 0

  private enum Direction {
    /// Seals for this account.
    case sealing(Sealing, UInt64)
    /// Opens what was sealed for this account, or for any.
    case opening(Sealing, UInt64?)
    /// Counts what is sealed.
    case counting
    /// Gives each the same bytes.
    case filling([UInt8])
  }

  /// A pass that only counts the sealed values.
  init() {
    domain = ""
    direction = .counting
  }

  /// What personal values are filled with to see what depends on them: two of one length, for others than texts as well, none, and
  /// a longer one.
  static let fillings: [[UInt8]] = [
    Array("0000000000000000".utf8), Array("1111111111111111".utf8), [], Array("000000000000000000000000".utf8),
  ]

  /// A pass that shows what depends on personal values: they become this ASCII text, or what has these bytes.
  init(filling bytes: [UInt8]) {
    domain = ""
    direction = .filling(bytes)
  }

  /// A pass that seals the plain values of an event for its account.
  init(sealing: Sealing, domain: String, account: UInt64) {
    self.domain = domain
    direction = .sealing(sealing, account)
  }

  /// A pass that opens sealed values.
  ///
  /// - Parameter account: The account of the event; `nil` for a state, which holds the values of several.
  init(opening sealing: Sealing, domain: String, account: UInt64?) {
    self.domain = domain
    direction = .opening(sealing, account)
  }

  mutating func pass<Value: PersonalValue>(
    _ value: inout Personal<Value>, kind: UInt64, _ privacy: Privacy
  ) throws(SealingError) {
    let use = SealedValue.Use(domain: domain, kind: kind, privacy: privacy)
    switch direction {
    case .sealing(let sealing, let account):
      if value.sealed == nil, let content = value.wrappedValue.content {
        guard account > 0 else { throw .withoutAccount }
        value.seal(as: try sealing.seal(Self.bytes(of: content), for: account, use))
        changeCount += 1
      }
    case .opening(let sealing, let account):
      guard let sealed = value.sealed else { return }
      let isOwn = account.map { $0 == sealed.account } ?? true
      let bytes = isOwn ? try sealing.open(sealed, use) : nil
      if bytes != nil {
        openedCount += 1
      } else if try sealing.keys.key(of: sealed.account) != nil {
        refusedCount += 1
      }
      value.open(bytes.flatMap { Self.value(of: $0) })
      changeCount += 1
    case .counting: break
    case .filling(let bytes):
      guard let filled: Value = Self.value(of: bytes) else { return }
      value.wrappedValue = filled
      changeCount += 1
    }
    if value.sealed != nil { sealedCount += 1 }
  }

  /// The bytes of a length-delimited field.
  private static func bytes<Content: FieldValue>(of content: Content) -> [UInt8] {
    var writer = WireWriter()
    Content.Coding.write(content, to: 1, of: &writer)
    let bytes = try? WireReader.decode(writer.bytes) { (reader) throws(WireError) in
      try reader.nextField().map { (field) throws(WireError) in try reader.bytes(field) }
    }
    guard let bytes = bytes ?? nil else { preconditionFailure("a personal value's field is not length-delimited") }
    return bytes
  }

  private static func value<Value: PersonalValue>(of bytes: [UInt8]) -> Value? {
    var writer = WireWriter()
    writer.write(1) { $0.append(encoded: bytes) }
    let content = try? WireReader.decode(writer.bytes) { (reader) throws(WireError) in
      try reader.nextField().flatMap { (field) throws(WireError) in
        try Value.Content.Coding.read(field, from: &reader)
      }
    }
    return (content ?? nil).map { Value($0) }
  }
}

extension PersonalPass {
  /// Passes the value to its coding.
  public mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) throws(SealingError) {
    try Coding.pass(&value, label.privacy, to: &self)
  }

  /// Passes the value to its coding, if it is present.
  public mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) throws(SealingError) {
    guard var present = value else { return }
    let before = changeCount
    try Coding.pass(&present, label.privacy, to: &self)
    if changeCount != before { value = present }
  }

  /// Passes each element to its coding.
  public mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(SealingError) {
    for index in values.indices {
      var element = values[index]
      let before = changeCount
      try Coding.pass(&element, label.privacy, to: &self)
      if changeCount != before { values[index] = element }
    }
  }

  /// Passes each row to itself; rows that stay as they are stay shared with other states.
  public mutating func table<Row: TableRow>(
    _ label: FieldLabel, _ table: inout StateTable<Row>
  ) throws(SealingError) {
    var changed: [Row] = []
    for var row in table {
      let before = changeCount
      try row.passPersonal(to: &self)
      if changeCount != before { changed.append(row) }
    }
    for row in changed { table.set(row) }
  }
}
