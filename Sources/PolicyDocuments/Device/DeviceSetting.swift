import AppProtection

/// One setting in a device's encoding: its name, its values, and its counterpart in Graph.
///
/// Names and numbers are those in diagnostic dumps and in Edge under `about:intunehelp` (D review app protection logs).
/// See ``all``.
public struct DeviceSetting: Sendable {
  /// How a device encodes a setting.
  public enum Form: Sendable {
    /// True or false; `negated` if it means the opposite of the property in Graph.
    case flag(negated: Bool)
    /// One of these numbers, each with the member's number in Graph.
    case choice([DeviceNumber])
    /// A sum of these numbers.
    case mask([DeviceNumber])
    /// A whole number.
    case number
    /// A whole number of minutes.
    case minutes
    /// A whole number of days.
    case days
    /// A version, where `0.0` and an empty text mean none.
    case version
    /// Text.
    case text
    /// A list of URL schemes separated by semicolons.
    case schemes
    /// A list of links separated by vertical bars.
    case links
    /// One of two lists of device models; the list determines what happens on other models.
    case models(RemediationAction)
    /// Whether a PIN replaces biometrics.
    case biometricTimeoutRequired
    /// The minutes after which a PIN replaces biometrics.
    case biometricTimeout
    /// The minutes after the end of working time until access is blocked; -1 means never.
    case clockOutGrace
    /// Without counterpart in Graph; the value is kept unchanged.
    case deviceOnly
  }

  /// A device's number, its name here, and its number in Graph.
  public struct DeviceNumber: Sendable {
    /// The device's number.
    public let number: Int64
    /// The member's name in Graph.
    public let name: String
    /// The member's number in Graph.
    public let graphNumber: UInt64
  }

  /// The setting's name.
  public let name: String
  /// Other names used in dumps. Case is ignored.
  public let otherNames: [String]
  /// How a device encodes it.
  public let form: Form
  /// The corresponding properties in Graph; empty for a setting that only devices have.
  public let properties: [String]
  /// The meaning, in one phrase, if no property describes it.
  public let meaning: String

  init(_ name: String, or otherNames: [String] = [], _ form: Form, _ properties: String..., meaning: String = "") {
    self.name = name
    self.otherNames = otherNames
    self.form = form
    self.properties = properties
    self.meaning = meaning
  }

  /// The setting with this name, ignoring case; `nil` if there is none.
  public static func named(_ name: String) -> DeviceSetting? {
    indexByName[name.lowercased()].map { all[$0] }
  }

  private static let indexByName: [String: Int] = {
    var index: [String: Int] = [:]
    for (place, setting) in all.enumerated() {
      for name in [setting.name] + setting.otherNames { index[name.lowercased()] = place }
    }
    return index
  }()

  /// The values in words, for the documentation, such as `0 none, 1 managedApps, 2 allApps`.
  public var values: String {
    switch form {
    case .flag(let negated): negated ? "true or false, the opposite of Graph" : "true or false"
    case .choice(let numbers): numbers.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    case .mask(let numbers): "sum of " + numbers.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    case .number: "whole number"
    case .minutes, .biometricTimeout: "minutes"
    case .days: "days"
    case .version: "version; `0.0` is none"
    case .text: "text"
    case .schemes: "list parted by semicolons"
    case .links: "list parted by vertical bars"
    case .models(let action): "list parted by semicolons; other models: \(action.rawValue)"
    case .biometricTimeoutRequired: "true or false; false turns the timeout off"
    case .clockOutGrace: "minutes; -1 is off"
    case .deviceOnly: "as it came"
    }
  }

  static func choice<Choice: DeviceChoice>(_ type: Choice.Type) -> Form { .choice(numbers(of: type)) }

  static func mask<Choice: DeviceChoice>(_ type: Choice.Type) -> Form { .mask(numbers(of: type)) }

  private static func numbers<Choice: DeviceChoice>(of type: Choice.Type) -> [DeviceNumber] {
    Choice.allCases.map {
      DeviceNumber(number: $0.rawValue, name: $0.graph.rawValue, graphNumber: $0.graph.number)
    }
  }
}
