import CommandLineInterface
import CommandSupport
import PlainText
import PolicyDocuments
import PolicySettings
import PropertyList

/// What `pj settings fix` prints and writes.
struct SettingsRepairReport {
  /// A file that was read.
  private struct Input {
    let path: String
    let bytes: [UInt8]
    let format: PropertyList.Format
    let content: Content
  }

  private enum Content {
    case settings(SettingsDocument)
    case entitlements(EntitlementsDocument)
  }

  /// A file with its repair.
  private struct Result {
    let file: Input
    let repair: FileRepair
    /// The contents after it.
    let bytes: [UInt8]
    /// What is left to the owner of the file.
    let notes: [SettingsRepairNote]

    init(_ file: Input, _ repair: FileRepair) throws(PropertyListError) {
      (self.file, self.repair) = (file, repair)
      bytes = try repair.applied(to: file.bytes)
      guard case .settings(let document) = file.content else {
        notes = repair.notes
        return
      }
      // What lint says before and after it, in the places before it, unless the repair says something there itself.
      let after =
        bytes == file.bytes
        ? document.findings : SettingsDocument(try PropertyList.read(bytes), file: file.path).findings
      let left = document.findings.filter { finding in
        finding.rule.severity != .note && after.contains { $0.rule == finding.rule && $0.path == finding.path }
          && !repair.notes.contains { $0.path == finding.path }
      }
      notes = repair.notes + left.map { SettingsRepairNote($0) }
    }
  }

  private let context: CommandContext
  private let writes: Bool
  /// The property lists to which a project's entitlements belong.
  private let owners: [String: String]

  static func run(_ paths: [String], owners: [String: String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let writes = arguments.flag("write")
    guard !writes || !arguments.flag("dry-run") else {
      throw Failure(.wrongUse, "--write acts and --dry-run does not: choose one", next: "pj help settings")
    }
    guard !writes || !paths.contains("-") else {
      throw Failure(.wrongUse, "-: standard input cannot be written; name the file", next: "pj help settings")
    }
    try expectDistinct(paths)
    if let text = arguments.value(of: "face-id-text") {
      guard !text.isEmpty else {
        throw Failure(.wrongUse, "--face-id-text: the text is empty, which is none", next: "pj help settings")
      }
      guard text.unicodeScalars.allSatisfy(PropertyList.canBeInXML) else {
        throw Failure(
          .wrongUse, "--face-id-text: the text has a character that XML does not allow", next: "pj help settings")
      }
    }
    if arguments.flag("diff") { try context.refuseJSON("settings fix --diff") }
    return SettingsRepairReport(context: context, writes: writes, owners: owners).run(paths)
  }

  /// Refuses a file that is named twice, in another spelling or by another link as well: the second would be written over
  /// the first.
  private static func expectDistinct(_ paths: [String]) throws(Failure) {
    guard let (path, first) = Platform.repetition(in: paths) else { return }
    throw Failure(
      .wrongUse, "\(path): the file is named twice" + (first == path ? "" : ": it is \(first)"),
      next: "pj help settings")
  }

  private func run(_ paths: [String]) -> ExitCode {
    context.begin(Self.records, writes)
    var refused = false
    var inputs: [Input] = []
    for path in paths {
      do throws(Failure) { inputs.append(try contents(of: path)) } catch {
        refused = true
        refuse(path, error)
      }
    }
    var results: [Result] = []
    for (input, repair) in zip(inputs, repairs(inputs)) {
      do throws(PropertyListError) {
        results.append(try Result(input, repair))
      } catch {
        refused = true
        refuse(input.path, Failure(.unreadable, "\(input.path): \(error)", next: "pj help settings"))
      }
    }
    for result in results { print(result) }
    let changing = results.filter { $0.bytes != $0.file.bytes }
    if writes {
      // Before the first file is written: all are, or none.
      for result in changing {
        guard let obstacle = Platform.obstacle(toReplacing: result.file.path) else { continue }
        refused = true
        if let failure = failure(obstacle, result.file.path) { refuse(result.file.path, failure) }
      }
    }
    var written: Set<String> = []
    if writes, !refused {
      for result in changing {
        let path = result.file.path
        let replacement = Platform.replace(
          path, result.file.bytes, with: result.bytes, context.environment.fileSystem)
        if replacement.isWritten { written.insert(path) }
        guard let failure = failure(replacement, path) else { continue }
        refused = true
        refuse(path, failure)
      }
    }
    let code: ExitCode = refused ? .unreadable : changing.count > written.count ? .different : .done
    printEnd(results, written, code)
    return code
  }

  // MARK: Input

  private func contents(of path: String) throws(Failure) -> Input {
    let bytes = try FileInput.bytes(of: path, context)
    let list: PropertyList
    do throws(PropertyListError) {
      list = try PropertyList.read(bytes)
    } catch {
      throw Failure(.unreadable, "\(path): \(error)", next: "pj help settings")
    }
    func read(_ content: Content) -> Input { Input(path: path, bytes: bytes, format: list.format, content: content) }
    if let document = EntitlementsDocument(list, file: path) { return read(.entitlements(document)) }
    let document = SettingsDocument(list, file: path)
    switch SettingsRepair.refusal(of: document) {
    case nil: return read(.settings(document))
    case .notAnApp:
      throw Failure(
        .unreadable, "\(path): this is not the Info.plist of an app: it has no key of one, and no IntuneMAMSettings",
        next: "pj help settings")
    case .otherBundle(let type):
      throw Failure(
        .unreadable,
        "\(path): this belongs to a bundle of type \(PropertyListExcerpt.quoted(type)), not to an app or an extension",
        next: "pj help settings")
    }
  }

  /// The repairs of the files, in their order.
  private func repairs(_ inputs: [Input]) -> [FileRepair] {
    var options = SettingsRepair.Options()
    options.createsSettings = context.arguments.flag("create")
    options.convertsRules = context.arguments.flag("convert-rules")
    if let text = context.arguments.value(of: "face-id-text") { options.faceIDText = text }
    var documents: [SettingsDocument] = []
    var entitlements: [EntitlementsDocument] = []
    for input in inputs {
      switch input.content {
      case .settings(let document): documents.append(document)
      case .entitlements(let document): entitlements.append(document)
      }
    }
    let repair = SettingsRepair(documents: documents, entitlements: entitlements, options: options) { entitlements in
      guard let owner = entitlements.file.flatMap({ owners[$0] }) else { return nil }
      return documents.firstIndex { $0.file == owner }
    }
    var (ofDocuments, ofEntitlements) = (repair.documents[...], repair.entitlements[...])
    return inputs.map { input in
      switch input.content {
      case .settings: ofDocuments.removeFirst()
      case .entitlements: ofEntitlements.removeFirst()
      }
    }
  }

  // MARK: Output

  private func refuse(_ path: String, _ failure: Failure) {
    context.show(.unreadable, (path, failure.message))
    context.note(failure)
  }

  /// Why a file was not replaced, or may not stay so; `nil` where it was.
  private func failure(_ replacement: Platform.Replacement, _ path: String) -> Failure? {
    switch replacement {
    case .replaced: return nil
    case .notAFile(isLink: true):
      return Failure(
        .unreadable, "\(path): this is a link, which is not followed; name the file itself",
        next: "readlink -f \(path.shellWord)")
    case .notAFile:
      return Failure(
        .unreadable, "\(path): this is not a regular file, so nothing is written", next: "ls -ld \(path.shellWord)")
    case .writeProtected:
      return Failure(
        .unreadable, "\(path): the file is write-protected, so nothing is written",
        next: "ls -ld \(path.shellWord)")
    case .manyNames(let count):
      return Failure(
        .unreadable,
        "\(path): the file has \(count) names (hard links), and the others would keep the old contents; give it one name",
        next: "ls -li \(path.shellWord)")
    case .changed:
      return Failure(
        .unreadable, "\(path): the file changed since it was read, so nothing is written",
        next: "pj settings fix \(path.shellWord)")
    case .failed(let error):
      return Failure(
        .unreadable, "\(path): \(Platform.message(ofError: error)); the file is as it was",
        next: Failure.next(error, at: path))
    case .unproven(let error):
      return Failure(
        .unreadable,
        "\(path): the file is written, whole, but may not survive a power cut: \(Platform.message(ofError: error))",
        next: "sync")
    }
  }

  private func print(_ result: Result) {
    let path = result.file.path
    context.report { lines in
      lines.add(Self.change, each: result.repair.changes.map { (path, $0) })
      lines.add(Self.note, each: result.notes.map { (path, $0) })
    } text: {
      printText(result)
    }
  }

  private func printText(_ result: Result) {
    let path = result.file.path
    if context.arguments.flag("diff"), result.file.format == .xml {
      for line in UnifiedDiff.lines(result.file.bytes, result.bytes, name: path) {
        context.output.line(context.environment.outputIsTerminal ? TerminalText.visible(line) : line)
      }
    } else {
      for change in result.repair.changes {
        let word = context.style.apply([.green], to: "change")
        let place = place(path, change.position, change.path)
        context.output.line(
          word + "   " + TerminalText.visible("\(place): \(change.action). \(change.reason)"), hanging: 9)
      }
    }
    for note in result.notes {
      let place = place(path, note.position, note.path)
      let line = TerminalText.visible("\(place): \(note.message); \(note.remedy)")
      guard context.arguments.flag("diff") else {
        context.output.line(context.style.apply([.cyan], to: "note") + "     " + line, hanging: 9)
        continue
      }
      context.note(line)
    }
  }

  private func place(_ file: String, _ position: PropertyListPosition, _ path: PropertyListPath) -> String {
    "\(file): " + (path.components.isEmpty ? "\(position)" : "\(position): \(path)")
  }

  /// What `-j` writes.
  static let records = JSONOutput<Bool, (changes: Int, notes: Int, files: Int, written: [String])>(
    "settings.fix", start: [.init("write") { $0 }], [change, note, JSONRecord.unreadable],
    end: [
      .init("changes", \.changes), .init("notes", \.notes), .init("files", \.files), .init("written", \.written),
    ])

  private static let change = JSONRecord<(file: String, change: SettingsChange)>(
    "change",
    [.init("file", \.file), .init("rule", \.change.rule?.rawValue)]
      + DocumentPlace.members.of { DocumentPlace($0.change.position) } + [
        .init("path") { "\($0.change.path)" }, .init("action", \.change.action), .init("reason", \.change.reason),
        .init("source", \.change.source),
      ])

  private static let note = JSONRecord<(file: String, note: SettingsRepairNote)>(
    "note",
    [.init("file", \.file)] + DocumentPlace.members.of { DocumentPlace($0.note.position) } + [
      .init("path") { "\($0.note.path)" }, .init("message", \.note.message), .init("remedy", \.note.remedy),
    ])

  private func printEnd(_ results: [Result], _ written: Set<String>, _ code: ExitCode) {
    let changes = results.reduce(0) { $0 + $1.repair.changes.count }
    let notes = results.reduce(0) { $0 + $1.notes.count }
    let paths = results.map(\.file.path).filter(written.contains)
    context.end(Self.records, (changes, notes, results.count, paths), code) {
      printTextEnd(results, written, changes, notes)
    }
  }

  private func printTextEnd(_ results: [Result], _ written: Set<String>, _ changes: Int, _ notes: Int) {
    guard !results.isEmpty else { return }
    let files = results.count.counted("file")
    let left = notes == 0 ? "" : ", \(notes.counted("note"))"
    let again =
      results.contains { $0.file.path == "-" } ? "name the file, with --write" : "the same command with --write"
    let line =
      changes == 0
      ? "Nothing to change in \(files)\(left)."
      : !written.isEmpty
        ? "\(changes.counted("change"))\(left) in \(files); \(written.count) written. Next: pj settings lint"
        : "\(changes.counted("change"))\(left) in \(files); nothing is written\(writes ? "." : " yet. Next: \(again)")"
    context.arguments.flag("diff") ? context.note(line) : context.output.line(line)
  }
}
