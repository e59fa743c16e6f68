internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel

/// A chain's revenue row with its cell of Apple's reports, for table `cell_row`.
extension CellRow: BodyValue {
  static var blank: CellRow {
    CellRow(
      SalesReportTotals.Cell(
        day: CivilDay(daysSinceEpoch: 0), productID: .blank, storefront: nil, currency: .blank,
        offer: .none), units: 0)
  }

  mutating func coded(by coder: inout some BodyCoder) {
    var name: OfferID?
    if case .named(let id) = cell.offer { name = id }
    let flags = coder.flags(
      Flags(cell.storefront != nil, cell.offer == .introductory, name != nil))
    var day = cell.day.daysSinceEpoch
    coder.code(&day)
    cell.day = CivilDay(daysSinceEpoch: day)
    coder.code(&cell.productID)
    coder.code(&cell.currency)
    coder.code(&cell.storefront, if: flags[0])
    coder.code(&name, if: flags[2])
    cell.offer = name.map { .named($0) } ?? (flags[1] ? .introductory : .none)
    coder.code(&units)
  }
}
