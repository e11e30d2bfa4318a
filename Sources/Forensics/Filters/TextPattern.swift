/// A regular expression that text is searched with: an extended one of POSIX, without references back to groups.
///
/// Such an expression is matched by an automaton, so that no pattern takes exponential time: `(a+)+b` is as quick as
/// `a+b`. Text counts as bytes of UTF-8: a dot is one byte, and a letter outside ASCII matches itself but is no member of
/// a class such as `[[:alpha:]]`. An expression belongs to one thread at a time.
///
/// ```swift
/// let pattern = try TextPattern("(login|sign-in) +required")
/// pattern.isFound(in: "sign-in required")  // true
/// ```
public struct TextPattern {
  /// The longest expression, in bytes of UTF-8.
  public static let maximumLength = 1024

  /// The largest product of all numbers of repetitions in an expression, such as 6 in `a{2,3}b{2}`, with its length in
  /// bytes: what a compiled expression can grow to.
  public static let maximumSize = 50_000

  /// How much of a line is searched, in bytes: looking for every beginning takes time by the square of it.
  public static let maximumLineLength = 16_384

  private let expression: Platform.Expression

  /// Reads an expression.
  ///
  /// - Throws: ``FilterError`` when it is none, is too large, or refers back to a group.
  public init(_ pattern: String) throws(FilterError) {
    let bytes = Array(pattern.utf8)
    guard bytes.count <= Self.maximumLength, Self.size(of: bytes) <= Self.maximumSize else {
      throw FilterError(
        "the regular expression is too large: more than \(Self.maximumLength) bytes, or \(Self.maximumSize) with its repetitions",
        remedy: "write a shorter one, with fewer repetitions")
    }
    guard !Self.refersBack(bytes) else {
      throw FilterError(
        "\"\(pattern)\" refers back to a group, which is not supported", remedy: "write out what is to be found again")
    }
    guard !bytes.contains(0), let expression = Platform.Expression(pattern) else {
      throw FilterError(
        "\"\(pattern)\" is not a regular expression", remedy: "put \\ before characters meant literally")
    }
    self.expression = expression
  }

  /// Whether the expression is found in a line of the text. Of each line the first ``maximumLineLength`` bytes are
  /// searched.
  public func isFound(in text: String) -> Bool {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).contains { line in
      line.prefix(Self.maximumLineLength).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
        expression.isFound(in: $0)
      }
    }
  }

  /// The length times all numbers of repetitions: groups may be nested, so that the numbers multiply.
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

  private static func refersBack(_ pattern: [UInt8]) -> Bool {
    var isEscaped = false
    for byte in pattern {
      if isEscaped, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return false
  }
}
