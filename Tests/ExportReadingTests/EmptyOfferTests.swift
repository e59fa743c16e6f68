internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// The values that exporting programs write for a product without an offer.
struct EmptyOfferTests {
  @Test(arguments: [
    #""introductoryPrice":"""#, #""introductory_price":{}"#, #""introductory_price":[]"#,
    #""introductory_price":null"#,
    #""introductoryPrice":{"price":null,"paymentMode":"","numberOfPeriods":"","type":0}"#,
    #""discounts":"""#, #""discounts":{ }"#, #""discounts":[ ]"#, #""offers":null"#,
  ])
  func `nothing is no offer`(field: String) throws {
    let content = try prices(report(more: field))
    #expect(content.rejects.isEmpty)
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
    #expect(content.set.offers.isEmpty)
  }

  @Test(arguments: [
    #""introductory_price":{"price":0,"payment_mode":0,"number_of_periods":1}"#,
    #""introductory_price":{"price":"1","payment_mode":2}"#,
    #""introductory_price":{"price":1,"payment_mode":1,"number_of_periods":0}"#,
    #""introductory_price":0,"payment_mode":0"#,
    #""discounts":[{"identifier":"a","price":"0.00","payment_mode":"pay_up_front"}]"#,
  ])
  func `an offer that contradicts itself is left out of its report`(field: String) throws {
    let content = try prices(report(more: field))
    #expect(content.rejects.isEmpty)
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
    #expect(content.set.offers.isEmpty)
    #expect(content.notices.undecidedOffers == 1)
  }

  @Test(arguments: [
    (#""introductoryPrice":"$0.99""#, "price_not_a_decimal introductory_price"),
    (#""introductoryPrice":"0.99""#, "price_invalid_offer payment_mode"),
    (#""introductoryPrice":[1]"#, "wrong_type introductory_price"),
    (#""introductoryPrice":{"paymentMode":0}"#, "price_invalid_offer introductory_price.price"),
    (#""discounts":[{}]"#, "price_invalid_offer discounts.identifier"),
    (#""discounts":{"0":{}}"#, "wrong_type discounts"),
  ])
  func `half an offer is none, and is named`(field: String, reject: String) throws {
    let content = try prices(report(more: field))
    #expect(content.set.reports.isEmpty)
    #expect(content.rejects.map { "\($0.reason.rawValue) \($0.detail)" } == [reject])
  }
}
