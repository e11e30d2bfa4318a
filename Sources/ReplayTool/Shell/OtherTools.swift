/// What users of other tools type, and how it is said here.
enum OtherTools {
  /// Words in the place of commands, actions and options.
  static let synonyms: [String: [String]] = [
    // kubectl, etcdctl, the Graph tools
    "describe": ["show"], "get": ["show", "state"], "ls": ["log", "list"], "list": ["log"], "watch": ["log"],
    "snapshot": ["fork", "export"], "compact": ["retire"], "defrag": ["retire"], "apply": ["combine"],
    // git
    "history": ["log"], "reflog": ["log"], "annotate": ["blame"], "fsck": ["verify"], "gc": ["retire"],
    "prune": ["retire"],
    "clone": ["fork"], "branch": ["fork"], "checkout": ["state"], "status": ["stats", "diagnose"], "merge": ["combine"],
    // linters and checkers
    "validate": ["lint", "verify"], "analyze": ["diagnose"], "doctor": ["diagnose"], "audit": ["lint"],
    "baseline": ["level"],
    // SQLite, journalctl
    "integrity-check": ["verify"], "recover": ["salvage"], "repair": ["salvage", "fix"],
    "restore": ["salvage", "import"],
    "vacuum": ["retire"], "dump": ["export"], "backup": ["export", "fork"], "sql": ["tables"],
    "query": ["tables", "explain"],
    // words of the field
    "policies": ["list"], "assignments": ["effective"], "why": ["explain", "diagnose"], "replay": ["state", "check"],
    "cat": ["show", "log"], "tail": ["log"], "grep": ["log"], "info": ["stats"], "report": ["timeline"],
    // options
    "--jobs": ["--threads"], "--parallel": ["--threads"],
    "-o": ["--json", "--output"], "--format": ["--json"], "--json-lines": ["--json"], "--ndjson": ["--json"],
    "-V": ["--version"], "-v": ["--version"], "--lines": ["--count"], "--max-count": ["--count"], "--tail": ["--count"],
    "--ignore": ["--profile"], "--exclude": ["--profile"], "--rule": ["--profile"], "--rules": ["--profile"],
    "--strict": ["--profile"], "--config": ["--profile"], "--unmask": ["--reveal"], "--show-secrets": ["--reveal"],
    "--no-color": ["--color"], "--colour": ["--color"], "-q": [">/dev/null"], "--quiet": [">/dev/null"],
  ]

  /// The words in the place of commands for a tool that has some of them.
  static func synonyms(among commands: Set<String>) -> [String: [String]] {
    synonyms.compactMapValues { names in
      let known = names.filter(commands.contains)
      return known.isEmpty ? nil : known
    }
  }
}
