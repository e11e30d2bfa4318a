import WireFormat

/// A domain whose commands processes hand to each other, through a ``CommandSpool``.
public protocol HandoverDomain: Decider {
  /// Reads a command that ``Decider/encode(_:into:)`` wrote, which must write all of it.
  ///
  /// - Returns: `nil` for a command that only a newer program knows. It then waits for such a program.
  /// - Throws: For bytes that are not a command. They are set aside.
  static func decodeCommand(from reader: inout WireReader) throws(WireError) -> Command?

  /// The accounts that a command names, as far as the state knows them: the keys of all of them seal it, so that it goes with
  /// the first of these people who is erased. The default is none.
  static func sealingAccounts(of command: Command, in state: State) -> [UInt64]
}

extension HandoverDomain {
  /// None.
  public static func sealingAccounts(of command: Command, in state: State) -> [UInt64] { [] }
}
