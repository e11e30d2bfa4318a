import Expectations
import Foundation
import Testing

/// A change of what apps can call is a decision: it shows in a file of `Interface`, which `UPDATE_GOLDEN=1` rewrites, and the page
/// Changes names what was removed.
@Suite("The public interface")
struct PublicInterfaceTests {
  /// The modules that are products to import, in the order of the manifest.
  private static let modules: [String] = {
    let manifest = (try? String(contentsOf: SwiftSource.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    return manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
  }()

  @Test("A declaration is read over all its lines, without attributes, bodies and values")
  func reading() {
    let source = """
      /// A shape.
      public protocol Shape: Sendable {
        /// Its area.
        var area: Int { get }
        func moved(by distance: Int) -> Self
      }

      @frozen public struct Square: Shape {
        public private(set) var side: Int = 1
        public static let unit = Square(
          side: 1)
        let hidden = 2
        public init(
          side: Int,
          name: String = "a {"
        ) throws(ShapeError) {
          public var nothing = 1
        }
        @inlinable
        public func moved<Other>(by distance: Int) -> Self
        where Other: Shape {
          self
        }
        public enum Corner: Int {
          case left, right
          case other(Int)
          private enum Hidden { case never }
        }
        #if os(Linux)
          public var isHere: Bool { true }
        #endif
      }

      extension Square: Equatable {
        public typealias Sides = [Int]
        func inner() {}
      }

      extension Stack where Element: Shape, Element: Hashable {
        public init() {}
        public var top: Element? {
          let set = 1
          return set
        }
        public struct Slot {
          public var place: Int {
            @inlinable get { 1 }
            nonmutating set { _ = newValue }
          }
          public var size = 1 {
            didSet { change() }
          }
          public var last: Int { get throws(ShapeError) { 1 } }
          public var settings: Int { set.count }
          public subscript(place: Int) -> Int {
            get { 1 }
            set(other) {}
          }
          public var changing: Int { get { 1 } set { change() } }
        }
      }
      extension Stack: Shape where Element: Shape {
        public var area: Int { 1 }
      }

      @_exported import Shapes
      package struct Inner {}
      extension Inner: Shape {
        public var area: Int { 1 }
      }
      private protocol Unseen {}
      extension Unseen {
        public var area: Int { 1 }
      }

      private struct Other {
        public var side = 1
      }
      """
    expectEqual(
      PublicInterface(of: [source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)]).lines,
      [
        "Shape: func moved(by distance: Int) -> Self",
        "Shape: var area: Int { get }",
        "Square.Corner: case left, right",
        "Square.Corner: case other(Int)",
        "Square: public enum Corner: Int",
        "Square: public func moved<Other>(by distance: Int) -> Self where Other: Shape",
        "Square: public init(side: Int, name: String = \"a {\") throws(ShapeError)",
        "Square: public private(set) var side: Int",
        "Square: public static let unit",
        "Square: public typealias Sides = [Int]",
        "Square: public var isHere: Bool { get }",
        "Stack where Element: Shape, Element: Hashable: public init()",
        "Stack where Element: Shape, Element: Hashable: public struct Slot",
        "Stack where Element: Shape, Element: Hashable: public var top: Element? { get }",
        "Stack where Element: Shape: public var area: Int { get }",
        "Stack.Slot where Element: Shape, Element: Hashable: public subscript(place: Int) -> Int { get set }",
        "Stack.Slot where Element: Shape, Element: Hashable: public var changing: Int { get set }",
        "Stack.Slot where Element: Shape, Element: Hashable: public var last: Int { get throws(ShapeError) }",
        "Stack.Slot where Element: Shape, Element: Hashable: public var place: Int { get nonmutating set }",
        "Stack.Slot where Element: Shape, Element: Hashable: public var settings: Int { get }",
        "Stack.Slot where Element: Shape, Element: Hashable: public var size",
        "@_exported import Shapes",
        "extension Square: Equatable",
        "extension Stack: Shape where Element: Shape",
        "public protocol Shape: Sendable",
        "public struct Square: Shape",
      ].sorted())
  }

  @Test("What a product offers is what its file lists", arguments: modules)
  func interface(of module: String) throws {
    let found = PublicInterface(of: try SwiftSource.all(below: "Sources/\(module)").map(\.lines)).lines
    #expect(!found.isEmpty)
    let file = SwiftSource.root.appending(path: "Tests/Architecture/Interface/\(module).txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data((found.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let listed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    expectEqual(
      Self.lines(of: found, besides: listed), [], "new: UPDATE_GOLDEN=1 swift test --filter PublicInterface")
    expectEqual(
      Self.lines(of: listed, besides: found), [], "gone: apps may call it, so the page Changes must name it")
  }

  @Test("Of two lines that are the same, each has to be listed")
  func counts() {
    expectEqual(Self.lines(of: ["a", "b", "b", "b"], besides: ["b", "a", "c"]), ["b", "b"])
  }

  /// The lines that a list has, or has more often than another.
  private static func lines(of list: [String], besides other: [String]) -> [String] {
    var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
    return list.filter { line in
      defer { counts[line, default: 0] -= 1 }
      return counts[line, default: 0] <= 0
    }
  }
}
