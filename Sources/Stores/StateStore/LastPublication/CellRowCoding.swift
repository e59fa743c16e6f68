internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel

/// Encodes a chain's revenue rows, each with its cell of Apple's reports, for table `cell_row`.
extension BodyWriter {
  mutating func cellRows(_ rows: [CellRow]) {
    number(rows.count)
    for row in rows {
      let cell = row.cell
      var name: OfferID?
      if case .named(let id) = cell.offer { name = id }
      flags(Flags(cell.storefront != nil, cell.offer == .introductory, name != nil))
      signed(cell.day.daysSinceEpoch)
      symbol(cell.productID.symbol)
      number(UInt64(cell.currency.rawValue))
      if let storefront = cell.storefront { number(UInt64(storefront.rawValue)) }
      if let name { symbol(name.symbol) }
      signed(row.units)
    }
  }
}

extension BodyReader {
  mutating func cellRows(in symbols: StoredSymbols) -> [CellRow] {
    (0..<count()).map { _ in
      var flags = flags()
      let (hasStorefront, isIntroductory, isNamed) = (flags.next(), flags.next(), flags.next())
      let day = CivilDay(daysSinceEpoch: signed())
      let product = ProductID(symbol(in: symbols))
      let currency = Currency(rawValue: code())
      let storefront = hasStorefront ? Storefront(rawValue: code()) : nil
      let name = isNamed ? OfferID(symbol(in: symbols)) : nil
      let offer: SalesReportTotals.Offer =
        name.map { .named($0) } ?? (isIntroductory ? .introductory : .none)
      return CellRow(
        SalesReportTotals.Cell(
          day: day, productID: product, storefront: storefront, currency: currency, offer: offer),
        units: signed())
    }
  }
}
