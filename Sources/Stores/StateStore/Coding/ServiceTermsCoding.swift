internal import Amounts
internal import PurchaseModel

extension BodyWriter {
  /// Writes what a hosted service states about a row.
  mutating func service(_ terms: ServiceTerms) {
    flags(
      Flags(
        terms.charged != nil, terms.booked != nil, terms.isFirst, terms.marksOffers,
        terms.isDated))
    byte(terms.service.rawValue)
    if let charged = terms.charged {
      number(UInt64(charged.currency.rawValue))
      signed(charged.amount.rawValue)
    }
    if let booked = terms.booked { signed(booked.rawValue) }
  }
}

extension BodyReader {
  /// Reads what a hosted service states about a row, after the row itself.
  mutating func serviceTerms() -> ServiceTerms? {
    var flags = flags()
    guard let service = SubscriptionService(rawValue: byte()) else {
      giveUp()
      return nil
    }
    var terms = ServiceTerms(service: service)
    let (hasCharged, hasBooked) = (flags.next(), flags.next())
    (terms.isFirst, terms.marksOffers, terms.isDated) = (flags.next(), flags.next(), flags.next())
    if hasCharged {
      let currency = Currency(rawValue: code())
      terms.charged = SignedPrice(amount: price(), currency: currency)
    }
    if hasBooked { terms.booked = price() }
    return terms
  }
}
