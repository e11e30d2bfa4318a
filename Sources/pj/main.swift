Platform.ignoreBrokenPipes()
Platform.ignoreFileSizeLimit()
let environment = ToolEnvironment.current()
let code = PolicyJournalTool.run(
  bytes: Platform.arguments(),
  output: TextOutput(descriptor: 1, isTerminal: environment.outputIsTerminal),
  notes: TextOutput(descriptor: 2, isTerminal: true), environment: environment)
Platform.end(code.rawValue)
