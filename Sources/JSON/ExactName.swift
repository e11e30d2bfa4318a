/// A member's name, compared by its bytes: Swift treats different strings as equal if they merely look the same.
struct ExactName: Hashable {
  let text: String

  static func == (one: ExactName, other: ExactName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
