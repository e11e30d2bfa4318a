import JSON

/// A shape in which tools export the documents of a tenant.
///
/// No sign of a tool is required: a document is decoded by what it says. The shape only tells an administrator how a file was
/// understood.
public struct ExportShape: Equatable, Sendable {
  /// What a file shows of its shape.
  struct Signs {
    /// Its path in the export, or its name; empty if it has none.
    let path: String
    /// Its language.
    let form: ExportForm
    /// Its outermost value; `null` for a device's dump.
    let value: JSONValue

    /// The members of the outermost value.
    var members: [String] { value.object?.members.map(\.name) ?? [] }

    /// Whether it lies in one of these folders.
    func isIn(_ folders: String...) -> Bool {
      path.split(separator: "/").dropLast().contains { folders.contains(String($0)) }
    }

    /// The file's name without its folders.
    var name: Substring { path.split(separator: "/").last ?? "" }
  }

  /// The tool's name, or what Graph calls the form.
  public let name: String
  /// How it is recognised: a phrase.
  public let sign: String
  let recognizes: @Sendable (Signs) -> Bool

  /// Whether two shapes are the same.
  public static func == (one: ExportShape, other: ExportShape) -> Bool { one.name == other.name }

  /// Every shape. The first whose sign a file shows is its shape.
  public static let all: [ExportShape] = [
    ExportShape(
      name: "Microsoft365DSC",
      sign: "PowerShell with a block `Configuration`, or a JSON list whose elements have `ResourceName`"
    ) { signs in
      signs.form == .desiredState || signs.value.array?.first?.object?.member(ignoringCase: "ResourceName") != nil
    },
    ExportShape(
      name: "CIPP",
      sign:
        "`RAWJson`, `JSON` or `TemplateJson` holds a document as text, or `intuneprotection` a list of them, in a row or the "
        + "first of a list"
    ) { signs in
      let row = signs.value.object ?? signs.value.array?.first?.object
      return ["RAWJson", "JSON", "TemplateJson", "intuneprotection"].contains {
        row?.member(ignoringCase: $0)?.value.string != nil
      }
    },
    ExportShape(name: "table", sign: "comma-separated values under the heading `policy,member,value`") { signs in
      signs.form == .table
    },
    ExportShape(
      name: "IntuneManagement",
      sign:
        "the file `MigrationTable.json`, a member beginning with `#CustomRef`, or one of the folders `AppProtection`, "
        + "`AppConfigurationManagedApp` and `AppConfigurationManagedDevice`"
    ) { signs in
      signs.name == "MigrationTable.json" || signs.members.contains { $0.hasPrefix("#CustomRef") }
        || signs.isIn("AppProtection", "AppConfigurationManagedApp", "AppConfigurationManagedDevice")
    },
    ExportShape(
      name: "IntuneBackupAndRestore",
      sign:
        "one of the folders `App Protection Policies`, `Targeted Managed App Configurations`, `Mobile App Configurations`, "
        + "`Assignment Filters` and `Assignments`"
    ) {
      $0.isIn(
        "App Protection Policies", "Targeted Managed App Configurations", "Mobile App Configurations",
        "Assignment Filters", "Assignments")
    },
    ExportShape(
      name: "IntuneCD",
      sign:
        "YAML, one of the folders `App Protection` and `App Configuration`, or the type after a `_` of the name"
    ) { signs in
      signs.form == .yaml || signs.isIn("App Protection", "App Configuration")
        || signs.name.contains("_")
          && ["ManagedAppProtection.json", "ManagedAppProtection__"].contains(where: signs.name.contains)
    },
    ExportShape(name: "Graph list", sign: "an object whose `value` is a list, or a bare list") { signs in
      signs.value.array != nil || signs.value.object?["value"]?.array != nil
    },
    ExportShape(name: "Graph batch", sign: "an object whose `responses` is a list") { signs in
      signs.value.object?["responses"]?.array != nil
    },
    ExportShape(name: "Graph document", sign: "any other JSON") { signs in
      signs.value.object != nil || signs.value.string != nil
    },
    device,
  ]

  /// What an app shows of the policies it has.
  static let device = ExportShape(name: "device", sign: "the names and numbers that devices use") { _ in true }

  /// The shape of a file.
  init(_ signs: Signs) {
    self = Self.all.first { $0.recognizes(signs) } ?? Self.device
  }

  private init(name: String, sign: String, recognizes: @escaping @Sendable (Signs) -> Bool) {
    self.name = name
    self.sign = sign
    self.recognizes = recognizes
  }
}
