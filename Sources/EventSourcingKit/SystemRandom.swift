/// The system's random number generator. Nothing else in the library draws a random number.
public enum SystemRandom {
  /// As many bytes as asked for, that cannot be predicted.
  public static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      let number = generator.next()
      for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
