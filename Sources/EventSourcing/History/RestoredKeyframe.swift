import Journal

/// A keyframe whose state was restored, and that state's digest.
@usableFromInline
struct RestoredKeyframe: Sendable {
  let keyframe: Keyframe
  let digest: Digest
}
