import Expectations
import Synchronization
import Testing

@testable import Journal

@Suite("Work on several threads, in order")
struct OrderedWorkTests {
  /// Gives numbers and takes squares, with at most so many waiting.
  private func squares(of numbers: Range<Int>, threads: Int, waiting: Int, on fileSystem: any FileSystem) -> [Int] {
    let work = OrderedWork<Int, Int>(on: fileSystem, threads: threads) {
      // What one thread remembers, no other touches.
      var known: [Int: Int] = [:]
      return { number in
        known[number] = number * number
        return known[number] ?? 0
      }
    }
    defer { work.end() }
    var results: [Int] = []
    for number in numbers {
      work.give(number)
      if work.count >= waiting, let result = work.next() { results.append(result) }
    }
    while let result = work.next() { results.append(result) }
    #expect(work.next() == nil && work.count == 0)
    return results
  }

  @Test("Results come in the order in which the work was given", arguments: [1, 2, 5], [1, 2, 30])
  func order(threads: Int, waiting: Int) {
    let results = squares(of: 0..<500, threads: threads, waiting: waiting, on: PosixFileSystem())
    expectEqual(results, (0..<500).map { $0 * $0 })
  }

  @Test("Where no thread can be started, the caller does the work")
  func alone() {
    let results = squares(of: 0..<20, threads: 4, waiting: 3, on: MemoryFileSystem())
    expectEqual(results, (0..<20).map { $0 * $0 })
  }

  @Test("Ending drops what was not begun, and waits for the rest")
  func end() {
    let done = Mutex<Set<Int>>([])
    let work = OrderedWork<Int, Int>(on: PosixFileSystem(), threads: 2) {
      { number in
        _ = done.withLock { $0.insert(number) }
        return number
      }
    }
    for number in 0..<100 { work.give(number) }
    #expect(work.next() == 0)
    work.end()
    let after = done.withLock { $0.count }
    #expect(done.withLock { $0.count } == after && after >= 1)
  }
}
