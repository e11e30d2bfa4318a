/// The incompatible features that a record names: bits, each of which stops a program that does not know it.
enum Features {
  /// The features in a record's flags that this program does not know: `the features of bits 1 and 4`; `nil` when it
  /// knows all of them.
  static func unknown(in record: FixedRecord, at offset: Int, besides known: UInt32 = 0) -> String? {
    let flags = record.integer(at: offset, as: UInt32.self) & ~known
    let bits = (0..<32).filter { flags >> $0 & 1 != 0 }.map { String($0) }
    guard let last = bits.last else { return nil }
    return bits.count == 1
      ? "the feature of bit \(last)" : "the features of bits \(bits.dropLast().joined(separator: ", ")) and \(last)"
  }
}
