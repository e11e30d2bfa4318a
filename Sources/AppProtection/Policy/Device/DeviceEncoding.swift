/// How a device encodes a setting: its name there, and its values.
///
/// Names and numbers are those in diagnostic dumps and in Edge under `about:intunehelp` (D review app protection logs).
public struct DeviceEncoding: Sendable {
  /// How a device writes the value.
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
  /// How a device writes the value.
  public let form: Form
  private let beside: @Sendable () -> [PolicyProperty]

  package init(
    _ name: String, or otherNames: [String] = [], _ form: Form,
    with others: @autoclosure @escaping @Sendable () -> [PolicyProperty] = []
  ) {
    self.name = name
    self.otherNames = otherNames
    self.form = form
    beside = others
  }

  /// The other settings of Graph that it sets.
  public var others: [PolicyProperty] { beside() }
}

/// A ``DeviceEncoding`` of values of one type: what a row says about it.
struct DeviceRow<Value>: Sendable {
  let encoding: DeviceEncoding

  private static func form(_ name: String, _ form: DeviceEncoding.Form) -> Self {
    Self(encoding: DeviceEncoding(name, form))
  }
}

extension DeviceRow where Value == Bool {
  static func flag(_ name: String) -> Self { form(name, .flag(negated: false)) }

  /// A flag that means the opposite of the property in Graph.
  static func opposite(_ name: String) -> Self { form(name, .flag(negated: true)) }
}

extension DeviceRow where Value: PolicyChoice {
  /// A choice, by a device's numbers. For several settings, a device uses Graph's numbers in reverse.
  static func choice(_ name: String, _ members: KeyValuePairs<Int64, Value>) -> Self {
    form(name, .choice(members.map(DeviceEncoding.DeviceNumber.init)))
  }
}

extension DeviceRow {
  /// A list of choices, as a sum of a device's numbers.
  static func mask<Choice: PolicyChoice>(
    _ name: String, _ members: KeyValuePairs<Int64, Choice>
  ) -> Self where Value == [Choice] {
    form(name, .mask(members.map(DeviceEncoding.DeviceNumber.init)))
  }
}

extension DeviceEncoding.DeviceNumber {
  fileprivate init<Choice: PolicyChoice>(_ number: Int64, _ member: Choice) {
    self.init(number: number, name: member.rawValue, graphNumber: member.number)
  }
}

extension DeviceRow where Value == RemediationAction {
  /// A choice between blocking access and removing data.
  static func action(_ name: String) -> Self { choice(name, [0: .block, 1: .wipe]) }
}

extension DeviceRow where Value == FeatureConfigurationState {
  /// Whether a feature of the system may be used. The device's numbers are not published; these are Graph's (DERIVED).
  static func feature(_ name: String) -> Self { choice(name, [0: .notBlocked, 1: .blocked]) }
}

extension DeviceRow where Value == Int {
  static func number(_ name: String, or otherNames: String...) -> Self {
    Self(encoding: DeviceEncoding(name, or: otherNames, .number))
  }
}

extension DeviceRow where Value == PolicyDuration {
  static func minutes(_ name: String) -> Self { form(name, .minutes) }
  static func days(_ name: String) -> Self { form(name, .days) }

  /// Whether a PIN replaces biometrics, beside ``biometricTimeout(_:)``.
  static func biometricTimeoutRequired(_ name: String) -> Self { form(name, .biometricTimeoutRequired) }

  /// The minutes after which a PIN replaces biometrics.
  static func biometricTimeout(_ name: String) -> Self { form(name, .biometricTimeout) }

  /// The minutes until access is blocked after working time, which also set the action.
  static func clockOutGrace(_ name: String, with action: @autoclosure @escaping @Sendable () -> PolicyProperty) -> Self
  {
    Self(encoding: DeviceEncoding(name, .clockOutGrace, with: [action()]))
  }
}

extension DeviceRow where Value == String {
  static func version(_ name: String) -> Self { form(name, .version) }
  static func text(_ name: String) -> Self { form(name, .text) }

  /// Device models, in the list for what happens on other models.
  static func models(
    _ name: String, else action: RemediationAction, with actions: @autoclosure @escaping @Sendable () -> PolicyProperty
  ) -> Self {
    Self(encoding: DeviceEncoding(name, .models(action), with: [actions()]))
  }
}

extension DeviceRow where Value == [PolicyPair] {
  static func schemes(_ name: String) -> Self { form(name, .schemes) }
}

extension DeviceRow where Value == [String] {
  static func links(_ name: String, or otherNames: String...) -> Self {
    Self(encoding: DeviceEncoding(name, or: otherNames, .links))
  }
}
