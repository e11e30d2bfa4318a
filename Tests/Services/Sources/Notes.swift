import Synchronization

/// What several tasks note, in order.
public final class Notes<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  /// Everything noted so far.
  public var all: [Element] { list.withLock { $0 } }

  /// Creates an empty list.
  public init() {}

  /// Adds an element.
  public func add(_ element: Element) { list.withLock { $0.append(element) } }
}
