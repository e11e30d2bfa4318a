/// A regular expression for searching text: POSIX extended syntax without back-references.
///
/// An automaton matches such expressions, so no pattern takes exponential time: `(a+)+b` is as fast as `a+b`. Text is
/// treated as UTF-8 bytes: a dot matches one byte, and a letter outside ASCII matches itself but not a class such as
/// `[[:alpha:]]`.
///
/// ```swift
/// let pattern = try TextPattern("(login|sign-in) +required")
/// pattern.isFound(in: "sign-in required")  // true
/// ```
public struct TextPattern: Sendable {
  /// The longest expression, in bytes of UTF-8.
  public static let maximumLength = 1024

  /// The largest product of the repetition counts in an expression, such as 6 in `a{2,3}b{2}`, and its length in bytes:
  /// an upper bound for the size of the compiled expression.
  public static let maximumSize = 50_000

  /// The bytes of each line that are searched: trying every starting point takes quadratic time.
  public static let maximumLineLength = 16_384

  private let expression: PatternMatching.Expression
  /// Bytes that every match contains; empty if none are known. Looking for them first is many times faster.
  private let literal: [UInt8]

  /// Compiles an expression.
  ///
  /// - Throws: ``FilterError`` if it is malformed, too large, or contains a back-reference.
  public init(_ pattern: String) throws(FilterError) {
    let bytes = Array(pattern.utf8)
    guard bytes.count <= Self.maximumLength, Self.size(of: bytes) <= Self.maximumSize else {
      throw FilterError(
        "the regular expression is too large: more than \(Self.maximumLength) bytes, or \(Self.maximumSize) including repetitions",
        remedy: "write a shorter one, with fewer repetitions")
    }
    guard !Self.refersBack(bytes) else {
      throw FilterError(
        "\"\(pattern)\" contains a back-reference, which is not supported", remedy: "write the repeated part out")
    }
    guard !bytes.contains(0), let expression = PatternMatching.Expression(pattern) else {
      throw FilterError(
        "\"\(pattern)\" is not a regular expression", remedy: "put \\ before characters meant literally")
    }
    self.expression = expression
    literal = Self.literal(in: bytes)
  }

  /// Whether a line of the text contains a match. Only the first ``maximumLineLength`` bytes of each line are searched.
  public func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8(isFound)
  }

  /// The same of text in UTF-8.
  public func isFound(in text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer(isFound)
  }

  private func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard PatternMatching.contains(text, literal) else { return false }
    return text.withMemoryRebound(to: CChar.self) { text in
      text.split(separator: 0x0A, omittingEmptySubsequences: false).contains { line in
        expression.isFound(in: UnsafeBufferPointer(rebasing: line.prefix(Self.maximumLineLength)))
      }
    }
  }

  /// The length multiplied by all repetition counts: groups may nest, so the counts multiply.
  private static func size(of pattern: [UInt8]) -> Int {
    var size = max(1, pattern.count)
    for part in pattern.split(separator: UInt8(ascii: "{")).dropFirst(pattern.first == UInt8(ascii: "{") ? 0 : 1) {
      let bounds = part.prefix { $0 != UInt8(ascii: "}") }.split(separator: UInt8(ascii: ","))
      let numbers = bounds.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      let (product, overflow) = size.multipliedReportingOverflow(by: max(1, numbers.max() ?? 1))
      if overflow { return .max }
      size = product
    }
    return size
  }

  /// The longest text that every match of a pattern contains, as far as the parts outside of its groups show.
  static func literal(in pattern: [UInt8]) -> [UInt8] {
    var longest: [UInt8] = []
    var run: [UInt8] = []
    func end() {
      if run.count > longest.count { longest = run }
      run = []
    }
    var rest = pattern[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"), UInt8(ascii: "?"):
        _ = run.popLast()
        end()
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"): end()
      case UInt8(ascii: "\\"):
        // Before a letter and some signs, a backslash means a class or a place.
        guard let next = rest.popFirst(), ".[]{}()*+?^$|\\/-".utf8.contains(next) else { return [] }
        run.append(next)
      // Alternatives, groups, counts and classes: rare, and not worth following.
      case UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"):
        return []
      default: run.append(byte)
      }
    }
    end()
    return longest
  }

  private static func refersBack(_ pattern: [UInt8]) -> Bool {
    var isEscaped = false
    for byte in pattern {
      if isEscaped, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return false
  }
}
