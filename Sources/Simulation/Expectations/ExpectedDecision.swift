import AppProtection
import JSON

/// A question to the rules together with the answer that is expected.
public struct ExpectedDecision: Equatable, Sendable {
  /// What is asked.
  public enum Question: Equatable, Sendable {
    /// Whether policy is applied to an account.
    case managed(account: String)
    /// Under whose identity a task runs, on the thread of this label; `nil` is the main thread.
    case identity(EffectiveIdentity.Task, thread: String?)
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
      let window = try node.optional("window")
      let isFile = try task.name(from: ["ui", "file"]) == "file"
      question = .identity(
        isFile ? .file : .ui(window: try window?.integer(in: 1...UInt32.max)),
        thread: try node.optional("thread")?.string())
      answer = expected.isNull ? "unset" : try expected.string()
      if answer.isEmpty { answer = "unmanaged" }
    default:
      throw node.error(
        .invalidValue, "a decision is one of managed and identity", remedy: "say what is asked: managed or identity")
    }
  }

  /// What is asked, for messages: `managed alice`, `identity ui, window 2`.
  var subject: String {
    switch question {
    case .managed(let account): return "managed \(account)"
    case .identity(let task, let thread):
      var text = "identity file"
      if case .ui(let window) = task { text = "identity ui" + (window.map { ", window \($0)" } ?? "") }
      return text + (thread.map { ", thread \($0)" } ?? "")
    }
  }
}
