internal import CivilTime

/// The rank of a report among reports of one moment, for example two that name one purchase.
///
/// Smaller ranks come first. A believed report comes before all others. Then the one made nearest
/// to the moment comes first, and of two equally near ones the earlier. The rank is twice the
/// distance in milliseconds.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
