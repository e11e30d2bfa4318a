/// The path of a part of a state, such as `/accounts/a1/status`, shared by all changes found at one place.
public final class StatePath: Equatable, Sendable {
  /// The path.
  public let text: String
  /// How well the part describes the event that changed it; `nil` if no domain was asked.
  public let rank: HeadlineRank?

  /// `text` begins with a slash.
  init(_ text: String, rank: HeadlineRank? = nil) {
    self.text = text
    self.rank = rank
  }

  /// A text as a name in a path: what no name has, and what may be another spelling of something else, as `%` and two hexadecimal
  /// digits for each byte of its UTF-8. An empty text is `%`. Names of different texts are different, also to Swift's `==`.
  static func name(of text: String) -> String {
    guard !text.isEmpty else { return "%" }
    if text.unicodeScalars.allSatisfy(isPlain) { return text }
    let digits = Array("0123456789ABCDEF")
    var name = ""
    for scalar in text.unicodeScalars {
      if isPlain(scalar) {
        name.unicodeScalars.append(scalar)
      } else {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          name += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
    }
    return name
  }

  /// Whether a scalar stands for itself in a name. What patterns and paths take for something else does not, nor what cannot be
  /// seen, belongs to the letter before it, or is another spelling of others.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "%", "*", "?", "{", "}", "\u{7F}"..<"\u{A0}", "\u{AD}": return false
    default: break
    }
    return switch scalar.value {
    // Parts of syllables, and the vowels of two scripts that are letters and extend the one before.
    case 0x1160...0x11FF, 0xE33, 0xEB3: false
    case 0x20..<0x300: true
    case 0..<0x20: false
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .format: false
      default:
        !scalar.properties.isFullCompositionExclusion && !scalar.properties.isGraphemeExtend
          && !scalar.properties.isEmojiModifier
      }
    }
  }

  /// The text that a name in a path stands for; `nil` if none does.
  static func text(named name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), name.utf8.count > 1 else {
        if byte != UInt8(ascii: "%") { bytes.append(byte) }
        continue
      }
      guard rest.count >= 2, let escaped = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
      bytes.append(escaped)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self), Self.name(of: text) == name else { return nil }
    return text
  }

  /// Compares the paths alone.
  public static func == (one: StatePath, other: StatePath) -> Bool { one === other || one.text == other.text }
}

/// A part of a state while two states are compared: its path, and the parts below it that differed before.
public final class StatePlace {
  /// The path.
  let path: StatePath
  /// The text that precedes the names of the parts below.
  private let prefix: String
  // A differ belongs to one thread, and nothing called while these change comes back, so that accesses need no check.
  /// The parts below with small numbers, which are those of fields.
  @exclusivity(unchecked) private var near: [StatePlace?] = []
  /// The other parts below.
  @exclusivity(unchecked) private var others: [UInt64: StatePlace] = [:]
  /// Those below that are found by their names.
  @exclusivity(unchecked) private var named: [String: StatePlace] = [:]

  /// The whole state.
  init() {
    path = StatePath("/")
    prefix = ""
  }

  private init(_ text: String, rank: HeadlineRank?) {
    path = StatePath(text, rank: rank)
    prefix = text
  }

  /// The most parts below that are found by their number alone.
  private static let nearCount: UInt64 = 64

  /// The part below with this number, which has one name only. Its path is made up once.
  @usableFromInline
  func part(_ number: UInt64, _ name: () -> String, in differ: StateDiffer) -> StatePlace {
    if number < UInt64(near.count), let known = near[Int(number)] { return known }
    if number >= Self.nearCount, let known = others[number] { return known }
    let part = new(name(), in: differ)
    if number < Self.nearCount {
      while near.count <= Int(number) { near.append(nil) }
      near[Int(number)] = part
    } else {
      others[number] = part
    }
    return part
  }

  /// The part below with this name.
  func part(named name: String, in differ: StateDiffer) -> StatePlace {
    if let known = named[name] { return known }
    let part = new(name, in: differ)
    named[name] = part
    return part
  }

  private func new(_ name: String, in differ: StateDiffer) -> StatePlace {
    let text = prefix + "/" + name
    differ.countNewPlace()
    return StatePlace(text, rank: differ.rank?(text))
  }
}
