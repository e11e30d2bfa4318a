import EventSourcing

/// One row of the settings catalogue: the complete description of one key of `IntuneMAMSettings`.
///
/// Decoding, lint, `pj settings` and the documentation page are all derived from the rows, so that a setting is added
/// in one place. See ``SettingDescriptor/all``.
public struct SettingDescriptor: Sendable {
  /// The type of a setting's value.
  public enum Kind: Equatable, Sendable {
    /// True or false.
    case flag
    /// Text in a given form.
    case text(SettingForm)
    /// A color as `#RRGGBB`.
    case color
    /// A number of seconds, 0 or more.
    case seconds
    /// A ``FileProtectionLevel``.
    case fileProtection
    /// A list of texts in a given form.
    case texts(SettingForm)

    /// The accepted values, as a phrase.
    public var phrase: String {
      switch self {
      case .flag: "true or false"
      case .text(let form): form.phrase
      case .color: "color: #RRGGBB"
      case .seconds: "seconds, 0 or more"
      case .fileProtection: "one of \(FileProtectionLevel.allCases.map(\.rawValue).joined(separator: ", "))"
      case .texts(let form): "list of \(form.phrase)s"
      }
    }
  }

  /// The subject of a setting.
  public enum Section: String, Sendable, CaseIterable {
    /// Signing in.
    case signIn = "sign-in"
    /// Enrollment and policy.
    case enrollment
    /// Parts of the app: groups and extensions.
    case parts = "groups and extensions"
    /// Protection of data.
    case data
    /// The appearance of the SDK's screens.
    case appearance
    /// Logs and telemetry.
    case diagnosis
  }

  /// The key in the dictionary.
  public let key: String
  /// The subject.
  public let section: Section
  /// The type of its value.
  public let kind: Kind
  /// When an app must have it, as a phrase; `nil` if never.
  public let requiredWhen: String?
  /// What applies if the app omits it.
  public let absence: String
  /// Who may see the value.
  public let privacy: Privacy
  /// What it does, in one sentence with a full stop.
  public let meaning: String
  /// Where it is published: a tag and a heading; see the article "Settings".
  public let source: String
  let read: @Sendable (InfoPlistSettings) -> SettingValue?
  /// Sets the value. Has no effect for a value of another type.
  let write: @Sendable (inout InfoPlistSettings, SettingValue) -> Void

  /// The value in `settings`, or the default if the app omits it; `nil` if there is neither.
  public func value(in settings: InfoPlistSettings) -> SettingValue? { read(settings) }
}

/// Constructors of rows: each binds a stored property to the catalogue by its key path, and takes the default from it.
extension SettingDescriptor {
  typealias Path<Value> = WritableKeyPath<InfoPlistSettings, Value> & Sendable

  private init<Value: Sendable>(
    _ key: String, _ section: Section, _ kind: Kind, _ path: Path<Value>, requiredWhen: String?, absence: String?,
    privacy: Privacy, _ meaning: String, source: String, wrap: @escaping @Sendable (Value) -> SettingValue?,
    unwrap: @escaping @Sendable (SettingValue) -> Value?
  ) {
    self.init(
      key: key, section: section, kind: kind, requiredWhen: requiredWhen,
      absence: absence ?? wrap(InfoPlistSettings()[keyPath: path])?.description ?? "none", privacy: privacy,
      meaning: meaning, source: source, read: { wrap($0[keyPath: path]) },
      write: { if let value = unwrap($1) { $0[keyPath: path] = value } })
  }

  static func flag(
    _ key: String, _ section: Section, _ path: Path<Bool>, requiredWhen: String? = nil, _ meaning: String,
    source: String = configure
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .flag, path, requiredWhen: requiredWhen, absence: nil, privacy: .public, meaning, source: source,
      wrap: { .flag($0) }, unwrap: { if case .flag(let flag) = $0 { flag } else { nil } })
  }

  static func text(
    _ key: String, _ section: Section, _ path: Path<String?>, _ form: SettingForm, requiredWhen: String? = nil,
    absence: String? = nil, _ meaning: String, source: String = configure
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .text(form), path, requiredWhen: requiredWhen, absence: absence, privacy: .public, meaning,
      source: source, wrap: { $0.map { .text($0) } }, unwrap: { if case .text(let text) = $0 { text } else { nil } })
  }

  static func text(
    _ key: String, _ section: Section, _ path: Path<String>, _ form: SettingForm, _ meaning: String,
    source: String = configure
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .text(form), path, requiredWhen: nil, absence: nil, privacy: .public, meaning, source: source,
      wrap: { .text($0) }, unwrap: { if case .text(let text) = $0 { text } else { nil } })
  }

  static func color(
    _ key: String, _ path: Path<SettingColor?>, absence: String, _ meaning: String
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, .appearance, .color, path, requiredWhen: nil, absence: absence, privacy: .public, meaning,
      source: configure, wrap: { $0.map { .color($0) } },
      unwrap: { if case .color(let color) = $0 { color } else { nil } })
  }

  static func color(_ key: String, _ path: Path<SettingColor>, _ meaning: String) -> SettingDescriptor {
    SettingDescriptor(
      key, .appearance, .color, path, requiredWhen: nil, absence: nil, privacy: .public, meaning, source: configure,
      wrap: { .color($0) }, unwrap: { if case .color(let color) = $0 { color } else { nil } })
  }

  static func seconds(
    _ key: String, _ section: Section, _ path: Path<Double>, _ meaning: String
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .seconds, path, requiredWhen: nil, absence: nil, privacy: .public, meaning,
      source: configure, wrap: { .seconds($0) }, unwrap: { if case .seconds(let number) = $0 { number } else { nil } })
  }

  static func fileProtection(
    _ key: String, _ section: Section, _ path: Path<FileProtectionLevel>, _ meaning: String
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .fileProtection, path, requiredWhen: nil, absence: nil, privacy: .public, meaning,
      source: configure, wrap: { .fileProtection($0) },
      unwrap: { if case .fileProtection(let level) = $0 { level } else { nil } })
  }

  static func texts(
    _ key: String, _ section: Section, _ path: Path<[String]>, _ form: SettingForm, requiredWhen: String? = nil,
    privacy: Privacy = .public, _ meaning: String, source: String = configure
  ) -> SettingDescriptor {
    SettingDescriptor(
      key, section, .texts(form), path, requiredWhen: requiredWhen, absence: nil, privacy: privacy, meaning,
      source: source, wrap: { .texts($0) }, unwrap: { if case .texts(let texts) = $0 { texts } else { nil } })
  }

  /// The heading under which most settings are documented.
  private static let configure = "S001 Configure settings"
}
