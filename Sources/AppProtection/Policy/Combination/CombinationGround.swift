/// Why a value of a setting counts where several policies meet.
public enum CombinationGround: String, Sendable, CaseIterable {
  /// No other policy that counts has the setting.
  case only
  /// Every policy that counts and has the setting has this value.
  case same
  /// Every other value is less strict.
  case strictest
  /// It is what lists that differ have in common.
  case common
  /// Another value is as strict, and of policies that are equally strict the first counts.
  case first
}
