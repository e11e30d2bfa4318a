/// How much memory one phase took.
struct MemoryResult {
  var phase: MemoryPhase
  var events: Int
  /// The most that was resident before the phase began, in bytes.
  var before: Int
  /// The most that was resident when it was over.
  var peak: Int

  /// What the phase added.
  var growth: Int { peak - before }
}
