import Journal

/// The chain over a run of lost events, without a step for each of them.
///
/// The chain value after an event without content is a CRC-32 of four bytes continued from the one before: a linear map of its 32
/// bits and a constant. Two such maps after one another are another one.
struct LostRun {
  /// What each bit contributes.
  private var columns: [UInt32]
  private var constant: UInt32

  /// One lost event.
  private init() {
    func value(_ chain: UInt32) -> UInt32 {
      HistoryChain.value(after: chain, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let constant = value(0)
    columns = (0..<32).map { value(1 << $0) ^ constant }
    self.constant = constant
  }

  /// The chain value after this many lost events.
  static func chain(after chain: UInt32, count: UInt64) -> UInt32 {
    var (chain, run, rest) = (chain, LostRun(), count)
    while rest > 0 {
      if rest & 1 == 1 { chain = run.linear(chain) ^ run.constant }
      run = run.doubled
      rest >>= 1
    }
    return chain
  }

  private func linear(_ chain: UInt32) -> UInt32 {
    var (sum, rest) = (UInt32(0), chain)
    while rest != 0 {
      sum ^= columns[rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return sum
  }

  /// Twice as many events.
  private var doubled: LostRun {
    var doubled = self
    doubled.columns = columns.map(linear)
    doubled.constant = linear(constant) ^ constant
    return doubled
  }
}
