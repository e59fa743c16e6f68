internal import CivilTime

/// Ranks reports of one moment, for example two with the same transaction id.
///
/// The smallest rank comes first. Believed reports precede all others. Then the report nearest to
/// the moment comes first, and of two equally near ones the earlier. The rank is based on twice the
/// distance in milliseconds.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
