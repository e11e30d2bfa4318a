import EventSourcing

/// The place where an identity is set: the process, the user interface of a window, or a thread.
public enum IdentityScope: Hashable, Sendable, CustomStringConvertible {
  /// The whole process.
  case process
  /// The user interface of the default window.
  case ui
  /// The user interface of a further window, by the number that the app gave it.
  case window(UInt32)
  /// A thread or a scope of Swift concurrency, by the label that the app gave it.
  case thread(String)

  /// The label of the thread that carries the user interface.
  public static let mainThread = "main"

  /// The maximum length of a thread's label in bytes.
  public static let maximumLabelLength = 64

  /// The level.
  public var level: IdentityLevel {
    switch self {
    case .process: .process
    case .ui: .ui
    case .window: .window
    case .thread: .thread
    }
  }

  /// Whether a journal can hold the scope: a label has 1...64 ASCII letters, digits, `.`, `-` or `_`.
  public var isValid: Bool {
    guard case .thread(let label) = self else { return true }
    return !label.isEmpty && label.utf8.count <= Self.maximumLabelLength
      && label.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The identity's place in the state's tree, below `/identities`.
  public var description: String {
    switch self {
    case .process: "process"
    case .ui: "ui"
    case .window(let number): "windows/\(number)"
    case .thread(let label): "threads/\(label)"
    }
  }

  /// The path in the state's tree.
  var path: String { "/identities/\(self)" }
}

extension IdentityScope: FormedMessage {
  /// The level, and the window or thread.
  public struct Form: FieldList {
    var level = IdentityLevel.process
    var window: UInt32 = 0
    var thread = ""

    /// What reading begins with: the process.
    public static var blank: Self { Self() }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "level", &form.level, "on which level")
      try field(2, "window", &form.window, "the window's number, where the level is a window")
      try field(3, "thread", &form.thread, "the thread's label, where the level is a thread")
    }
  }

  /// The fields of this scope.
  public var form: Form {
    var form = Form(level: level)
    if case .window(let number) = self { form.window = number }
    if case .thread(let label) = self { form.thread = label }
    return form
  }

  /// Creates the scope from its fields.
  public init(_ form: Form) {
    self =
      switch form.level {
      case .process: .process
      case .ui: .ui
      case .window: .window(form.window)
      case .thread: .thread(form.thread)
      }
  }

  /// The scope's description.
  public func tree() -> StateTree { .value(.name(description)) }
}

/// How a piece of work was scheduled. Each kind takes its identity from a different place.
public enum WorkKind: String, CaseIterable, Sendable {
  /// A block on a dispatch queue, synchronous or not: the identity of the thread that enqueued it.
  case block
  /// An operation: the identity of the thread that added it to its queue, not of the one that created it.
  case operation
  /// A dispatch work item: the identity of the thread that created it, wherever it is dispatched.
  case workItem
  /// A child task of Swift concurrency: that of the scope that created it, subject to an assumption.
  case childTask
  /// A detached task: none, subject to an assumption.
  case detachedTask
}

/// A piece of work and the identity it carries.
public struct Work: Equatable, Sendable {
  /// How the work was scheduled.
  public let kind: WorkKind
  /// The identity it will run under; `unset` if the work carries none.
  public internal(set) var identity: Identity
}
