import EventSourcing
import Forensics
import JSON
import PlainText

/// A value in a record: its shape, which the published schemas state, and its text.
@usableFromInline
package protocol JSONRepresentable: SendableMetatype {
  /// What its JSON looks like.
  static var jsonShape: JSONShape { get }

  /// Appends its JSON, in which what may not be shown is withheld.
  func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction)
}

extension String: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .text }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _: Redaction) { JSONEscaping.append(self, to: &bytes) }
}

extension Bool: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .flag }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _: Redaction) { bytes.append(literal: self ? "true" : "false") }
}

extension JSONRepresentable where Self: FixedWidthInteger {
  @usableFromInline
  package static var jsonShape: JSONShape { .integer }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _: Redaction) { bytes.append(self) }
}

extension Int: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension UInt32: JSONRepresentable {}
extension UInt64: JSONRepresentable {}

extension CivilTime: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .time }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _: Redaction) {
    bytes.append(UInt8(ascii: "\""))
    appendText(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape {
    if case .value = Wrapped.jsonShape { .value } else { .orNull(Wrapped.jsonShape) }
  }

  @inlinable
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    guard let self else { return JSONNull.append(to: &bytes) }
    self.appendJSON(to: &bytes, redaction)
  }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .list(Element.jsonShape) }

  @inlinable
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      element.appendJSON(to: &bytes, redaction)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

/// Two values of one kind, such as the first and the last event.
package struct JSONPair<Element: JSONRepresentable>: JSONRepresentable {
  package let first: Element
  package let second: Element

  package init(_ first: Element, _ second: Element) { (self.first, self.second) = (first, second) }

  package static var jsonShape: JSONShape { .pair(Element.jsonShape) }

  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    [first, second].appendJSON(to: &bytes, redaction)
  }
}

extension ClosedRange: JSONRepresentable where Bound: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .pair(Bound.jsonShape) }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    [lowerBound, upperBound].appendJSON(to: &bytes, redaction)
  }
}

/// The first byte, and the one after the last.
extension Range: JSONRepresentable where Bound: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .pair(Bound.jsonShape) }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    [lowerBound, upperBound].appendJSON(to: &bytes, redaction)
  }
}

/// A choice among words.
@usableFromInline
package protocol JSONWord: JSONRepresentable, CaseIterable, RawRepresentable<String> {}

extension JSONWord {
  @usableFromInline
  package static var jsonShape: JSONShape { .oneOf(allCases.map(\.rawValue)) }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    rawValue.appendJSON(to: &bytes, redaction)
  }
}

/// Bytes as hexadecimal digits.
package struct HexDigits: JSONRepresentable {
  package let text: String

  package init(_ value: some CustomStringConvertible) { text = value.description }

  package static var jsonShape: JSONShape { .digits }

  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) { text.appendJSON(to: &bytes, redaction) }
}

/// A text that may name a person, and is shown without that.
package enum RedactedText: JSONRepresentable {
  case path(String)
  case statePath(String)
  case sentence(String)

  package static var jsonShape: JSONShape { .text }

  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    let text =
      switch self {
      case .path(let text): redaction.shown(path: text)
      case .statePath(let text): redaction.shown(statePath: text)
      case .sentence(let text): redaction.shown(sentence: text)
      }
    text.appendJSON(to: &bytes, redaction)
  }
}

/// Values by names that are not known beforehand, such as counts by kind.
package struct JSONTable<Value: JSONRepresentable>: JSONRepresentable {
  package let entries: [(name: String, value: Value)]

  package init(entries: [(name: String, value: Value)]) { self.entries = entries }

  package static var jsonShape: JSONShape { .table(Value.jsonShape) }

  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    bytes.append(UInt8(ascii: "{"))
    for (index, entry) in entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      entry.name.appendJSON(to: &bytes, redaction)
      bytes.append(UInt8(ascii: ":"))
      entry.value.appendJSON(to: &bytes, redaction)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// A value of any shape.
package struct JSONAny: JSONRepresentable {
  private let value: any JSONRepresentable

  package init(_ value: some JSONRepresentable) { self.value = value }

  package static var jsonShape: JSONShape { .value }

  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) { value.appendJSON(to: &bytes, redaction) }
}

extension JSONValue: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _: Redaction) { bytes.append(text(style: .compact)) }
}

extension StateValue: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    ValueJSON(redaction).append(self, to: &bytes)
  }
}

extension StateTree: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    ValueJSON(redaction).json(self).appendJSON(to: &bytes, redaction)
  }
}

extension FieldLeaf: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    ValueJSON(redaction).json(self).appendJSON(to: &bytes, redaction)
  }
}

/// No value.
@usableFromInline
enum JSONNull {
  @usableFromInline
  static func append(to bytes: inout [UInt8]) { bytes.append(literal: "null") }
}
