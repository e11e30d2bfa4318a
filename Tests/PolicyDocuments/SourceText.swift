import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The text of the repository: what its sources declare, and what its tests are called.
enum SourceText {
  private static let root: String = {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  }()

  /// The content of a file, by its path in the repository; empty where there is none.
  static func read(_ path: String) -> String {
    guard let file = fopen("\(root)/\(path)", "rb") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names in a folder of the repository; empty where it is none.
  static func names(in folder: String) -> [String] {
    SystemCalls.names(in: "\(root)/\(folder)", skipsHidden: true).names.sorted()
  }

  /// The Swift files below a folder of the repository.
  static func swiftFiles(below folder: String) -> [String] {
    names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      return name.hasSuffix(".swift") ? [path] : name.contains(".") ? [] : swiftFiles(below: path)
    }
  }

  /// The names of all tests of the repository.
  static let tests: [String] = swiftFiles(below: "Tests").flatMap { path -> [String] in
    pieces(of: read(path), after: "@Test(").compactMap { piece in
      let text = piece.drop { $0 == " " || $0 == "\n" }
      guard text.first == "\"" else { return nil }
      return String(text.dropFirst().prefix { $0 != "\"" })
    }
  }

  /// What is written after each occurrence of a mark, at most up to the next one.
  private static func pieces(of text: String, after mark: String) -> [Substring] {
    Array(text.split(separator: mark, omittingEmptySubsequences: false).dropFirst())
  }

  /// The names that are declared in the files that declare or extend a type.
  private static let members: [String: Set<String>] = {
    var types: Set<String> = []
    var members: [String: Set<String>] = [:]
    for path in swiftFiles(below: "Sources") {
      var found: Set<String> = []
      var here: Set<String> = []
      for line in read(path).split(separator: "\n") {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "/") }
        guard let keyword = words.firstIndex(where: { keywords.contains(String($0)) }),
          !words[..<keyword].contains(where: { $0.hasPrefix("/") }), keyword + 1 < words.count
        else { continue }
        let name = String(words[keyword + 1])
        switch words[keyword] {
        case "case": found.formUnion(words[(keyword + 1)...].map(String.init))
        case "func", "var", "let": found.insert(name)
        case "extension": here.insert(name)
        default:
          types.insert(name)
          here.insert(name)
        }
      }
      for type in here { members[type, default: []].formUnion(found) }
    }
    return members.filter { types.contains($0.key) }
  }()

  private static let keywords: Set<String> = [
    "actor", "case", "class", "enum", "extension", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// The files of the modules that an app embeds, each with the words of its code: comments are left out.
  private static let appFiles: [(path: String, words: Set<Substring>)] =
    ["Sources/AppProtection", "Sources/AppProtectionKit"].flatMap(swiftFiles).map { path in
      let code = read(path).split(separator: "\n").map { line in
        line.split(separator: "//", omittingEmptySubsequences: false).first ?? ""
      }
      return (path, Set(code.joined(separator: "\n").split { !($0.isLetter || $0.isNumber || $0 == "_") }))
    }

  /// What the article for those who know the SDK lists as questions to a state.
  private static let questions = Set(
    read("Sources/AppProtectionKit/AppProtectionKit.docc/ComingFromTheSDK.md")
      .split { !($0.isLetter || $0.isNumber || $0 == "_") })

  /// Whether what an app embeds mentions a name in another file than the one that declares it, or an app asks for it: of
  /// `A.b` the type, and of a member of the state the member.
  static func isRunByApps(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard let type = parts.first, declares(name) else { return false }
    let word = type == "AppProtectionState" ? parts.last ?? type : type
    let property = Substring(word.prefix(1).lowercased() + word.dropFirst())
    if questions.contains(word) || questions.contains(property) { return true }
    let isExtension = type == "AppProtectionState"
    return appFiles.contains { path, words in
      (words.contains(word) || words.contains(property))
        && !path.hasSuffix("/\(word).swift") && !(isExtension && declaresMember(word, path))
    }
  }

  private static func declaresMember(_ member: Substring, _ path: String) -> Bool {
    let text = read(path)
    return text.contains("func \(member)(") || text.contains("var \(member):")
  }

  /// Whether a type is declared, or a type and a member in a file that declares or extends it, such as `A.b`.
  static func declares(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    guard let first = parts.first, members[first] != nil else { return false }
    return parts.count < 2
      || parts.count == 2 && (members[first]?.contains(parts[1]) == true || members[parts[1]] != nil)
  }
}
