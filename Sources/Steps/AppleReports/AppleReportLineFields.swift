internal import CivilTime
package import PurchaseModel

extension AppleReport: FieldText {
  package static var expected: String { "one of Apple's reports" }
  package var fieldText: String { rawValue }
  package static func value(ofField text: String) -> AppleReport? { AppleReport(rawValue: text) }
}

extension FieldCoder {
  package mutating func code(_ name: String, _ offer: inout AppleOffer) throws(Failure) {
    var text = offer.text
    try code(name, &text)
    offer = AppleOffer(text: text)
  }
}

extension AppleReportLine {
  /// Reads a line.
  package init<Coder: FieldCoder>(from coder: inout Coder) throws(Coder.Failure) {
    self.init(
      line: 0, report: .sales, day: CivilDay(daysSinceEpoch: 0),
      storefront: Storefront(rawValue: 0),
      units: 0)
    try coded(by: &coder)
  }

  /// Codes all fields, in the order of the columns of `apple_report_line`.
  package mutating func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) {
    var number = Int64(line)
    try coder.code("source_line", &number)
    line = Int(number)
    try coder.code("report", &report)
    try coder.code("event_date", &day)
    try coder.code("product_id", &productID)
    try coder.code("apple_id", &appleID)
    try coder.code("storefront", &storefront)
    try coder.code("currency", &currency)
    try coder.code("units", &units)
    try coder.code("unit_price_milli", &unitPrice)
    try coder.code("amount_milli", &amount)
    try coder.code("offer", &offer)
    try coder.code("is_renewal", &isRenewal)
    try coder.code("is_refund", &isRefund)
    try coder.code("is_preserved", &isPreserved)
    try coder.code("purchase_date", &purchaseDay)
    try coder.code("subscriber", &subscriber)
    try coder.code("app", &app)
    try coder.code("proceeds_milli", &proceeds)
    try coder.code("proceeds_currency", &proceedsCurrency)
    try coder.code("event", &event)
    try coder.code("settled_date", &settledOn)
    try coder.code("is_carried_over", &isSettledLater)
  }
}
