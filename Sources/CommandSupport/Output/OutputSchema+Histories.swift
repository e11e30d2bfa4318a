extension OutputSchema {
  /// A finding about bytes.
  package static let finding: JSONMembers = [
    "verdict": .oneOf([
      "clean", "torn", "damaged", "indexDamaged", "lost", "tailLost", "unsyncedGap", "ioError", "unsupportedFormat",
    ]),
    "isDamage": .flag, "file": .text, "from": .integer, "to": .integer, "lostEvents": .events,
    "strandedEvents": .events, "cause": .text, "evidence": .text, "remedy": .text,
  ]

  private static let change = JSONShape.object(["path": .text, "before": .value, "after": .value])

  private static let event: JSONMembers = [
    "seq": .integer, "time": .time, "uptime": .integer, "type": .text, "typeNumber": .integer, "version": .integer,
    "known": .flag, "mustUnderstand": .flag, "features?": .list(.integer), "accounts": .list(.text),
    "cause": .integer, "correlation": .integer, "process": .integer,
    "origin?": .object(["process": .integer, "time": .time, "uptime": .integer]), "stream?": .value,
    "metadata?": .list(.object(["key": .text, "value": .value])), "chain": .digits,
    "stateDigest": .orNull(.digits), "data": .value, "undecodable?": .text, "changes": .orNull(.list(change)),
    "findings": .orNull(.list(.object(["rule": .text, "label": .text, "message": .text]))),
    "conditions?": .list(.object(["rule": .text, "outcome": .text, "settings": .reads, "facts": .reads])),
    "orderedBy?": .integer,
  ]

  /// Of the commands that look at a history.
  static let histories = [
    OutputSchema(
      "log",
      [
        "event": event + ["match": .flag],
        "clockJump": ["before": .integer, "moved": .text, "sameBoot": .orNull(.flag)], "finding": finding,
        "stateUnknown": ["after": .orNull(.integer), "reason": .text],
        "retiredBeginning": ["first": .integer, "stateKnownBehind": .integer, "reason": .text],
      ], end: ["events": .integer, "matched": .integer, "seen": .integer]),
    OutputSchema(
      "show", ["event": event + ["meaning?": .text, "remedy?": .orNull(.text)]], end: ["events": .integer]),
    OutputSchema(
      "state", start: ["journal": .text],
      [
        "state": [
          "after": .integer, "path": .text, "storedState": .orNull(.integer), "digest": .digits, "state": .value,
        ]
      ]),
    OutputSchema(
      "fields", start: ["journal": .text, "after": .integer],
      [
        "field": [
          "path": .text,
          "type": .oneOf([
            "unset", "flag", "number", "name", "text", "sealed", "time", "duration", "event", "list",
          ]), "value": .value, "changes": .integer, "setBy": .orNull(.integer), "setByType": .orNull(.text),
        ]
      ], end: ["fields": .integer]),
    OutputSchema(
      "stats",
      [
        "totals": [
          "events": .integer, "first": .orNull(.integer), "last": .orNull(.integer), "from": .orNull(.time),
          "to": .orNull(.time), "processes": .orNull(.integer), "unknown": .integer, "bodyBytes": .integer,
          "largestBody": .integer, "clockJumps": .integer, "findings": .orNull(.integer), "stateKnown": .flag,
          "stateKnownBehind": .orNull(.integer),
        ], "type": ["type": .text, "events": .integer], "account": ["account": .text, "events": .integer],
        "rule": ["rule": .text, "findings": .integer], "time": ["time": .text, "events": .integer],
        "finding": finding,
      ]),
    OutputSchema(
      "timeline",
      [
        "file": [
          "path": .text, "bytes": .integer, "first": .orNull(.integer), "last": .orNull(.integer), "events": .integer,
          "lanes": .integer, "spans": .integer, "marks": .integer,
        ]
      ]),
  ]
}
