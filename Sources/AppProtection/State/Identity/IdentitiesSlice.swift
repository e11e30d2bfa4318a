import EventSourcing

/// The identities set for the process, its windows and its threads. They end with the process.
public struct IdentitiesSlice: FieldList {
  /// The identity of one window.
  public struct Window: FieldList {
    /// The number that the app gave the window.
    public internal(set) var number: UInt32
    /// Its owner; never `unset`.
    public internal(set) var identity: Identity

    /// The value that decoding starts from.
    public static var blank: Self { Self(number: 0, identity: .unset) }

    public static func visit<V: FieldVisitor>(_ window: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "number", &window.number)
      try field(2, "identity", &window.identity)
    }
  }

  /// The identity of one thread or scope of Swift concurrency.
  public struct Thread: FieldList {
    /// The label that the app gave the thread.
    public internal(set) var label: String
    /// Its owner; never `unset`.
    public internal(set) var identity: Identity

    /// The value that decoding starts from.
    public static var blank: Self { Self(label: "", identity: .unset) }

    public static func visit<V: FieldVisitor>(_ thread: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "label", &thread.label)
      try field(2, "identity", &thread.identity)
    }
  }

  /// The identity of the process.
  public internal(set) var process = Identity.unset
  /// The identity of the default window.
  public internal(set) var ui = Identity.unset
  /// The windows with an identity of their own, in the order of their numbers.
  public internal(set) var windows: [Window] = []
  /// The threads with an identity, in the order of their labels' bytes.
  public internal(set) var threads: [Thread] = []
  /// The switches that the delegate was asked for and has not answered, in the order of the questions.
  public internal(set) var requests: [IdentitySwitchRequest] = []

  init() {}

  /// The identity set in exactly this scope; ``EffectiveIdentity`` holds the one in effect.
  public subscript(scope: IdentityScope) -> Identity {
    switch scope {
    case .process: process
    case .ui: ui
    case .window(let number): windows.first { $0.number == number }?.identity ?? .unset
    case .thread(let label): threads.first { $0.label == label }?.identity ?? .unset
    }
  }

  /// Sets the identity of a scope.
  mutating func set(_ scope: IdentityScope, to identity: Identity) {
    defer { checkInvariants() }
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

  /// Removes an account from every scope: its scopes become unmanaged.
  mutating func forget(_ account: AccountNumber) {
    let identity = Identity.account(account)
    if process == identity { process = .unset }
    if ui == identity { ui = .unset }
    windows.removeAll { $0.identity == identity }
    threads.removeAll { $0.identity == identity }
    requests.removeAll { $0.identity == identity }
    checkInvariants()
  }

  /// What holds after each change.
  private func checkInvariants() {
    assert(windows.isAscending { $0.number < $1.number }, "windows are not in order")
    assert(threads.isAscending { Self.precedes($0.label, $1.label) }, "threads are not in order")
  }

  /// The order of labels: by bytes, independent of locale.
  static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ identities: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "process", &identities.process)
    try field(2, "ui", &identities.ui)
    try field(3, "windows", &identities.windows, inOrder: { $0.number < $1.number })
    try field(4, "threads", &identities.threads, inOrder: { precedes($0.label, $1.label) })
    try field(5, "requests", &identities.requests)
  }

  /// The scopes by name.
  public func tree() -> StateTree {
    .members([
      .init("process", process.value), .init("ui", ui.value), .init("windows", Self.tree(windows)),
      .init("threads", Self.tree(threads)), .init("requests", Self.tree(requests)),
    ])
  }

  /// Compares the members of the trees one by one.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    func compare<Part: Equatable>(
      _ number: Int, _ name: StaticString, _ part: Part, _ next: Part, _ tree: (Part) -> StateTree
    ) {
      if part != next { differ.compare(tree(part), tree(next), at: differ.part(number, name, of: place)) }
    }
    compare(1, "process", process, later.process) { .value($0.value) }
    compare(2, "ui", ui, later.ui) { .value($0.value) }
    compare(3, "windows", windows, later.windows, Self.tree)
    compare(4, "threads", threads, later.threads, Self.tree)
    compare(5, "requests", requests, later.requests, Self.tree)
  }

  private static func tree(_ windows: [Window]) -> StateTree {
    .members(windows.map { .init("\($0.number)", $0.identity.value) })
  }

  private static func tree(_ threads: [Thread]) -> StateTree {
    .members(threads.map { .init($0.label, $0.identity.value) })
  }

  private static func tree(_ requests: [IdentitySwitchRequest]) -> StateTree {
    .members(
      requests.map { request in
        let scope = request.scope.description
        let name = scope.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }
        return .init(String(decoding: name, as: UTF8.self), request.tree())
      })
  }
}
