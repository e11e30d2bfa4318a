/// An account as a key store knows it.
public struct KeyAccount: Hashable, Sendable {
  /// A name that stays the same as long as the account exists, such as its number in a journal. Names of people change, and
  /// a key under a former name would outlive a wipe.
  public var name: String
  /// What tells the time before a wipe from the time after it: a number that every wipe raises, such as that of the event
  /// that ordered the last one; 0 before the first. A process that does not know of a wipe yet gets no key any more.
  public var epoch: UInt64

  /// An account; an app that counts no wipes omits `epoch`.
  public init(_ name: String, epoch: UInt64 = 0) {
    self.name = name
    self.epoch = epoch
  }
}
