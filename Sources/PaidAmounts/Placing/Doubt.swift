internal import CivilTime

/// How a report stands among reports of one moment, which two that name one purchase are: the
/// believed one before others, then the one made nearest to that moment (ties: the earlier).
///
/// Milliseconds, doubled; the smaller is to be preferred.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
