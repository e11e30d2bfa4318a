import CommandSupport

Platform.ignoreBrokenPipes()
Platform.ignoreFileSizeLimit()
let environment = ToolEnvironment.current(of: PolicyJournalTool.tool)
let code = PolicyJournalTool.run(
  bytes: Platform.arguments(), output: environment.standardOutput(), notes: environment.standardError(),
  environment: environment)
Platform.end(code.rawValue)
