import EventSourcing
import PlainText
import WireFormat

extension MessagePrinter {
  /// Which fields are printed as text.
  struct TextStyle {
    /// What stands between two fields.
    var separator: StaticString = ", "
    /// Whether fields are printed that are absent because they hold their default, where the default is an answer: those
    /// of a body, and not those of a message in it.
    var showsDefaults = true
    /// Whether the account is left out.
    var leavesOutAccount = false
    /// The most fields printed; an ellipsis stands for those after them.
    var limit = Int.max
  }

  /// Appends the fields of a body as `name: text`. Returns `false`, and appends nothing, where only ``MessageFields`` can
  /// print them.
  func appendText(_ body: [UInt8], _ style: TextStyle, _ values: ValueText, to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    do throws(WireError) {
      try WireReader.decode(body) { (reader) throws(WireError) in
        try appendText(&reader, style, .public, values, to: &bytes)
      }
      return true
    } catch {
      bytes.removeSubrange(start...)
      return false
    }
  }

  private func appendText(
    _ reader: inout WireReader, _ style: TextStyle, _ privacy: Privacy, _ values: ValueText, to bytes: inout [UInt8]
  ) throws(WireError) {
    try checkIsPlain(reader)
    var next = try reader.nextField()
    var count = 0
    var hasRest = false
    var name: String?
    for field in fields {
      let isLeftOut = style.leavesOutAccount && field.isAccount
      guard count < style.limit, !isLeftOut else {
        if !isLeftOut, next?.number == field.number || (style.showsDefaults && field.standard != nil) { hasRest = true }
        while let left = next, left.number == field.number {
          try reader.skip(left)
          next = try reader.nextField()
        }
        continue
      }
      let found = next?.number == field.number ? next : nil
      guard found != nil || (style.showsDefaults && field.standard != nil) else { continue }
      if count > 0 { bytes.append(literal: style.separator) }
      count += 1
      bytes.append(contentsOf: field.name)
      bytes.append(literal: ": ")
      if let found {
        let own = self.name(found, reader)
        next = try appendText(found, of: field, named: name, &reader, privacy, values, to: &bytes)
        name = own ?? name
      } else if let standard = field.standard {
        bytes.append(contentsOf: standard)
      }
    }
    if let next { throw Self.irregular(next) }
    if hasRest { bytes.append(literal: ", …") }
  }

  /// Appends the occurrences of a field; returns the field after them.
  private func appendText(
    _ found: WireReader.Field, of field: Field, named name: String?, _ reader: inout WireReader, _ privacy: Privacy,
    _ values: ValueText, to bytes: inout [UInt8]
  ) throws(WireError) -> WireReader.Field? {
    let stricter = field.privacy.rawValue > privacy.rawValue ? field.privacy : privacy
    guard field.isRepeated else {
      try appendValue(found, of: field, named: name, &reader, stricter, values, to: &bytes)
      return try reader.nextField()
    }
    bytes.append(UInt8(ascii: "["))
    var next: WireReader.Field? = found
    while let element = next, element.number == field.number {
      if element != found { bytes.append(literal: ", ") }
      try appendValue(element, of: field, named: nil, &reader, stricter, values, to: &bytes)
      next = try reader.nextField()
    }
    bytes.append(UInt8(ascii: "]"))
    return next
  }

  private func appendValue(
    _ found: WireReader.Field, of field: Field, named name: String?, _ reader: inout WireReader, _ privacy: Privacy,
    _ values: ValueText, to bytes: inout [UInt8]
  ) throws(WireError) {
    if case .message(let printer) = field.kind {
      var inner = WireReader(try reader.rawBytes(found))
      bytes.append(UInt8(ascii: "{"))
      try printer.appendText(&inner, TextStyle(showsDefaults: false), privacy, values, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
      return
    }
    var text: String?
    var privacy = privacy
    switch field.kind {
    case .string, .json:
      let value = try reader.string(found)
      privacy = try self.privacy(of: value, found, in: field, privacy, named: name)
      text = value
    case _ where values.redaction.shows(privacy): break
    // Whether it is sealed shows even where it is withheld.
    case .guid: _ = try Self.guid(found, &reader)
    default: try reader.skip(found)
    }
    guard values.redaction.shows(privacy) else { return bytes.append(values.redaction.placeholder(for: privacy)) }
    switch field.kind {
    case .bool: bytes.append(literal: try reader.bool(found) ? "true" : "false")
    case .unsigned, .sequence: bytes.append(try reader.unsigned(found))
    case .signed: bytes.append(try reader.signed(found))
    case .string: values.append(text.map(StateValue.text), to: &bytes)
    case .json:
      bytes.append(values.redaction.shown(json: text ?? "") ?? values.redaction.placeholder(for: .account))
    case .bytes: bytes.append(hexadecimal: try reader.rawBytes(found))
    case .guid: bytes.append(try Self.guid(found, &reader))
    case .time: CivilTime(nanoseconds: try reader.fixed(found)).appendText(to: &bytes)
    case .duration: SpanText.append(iso8601: try reader.signed(found), to: &bytes)
    case .reference(let kind, _): bytes.append(kind.text(try reader.unsigned(found)))
    case .enumeration(let names): names.appendText(try reader.unsigned(found), to: &bytes)
    case .message: break
    }
  }

  static func guid(_ found: WireReader.Field, _ reader: inout WireReader) throws(WireError) -> String {
    let bytes = try reader.bytes(found)
    guard bytes.count == 16 else { throw irregular(found) }
    return GUIDText.text(bytes)
  }
}
