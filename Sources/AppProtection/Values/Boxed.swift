/// A usually absent value, stored behind a reference to keep events small. Destroying an optional of more than four
/// words takes a table lookup with each event.
indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  case absent
  case present(Value)

  init(_ value: Value?) {
    self = if let value { .present(value) } else { .absent }
  }

  var value: Value? {
    if case .present(let value) = self { value } else { nil }
  }
}
