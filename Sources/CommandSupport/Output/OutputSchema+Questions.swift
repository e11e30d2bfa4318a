import Forensics

extension OutputSchema {
  private static let answer: JSONMembers = [
    "answer": .text, "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text),
  ]

  private static let comparedEvent = JSONShape.orNull(.object(["seq": .integer, "type": .text, "time": .time]))

  /// Of the commands that ask why.
  package static let questions = [
    OutputSchema(
      "diagnose", start: ["journal": .text],
      [
        "finding": [
          "family": .text, "severity": .text, "subject": .orNull(.text), "sentence": .text,
          "evidence": .list(.object(["event": .orNull(.integer), "text": .text])), "confidence": .text,
          "next": .text, "command": .orNull(.text), "page": .text, "until": .orNull(.integer),
          "explainedBy": .orNull(.integer),
        ],
        "difference": [
          "what": .text, "text": .text, "event": .orNull(.integer), "here": .text, "there": .text,
          "family": .orNull(.text),
        ], "family": ["family": .text, "title": .text, "severity": .text, "page": .text],
      ],
      end: [
        "findings": .integer, "leftOut": .integer, "judgedUpTo": .integer, "notJudged": .orNull(.text),
      ]),
    OutputSchema(
      "fleet",
      [
        "unit": ["folder": .text, "path": .text],
        "journal": [
          "folder": .text, "path": .text, "outcome": .oneOf(FleetRow.Outcome.allCases.map(\.rawValue)),
          "error": .orNull(.text), "bytes": .oneOf(FleetRow.Bytes.allCases.map(\.rawValue)),
          "states": .oneOf(FleetRow.States.allCases.map(\.rawValue)), "id": .orNull(.text), "events": .integer,
          "firstEvent": .orNull(.integer), "firstTime": .orNull(.time), "lastEvent": .orNull(.integer),
          "lastTime": .orNull(.time), "judgedUpTo": .integer, "damagedPlaces": .integer, "lostEvents": .integer,
          "app": .list(.text), "engine": .list(.text), "system": .list(.text), "model": .list(.text),
          "policies": .list(.object(["id": .text, "revision": .text])),
          "findings": .list(
            .object([
              "family": .text, "severity": .text, "subject": .orNull(.text), "sentence": .text, "confidence": .text,
              "event": .orNull(.integer), "type": .orNull(.text), "time": .orNull(.time),
              "until": .orNull(.integer), "explainedBy": .orNull(.integer),
            ])), "leftOut": .integer,
        ],
        "group": [
          "by": .oneOf(FleetSummary.Kind.allCases.map(\.rawValue)), "name": .text, "revision": .orNull(.text),
          "journals": .integer, "affected": .integer, "findings": .integer,
        ],
        "cause": [
          "family": .text, "type": .orNull(.text), "severity": .text, "journals": .integer, "findings": .integer,
          "folder": .text, "path": .text, "event": .orNull(.integer), "time": .orNull(.time), "sentence": .text,
        ],
      ], end: ["journals": .integer, "findings": .integer, "leftOut": .integer, "units": .integer]),
    OutputSchema(
      "blame", start: ["journal": .text, "after": .integer],
      [
        "value": [
          "path": .text, "value": .value, "setBy": .orNull(.integer), "count": .integer, "isComplete": .flag,
          "keptFrom": .integer,
          "writes": .list(
            .object(["event": .integer, "type": .text, "time": .time, "before": .value, "after": .value])),
        ]
      ], end: ["values": .integer]),
    OutputSchema(
      "bisect", start: ["journal": .text, "where": .text, "run": .text],
      [
        "flip": [
          "event": .integer, "type": .text, "time": .time, "holds": .orNull(.flag),
          "reasons": .list(
            .object([
              "path?": .text, "question?": .text, "before": .value, "after": .value, "rule?": .orNull(.text),
              "reason?": .text,
            ])),
        ], "firstBad": ["from": .integer, "to": .integer],
      ],
      end: [
        "flips": .integer, "from": .integer, "to": .integer, "heldAtFirst": .orNull(.flag),
        "holdsAtLast": .orNull(.flag),
      ]),
    OutputSchema(
      "explain", start: ["journal": .text, "after": .integer, "question": .text],
      [
        "rule": [
          "rule": .text, "statement": .text, "holds": .flag, "decides": .flag,
          "reads": .list(
            .object([
              "path": .text, "value": .value, "setBy": .orNull(.integer),
              "setting": .orNull(.object(["group": .text, "title": .text, "value": .text])),
            ])),
        ],
        "answer": [
          "answer": .text, "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text), "since": .integer,
          "sinceIsComplete": .flag, "before": .orNull(.object(answer)),
        ],
        "change": [
          "texts": .list(.text), "kinds": .list(.text), "answer": .text, "rule": .orNull(.text), "reason": .text,
        ],
        "interval": [
          "from": .integer, "to": .integer, "type": .orNull(.text), "time": .orNull(.time), "answer": .text,
          "rule": .orNull(.text), "reason": .text, "assumption": .orNull(.text),
        ],
      ], end: ["intervals": .integer]),
    OutputSchema(
      "whatif", start: ["journal": .text, "edits": .list(.text)],
      [
        "imagined": [
          "partsAt": .orNull(.integer), "events": .integer, "realEvents": .integer, "dropped": .integer,
          "replaced": .integer, "rewritten": .integer, "beginning": .flag, "moved": .integer,
          "inserted": .integer, "writtenTo": .orNull(.text),
        ], "change": ["path": .text, "before": .value, "after": .value],
        "decision": ["question": .text, "before": .object(answer), "after": .object(answer)],
        "answer": [
          "question": .text, "from": .integer, "to": .integer, "time": .orNull(.time), "differs": .flag,
          "before": .object(answer), "after": .object(answer),
        ],
        "affected": [
          "from": .integer, "to": .integer, "types": .list(.text),
          "basis": .oneOf(["redecided", "refolded", "possible"]), "hasNoEffect": .flag, "text": .text,
          "would?": .list(.text), "refusedBy?": .text, "reason?": .text, "path?": .text, "cause?": .integer,
        ],
      ],
      end: [
        "changes": .integer, "decisions": .integer, "asked": .integer, "redecided": .integer, "refolded": .integer,
        "possible": .integer,
      ]),
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
