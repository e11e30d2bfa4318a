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
      var decoder = ScenarioDecoder(root: try JSONDocument.parse(text).root, file: file)
      self = try decoder.scenario()
    } catch let error as JSONError {
      throw ScenarioError(error, in: file)
    } catch let error as ScenarioError {
      throw error
    } catch {
      throw ScenarioError(.notAScenario, file: file, message: "\(error)", remedy: "check the file")
    }
  }

  /// The content of a file, or the reason why it cannot be read: an error about the file, or about the place where it is
  /// named.
  static func bytes(
    of path: String, namedAt position: JSONPosition? = nil, in file: String? = nil
  ) throws(ScenarioError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(Platform.SystemError) {
      bytes = try Platform.contents(of: path, limit: maximumFileLength)
    } catch {
      throw ScenarioError(
        .unreadable, file: file ?? path, at: position, message: "the file \(path) cannot be read: \(error.reason)",
        remedy: file == nil
          ? "check its name and its permissions"
          : "check its permissions and its name, which is relative to the scenario's folder")
    }
    guard let bytes else {
      throw ScenarioError(
        .unreadable, file: file ?? path, at: position,
        message: "the file \(path) is longer than \(maximumFileLength >> 20) MiB, which is the limit",
        remedy: "write a shorter one")
    }
    return bytes
  }

  /// The path of a file that is named in another one.
  static func path(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }
}
