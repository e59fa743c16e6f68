internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// One price in a report: its regular price, or that of one of its offers.
struct PriceVote: Sendable {
  /// The report's position in ``ReportLedger``.
  var report: Int32
  /// The offer's position in ``SightingSet/offers``; -1 for the regular price.
  var offer: Int32
  var voter: Int32
  /// The series, by its position in ``PriceHistory``.
  var series: Int32
  /// Unix milliseconds, UTC.
  var time: Int64
  /// Thousandths.
  var price: Int64
  var isBelieved: Bool
  /// The interval it lies in, by its position in ``PriceHistory/intervals``; -1 without one.
  var interval: Int32 = -1
  /// Distinct voters who report its price within its interval, itself included; 0 where it is
  /// not believed.
  var voters: Int32 = 0
}

/// A price series packed into one integer, ordered by group, kind, storefront or offer, mode.
///
/// 28 bits of the group, 2 of the kind, 32 of the storefront or the offer, 2 of the payment mode.
struct SeriesKey: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  private init(group: Int32, kind: UInt64, name: UInt32, mode: UInt64) {
    rawValue = UInt64(group) << 36 | kind << 34 | UInt64(name) << 2 | mode
  }

  /// The regular price.
  static func regular(_ group: Int32) -> SeriesKey {
    SeriesKey(group: group, kind: 0, name: 0, mode: 0)
  }

  /// The introductory price in a storefront, under a payment mode.
  static func introductory(_ group: Int32, _ storefront: Storefront?, _ mode: PaymentMode)
    -> SeriesKey
  {
    SeriesKey(
      group: group, kind: 1, name: storefront?.rawValue ?? 0, mode: UInt64(mode.rawValue))
  }

  /// The price of an offer.
  static func offer(_ group: Int32, _ offer: OfferID) -> SeriesKey {
    SeriesKey(group: group, kind: 2, name: offer.symbol.rawValue, mode: 0)
  }

  /// What an introductory price of any storefront and mode shares; other series stand alone.
  var family: UInt64 { kindCode == 1 ? (rawValue >> 34) << 34 : rawValue }

  /// The product × currency.
  var group: Int32 { Int32(truncatingIfNeeded: rawValue >> 36) }

  /// Whether it is a regular price, which the catalogue's dates cut.
  var isRegular: Bool { kindCode == 0 }

  /// Which of the product's prices it is.
  var kind: SeriesKind {
    let name = UInt32(truncatingIfNeeded: rawValue >> 2)
    switch kindCode {
    case 0: return .regular
    case 1:
      let mode = PaymentMode(rawValue: UInt8(rawValue & 3)) ?? .payAsYouGo
      return .introductory(name == 0 ? nil : Storefront(rawValue: name), mode)
    default: return .offer(OfferID(Symbol(rawValue: name)))
    }
  }

  static func < (left: SeriesKey, right: SeriesKey) -> Bool { left.rawValue < right.rawValue }

  private var kindCode: UInt64 { rawValue >> 34 & 3 }
}

extension ReportLedger {
  /// Every price of every report of a group by series, then time, then evidence id; and the series,
  /// which the votes name by their positions among those of the group.
  ///
  /// Free trials are left out: they are no price that a paid row could have.
  func votes(ofGroup group: Int32, set: SightingSet)
    -> (votes: [PriceVote], series: [SeriesKey], starts: [Int])
  {
    let members = order[groupStarts[Int(group)]..<groupStarts[Int(group) + 1]]
    guard !members.isEmpty else { return ([], [], [0]) }
    var keys = [SeriesKey.regular(group)]
    var numbers = [keys[0]: 0 as Int32]
    var unsorted: [PriceVote] = []
    unsorted.reserveCapacity(members.count * 2)
    for position in members {
      let judgement = judged[Int(position)]
      let report = set.reports[Int(judgement.report)]
      var vote = PriceVote(
        report: position, offer: -1, voter: voters[Int(position)], series: 0,
        time: judgement.time.milliseconds, price: report.price.rawValue,
        isBelieved: judgement.verdict.isBelieved)
      unsorted.append(vote)
      for index in report.offers {
        let offer = set.offers[index]
        guard offer.paymentMode != .freeTrial else { continue }
        vote.offer = Int32(index)
        vote.price = offer.price.rawValue
        let key =
          offer.offerID.map { SeriesKey.offer(group, $0) }
          ?? .introductory(group, report.storefront, offer.paymentMode)
        if let known = numbers[key] {
          vote.series = known
        } else {
          vote.series = Int32(keys.count)
          numbers[key] = vote.series
          keys.append(key)
        }
        unsorted.append(vote)
      }
    }
    return Self.arranged(unsorted, keys: keys)
  }

  /// The votes put together by series; each series keeps their order, which is that of time.
  private static func arranged(_ unsorted: [PriceVote], keys: [SeriesKey])
    -> (votes: [PriceVote], series: [SeriesKey], starts: [Int])
  {
    let ascending = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranks = [Int32](repeating: 0, count: keys.count)
    for (rank, index) in ascending.enumerated() { ranks[index] = Int32(rank) }
    var starts = [Int](repeating: 0, count: keys.count + 1)
    for vote in unsorted { starts[Int(ranks[Int(vote.series)]) + 1] += 1 }
    for series in keys.indices { starts[series + 1] += starts[series] }
    var next = starts
    var places = [Int32](repeating: 0, count: unsorted.count)
    for index in unsorted.indices {
      let rank = Int(ranks[Int(unsorted[index].series)])
      places[next[rank]] = Int32(index)
      next[rank] += 1
    }
    let votes = places.map { place in
      var vote = unsorted[Int(place)]
      vote.series = ranks[Int(vote.series)]
      return vote
    }
    return (votes, ascending.map { keys[$0] }, starts)
  }
}
