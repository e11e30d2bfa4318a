import Expectations
import Testing

@testable import FileProtection

@Suite("The last change of a folder")
struct FolderChangeTests {
  @Test("It is over once a later one has another time: at the next tick, or with its second if that is all there is")
  func ends() {
    let second: Int64 = 1_000_000_000
    let cases: [(time: Int64, now: Int64, isOver: Bool)] = [
      (7 * second + 5, 7 * second + 5, false), (7 * second + 5, 7 * second + 6, true),
      (7 * second, 7 * second, false), (7 * second, 7 * second + 1, false),
      (7 * second, 8 * second - 1, false), (7 * second, 8 * second, true),
      // The clock was set back.
      (7 * second, 6 * second, true),
    ]
    for (time, now, isOver) in cases {
      expectEqual(FolderChange(inode: 1, time: time).isOver(at: now), isOver, "\(time) at \(now)")
    }
  }

  @Test("What is waited for is the last change, and it is over")
  func settles() throws {
    try TemporaryFolder.with { folder in
      let file = try FileCalls.openFolder(folder.path)
      defer { FileCalls.closeFile(file) }
      for number in 0..<20 {
        folder.write([], to: "\(number)")
        let change = try #require(try FileCalls.finalChange(of: file))
        #expect(try change == FileCalls.lastChange(of: file) && change.isOver(at: FileCalls.changeTime))
        folder.write([], to: "\(number) more")
        #expect(try change != FileCalls.lastChange(of: file))
      }
    }
  }
}
