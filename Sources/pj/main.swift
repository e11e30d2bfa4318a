PolicyJournalTool.shell.runProcess()
