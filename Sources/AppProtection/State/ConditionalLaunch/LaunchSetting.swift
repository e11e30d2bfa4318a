import EventSourcing

/// A setting that launch conditions read, as the journal records it: by the number in its row.
public struct LaunchSetting: WireEnumeration {
  private let number: UInt8

  /// No setting demands the condition.
  public static let none = LaunchSetting(nil)

  /// The setting of a row; ``none`` without one.
  public init(_ property: PolicyProperty?) {
    number = property?.launchNumber ?? 0
  }

  /// The row of the property table; `nil` for ``none``.
  public var property: PolicyProperty? {
    let rows = Self.rows
    return rows.indices.contains(Int(number)) ? rows[Int(number)] : nil
  }

  /// ``none``: the setting only explains a finding, which a later program's setting must not make unreadable.
  public static var unlisted: LaunchSetting? { LaunchSetting.none }

  /// Every setting, in the order of the numbers.
  public static let allCases = [none] + rows.compactMap(\.self).map { LaunchSetting($0) }

  /// The rows by their numbers.
  private static let rows: [PolicyProperty?] = {
    var rows: [PolicyProperty?] = []
    for property in PolicyProperty.all {
      guard let number = property.launchNumber.map(Int.init) else { continue }
      while rows.count <= number { rows.append(nil) }
      assert(number > 0 && rows[number] == nil, "two settings have the launch number \(number)")
      rows[number] = property
    }
    return rows
  }()
}

extension LaunchSetting {
  /// The number in the row; 0 for ``none``.
  public var rawValue: Int { Int(number) }

  /// The setting with a number; `nil` when no row has it.
  public init?(rawValue: Int) {
    let rows = Self.rows
    let property = rows.indices.contains(rawValue) ? rows[rawValue] : nil
    guard property != nil || rawValue == 0 else { return nil }
    self.init(property)
  }

  /// The number.
  public var intValue: Int? { rawValue }

  /// The setting with a number.
  public init?(intValue: Int) { self.init(rawValue: intValue) }

  /// The name in Graph.
  public var stringValue: String { property?.name ?? "none" }

  /// The setting with a name in Graph.
  public init?(stringValue: String) {
    guard let setting = Self.allCases.first(where: { $0.stringValue == stringValue }) else { return nil }
    self = setting
  }
}
