import AppProtection
import JSON

/// A question to the rules together with the answer that is expected.
public struct ExpectedDecision: Equatable, Sendable {
  /// What is asked.
  public enum Question: Equatable, Sendable {
    /// Whether policy is applied to an account.
    case managed(account: String)
    /// Under whose policy a task runs.
    case identity(task: Task, window: UInt32?, thread: String)
  }

  /// What kind of task it is.
  public enum Task: String, CaseIterable, Sendable {
    /// Something a person sees or touches: cut, copy and paste, PIN, sharing.
    case ui
    /// Reading or writing a file.
    case file
  }

  /// What is asked.
  public var question: Question
  /// The answer: `true` or `false`, an account's name, `unmanaged`, or `unset`.
  public var answer: String

  init(_ node: JSONNode) throws(JSONError) {
    try node.expectMembers(["managed", "identity", "window", "thread", "is"])
    let expected = try node.required("is")
    switch (try node.optional("managed"), try node.optional("identity")) {
    case (let account?, nil):
      question = .managed(account: try account.string())
      answer = try expected.bool() ? "true" : "false"
    case (nil, let task?):
      let name = try task.name(from: Task.allCases.map(\.rawValue))
      let window = try node.optional("window")
      let thread = try node.optional("thread")
      question = .identity(
        task: Task(rawValue: name) ?? .ui, window: try window?.integer(in: 1...UInt32.max),
        thread: try thread?.string() ?? IdentityScope.mainThread)
      answer = expected.isNull ? "unset" : try expected.string()
      if answer.isEmpty { answer = "unmanaged" }
    default:
      throw node.error(
        .invalidValue, "a decision is one of managed and identity", remedy: "say what is asked: managed or identity")
    }
  }
}
