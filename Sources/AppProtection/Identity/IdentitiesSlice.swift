/// Whose identity is set where: for the process, the windows and the threads. All of it ends with the process.
public struct IdentitiesSlice: Equatable, Sendable {
  /// The identity of one window.
  public struct Window: Equatable, Sendable {
    /// The number that the app gave the window.
    public let number: UInt32
    /// Whose it is; never `unset`.
    public internal(set) var identity: Identity
  }

  /// The identity of one thread or scope of Swift concurrency.
  public struct Thread: Equatable, Sendable {
    /// The label that the app gave the thread.
    public let label: String
    /// Whose it is; never `unset`.
    public internal(set) var identity: Identity
  }

  /// The identity of the process.
  public internal(set) var process = Identity.unset
  /// The identity of the default window.
  public internal(set) var ui = Identity.unset
  /// The windows that have one of their own, in the order of their numbers.
  public internal(set) var windows: [Window] = []
  /// The threads that have one, in the order of their labels' bytes.
  public internal(set) var threads: [Thread] = []
  /// The switches that the delegate was asked for and has not answered, in the order of the questions.
  public internal(set) var requests: [IdentitySwitchRequest] = []

  init() {}

  /// The identity set in exactly this place; ``EffectiveIdentity`` says whose it is in effect.
  public subscript(scope: IdentityScope) -> Identity {
    switch scope {
    case .process: process
    case .ui: ui
    case .window(let number): windows.first { $0.number == number }?.identity ?? .unset
    case .thread(let label): threads.first { $0.label == label }?.identity ?? .unset
    }
  }

  /// Sets the identity of a place.
  mutating func set(_ scope: IdentityScope, to identity: Identity) {
    switch scope {
    case .process: process = identity
    case .ui: ui = identity
    case .window(let number):
      let place = windows.firstIndex { $0.number >= number } ?? windows.endIndex
      if place < windows.endIndex && windows[place].number == number { windows.remove(at: place) }
      if identity != .unset { windows.insert(Window(number: number, identity: identity), at: place) }
    case .thread(let label):
      let place = threads.firstIndex { !Self.precedes($0.label, label) } ?? threads.endIndex
      if place < threads.endIndex && threads[place].label == label { threads.remove(at: place) }
      if identity != .unset { threads.insert(Thread(label: label, identity: identity), at: place) }
    }
  }

  /// Takes an account out of every place: what was its is nobody's.
  mutating func forget(_ account: AccountNumber) {
    let identity = Identity.account(account)
    if process == identity { process = .unset }
    if ui == identity { ui = .unset }
    windows.removeAll { $0.identity == identity }
    threads.removeAll { $0.identity == identity }
    requests.removeAll { $0.identity == identity }
  }

  /// The order of labels: that of their bytes, which no locale changes.
  static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
