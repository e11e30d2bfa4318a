/// How much memory one phase took.
struct MemoryResult {
  var phase: MemoryPhase
  var events: Int
  /// What the process kept before the phase began, in bytes: without the pages of programs and libraries.
  var before: Int
  /// The most that it kept while the phase ran.
  var kept: Int
  /// The most that was resident, programs and libraries included.
  var peak: Int

  /// What the phase added.
  var growth: Int { max(0, kept - before) }
}
