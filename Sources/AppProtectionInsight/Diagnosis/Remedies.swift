import EventSourcing

/// What the app did so that requests succeed that fail in one way, such as the acquisition of a token.
struct Remedies: Sendable {
  /// All that it did.
  private(set) var all = Occurrences()
  /// The number of those after which a request failed as before.
  private(set) var futile = 0
  /// The first one after which no request has failed so again.
  private(set) var relief: EventContext?
  /// Whether a request has failed for another reason since then.
  private var isTried = false

  /// The one that helped, as far as the requests say: where earlier ones did not, it must be tried first.
  var help: EventContext? { futile == 0 || isTried ? relief : nil }

  /// The app does what is asked for.
  mutating func add(_ context: EventContext) {
    all.add(context)
    relief = relief ?? context
  }

  /// A request fails as before.
  mutating func fail() {
    futile = all.count
    (relief, isTried) = (nil, false)
  }

  /// A request fails for a reason that says nothing about the account.
  mutating func interrupt() { isTried = relief != nil }
}
