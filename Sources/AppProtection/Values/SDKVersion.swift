/// The version of the SDK whose rules apply, as far as rules differ by it: its first three numbers.
package struct SDKVersion: Comparable {
  var major: UInt32
  var minor: UInt32
  var patch: UInt32

  package init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads numbers separated by dots. A missing number is 0, what comes after the third does not count; `nil` for text that
  /// does not begin that way. Allocates nothing.
  init?(_ text: String) {
    var numbers: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var place = 0
    var hasDigit = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard hasDigit else { return nil }
        place += 1
        hasDigit = false
        if place == 3 { break }
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      hasDigit = true
      let digit = UInt32(byte - UInt8(ascii: "0"))
      switch place {
      case 0: numbers.0 = Self.appending(digit, to: numbers.0)
      case 1: numbers.1 = Self.appending(digit, to: numbers.1)
      default: numbers.2 = Self.appending(digit, to: numbers.2)
      }
    }
    guard hasDigit || place == 3 else { return nil }
    self.init(numbers.0, numbers.1, numbers.2)
  }

  private static func appending(_ digit: UInt32, to number: UInt32) -> UInt32 {
    let (product, overflows) = number.multipliedReportingOverflow(by: 10)
    let (sum, overflowsToo) = product.addingReportingOverflow(digit)
    return overflows || overflowsToo ? .max : sum
  }

  package static func < (one: SDKVersion, other: SDKVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }
}
