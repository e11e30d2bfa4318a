/// A projection as ``Projections`` drive it: one call at a time.
protocol ProjectionMember<Domain>: AnyObject, Sendable {
  associatedtype Domain: Decider

  var health: ProjectionHealth { get }
  /// The last event that it has taken; it takes the next.
  var sequence: UInt64 { get }

  /// Finds out where it stands, if that is not known; `false` if it cannot take events now.
  func prepare(in history: () throws(HistoryError) -> History<Domain>) -> Bool
  /// Takes those of the events that it has not taken yet; `false` if it stays before one of them. One that needs some of them
  /// again goes back to an earlier ``sequence``.
  func take(_ events: [ProjectedEvent<Domain.Event>]) -> Bool
  /// Serves what it has taken, at the end of a pass.
  func settle()
  /// Records why it does not move.
  func fail(_ error: ProjectionError)
  /// Begins from nothing again. What it serves stays.
  ///
  /// - Throws: ``ProjectionError`` if there is nothing to begin with. Then all stays as it is.
  func restart(in history: History<Domain>) throws(ProjectionError)
  /// Stores what it has, or if `isDue` only where enough is new since it was tried last.
  func save(isDue: Bool) throws(ProjectionError)
  /// Makes sure that nothing is lost with the events up to a position.
  func keepState(at position: UInt64, in history: History<Domain>) throws(ProjectionError)
}

/// Why a projection does not move, and since when.
struct ProjectionTrouble: Equatable, Sendable {
  private(set) var error: ProjectionError?
  private(set) var since: Moment?

  mutating func begin(_ error: ProjectionError, at now: Moment) {
    self.error = error
    since = since ?? now
  }

  mutating func end() { (error, since) = (nil, nil) }
}
