import EventSourcing
import WireFormat

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

  /// The most bytes that a thread's label may have.
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

  /// Whether the scope can stand in a journal: a label has 1...64 ASCII letters, digits, `.`, `-` or `_`.
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

  /// Where the identity is in the state's tree, below `/identities`.
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

  static let descriptor = MessageDescriptor(
    "IdentityScope",
    [
      FieldDescriptor(1, "level", .enumeration(IdentityLevel.descriptor), .single, "on which level"),
      FieldDescriptor(2, "window", .unsigned, .single, "the window's number, where the level is a window"),
      FieldDescriptor(3, "thread", .string, .single, "the thread's label, where the level is a thread"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: level)
    if case .window(let number) = self { writer.write(2, unsigned: UInt64(number)) }
    if case .thread(let label) = self { writer.write(3, string: label) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    var level = IdentityLevel.process
    var window: UInt32 = 0
    var thread = ""
    while let field = try reader.nextField() {
      switch field.number {
      case 1: level = try reader.enumeration(field, as: IdentityLevel.self)
      case 2: window = try reader.unsigned(field, as: UInt32.self)
      case 3: thread = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    self =
      switch level {
      case .process: .process
      case .ui: .ui
      case .window: .window(window)
      case .thread: .thread(thread)
      }
  }
}
