internal import CivilTime

/// The rank of a report among several that apply to one moment, such as two with the same
/// transaction id.
///
/// The report with the smallest rank is preferred. Believed reports precede all others. Next, the
/// report nearest to the moment is preferred, then the earlier of two equally near reports. The
/// rank is based on twice the distance in milliseconds.
func doubt(madeAt reportedAt: Instant, placedAt time: Instant, isBelieved: Bool) -> Int64 {
  let distance = reportedAt.since(time)
  let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
  return isBelieved ? doubled : doubled | 1 << 62
}
