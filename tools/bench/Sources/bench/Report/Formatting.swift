#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Digits in groups of three: `10,000`.
func grouped(_ number: Int) -> String {
  var digits = Array(String(number))
  var place = digits.count - 3
  while place > (number < 0 ? 1 : 0) {
    digits.insert(",", at: place)
    place -= 3
  }
  return String(digits)
}

/// A number with so many digits behind the point.
func fixed(_ number: Double, _ digits: Int) -> String {
  let scale = pow(10, Double(digits))
  guard number.isFinite, abs(number) * scale < 9e15 else { return "\(number)" }
  let scaled = Int((abs(number) * scale).rounded())
  let sign = number < 0 && scaled > 0 ? "-" : ""
  let whole = scaled / Int(scale)
  guard digits > 0 else { return "\(sign)\(whole)" }
  let rest = String(scaled % Int(scale))
  return "\(sign)\(whole)." + String(repeating: "0", count: digits - rest.count) + rest
}

/// About three digits that count.
func short(_ number: Double) -> String {
  switch abs(number) {
  case 100...: fixed(number, 0)
  case 10..<100: fixed(number, 1)
  default: fixed(number, 2)
  }
}

extension Operation.Unit {
  /// A figure for people.
  func shown(_ figure: Double) -> String {
    switch self {
    case .events:
      figure >= 1e6
        ? "\(short(figure / 1e6)) M/s" : figure >= 1e4 ? "\(short(figure / 1e3)) k/s" : "\(short(figure)) /s"
    case .bytes: figure >= 1e8 ? "\(short(figure / 1e9)) GB/s" : "\(short(figure / 1e6)) MB/s"
    case .time:
      switch figure {
      case 1...: "\(short(figure)) s"
      case 1e-3..<1: "\(short(figure * 1e3)) ms"
      case 1e-6..<1e-3: "\(short(figure * 1e6)) µs"
      default: "\(short(figure * 1e9)) ns"
      }
    case .number: short(figure)
    case .ratio: "×\(short(figure))"
    }
  }
}
