internal import CivilTime

/// The rank of a report among several that apply to one moment; the smallest rank is preferred.
///
/// Example: two reports have the same transaction id. Believed reports are preferred, then the
/// report nearest to the moment, then the earlier of two equally near reports. The rank is based on
/// twice the distance in milliseconds; an odd rank marks a report after the moment.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
