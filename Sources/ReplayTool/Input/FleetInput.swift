import CommandSupport
import EventSourcing
import EventSourcingKit
import Forensics
import Journal
import JSON

/// Opens what a walk found, and examines each journal in it.
struct FleetInput: Sendable {
  /// The environment in which one journal is read: without a line of progress, and on one thread, because the journals
  /// themselves are shared out among the threads.
  private let environment: ToolEnvironment
  private let diagnostics: DomainDiagnostics
  private let redaction: Redaction

  init(_ diagnostics: DomainDiagnostics, _ environment: ToolEnvironment, _ redaction: Redaction) {
    (self.diagnostics, self.redaction) = (diagnostics, redaction)
    var environment = environment
    environment.progress = nil
    environment.threadCount = 1
    environment.fileSystem = OneThread(base: environment.door?.base ?? environment.fileSystem)
    self.environment = environment
  }

  /// Reads a journal inside its caller's thread.
  private struct OneThread: ForwardingFileSystem {
    let base: any FileSystem
    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { false }
  }

  /// What was found in a file or folder, and the stamp of its files if they did not change meanwhile.
  struct Found: Sendable {
    var rows: [FleetRow]
    var stamp: String?
  }

  /// Examines every journal in a file or folder.
  func examine(_ unit: FleetWalk.Unit) -> Found {
    let begun = Moment.now().wallNanoseconds
    // What messages may quote is known to the thread of the command only.
    let rows = Tool.$current.withValue(environment.tool.identity) {
      JSONExcerpt.$showsPersons.withValue(redaction.revealsAccounts) { self.rows(of: unit) }
    }
    guard let stamp = unit.stamp, stamp.isSettled(at: begun), FleetStamp(of: unit.path) == stamp else {
      return Found(rows: rows)
    }
    return Found(rows: rows, stamp: stamp.text)
  }

  private func rows(of unit: FleetWalk.Unit) -> [FleetRow] {
    guard unit.refusal == nil else {
      return [
        FleetRow(
          folder: unit.folder, path: unit.place.path, .unreadable, error: unit.refusal.map { "\(unit.path): \($0)" })
      ]
    }
    let door = MountedJournals(environment)
    var environment = environment
    environment.fileSystem = door
    do throws(Failure) {
      let paths = try door.openAll(unit.path)
      return paths.map { path in
        let below = path.dropFirst(unit.path.count)
        let place = unit.place.path == "." ? String(below.drop { $0 == "/" }) : unit.place.path + below
        return row(of: path, unit.folder, place.isEmpty ? "." : place, environment)
      }
    } catch {
      return [Self.row(unit.folder, unit.place.path, error)]
    }
  }

  private func row(
    of path: String, _ folder: String, _ place: String, _ environment: ToolEnvironment
  ) -> FleetRow {
    do throws(Failure) {
      let journal = try JournalInput(path, environment)
      return diagnostics.examine(
        journal.history, at: (folder, place), redaction, missing: journal.packed?.finding.map { [$0] } ?? []
      ) { error in
        let failure = Failure(error, journal: path)
        return (Self.outcome(failure), failure.message)
      }
    } catch {
      return Self.row(folder, place, error)
    }
  }

  private static func row(_ folder: String, _ place: String, _ failure: Failure) -> FleetRow {
    var row = FleetRow(folder: folder, path: place, outcome(failure), error: failure.message)
    if row.outcome == .damaged { row.bytes = .damaged }
    return row
  }

  /// What becomes of a journal whose reading fails.
  private static func outcome(_ failure: Failure) -> FleetRow.Outcome {
    switch failure.exitCode {
    case .needsNewerTool: .newer
    case .partial, .different: .damaged
    case .done, .wrongUse, .unreadable, .commandFailed, .bug, .interrupted: .unreadable
    }
  }
}
