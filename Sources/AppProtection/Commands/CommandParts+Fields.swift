import EventSourcing
import WireFormat

// The parts of commands. No journal has them: they are in fingerprints, and in commands that are handed over.

extension AccountReference: FieldList {
  /// Names no account.
  public static var blank: AccountReference { AccountReference() }

  public static func visit<V: FieldVisitor>(_ account: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &account.number, "its number in the journal")
    try field(2, "objectID", &account.objectID, privacy: .account, "the Entra object id")
    try field(3, "userPrincipalName", &account.userPrincipalName, privacy: .account, "the name as given")
  }
}

extension ProcessStart: FieldList {
  /// Nothing is known.
  public static var blank: ProcessStart { ProcessStart() }

  public static func visit<V: FieldVisitor>(_ start: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "bootSession", &start.bootSession, "the device's boot session")
    try field(2, "appVersion", &start.appVersion, "the app's own version")
    try field(3, "sdkVersion", &start.sdkVersion, "the version of the SDK whose rules apply")
    try field(4, "osVersion", &start.osVersion, "the version of the operating system")
    try field(5, "deviceModel", &start.deviceModel, "the device's model identifier")
    try field(6, "isExtension", &start.isExtension, "whether the process is an app extension")
    try field(7, "device", &start.device, "the facts about the device")
    try field(8, "utcOffset", &start.utcOffset, "local time minus UTC")
  }
}

extension ServiceFailure: FormedMessage {
  /// The fields of ``ServiceAnswer`` that a failure has.
  public struct Form: FieldList {
    var code: EnrollmentStatusCode
    var error: String

    /// Its code is read.
    public static var blank: Form { Form(code: .timeout, error: "") }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(7, "code", &form.code, required: true, "the reason as a number")
      try field(8, "error", &form.error, privacy: .account, "what the service or the token library said")
    }
  }

  /// The fields.
  public var form: Form { Form(code: code, error: error) }

  /// The failure with these fields.
  public init(_ form: Form) { self.init(form.code, error: form.error) }
}

extension ServiceAnswer: Message {
  private struct Form: FieldList {
    var policy: PolicyDocument?
    var nextCheckIn: Int64?
    var isUnchanged = false
    var hasNoPolicy = false
    var wipe: WipeReason?
    var isGone = false
    var code: EnrollmentStatusCode?
    var error = ""

    static var blank: Form { Form() }

    static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "policy", &form.policy, "the policy")
      try field(2, "nextCheckIn", &form.nextCheckIn, "the time until the next check-in")
      try field(3, "isUnchanged", &form.isUnchanged, "whether the policy is the known one")
      try field(4, "hasNoPolicy", &form.hasNoPolicy, "whether no policy targets the account")
      try field(5, "wipe", &form.wipe, "why the data is to be wiped")
      try field(6, "isGone", &form.isGone, "whether the service has no record")
      try field(7, "code", &form.code, "why the request failed")
      try field(8, "error", &form.error, privacy: .account, "what the service or the token library said")
    }
  }

  private var form: Form {
    switch self {
    case .policy(let document, let interval): Form(policy: document, nextCheckIn: interval)
    case .unchanged: Form(isUnchanged: true)
    case .noPolicy: Form(hasNoPolicy: true)
    case .wipe(let reason): Form(wipe: reason)
    case .gone: Form(isGone: true)
    case .failure(let failure): Form(code: failure.code, error: failure.error)
    }
  }

  /// The fields that say which answer it is.
  public static var descriptor: MessageDescriptor { MessageDescriptor("ServiceAnswer", Form.descriptor.fields) }

  /// Writes the fields.
  public func encode(into writer: inout WireWriter) { form.encode(into: &writer) }

  /// Reads the fields; refuses those that are no answer.
  public init(from reader: inout WireReader) throws(WireError) {
    let form = try Form(from: &reader)
    if let policy = form.policy {
      self = .policy(policy, nextCheckIn: form.nextCheckIn)
    } else if let code = form.code {
      self = .failure(ServiceFailure(code, error: form.error))
    } else if let reason = form.wipe {
      self = .wipe(reason)
    } else if form.isUnchanged {
      self = .unchanged
    } else if form.hasNoPolicy {
      self = .noPolicy
    } else if form.isGone {
      self = .gone
    } else {
      throw WireError(.missing(field: 1), at: reader.offset)
    }
  }

  /// The fields for people.
  public func tree() -> StateTree { form.tree() }
}
