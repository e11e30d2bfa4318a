import Expectations
import Testing

/// What C owns may be shorter than Swift's type for it: the system ends the record of a name after that name, and where the
/// record ends, so may the memory.
@Suite("Memory that C owns")
struct MemoryTests {
  @Test("What a pointer leads to is read in place", arguments: ["Sources", "Tests"])
  func readInPlace(folder: String) throws {
    for source in try SwiftSource.all(below: folder) {
      let copies = Self.copies(in: source.lines.joined(separator: "\n"))
      expectEqual(copies, [], "\(source.path) copies a whole value; write & before what the pointer leads to")
    }
  }

  @Test("Folders are listed in one place, which Sources and Tests share")
  func listing() throws {
    // In two parts, because this file is read too.
    let call = "read" + "dir("
    let places = try ["Sources", "Tests"].flatMap { try SwiftSource.all(below: $0) }.filter { source in
      source.lines.contains { $0.contains(call) }
    }
    expectEqual(places.map(\.path), ["Sources/SystemCalls/SystemCalls+Names.swift"])
  }

  @Test("A file or a folder is synced only where a drive on Apple's platforms is first asked to empty its own cache")
  func syncing() throws {
    var found: [String] = []
    for source in try SwiftSource.all(below: "Sources") {
      var isAsked = false
      for line in source.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        if line.contains("func ") { isAsked = false }
        if line.contains("F_FULLFSYNC") { isAsked = true }
        if line.contains(/\bfsync\(/) { found.append("\(source.path) \(isAsked)") }
      }
    }
    expectEqual(found, ["Sources/SystemCalls/SystemCalls.swift true"])
  }

  @Test("A copy is found in every form, and what is read in place is none")
  func reading() {
    // In two parts, because this file is read too.
    let call = "withUnsafe"
    let copies = [
      "\(call)Bytes(of: entry.pointee.d_name) {", "\(call)Pointer(to: entry.pointee.d_name) {",
      "\(call)Bytes(of:\n    address.pointee.sun_path, body)", "\(call)Bytes( of: record.d_name) {",
      "\(call)Bytes(of: entry[0].d_name) {", "\(call)Bytes(of: (first, second.pointee)) {",
    ]
    for text in copies { expectEqual(Self.copies(in: text).count, 1, "\(text)") }
    let inPlace = [
      "\(call)Bytes(of: &entry.pointee.d_name) {", "\(call)MutableBytes(of: &words) { $0.pointee }",
      "\(call)Bytes(of: number.littleEndian) { entry.pointee.d_name }", "\(call)Pointer(to: &entry.pointee.d_name) {",
    ]
    for text in inPlace { expectEqual(Self.copies(in: text), [], "\(text)") }
  }

  /// The calls in a text that copy what a pointer leads to, or a field of C's without a length of its own.
  private static func copies(in text: String) -> [String] {
    let call = /withUnsafe\w+\(\s*(?:of|to):\s*(?!&)[^{&;]*?(?:\.pointee|\.d_name|\.sun_path)\b/
    return text.matches(of: call).map { String($0.output) }
  }
}
