extension OutputSchema {
  /// Of the commands that judge journals, and those that write them.
  static let trust = [
    OutputSchema(
      "verify", start: ["journal": .text],
      ["sound": ["files": .list(.text), "events": .events], "finding": finding, "lost": finding],
      end: [
        "sound": .flag, "events": .integer, "lost": .orNull(.integer), "lastVerified": .integer,
        "last": .orNull(.integer), "durable": .orNull(.integer), "closed": .orNull(.flag), "endKnown": .flag,
        "chain": .orNull(.integer), "retiredBefore": .orNull(.integer), "parent": .orNull(.text),
        "sharedWithParent": .orNull(.integer),
      ]),
    OutputSchema(
      "check", start: ["journal": .text],
      [
        "check": [
          "events": .integer, "last": .integer, "digests": .integer, "digestsOfOtherRevisions": .integer,
          "digestsOfOtherPrograms": .integer, "otherRevisions": .list(.integer), "checkpoints": .integer,
          "keyframes": .integer, "digest": .digits, "obstacle": .orNull(.text),
        ], "notUsed": ["what": .oneOf(["keyframe", "checkpoint"]), "seq": .integer, "reason": .text],
        "mismatch": [
          "seq": .integer, "type": .orNull(.text), "lastAgreement": .integer, "slices": .list(.text),
          "evidence": .orNull(.integer),
        ], "value": ["path": .text, "before": .value, "after": .value],
      ], end: ["agrees": .orNull(.flag), "rebuilt?": .value]),
    OutputSchema(
      "salvage", start: ["inputs": .list(.text), "journal": .text],
      [
        "file": [
          "path": .text, "length": .integer, "holds": .text, "events": .integer,
          "unexplained": .list(.pair(.integer)), "note": .orNull(.text),
        ],
        "lost": [
          "events": .events, "file": .orNull(.text), "bytes": .events, "cause": .text, "certainty": .text,
          "needsNewerTool": .flag,
        ],
        "leftOut": [
          "events": .events, "file": .text, "bytes": .pair(.integer), "reason": .text, "journal": .orNull(.text),
        ], "otherJournal": ["id": .text, "events": .integer],
      ],
      end: [
        "source": .text, "id": .text, "events": .events, "salvaged": .integer, "lost": .integer, "leftOut": .integer,
        "chain": .integer, "checkpoints": .list(.integer), "startKnown": .flag, "endKnown": .flag,
      ]),
    OutputSchema(
      "fork", start: ["journal": .text, "dryRun": .flag],
      [
        "plan": [
          "target": .text, "parent": .text, "shared": .integer, "firstEvent": .integer, "chain": .integer,
          "writesCheckpoint": .flag,
        ]
      ], end: ["forked": .flag, "id": .orNull(.text)]),
    OutputSchema(
      "retire", start: ["journal": .text, "dryRun": .flag],
      [
        "plan": [
          "firstKept": .integer, "events": .events, "files": .list(.text), "bytes": .integer,
          "stateKnownBehind": .integer, "writesCheckpoint": .flag, "removedCheckpoints": .list(.integer),
          "revision": .integer,
        ], "impossible": ["what": .text, "sentence": .text],
      ], end: ["retired": .flag, "firstKept": .orNull(.integer)]),
    OutputSchema(
      "simulate", start: ["journal": .text],
      [
        "unmet": [
          "file": .text, "line": .integer, "column": .integer, "subject": .text, "expected": .text, "found": .text,
          "setBy": .orNull(.integer),
        ]
      ], end: ["events": .integer]),
    OutputSchema(
      "export",
      [
        "field": [
          "type": .text, "field": .text, "privacy": .text, "leavesAs": .text, "values": .integer,
        ]
      ], end: ["file": .orNull(.text), "events": .integer, "lost": .integer, "redacted": .flag]),
    OutputSchema(
      "tables", start: ["output": .text],
      [
        "journal": [
          "journal": .text, "events": .integer, "lost": .integer, "findings": .integer, "exit": .integer,
          "error": .orNull(.text),
        ]
      ],
      end: [
        "journals": .integer, "events": .integer, "changes": .integer, "findings": .integer, "redacted": .flag,
      ]),
    OutputSchema(
      "import",
      [
        "unknownKind": ["name": .text, "records": .integer],
        "skipped": ["reason": .text, "count": .integer, "places": .list(.text)],
      ],
      end: [
        "journal": .text, "id": .text, "events": .integer, "lost": .integer, "redacted": .flag, "whole": .flag,
        "inferred": .integer, "accounts": .integer, "examined": .integer,
      ]),
  ]
}
