/// A value that is mostly absent, behind a reference: an event that can hold one stays small. An optional of more than four
/// words looks up how to be destroyed, with each event.
indirect enum Rare<Value: Hashable & Sendable>: Hashable, Sendable {
  case absent
  case present(Value)

  init(_ value: Value?) {
    self = if let value { .present(value) } else { .absent }
  }

  var value: Value? {
    if case .present(let value) = self { value } else { nil }
  }
}
