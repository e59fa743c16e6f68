internal import CivilTime

/// The rank of a report among several reports that apply to one time; the smallest is preferred.
///
/// Prefers believed reports, then the report made nearest to this time, then the earlier of two
/// equally near reports. Example: two reports have the same transaction id, so each applies to the
/// time of the purchase. The rank is based on twice the distance in milliseconds; an odd rank marks
/// a report made after the time.
///
/// - Returns: The rank, at least 0.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
