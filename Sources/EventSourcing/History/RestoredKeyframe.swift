import Journal

/// A keyframe's restored state and its digest.
@usableFromInline
struct RestoredKeyframe: Sendable {
  let keyframe: Keyframe
  let digest: Digest
}
