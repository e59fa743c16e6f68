internal import CivilTime

/// Some weeks of the exports were lost.
///
/// There are five gaps of one to five weeks without responses and reports. In reality, the cause
/// may be an expired storage bucket or a job that stopped. Responses after a gap show the rows that
/// were bought in the gap, but the price reports of these rows are lost.
///
/// The evidence is the data before and after a gap.
struct LostWeeks: Phenomenon {
  /// The number of gaps.
  var count = 5
  /// The least and greatest length of a gap, in weeks.
  var weeks = 1...5
  private var gaps: [Range<Int64>] = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    for number in 0..<count {
      let from = world.midnight(perCent: 10 + 16 * number + random.below(10))
      gaps.append(from..<from + Int64(random.within(weeks) * 7) * BillingClock.day)
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    func isLost(_ moment: Int64) -> Bool { gaps.contains { $0.contains(moment) } }
    var lost: Set<Int> = []
    for upload in account.uploads where upload.report >= 0 && isLost(upload.at) {
      lost.insert(upload.report)
    }
    for (index, report) in account.prices.enumerated()
    where !report.isEmbedded && isLost(report.arrivedAt) {
      lost.insert(index)
    }
    account.uploads.removeAll { isLost($0.at) }
    account.removeReports(lost)
  }
}
