import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("The owners of files and data")
struct FileOwnerTests {
  static let a = Identity.account(.a1)
  static let b = Identity.account(.a2)

  @Test("Creating and truncating make a file the identity's; appending and reading do not")
  func access() {
    var files = FileOwners()
    files.open("f", .create, as: Self.a)
    for access in [FileOwners.Access.append, .read] {
      expectEqual(files.open("f", access, as: Self.b), .done)
      expectEqual(files["f"], Self.a)
    }
    files.open("f", .truncate, as: Self.b)
    expectEqual(files["f"], Self.b)
    files.open("g", .append, as: Self.a)
    files.open("h", .truncate, as: .unset)
    #expect(files["g"] == Self.a && files["h"] == .unmanaged)
    #expect(files.open("none", .read, as: Self.a) == .notFound && files["none"] == nil)
    expectEqual(files.files.map(\.path), ["f", "g", "h"])
  }

  @Test("A file gets the effective identity for files of the thread, and never the window's")
  func effectiveIdentity() throws {
    var app = try IdentityTests.managed()
    try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.thread("t"), .account(.a)))
    var files = FileOwners()
    files.open("main", .create, as: app.state.effectiveIdentity(of: .file).identity)
    files.open(
      "thread", .create, as: app.state.effectiveIdentity(of: .file, onThread: "t", isMainThread: false).identity)
    #expect(files["main"] == .unmanaged && files["thread"] == Self.a)
  }

  @Test("Protecting sets the owner, also after verifying it; another account's file is refused only if that is assumed")
  func protection() {
    for refuses in [true, false] {
      var assumptions = Assumptions()
      assumptions.protectionConflictRefuses = refuses
      var files = FileOwners(assumptions: assumptions)
      files.open("a", .create, as: Self.a)
      files.open("none", .create, as: .unmanaged)
      #expect(files.verifyAndProtect("none", as: Self.b) == .done && files["none"] == Self.b)
      expectEqual(files.verifyAndProtect("a", as: Self.a), .done)
      expectEqual(files.verifyAndProtect("a", as: Self.b), refuses ? .refused(owner: Self.a) : .done)
      expectEqual(files["a"], refuses ? Self.a : Self.b)
      #expect(files.protect("a", as: Self.b) == .done && files["a"] == Self.b)
      #expect(files.protect("x", as: Self.b) == .notFound && files.verifyAndProtect("x", as: Self.b) == .notFound)
    }
    var files = FileOwners()
    files.open("a", .create, as: Self.a)
    #expect(files.verifyAndProtect("a", as: Self.b) == .done && files["a"] == Self.b, "as the header says")
  }

  @Test("A copied or moved file keeps its owner, unless something else is assumed")
  func copies() {
    for keeps in [true, false] {
      var assumptions = Assumptions()
      assumptions.copiedFilesKeepOwner = keeps
      var files = FileOwners(assumptions: assumptions)
      files.open("f", .create, as: Self.a)
      expectEqual(files.copy("f", to: "g", as: Self.b), .done)
      #expect(files["g"] == (keeps ? Self.a : Self.b) && files["f"] == Self.a)
      expectEqual(files.move("f", to: "h", as: Self.b), .done)
      #expect(files["h"] == (keeps ? Self.a : Self.b) && files["f"] == nil)
      #expect(files.move("h", to: "h", as: Self.b) == .done && files["h"] != nil)
      #expect(files.copy("f", to: "i", as: Self.b) == .notFound && files.move("f", to: "f", as: Self.b) == .notFound)
    }
  }

  @Test("Whatever is done to files, a wipe removes those of its account and no others", arguments: 1...20)
  func wipe(seed: Int) {
    var random = RandomSequence(seed: UInt64(seed))
    var files = FileOwners()
    let identities: [Identity] = [Self.a, Self.b, .unmanaged, .unset]
    let paths = (0..<12).map { "f\($0)" }
    for _ in 0..<200 {
      let (path, other, identity) = (random.pick(paths), random.pick(paths), random.pick(identities))
      let before = files
      switch random.next(below: 8) {
      case 0, 1, 2: files.open(path, random.pick(FileOwners.Access.allCases), as: identity)
      case 3: files.protect(path, as: identity)
      case 4: files.verifyAndProtect(path, as: identity)
      case 5: files.copy(path, to: other, as: identity)
      case 6: files.move(path, to: other, as: identity)
      default:
        let removed = files.removeFiles(of: .a1)
        expectEqual(files.files, before.files.filter { $0.owner != Self.a })
        #expect(removed == before.files(of: .a1).count && files.files(of: .a1).isEmpty)
      }
      #expect(
        files.files.map(\.path) == files.files.map(\.path).sorted() && !files.files.contains { $0.owner == .unset })
    }
    files.remove("f0")
    expectEqual(files.remove("f0"), .notFound)
  }
}
