/// The bytes that hexadecimal digits stand for, two for each.
func bytes(_ hex: String) -> [UInt8] {
  var (digits, bytes) = (hex[...], [UInt8]())
  while let byte = UInt8(digits.prefix(2), radix: 16) {
    bytes.append(byte)
    digits = digits.dropFirst(2)
  }
  return bytes
}
