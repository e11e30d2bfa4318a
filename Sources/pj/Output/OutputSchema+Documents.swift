extension OutputSchema {
  private static let unreadable: JSONMembers = ["file": .text, "error": .text]
  private static let severity = JSONShape.oneOf(["error", "warning", "note"])
  private static let counts: JSONMembers = ["errors": .integer, "warnings": .integer, "notes": .integer]

  /// A policy that is combined with others.
  private static let combined: JSONMembers = [
    "number": .integer, "file": .text, "encoding": .oneOf(["graph", "device"]), "type": .text, "counts": .flag,
  ]
  /// A document that may count for a user, with the reasons.
  private static let candidate: JSONMembers = [
    "file": .text, "path": .text, "name": .value, "outcome": .oneOf(["counts", "doesNotCount", "undecided"]),
    "reasons": .list(
      .object([
        "step": .oneOf(["platform", "app", "exclusion", "inclusion", "filter", "management", "precedence"]),
        "outcome": .oneOf(["yes", "no", "unknown"]), "message": .text, "name": .value,
      ])),
  ]
  /// A setting of the combination.
  private static let combination: JSONMembers = [
    "group": .text, "title": .text, "value": .value, "from": .list(.integer), "why": .orNull(.text),
    "rules": .list(.text),
    "others": .list(.object(["policy": .integer, "value": .value])), "properties": .value,
  ]

  /// Of the commands that read documents.
  static let documents: [OutputSchema] = [
    OutputSchema("policy"), OutputSchema("settings"),
    OutputSchema(
      "policy.list",
      [
        "document": [
          "file": .text, "outcome": .oneOf(["read", "outOfScope", "refused"]), "type": .text, "name": .value,
          "shape": .orNull(.text), "line?": .integer, "column?": .integer, "byte?": .integer, "reason?": .text,
          "next?": .text,
        ], "unreadable": unreadable,
      ],
      end: [
        "read": .integer, "outOfScope": .integer, "refused": .integer, "shapes": .table(.integer),
        "skipped": .table(.integer),
      ]),
    OutputSchema(
      "policy.show",
      [
        "policy": [
          "file": .text, "path": .text, "encoding": .oneOf(["graph", "device"]), "type": .text, "name": .value,
        ], "setting": ["group": .text, "title": .text, "value": .value, "properties": .value],
        "otherMember": ["name": .text, "value": .value],
        "document": ["file": .text, "type": .text, "rows": .table(.value)], "unreadable": unreadable,
      ], end: ["documents": .integer, "skipped": .table(.integer)]),
    OutputSchema(
      "policy.diff", start: ["from": .text, "to": .text],
      [
        "change": [
          "group": .text, "title": .text, "before": .value, "after": .value, "added?": .integer, "removed?": .integer,
          "document?": .integer, "since?": .orNull(.object(["event": .integer, "type": .text, "time": .time])),
        ],
        "alike": ["group": .text, "title": .text, "before": .value, "after": .value],
        "only": ["platform": .oneOf(["iOS", "Android", "Windows"]), "group": .text, "title": .text, "value": .value],
        "document": [
          "number": .integer, "outcome": .oneOf(["same", "differs", "missing", "added"]), "type": .text,
          "name": .value, "from": .orNull(.text), "to": .orNull(.text), "changes": .integer,
        ], "unreadable": unreadable,
      ],
      end: [
        "changes": .integer, "same?": .integer, "differs?": .integer, "missing?": .integer, "added?": .integer,
      ]),
    OutputSchema(
      "policy.combine", ["policy": combined, "setting": combination, "unreadable": unreadable],
      end: ["policies": .integer, "disputed": .integer]),
    OutputSchema(
      "policy.effective", start: ["app": .text],
      [
        "candidate": candidate, "configuration": candidate, "policy": combined, "setting": combination,
        "configurationSetting": [
          "key": .text, "conflict": .flag,
          "values": .list(.object(["value": .value, "from": .list(.integer)])),
        ], "unreadable": unreadable,
      ],
      end: [
        "candidates": .integer, "policies": .integer, "configurations": .integer, "undecided": .integer,
        "disputed": .integer, "conflicts": .integer, "skipped": .table(.integer),
      ]),
    OutputSchema(
      "policy.lint",
      [
        "finding": [
          "file": .text, "policy": .text, "severity": severity, "rule": .text, "setting": .text, "message": .text,
          "remedy": .text, "source": .text, "line?": .integer, "column?": .integer, "byte?": .integer,
        ], "idle": ["rule": .text, "reason": .text], "unreadable": unreadable,
      ],
      end: counts + [
        "policies": .integer, "configurations": .integer, "skipped": .table(.integer), "silenced?": .integer,
      ]),
    OutputSchema(
      "policy.level", start: ["revision": .text, "origin": .oneOf(["templates", "page"]), "required?": .integer],
      [
        "policy": [
          "file": .text, "path": .text, "encoding": .oneOf(["graph", "device"]), "type": .text, "name": .value,
          "level": .integer, "missing": .list(.object(["level": .integer, "settings": .integer])),
        ],
        "setting": [
          "file": .text, "path": .text, "setting": .text, "level": .integer,
          "outcome": .oneOf(["missing", "unknown", "conditional"]), "group": .text, "title": .text, "value": .value,
          "wanted": .text, "comparison": .text, "reason": .orNull(.text), "properties": .value,
        ], "outOfScope": ["file": .text, "type": .text], "unreadable": unreadable,
      ], end: ["policies": .integer, "below": .integer, "outOfScope": .integer, "skipped": .table(.integer)]),
    OutputSchema(
      "settings.lint",
      [
        "finding": [
          "file": .text, "severity": severity, "rule": .text, "path": .text, "message": .text, "remedy": .text,
          "source": .text, "line?": .integer, "column?": .integer, "byte?": .integer,
        ], "unreadable": unreadable,
      ], end: counts + ["files": .integer]),
    OutputSchema(
      "settings.show",
      [
        "setting": [
          "file": .text, "key": .text, "value": .value, "isDefault": .flag, "line?": .integer, "column?": .integer,
          "byte?": .integer,
        ]
      ], end: ["files": .integer]),
    OutputSchema(
      "settings.fix", start: ["write": .flag],
      [
        "change": [
          "file": .text, "rule": .orNull(.text), "path": .text, "action": .text, "reason": .text, "source": .text,
          "line?": .integer, "column?": .integer, "byte?": .integer,
        ],
        "note": [
          "file": .text, "path": .text, "message": .text, "remedy": .text, "line?": .integer, "column?": .integer,
          "byte?": .integer,
        ], "unreadable": unreadable,
      ], end: ["changes": .integer, "notes": .integer, "files": .integer, "written": .list(.text)]),
  ]
}
