extension History {
  /// The body of a checkpoint of the state after an event, as a store would write it.
  package func checkpointBody(at sequence: UInt64) throws(HistoryError) -> [UInt8] {
    try checkpoint(at: sequence).encode()
  }
}
