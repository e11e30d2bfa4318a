import Expectations
import EventSourcing
import Testing

@Suite("The tree form of a state")
struct StateTreeTests {
  private let tree = StateTree.members([
    .init(
      "accounts",
      .members([
        .init("a1", .members([.init("status", .name("enrolled")), .init("email", .unset)])),
        .init("a2", .members([.init("status", .name("unknown"))])),
      ])),
    .init("count", .integer(2)),
    .init("empty", .members([])),
  ])

  @Test("A path leads to the part it names, or to nothing")
  func lookup() {
    expectEqual(tree[path: "/accounts/a1/status"], .value(.name("enrolled")))
    expectEqual(tree[path: "accounts/a1/status/"], .value(.name("enrolled")))
    expectEqual(tree[path: "/count"], .value(.integer(2)))
    expectEqual(tree[path: "/"], tree)
    expectEqual(tree[path: ""], tree)
    #expect(tree[path: "/accounts/a3"] == nil)
    #expect(tree[path: "/count/deeper"] == nil)
    expectEqual(tree[path: "/accounts/a1/email"], .value(.unset))
  }

  @Test("All paths are listed, outer ones first")
  func paths() {
    expectEqual(
      tree.paths(),
      [
        "/accounts", "/accounts/a1", "/accounts/a1/status", "/accounts/a1/email", "/accounts/a2",
        "/accounts/a2/status", "/count", "/empty",
      ])
    #expect(StateTree.value(.bool(true)).paths().isEmpty)
  }

  @Test("Leaves are the values with their paths")
  func leaves() {
    expectEqual(
      tree.leaves().map(\.path), ["/accounts/a1/status", "/accounts/a1/email", "/accounts/a2/status", "/count"])
    expectEqual(StateTree.value(.bool(true)).leaves(), [.init(path: "/", value: .bool(true))])
    expectEqual(StateTree.value(.bool(true)).leaves(under: "/x"), [.init(path: "/x", value: .bool(true))])
  }

  @Test("A tree without a set value is empty")
  func emptiness() {
    #expect(!tree.isEmpty)
    #expect(StateTree.members([.init("a", .members([.init("b", .unset)]))]).isEmpty)
    #expect(!StateTree.value(.list([])).isEmpty)
  }
}

@Suite("The difference between two states")
struct StateDiffTests {
  private func members(_ members: [(String, StateTree)]) -> StateTree {
    .members(members.map { StateTree.Member($0.0, $0.1) })
  }

  private func change(_ path: String, _ before: StateValue?, _ after: StateValue?) -> StateChange {
    StateChange(path: path, before: before, after: after)
  }

  @Test("Equal trees do not differ, and absent, unset and empty are the same")
  func same() {
    let one = members([("a", .value(.unset)), ("b", .members([])), ("c", .value(.bool(true)))])
    #expect(StateDiff(from: one, to: one).isEmpty)
    let other = members([("c", .value(.bool(true)))])
    expectEqual(StateDiff(from: one, to: other), StateDiff())
    expectEqual(StateDiff(from: other, to: one), StateDiff())
  }

  @Test("A value that changes, appears or disappears is one change with its path")
  func values() {
    let one = members([("a", .value(.integer(1))), ("b", .value(.unset)), ("c", .value(.text("x")))])
    let other = members([("a", .value(.integer(2))), ("b", .value(.bool(false))), ("c", .value(.unset))])
    expectEqual(
      StateDiff(from: one, to: other).changes,
      [
        change("/a", .integer(1), .integer(2)), change("/b", nil, .bool(false)), change("/c", .text("x"), nil),
      ])
  }

  @Test("A list is one value")
  func lists() {
    let diff = StateDiff(
      from: members([("l", .value(.list([.integer(1)])))]), to: members([("l", .value(.list([.integer(2)])))]))
    expectEqual(diff.changes, [change("/l", .list([.integer(1)]), .list([.integer(2)]))])
  }

  @Test("A part that appears is named once, and its values are changes")
  func appearing() {
    let inner = members([("x", .value(.integer(1))), ("y", members([("z", .value(.integer(2)))]))])
    let diff = StateDiff(
      from: members([("q", .value(.integer(0)))]), to: members([("p", inner), ("q", .value(.integer(0)))]))
    expectEqual(diff.appeared, ["/p"])
    expectEqual(diff.changes, [change("/p/x", nil, .integer(1)), change("/p/y/z", nil, .integer(2))])
    let back = StateDiff(from: members([("p", inner)]), to: members([]))
    expectEqual(back.disappeared, ["/p"])
    expectEqual(back.changes.map(\.path), ["/p/x", "/p/y/z"])
  }

  @Test("A value that becomes a part with members disappears, and the part appears")
  func valueToMembers() {
    let one = members([("a", .value(.integer(1)))])
    let other = members([("a", members([("b", .value(.integer(1)))]))])
    let diff = StateDiff(from: one, to: other)
    expectEqual(diff.changes, [change("/a", .integer(1), nil), change("/a/b", nil, .integer(1))])
    expectEqual(diff.appeared, ["/a"])
    let back = StateDiff(from: other, to: one)
    expectEqual(back.changes, [change("/a/b", .integer(1), nil), change("/a", nil, .integer(1))])
    expectEqual(back.disappeared, ["/a"])
  }

  @Test(
    "Changes stand in the order of the trees",
    arguments: [
      (["a", "c"], ["b", "c"], ["-a", "+b"]),
      (["b", "c"], ["a", "b", "c"], ["+a"]),
      (["a", "b", "c"], ["a", "c"], ["-b"]),
      (["a", "b", "c"], ["c", "d"], ["-a", "-b", "+d"]),
      ([], ["a", "b"], ["+a", "+b"]),
      (["a", "b"], [], ["-a", "-b"]),
      (["x", "a", "y", "b", "z"], ["p", "a", "q", "b", "r"], ["-x", "+p", "-y", "+q", "-z", "+r"]),
      // Not what a state may do, but still no change is lost or reported twice.
      (["a", "b"], ["b", "a"], []),
      (["a", "b", "c"], ["c", "x", "a"], ["-b", "+x"]),
    ])
  func order(before: [String], after: [String], expected: [String]) {
    func tree(_ names: [String]) -> StateTree { members(names.map { ($0, .value(.text($0))) }) }
    let diff = StateDiff(from: tree(before), to: tree(after))
    expectEqual(diff.changes.map { ($0.before == nil ? "+" : "-") + $0.path.dropFirst() }, expected)
  }

  @Test("Changes can be limited to a path")
  func below() {
    let diff = StateDiff(
      from: members([]),
      to: members([("a", members([("b", .value(.bool(true)))])), ("ab", .value(.bool(true)))]))
    expectEqual(diff.changes(under: "/a").map(\.path), ["/a/b"])
    expectEqual(diff.changes(under: "ab/").map(\.path), ["/ab"])
    expectEqual(diff.changes(under: "/").count, 2)
    #expect(diff.changes(under: "/c").isEmpty)
  }

  @Test("Values can be left out; without any value left, a part does not appear")
  func leavingOut() {
    let part = members([("b", .value(.bool(true))), ("c", .value(.time(1)))])
    let diff = StateDiff(from: members([]), to: members([("a", part), ("t", members([("c", .value(.time(2)))]))]))
    #expect(diff.appeared == ["/"] || diff.appeared == ["/a", "/t"])
    let rest = diff.leavingOut { if case .time? = $0.after { true } else { false } }
    expectEqual(rest.changes.map(\.path), ["/a/b"])
    #expect(!rest.appeared.contains("/t") && rest.appeared.allSatisfy { $0 == "/" || $0 == "/a" })
    #expect(diff.leavingOut { _ in true } == StateDiff() && diff.leavingOut { _ in false } == diff)
  }

  @Test("Two states are compared slice by slice, with the same result as their whole trees")
  func states() {
    var one = LedgerState()
    one.accounts = [.init(number: 1, owner: "Ada", balance: 5), .init(number: 2, owner: "Bob")]
    var other = one
    other.accounts[0].balance = 6
    other.accounts.remove(at: 1)
    other.notes = ["x"]
    expectEqual(one.changes(to: other), StateDiff(from: one.tree(), to: other.tree()))
    expectEqual(
      one.changes(to: other).changes.map(\.path),
      [
        "/accounts/a1/balance", "/accounts/a2/owner", "/accounts/a2/balance", "/accounts/a2/openedBy", "/notes",
      ])
    expectEqual(one.tree(at: "/accounts/a1/balance"), .value(.integer(5)))
    #expect(one.tree(at: "/nowhere") == nil)
    expectEqual(one.tree(at: "/"), one.tree())
  }
}
