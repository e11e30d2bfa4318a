/// Measures PolicyJournal, other engines and the machine's limits; see README.md beside this package's manifest.
func run() throws {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if let phase = options.phase { return try MemoryProbe.runChild(phase, options) }

  let fixtures = try Fixtures(options)
  let report = Report(options: options)
  let wanted = { (name: String) in options.only.isEmpty || options.only.contains { name.contains($0) } }
  let operations = Operations(options: options, fixtures: fixtures).all.filter { wanted($0.name) }
  if options.listsOperations {
    Platform.print((operations.map { "\($0.name)  \($0.title)" } + ["memory"]).joined(separator: "\n"))
    return
  }
  guard !operations.isEmpty || wanted("memory") else {
    throw Failure("no operation's name contains \(options.only.joined(separator: ", ")); see --list")
  }
  let load = Machine.loadAverage
  let results = try Runner(operations: operations, options: options).run()
  let memory = wanted("memory") ? try MemoryProbe(options: options, fixtures: fixtures).run() : []
  if options.printsJSON {
    Platform.print(report.json(results, memory: memory))
    return
  }
  Platform.print(report.heading(load: load, fixtures))
  let isMarkdown = options.printsMarkdown
  if !results.isEmpty { Platform.print("\n" + (isMarkdown ? report.markdown(results) : report.table(results))) }
  if !memory.isEmpty { Platform.print("\n" + (isMarkdown ? report.markdown(memory) : report.table(memory))) }
}

do {
  try run()
} catch {
  Platform.note("bench: \(error)\n")
  Platform.end(error is UsageError ? 2 : 4)
}
