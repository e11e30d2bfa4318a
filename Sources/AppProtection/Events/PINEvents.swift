import EventSourcing

/// `pin.set`: the user chose an app PIN; only the facts that rules need are kept.
public struct PINSet: EventPayload {
  /// The form of the PIN.
  public var facts: PINFacts

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(165, "pin.set", meaning: "The user chose an app PIN, of which only what rules ask is kept.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(facts: PINFacts()) }

  public func describe(in headline: Headline) {
    headline.add(Int(facts.length), "character")
    if facts.hasDigit { headline.add(", digits") }
    if facts.hasLetter { headline.add(", letters") }
    if facts.hasSymbol { headline.add(", symbols") }
    if facts.hasSimpleRun { headline.add(", simple") }
    headline.cover(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "facts", &event.facts, required: true, "what the PIN is like")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    let now = state.recordLaunchTime(context)
    var pin = PINRecord()
    pin.setAt = now
    pin.enter(at: now)
    pin.facts = event.facts
    pin.generation = PINRecord.Generation(sdkVersion: state.process.sdkVersion)
    state.launch.pin = pin
  }
}

/// `pin.verified`: the user entered the right PIN, or gave biometrics in its place.
public struct PINVerified: EventPayload {
  public var account: AccountNumber
  /// Whether biometrics replaced the PIN.
  public var byBiometrics = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      166, "pin.verified",
      meaning: "The user entered the PIN that was chosen, or gave biometrics in its place.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(byBiometrics ? "by biometrics" : "by the PIN")
    headline.cover(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "byBiometrics", &event.byBiometrics, "whether biometrics took the place of the PIN")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    let now = state.recordLaunchTime(context)
    guard event.byBiometrics else {
      state.launch.pin.enter(at: now)
      return
    }
    // Biometrics that the device does not offer prove nothing, even where the account's own policy requires no proof.
    let biometry = state.trustedBiometry
    guard biometry != .none else { return }
    // The account's own biometrics of another kind are not kept beside them.
    if state.launch.pin.biometricsAt != nil, state.launch.pin.biometry != biometry {
      for record in state.launch.accounts.records where record.biometricsAt != nil {
        state.launch.accounts.update(record.account) { $0.biometricsAt = nil }
      }
    }
    state.launch.pin.accept(biometry, at: now)
    // Only a policy that requires a PIN decides whether biometrics may replace it.
    if state.enforcedPolicy(for: .account(event.account))?.access.pinRequired == true {
      state.launch.accounts.update(event.account) { $0.biometricsAt = now }
    }
  }
}

/// `pin.failed`: the user entered a wrong PIN.
public struct PINFailed: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      167, "pin.failed",
      meaning: "The user entered a wrong PIN.",
      remedy: """
        After as many wrong PINs as the policy accepts the PIN is reset, which needs a sign-in, or the data is \
        removed.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("wrong PIN")
    if let failures = headline.change(of: "failures") {
      headline.add(", failure ")
      headline.add(failures.after)
    }
    headline.cover(below: "/launch/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    _ = state.recordLaunchTime(context)
    if state.launch.pin.failures < .max { state.launch.pin.failures += 1 }
  }
}

/// `pin.reset`: the PIN no longer counts; another one must be chosen.
public struct PINReset: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(168, "pin.reset", meaning: "The PIN does not count any more, and another one must be chosen.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("another PIN must be chosen")
    headline.cover(below: "/launch/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    state.launch.pin = PINRecord()
  }
}

/// `biometrics.changed`: the fingers or faces enrolled on the device changed.
public struct BiometricsChanged: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      169, "biometrics.changed",
      meaning: "The set of fingers or faces that the device knows is another one: the next time the PIN is asked.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add("the PIN is asked for next time")
    headline.cover(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    if state.launch.pin.setAt != nil { state.launch.pin.biometricsChanged = true }
  }
}
