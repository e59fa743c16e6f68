internal import Amounts
internal import PurchaseModel

/// The reports, offers, markets and catalogue from which the votes of each price series are
/// collected.
struct VoteTable: Sendable {
  let placed: ComparedReports
  let offers: OfferLists
  let markets: Markets
  let catalogue: Catalogue

  /// The offer of a vote's price; `nil` for the regular price.
  func offer(of vote: PriceVote) -> OfferPrice? {
    vote.offer.map { offers[$0] }
  }

  /// Collects the votes of a market, grouped by series, sorted by time, then evidence id.
  ///
  /// Four kinds of prices give no vote:
  ///
  /// - Free trials, because no paid row can have their price.
  /// - Offers in a report with the price of an instalment, because offers have no instalments.
  /// - Introductory prices that are in fact the regular price (`discounted`).
  /// - Regular prices, promotional offers and offer codes in a report without a storefront, if a
  ///   storefront of the currency has its own price list.
  ///
  /// - Parameters:
  ///   - members: The reports of the market, oldest first.
  func votes(
    of market: MarketIndex, _ members: [MarketReport], apart: StorefrontPriceLists,
    believed: [Bool], discounted: DiscountedIntroductions
  ) -> [SeriesKey: [PriceVote]] {
    var votes: [SeriesKey: [PriceVote]] = [:]
    var regular: [PriceVote] = []  // most votes, those of the list for all
    let currency = markets.currency(market)
    for member in members {
      let list = apart.list(for: member.place, in: currency)
      var vote = PriceVote(
        position: member.position, offer: nil, voter: member.voter, time: member.time,
        price: member.price, isBelieved: believed[member.position.index],
        isLate: member.isLate)
      if member.isSigned { vote.weight = PriceVote.signedWeight }
      if let list, list.storefront == nil {
        regular.append(vote)
      } else if let list {
        votes[SeriesKey(market, .regular, in: list.storefront), default: []].append(vote)
      }
      guard markets.instalment(market) == nil else { continue }
      let offerPrices = offers.range(of: member.offers)
      for position in offerPrices.lazy.map(OfferPosition.init) {
        let offer = offers[position]
        guard offer.paymentMode != .freeTrial,
          !discounted.refutes(offer, beside: member.price, of: markets.product(market))
        else { continue }
        guard let key = SeriesKey(market, offer, place: member.place, list: list) else { continue }
        vote.offer = position
        vote.price = offer.price.rawValue
        votes[key, default: []].append(vote)
      }
    }
    if !regular.isEmpty { votes[SeriesKey(market, .regular, in: nil)] = regular }
    return votes
  }
}

extension SeriesKey {
  /// The series of an offer's price; `nil` if its price list is unknown.
  init?(_ market: MarketIndex, _ offer: OfferPrice, place: Storefront?, list: PriceListName?) {
    if let offerID = offer.offerID {
      guard let list else { return nil }
      self.init(market, .offer(offerID), in: list.storefront)
    } else {
      let length = OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)
      self.init(market, .introductory(offer.paymentMode, length), in: place)
    }
  }
}
