extension OutputSchema {
  /// The outputs of all commands, by name.
  static let all: [OutputSchema] =
    failures + histories + questions + trust + documents + about

  /// Of a command line that names no command, and of the commands that write only text.
  private static let failures = ["error", "help", "completions"].map { OutputSchema($0) }

  private static let histories = [
    LogJSON.records.schema, ShowCommand.records.schema, StateCommand.records.schema, FieldsCommand.records.schema,
    StatsCommand.records.schema, TimelineCommand.records.schema,
  ]

  private static let questions = [
    DiagnosisReport.records.schema, FleetReport.records.schema, BlameReport.records.schema,
    BisectReport.records.schema, ExplainReport.records.schema, WhatIfReport.records.schema, DiffCommand.records.schema,
    ComparisonReport.records.schema,
  ]

  private static let trust = [
    VerifyCommand.records.schema, CheckText.records.schema, SalvageCommand.records.schema, ForkReport.records.schema,
    RetirementReport.records.schema, SimulateCommand.records.schema, ExportReport.records.schema,
    TablesReport.records.schema, ImportCommand.records.schema.merging(FieldLogReport.records.schema),
  ]

  private static let documents =
    ["policy", "settings"].map { OutputSchema($0) } + [
      PolicyListReport.records.schema, PolicyReport.records.schema, PolicyDiffReport.records.schema,
      PolicyCombinationReport.records.schema, PolicyEffectiveReport.records.schema, PolicyLintReport.records.schema,
      PolicyLevelReport.records.schema, SettingsReport.lintRecords.schema, SettingsReport.showRecords.schema,
      SettingsRepairReport.records.schema, SettingKeysReport.records.schema,
    ]

  private static let about = [SchemaCommand.records.schema, VersionCommand.records.schema]
}
