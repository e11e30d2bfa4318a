/// A version as launch conditions compare it: up to four numbers, and the letter of a security response.
///
/// A missing number is 0, so that `15`, `15.0` and `15.0.0` are equal. The letter of a security response, as in
/// `16.4.1.a` or `16.4.1 (a)`, makes a version later than the same one without it.
package struct LaunchVersion: Comparable {
  private var numbers: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  private var response: UInt8 = 0

  /// Reads a version; `nil` for text of another form. Allocates nothing.
  package init?(_ text: String) {
    var place = 0
    var isAfterDigit = false
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard place < 4, response == 0 else { return nil }
        append(UInt32(byte - UInt8(ascii: "0")), at: place)
        isAfterDigit = true
      case UInt8(ascii: "."):
        guard isAfterDigit else { return nil }
        isAfterDigit = false
        place += 1
        if let letter = Self.letter(rest) {
          response = letter
          return
        }
      case UInt8(ascii: " "):
        guard isAfterDigit, rest.popFirst() == UInt8(ascii: "("), let last = rest.popLast(), last == UInt8(ascii: ")"),
          let letter = Self.letter(rest)
        else { return nil }
        response = letter
        return
      default: return nil
      }
    }
    guard isAfterDigit else { return nil }
  }

  /// Reads the version that a setting demands. Absent text, empty text, `0.0` and text that is not a version, such as
  /// the placeholder of an export, set no limit.
  init?(setting text: String?) {
    guard let text, let version = Self(text), version != Self.zero else { return nil }
    self = version
  }

  private init() {}

  private static let zero = LaunchVersion()

  private mutating func append(_ digit: UInt32, at place: Int) {
    switch place {
    case 0: numbers.0 = Self.appending(digit, to: numbers.0)
    case 1: numbers.1 = Self.appending(digit, to: numbers.1)
    case 2: numbers.2 = Self.appending(digit, to: numbers.2)
    default: numbers.3 = Self.appending(digit, to: numbers.3)
    }
  }

  private static func appending(_ digit: UInt32, to number: UInt32) -> UInt32 {
    let (product, overflows) = number.multipliedReportingOverflow(by: 10)
    let (sum, overflowsToo) = product.addingReportingOverflow(digit)
    return overflows || overflowsToo ? .max : sum
  }

  /// The single remaining letter, in lower case.
  private static func letter(_ rest: Substring.UTF8View) -> UInt8? {
    guard let byte = rest.first, rest.count == 1 else { return nil }
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") ? lower : nil
  }

  package static func == (one: LaunchVersion, other: LaunchVersion) -> Bool {
    one.numbers == other.numbers && one.response == other.response
  }

  package static func < (one: LaunchVersion, other: LaunchVersion) -> Bool {
    one.numbers == other.numbers ? one.response < other.response : one.numbers < other.numbers
  }
}
