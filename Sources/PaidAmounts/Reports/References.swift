/// Finds the price that each report of a stretch is compared with.
enum References {
  /// A voter with more different prices than this is left out by a sweep of its own.
  ///
  /// Taking a voter's votes out and putting them back costs their number for each of the voter's
  /// reports; beyond this it is cheaper never to count them.
  static let manyPrices = 128

  /// The reference of each member in thousandths; `nil` where no other voter reports a price.
  ///
  /// The price with most distinct voters other than the report's own within 90 days either side,
  /// of equal ones the higher; where nobody else reports within 90 days, in the whole stretch.
  static func find(in window: ReportWindow) -> [Int64?] {
    var references = [Int64?](repeating: nil, count: window.members.count)
    var heavy: Set<Range<Int>> = []
    window.sweep(reach: Plausibility.referenceReach) { member, tally in
      let own = window.ownPairs[member]
      if own.count > manyPrices {
        heavy.insert(own)
      } else if let best = tally.best(without: own, prices: window.pairPrices) {
        references[member] = window.prices[Int(best)]
      }
    }
    let lonely = window.members.indices.filter {
      references[$0] == nil && window.ownPairs[$0].count <= manyPrices
    }
    if !lonely.isEmpty {
      var whole = window.whole()
      for member in lonely {
        let best = whole.best(without: window.ownPairs[member], prices: window.pairPrices)
        references[member] = best.map { window.prices[Int($0)] }
      }
    }
    for own in heavy { find(own, in: window, into: &references) }
    return references
  }

  /// The references of one voter's reports, the voter's votes never counted.
  private static func find(
    _ own: Range<Int>, in window: ReportWindow, into references: inout [Int64?]
  ) {
    let best = window.whole { window.ownPairs[$0] == own }.best
    window.sweep(reach: Plausibility.referenceReach) {
      window.ownPairs[$0] == own
    } _: { member, tally in
      guard window.ownPairs[member] == own else { return }
      references[member] = (tally.best ?? best).map { window.prices[Int($0)] }
    }
  }
}
