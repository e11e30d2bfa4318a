import JSON

extension Scenario {
  /// The longest scenario or document that is read, in bytes.
  static let maximumFileLength = 16 << 20

  /// Reads a scenario and the policy documents that it names.
  ///
  /// - Parameter path: The scenario's file. Paths inside it are relative to its folder.
  /// - Throws: A ``ScenarioError`` with the file, line and column of what cannot be read.
  public static func load(_ path: String) throws(ScenarioError) -> Scenario {
    try Scenario(bytes(of: path), file: path)
  }

  /// Reads a scenario from text.
  ///
  /// - Parameters:
  ///   - text: The scenario as JSON.
  ///   - file: What messages call it, and from whose folder the documents that it names are read.
  public init(_ text: [UInt8], file: String) throws(ScenarioError) {
    do {
      let root = try JSONDocument.parse(text).root
      self = try ScenarioDecoder(root: root, file: file).scenario()
    } catch let error as JSONError {
      throw ScenarioError(error, in: file)
    } catch let error as ScenarioError {
      throw error
    } catch {
      throw ScenarioError(.notAScenario, file: file, message: "\(error)", remedy: "check the file")
    }
  }

  /// The content of a file, or the reason why it cannot be read.
  static func bytes(of path: String) throws(ScenarioError) -> [UInt8] {
    do throws(Platform.SystemError) {
      guard let bytes = try Platform.contents(of: path, limit: maximumFileLength) else {
        throw Platform.SystemError.tooLong
      }
      return bytes
    } catch {
      throw ScenarioError(
        .unreadable, file: path, message: "the file cannot be read: \(error.reason)",
        remedy: "check the name, which is relative to the folder of the file that names it, and the permissions")
    }
  }

  /// The path of a file that is named in another one.
  static func path(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }
}
