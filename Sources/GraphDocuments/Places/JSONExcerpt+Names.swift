import JSON

extension JSONExcerpt {
  /// A name for messages: unchanged if it is plain, otherwise quoted and shortened.
  package static func plain(_ name: String) -> String {
    let isPlain =
      (1...80).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2E || $0 == 0x5F
      }
    return isPlain ? name : quoted(name)
  }
}
