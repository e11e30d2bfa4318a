import Journal

/// Asked before the events up to a position are retired.
struct RetirementCheck<Machine: Decider>: Sendable {
  /// Asks no more once this is gone.
  private(set) weak var owner: (any AnyObject & Sendable)?
  /// Makes sure that the owner no longer needs the events, or says why not.
  let refusal: @Sendable (_ history: History<Machine>, _ position: UInt64) -> JournalError?
}
