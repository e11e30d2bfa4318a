import EventSourcing

/// The app PIN: whether one is set, its form, and how often it was wrong. One PIN serves every account, because the
/// apps of a publisher share it through the keychain; a wipe does not remove it.
///
/// Points in time are those of ``LaunchClock/elapsed``.
public struct PINRecord: FieldList {
  /// When it was chosen; `nil` for none.
  public internal(set) var setAt: Int64?
  /// Its form.
  public internal(set) var facts = PINFacts()
  /// The SDKs that share it: each ``Generation`` has its own PIN.
  public internal(set) var generation = Generation.current
  /// When the PIN itself was last right.
  public internal(set) var verifiedAt: Int64?
  /// How often in a row it was wrong.
  public internal(set) var failures: UInt32 = 0
  /// Whether the set of fingers or faces changed since it was last right, so that biometrics do not count.
  public internal(set) var biometricsChanged = false
  /// When biometrics last replaced it; `nil` if they have not since it was last right.
  public internal(set) var biometricsAt: Int64?
  /// Which biometrics those were: each account's policy says whether they count for it.
  public internal(set) var biometry = Biometry.none
  /// The longest time, in nanoseconds, between two proofs since it was last right, up to the last biometrics.
  public internal(set) var longestPause: Int64 = 0

  /// SDKs that share a PIN.
  public enum Generation: Int, WireEnumeration {
    /// From 14.6.0 on.
    case current = 0
    /// From 7.1.12 on, below 14.6.0.
    case second = 1
    /// Below 7.1.12.
    case first = 2

    /// The generation of an SDK; an unknown version counts as a later one.
    init(sdkVersion: String) {
      guard let version = SDKVersion(sdkVersion) else {
        self = .current
        return
      }
      self = version < SDKVersion(7, 1, 12) ? .first : version < SDKVersion(14, 6, 0) ? .second : .current
    }
  }

  init() {}

  /// Records that it was right.
  mutating func enter(at time: Int64) {
    verifiedAt = time
    failures = 0
    biometricsChanged = false
    biometricsAt = nil
    biometry = .none
    longestPause = 0
  }

  /// Records that biometrics replaced it. Earlier ones of another kind do not shorten the pause: a policy may accept
  /// only one kind.
  mutating func accept(_ biometry: Biometry, at time: Int64) {
    if let last = (self.biometry == biometry ? biometricsAt : nil) ?? verifiedAt {
      longestPause = max(longestPause, time.distanceClamping(from: last))
    }
    biometricsAt = time
    self.biometry = biometry
  }

  /// What is known about the PIN; without one, nothing about its form.
  public func tree() -> StateTree {
    .members([
      .init("setAt", setAt.map { .duration($0) } ?? .unset),
      .init("length", setAt == nil ? .unset : .integer(Int64(facts.length))),
      .init("hasDigit", setAt == nil ? .unset : .bool(facts.hasDigit)),
      .init("hasLetter", setAt == nil ? .unset : .bool(facts.hasLetter)),
      .init("hasSymbol", setAt == nil ? .unset : .bool(facts.hasSymbol)),
      .init("hasSimpleRun", setAt == nil ? .unset : .bool(facts.hasSimpleRun)),
      .init("generation", setAt == nil ? .unset : .name(generation.name)),
      .init("verifiedAt", verifiedAt.map { .duration($0) } ?? .unset),
      .init("failures", .integer(Int64(failures))),
      .init("biometricsChanged", .bool(biometricsChanged)),
      .init("biometricsAt", biometricsAt.map { .duration($0) } ?? .unset),
      .init("biometry", biometricsAt == nil ? .unset : .name(biometry.name)),
      .init("longestPause", biometricsAt == nil ? .unset : .duration(longestPause)),
    ])
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ pin: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "setAt", &pin.setAt, as: .duration)
    try field(2, "facts", &pin.facts, unless: PINFacts())
    try field(3, "generation", &pin.generation)
    try field(4, "verifiedAt", &pin.verifiedAt, as: .duration)
    try field(5, "failures", &pin.failures)
    try field(6, "biometricsChanged", &pin.biometricsChanged)
    try field(7, "biometricsAt", &pin.biometricsAt, as: .duration)
    try field(8, "biometry", &pin.biometry)
    try field(9, "longestPause", &pin.longestPause, as: .elapsed)
  }
}
