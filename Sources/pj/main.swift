Platform.ignoreBrokenPipes()
Platform.ignoreFileSizeLimit()
let environment = ToolEnvironment.current()
let code = PolicyJournalTool.run(
  Array(CommandLine.arguments.dropFirst()),
  output: TextOutput(descriptor: 1, isTerminal: environment.outputIsTerminal),
  notes: TextOutput(descriptor: 2, isTerminal: true), environment: environment)
Platform.end(code.rawValue)
