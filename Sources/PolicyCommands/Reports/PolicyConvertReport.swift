import AppProtection
import CommandLineInterface
import CommandSupport
import Journal
import PolicyDocuments
import ProtectionSupport

/// What `pj policy convert` prints and writes.
struct PolicyConvertReport {
  /// What becomes of a policy.
  private enum Outcome: String, JSONWord {
    /// All of it is in the new shape.
    case converted
    /// The new shape does not hold all of it.
    case reduced
    /// It is in no new shape.
    case refused
  }

  private struct Row {
    let file: String
    let item: PolicyFile.Item
    let outcome: Outcome
    /// The members that the shape does not hold.
    let losses: [String]
    /// Why it is refused.
    let reason: String?
  }

  private let context: CommandContext
  private let shape: PolicyConversion.Shape
  /// The file or folder to write; `nil` for standard output.
  private let target: String?
  private var rows: [Row] = []

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    guard let shape = arguments.value(of: "to").flatMap(PolicyConversion.Shape.init) else {
      throw Failure(.wrongUse, "--to is missing: it names the new shape", next: "pj help policy convert")
    }
    guard arguments.value(of: "account") == nil else {
      throw Failure(
        .wrongUse, "convert takes files, and no account's policy in a journal",
        next: "pj policy show JOURNAL --account a1")
    }
    let target = arguments.value(of: "output")
    if let target {
      guard !target.isEmpty, target != "-" else {
        throw Failure(
          .wrongUse, "--output names what to write; without it, convert prints it", next: "pj help policy convert")
      }
      try NewPlace.refuseTaken(target, by: shape == .intunecd ? .folder(mayExist: false) : .file, context)
    } else if shape == .intunecd {
      throw Failure(.wrongUse, "--to intunecd writes a folder: name it with --output", next: "pj help policy convert")
    } else {
      try context.refuseJSON("policy convert without --output")
    }
    var report = PolicyConvertReport(context: context, shape: shape, target: target)
    context.begin(records, (shape, target))
    var isContinued = false
    let inputs = PolicyInputs(words, context) { input, inputs in
      for item in input.policies { report.add(item, of: input.name) }
      for document in input.others { inputs.skip(document.kindName) }
      if input.continuation != nil { isContinued = true }
    }
    return try report.finish(inputs, isContinued: isContinued)
  }

  private mutating func add(_ item: PolicyFile.Item, of file: String) {
    let reason = PolicyConversion.obstacle(to: item)
    let losses = reason == nil ? PolicyConversion.losses(of: item.policy, in: shape) : []
    rows.append(
      Row(
        file: file, item: item, outcome: reason != nil ? .refused : losses.isEmpty ? .converted : .reduced,
        losses: losses, reason: reason))
  }

  /// Writes the policies, unless something would be lost that may not be.
  private func finish(_ inputs: PolicyInputs, isContinued: Bool) throws(Failure) -> ExitCode {
    let written = rows.filter { $0.reason == nil }
    let isWhole =
      rows.allSatisfy { $0.outcome == .converted } && inputs.failures.isEmpty && !isContinued
    let isWritten = !written.isEmpty && (isWhole || context.arguments.flag("lossy"))
    var files: [PolicyConversion.File] = []
    if isWritten {
      do throws(PolicyConversion.Difference) {
        files = try PolicyConversion(of: written.map(\.item.policy), to: shape).files()
      } catch {
        let row = written.indices.contains(error.policy) ? written[error.policy] : nil
        let place = row.map { [$0.file, $0.item.place?.description].compactMap(\.self).joined(separator: ": ") }
        throw Failure(
          .unreadable, "\(place ?? "the policies"): read back, \(error.what) is not as it was; nothing is written",
          next: "pj policy show \((row?.file ?? "FILE").shellWord)")
      }
      if let target { try write(files, to: target) }
    }
    let unknown = rows.contains { $0.outcome == .refused } || isContinued
    let own: ExitCode = isWritten ? (unknown ? .partial : .done) : rows.isEmpty ? .unreadable : .different
    let code = ExitCode.worst(inputs.exitCode == .partial ? .done : inputs.exitCode, own)
    context.report { lines in
      lines.add(Self.policy, each: rows)
      lines.end(Self.records, (self, isWritten ? written.count : 0, inputs), code)
    } text: {
      if target == nil {
        if isWritten {
          context.output.leaveLinesWhole()
          context.output.write(String(decoding: files.flatMap(\.bytes), as: UTF8.self))
        }
        for row in rows where row.outcome != .converted { context.note(Self.line(row)) }
      } else {
        printText(isWritten ? written.count : 0)
      }
      if rows.isEmpty, inputs.failures.isEmpty { context.note("there is no policy to convert. Next: pj policy list") }
      if !isWritten, !written.isEmpty { noteNothing() }
    }
    return code
  }

  private func write(_ files: [PolicyConversion.File], to target: String) throws(Failure) {
    let fileSystem = context.environment.fileSystem
    guard shape == .intunecd else {
      return try FileOutput.create(target, files.flatMap(\.bytes), fileSystem)
    }
    // The folder gets its name when all of it is there.
    let part = target + ".part"
    try NewPlace.refuseTaken(part, by: .folder(mayExist: false), context)
    var made: [String] = []
    do throws(Failure) {
      for folder in [part, "\(part)/\(PolicyConversion.folder)"] {
        do throws(FileSystemError) { try fileSystem.createDirectory(folder) } catch {
          throw FileOutput.failure(error.code, target)
        }
        made.append(folder)
      }
      for file in files {
        try FileOutput.create("\(part)/\(file.path)", file.bytes, fileSystem)
        made.append("\(part)/\(file.path)")
      }
      do throws(FileSystemError) { try fileSystem.rename(part, to: target) } catch {
        throw FileOutput.failure(error.code, target)
      }
    } catch {
      for path in made.reversed() { try? fileSystem.remove(path) }
      throw error
    }
    try FileOutput.keepName(of: target, fileSystem)
  }

  // MARK: Output

  private static func line(_ row: Row) -> String {
    let place = [row.file, row.item.place?.description].compactMap(\.self).joined(separator: ": ")
    let what = row.reason ?? "\(row.losses.joined(separator: ", ")): what the new shape does not hold"
    return TerminalText.visible("\(place): \(row.outcome.rawValue): \(what)")
  }

  private func printText(_ count: Int) {
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn("")])
    for row in rows {
      let color: [Style.Attribute] = row.outcome == .refused ? [.red] : row.outcome == .reduced ? [.yellow] : []
      let what = row.reason ?? (row.losses.isEmpty ? nil : "without \(row.losses.joined(separator: ", "))")
      table.append([
        TextCell(row.outcome.rawValue, color),
        TextCell(PolicyReport.name(of: row.item.policy).map { PolicyReport.shown($0, context) } ?? ""),
        TextCell(
          TerminalText.visible(
            [row.file, row.item.place?.description, what].compactMap(\.self).joined(separator: ": "))),
      ])
    }
    context.print(table)
    if count > 0, let target { context.output.line("\(Self.count(count)) written to \(TerminalText.visible(target))") }
  }

  private func noteNothing() {
    context.note("nothing is written, since something would be lost. Next: the same command with --lossy")
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 policy" : "\(count.grouped) policies" }

  /// What `-j` writes.
  static let records = JSONOutput<
    (shape: PolicyConversion.Shape, target: String?), (report: PolicyConvertReport, written: Int, inputs: PolicyInputs)
  >(
    "policy.convert", start: [.init("to", \.shape.rawValue), .init("output", \.target)],
    [policy, JSONRecord.unreadable],
    end: [.init("policies", \.report.rows.count), .init("written", \.written), JSONMember.skipped.of(\.inputs)])

  private static let policy = JSONRecord<Row>(
    "policy",
    [
      .init("file", \.file), .init("outcome", \.outcome), .init("name") { PolicyReport.name(of: $0.item.policy) },
      .init("type", \.item.policy.kind.rawValue),
    ] + DocumentPlace.members.of(\.item.place) + [.init("losses", \.losses), .ifAny("reason", \.reason)])
}
