import JSON

extension Scenario {
  /// The longest scenario or document accepted, in bytes.
  static let maximumFileLength = 16 << 20

  /// Reads a scenario and the policy documents it names.
  ///
  /// - Parameter path: The scenario's file. Paths inside it are relative to its folder.
  /// - Throws: ``ScenarioError`` with the file, line and column of the problem.
  public static func load(_ path: String) throws(ScenarioError) -> Scenario {
    try Scenario(bytes(of: path), file: path)
  }

  /// Reads a scenario from text.
  ///
  /// - Parameters:
  ///   - text: The scenario as JSON.
  ///   - file: The name used in messages; documents are read relative to its folder.
  public init(_ text: [UInt8], file: String) throws(ScenarioError) {
    self = try Self.reading(file) {
      var decoder = ScenarioDecoder(file: file)
      return try decoder.scenario(text)
    }
  }

  /// Reads what a decoder makes of a file, and says where it is wrong.
  static func reading<Value>(_ file: String, _ body: () throws -> Value) throws(ScenarioError) -> Value {
    do {
      return try body()
    } catch let error as JSONError {
      throw ScenarioError(error, in: file)
    } catch let error as ScenarioError {
      throw error
    } catch {
      throw ScenarioError(.notAScenario, file: file, message: "\(error)", remedy: "check the file")
    }
  }

  /// The contents of a file. An error is reported for the file, or for the place that names it.
  static func bytes(
    of path: String, namedAt position: JSONPosition? = nil, in file: String? = nil
  ) throws(ScenarioError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(ScenarioFiles.SystemError) {
      bytes = try ScenarioFiles.contents(of: path, limit: maximumFileLength)
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
        message: "the file \(path) is longer than the limit of \(maximumFileLength >> 20) MiB",
        remedy: "write a shorter one")
    }
    return bytes
  }

  /// The path of a file named in another file.
  static func path(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }
}
