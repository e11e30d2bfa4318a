/// A rule's condition: a statement about the state, with the parts of the state that it reads.
///
/// Constants only: creating one allocates nothing, and its texts are filled in when an explanation needs them.
struct RuleCondition: Sendable {
  /// The stable name, such as `saveTo.listed`.
  let id: StaticString
  /// The statement. `{account}` is the account whose policy is asked, `{other}` the subject of the question.
  let statement: StaticString
  /// The member of ``Assumptions`` on which it rests.
  let assumption: StaticString?
  private let first: RuleRead?
  private let second: RuleRead?
  private let third: RuleRead?
  private let fourth: RuleRead?

  /// The parts of the state that it reads, the decisive one last.
  var reads: [RuleRead] { [first, second, third, fourth].compactMap { $0 } }

  init(
    _ id: StaticString, _ statement: StaticString, reads first: RuleRead? = nil, _ second: RuleRead? = nil,
    _ third: RuleRead? = nil, _ fourth: RuleRead? = nil, assumes assumption: StaticString? = nil
  ) {
    self.id = id
    self.statement = statement
    self.assumption = assumption
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}

/// A part of the state that a condition reads.
///
/// Thin functions keep it free of references: making a row and dropping it costs a decision nothing.
enum RuleRead: Sendable {
  /// A setting of the account's policy: its row, which only an explanation asks for.
  case setting(@Sendable @convention(thin) () -> PolicyProperty)
  /// A setting of the other account's policy.
  case otherSetting(@Sendable @convention(thin) () -> PolicyProperty)
  /// A setting that could have lifted the rule: read where the rule settles the question.
  case liftingSetting(@Sendable @convention(thin) () -> PolicyProperty)
  /// What is at a path, in which `{account}` stands for the account.
  case path(StaticString)
  /// The value at the path that the question found (``RuleObject/path(_:)``).
  case found
  /// The assumption of the condition.
  case assumption

  /// The apps to which the account may send data.
  static var sending: RuleRead { .setting { .allowedOutboundDataTransferDestinations } }
  /// The apps from which the account may receive data.
  static var receiving: RuleRead { .setting { .allowedInboundDataTransferSources } }
  /// The version of the SDK.
  static var sdkVersion: RuleRead { .path("/process/sdkVersion") }
  /// The account for which the device is managed.
  static var deviceAccount: RuleRead { .path("/settings/deviceAccount") }
  /// Whether the app has several identities.
  static var multiIdentity: RuleRead { .path("/settings/multiIdentity") }
}

/// The subject of a question to an account's policy, where a statement names it.
enum RuleObject {
  /// Nothing.
  case nothing
  /// A subject with a name.
  case named(String)
  /// Another account, or none.
  case account(AccountNumber?)
  /// The value found at a path of the state; `nil` if none was.
  case path(String?)
}
