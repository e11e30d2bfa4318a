/// How the values that several policies have for one setting become one value: the most restrictive wins, and lists of what
/// is allowed intersect (D app protection FAQ).
public enum CombinationRule: String, Sendable, CaseIterable {
  /// The setting describes a policy and not its requirements; it is not combined.
  case notCombined
  /// On wins.
  case onWins
  /// Off wins.
  case offWins
  /// The strictest choice wins; an unknown one is the strictest.
  case strictestChoice
  /// The smallest number wins.
  case smallestNumber
  /// The largest number wins.
  case largestNumber
  /// The shortest duration wins.
  case shortestDuration
  /// The shortest duration wins; zero means no limit.
  case shortestLimit
  /// The higher version wins; none is the lowest.
  case higherVersion
  /// The lower version wins; none is the highest.
  case lowerVersion
  /// Only the entries that every policy lists, among those that restrict this at all.
  case intersection
  /// Several settings are one choice; they are taken together from the policy with the strictest one. Among equally
  /// strict policies, the first wins.
  case strictestGroup
  /// The first policy that has the setting wins: no value is stricter than another.
  case firstGiven

  /// The rule in one sentence.
  public var meaning: String {
    switch self {
    case .notCombined: "Describes a policy and is not combined."
    case .onWins: "On wins."
    case .offWins: "Off wins."
    case .strictestChoice: "The strictest choice wins; one that is not known is the strictest."
    case .smallestNumber: "The smallest number wins."
    case .largestNumber: "The largest number wins."
    case .shortestDuration: "The shortest duration wins."
    case .shortestLimit: "The shortest duration wins; zero is no limit."
    case .higherVersion: "The higher version wins; `0.0` and an empty text are no version."
    case .lowerVersion: "The lower version wins; `0.0` and an empty text are no version."
    case .intersection: "Only what every policy lists that restricts this at all."
    case .strictestGroup: "Taken together with its kin from the policy with the strictest choice."
    case .firstGiven: "The first policy that has it wins."
    }
  }
}

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
