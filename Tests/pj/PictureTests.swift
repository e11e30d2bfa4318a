import Expectations
import JSON
import Testing

/// The pictures in the pages show what `pj` draws today.
@Suite("Pictures of pages")
struct PictureTests {
  private static let folder = "\(Repository.root)/Sources/pj/pj.docc/Resources"

  @Test("Each picture was taken of the page that its command writes")
  func digests() throws {
    let pictures = try #require(
      try JSONDocument.parse(TestFiles.read("\(Self.folder)/pictures.json")).root.value.object)
    for picture in pictures.members {
      try TestFiles.withTemporaryFolder { folder in
        let command = try #require(picture.value.object?["command"]?.string)
        let digest = try #require(picture.value.object?["sha256"]?.string)
        let page = "\(folder)/page.html"
        var words = command.split(separator: " ").dropFirst().map { $0 == "page.html" ? page : String($0) }
        let isPrinted = words.count > 2 && words[words.count - 2] == ">"
        if isPrinted { words.removeLast(2) }
        let run = ToolRun(words)
        if isPrinted { try TestFiles.write(Array(run.output.utf8), to: page) }
        expectEqual(
          TestFiles.shell("echo '\(digest)  \(page)' | sha256sum --check --status"), 0,
          "\(command): take the picture again with tools/pictures")
      }
    }
    expectEqual(
      try TestFiles.names(in: Self.folder), (pictures.members.map { "\($0.name).png" } + ["pictures.json"]).sorted())
  }
}
