import EventSourcing
import JSON
import PlainText
import WireFormat

extension MessagePrinter {
  /// Appends a body as an object. Returns `false`, and appends nothing, where only ``MessageFields`` can print it.
  func appendJSON(_ body: [UInt8], _ values: ValueJSON, to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    do throws(WireError) {
      try WireReader.decode(body) { (reader) throws(WireError) in
        try appendJSON(&reader, .public, values, to: &bytes)
      }
      return true
    } catch {
      bytes.removeSubrange(start...)
      return false
    }
  }

  private func appendJSON(
    _ reader: inout WireReader, _ privacy: Privacy, _ values: ValueJSON, to bytes: inout [UInt8]
  ) throws(WireError) {
    try checkIsPlain(reader)
    var next = try reader.nextField()
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    var name: String?
    for field in fields {
      guard let found = next, found.number == field.number else { continue }
      let own = self.name(found, reader)
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(contentsOf: field.jsonName)
      let stricter = field.privacy.rawValue > privacy.rawValue ? field.privacy : privacy
      guard field.isRepeated else {
        try appendValue(found, of: field, named: name, &reader, stricter, values, to: &bytes)
        next = try reader.nextField()
        name = own ?? name
        continue
      }
      bytes.append(UInt8(ascii: "["))
      while let element = next, element.number == field.number {
        if element != found { bytes.append(UInt8(ascii: ",")) }
        try appendValue(element, of: field, named: nil, &reader, stricter, values, to: &bytes)
        next = try reader.nextField()
      }
      bytes.append(UInt8(ascii: "]"))
    }
    if let next { throw Self.irregular(next) }
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendValue(
    _ found: WireReader.Field, of field: Field, named name: String?, _ reader: inout WireReader, _ privacy: Privacy,
    _ values: ValueJSON, to bytes: inout [UInt8]
  ) throws(WireError) {
    switch field.kind {
    case .message(let printer):
      var inner = WireReader(try reader.rawBytes(found))
      return try printer.appendJSON(&inner, privacy, values, to: &bytes)
    // A part of the document, which has to be parsed.
    case .json: throw Self.irregular(found)
    case .string:
      let text = try reader.string(found)
      let privacy = try self.privacy(of: text, found, in: field, privacy, named: name)
      return values.append(values.redaction.shows(privacy) ? .text(text) : .personal(text, privacy), to: &bytes)
    // Whether it is sealed shows even where it is withheld.
    case .guid where !values.redaction.shows(privacy):
      return values.append(.personal(try Self.guid(found, &reader), privacy), to: &bytes)
    case _ where !values.redaction.shows(privacy):
      try reader.skip(found)
      return values.append(.personal("", privacy), to: &bytes)
    case .bool: bytes.append(literal: try reader.bool(found) ? "true" : "false")
    case .unsigned, .sequence: bytes.append(try reader.unsigned(found))
    case .signed: bytes.append(try reader.signed(found))
    case .bytes:
      bytes.append(UInt8(ascii: "\""))
      bytes.append(hexadecimal: try reader.rawBytes(found))
      bytes.append(UInt8(ascii: "\""))
    case .guid: JSONEscaping.append(try Self.guid(found, &reader), to: &bytes)
    case .time: values.append(.time(try reader.fixed(found)), to: &bytes)
    case .duration: values.append(.duration(try reader.signed(found)), to: &bytes)
    case .reference(let kind, _): JSONEscaping.append(kind.text(try reader.unsigned(found)), to: &bytes)
    case .enumeration(let names): names.appendJSON(try reader.unsigned(found), to: &bytes)
    }
  }
}
