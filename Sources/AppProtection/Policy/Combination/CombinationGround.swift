/// Why a value of a setting counts where several policies meet.
public enum CombinationGround: String, Sendable, CaseIterable {
  /// No other policy in the combination has the setting.
  case only
  /// Every policy in the combination that has the setting has this value.
  case same
  /// Every other value is less strict.
  case strictest
  /// It is the common part of lists that differ.
  case common
  /// Another value is as strict, and among equally strict policies the first counts.
  case first
}
