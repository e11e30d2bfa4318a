extension OutputSchema {
  private static let answer: JSONMembers = [
    "answer": .text, "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text),
  ]

  private static let comparedEvent = JSONShape.orNull(.object(["seq": .integer, "type": .text, "time": .time]))

  /// Of the commands that ask why.
  static let questions = [
    OutputSchema(
      "diagnose", start: ["journal": .text],
      [
        "finding": [
          "family": .text, "severity": .text, "subject": .orNull(.text), "sentence": .text,
          "evidence": .list(.object(["event": .orNull(.integer), "text": .text])), "confidence": .text,
          "next": .text, "command": .orNull(.text), "page": .text, "until": .orNull(.integer),
          "explainedBy": .orNull(.integer),
        ], "family": ["family": .text, "title": .text, "severity": .text, "page": .text],
      ],
      end: [
        "findings": .integer, "leftOut": .integer, "judgedUpTo": .integer, "notJudged": .orNull(.text),
      ]),
    OutputSchema(
      "blame", start: ["journal": .text, "after": .integer],
      [
        "value": [
          "path": .text, "value": .value, "setBy": .orNull(.integer), "count": .integer,
          "writes": .list(
            .object(["event": .integer, "type": .text, "time": .time, "before": .value, "after": .value])),
        ]
      ], end: ["values": .integer]),
    OutputSchema(
      "bisect", start: ["journal": .text, "where": .text, "run": .text],
      [
        "flip": [
          "event": .integer, "type": .text, "time": .time, "holds": .flag,
          "reasons": .list(
            .object([
              "path?": .text, "question?": .text, "before": .value, "after": .value, "rule?": .orNull(.text),
              "reason?": .text,
            ])),
        ], "firstBad": ["from": .integer, "to": .integer],
      ],
      end: [
        "flips": .integer, "from": .integer, "to": .integer, "heldAtFirst": .flag, "holdsAtLast": .flag,
      ]),
    OutputSchema(
      "explain", start: ["journal": .text, "after": .integer, "question": .text],
      [
        "rule": [
          "rule": .text, "statement": .text, "holds": .flag, "decides": .flag,
          "reads": .list(.object(["path": .text, "value": .value, "setBy": .orNull(.integer)])),
        ],
        "answer": [
          "answer": .text, "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text), "since": .integer,
          "before": .orNull(.object(answer)),
        ],
        "interval": [
          "from": .integer, "to": .integer, "type": .orNull(.text), "time": .orNull(.time), "answer": .text,
          "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text),
        ],
      ], end: ["intervals": .integer]),
    OutputSchema(
      "diff",
      start: [
        "from": .object(["journal": .text, "after": .integer]), "to": .object(["journal": .text, "after": .integer]),
      ], ["change": ["path": .text, "before": .value, "after": .value, "setBy": .orNull(.integer)]],
      end: ["changes": .integer]),
    OutputSchema(
      "compare", start: ["first": .text, "second": .text],
      [
        "comparison": [
          "sameEvents": .integer, "lastSame": .events,
          "difference": .oneOf([
            "same", "metadataOnly", "prefix", "gap", "order", "differentEvents", "unreadable",
          ]), "metadataDifferences": .integer, "exact": .flag,
          "rules": .orNull(
            .object(["at": .pair(.integer), "revisions": .pair(.orNull(.integer)), "starts": .integer])),
          "reads": .integer, "first": comparedEvent, "second": comparedEvent,
        ], "field": ["path": .text, "first": .value, "second": .value],
        "effect": ["path": .text, "first": .value, "second": .value],
      ], end: ["effects": .integer]),
  ]
}
