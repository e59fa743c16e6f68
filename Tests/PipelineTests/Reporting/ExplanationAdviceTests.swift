internal import Amounts
internal import CivilTime
internal import PaidAmounts
@testable internal import Pipeline
internal import Purchases
internal import Testing

struct ExplanationAdviceTests {
  @Test(arguments: [
    ("unresolved", PeriodKind.regular, nil, "a price report that names this transaction or, with"),
    ("unresolved", .regular, "USD", "a price report of pro in USD from about 2021-05-08, or its"),
    ("unresolved", .oneTime, "USD", "a price report of pro in USD from about 2021-05-08, or its"),
    ("unresolved", .intro, "EUR", "a price report of pro in EUR with its introductory_price from"),
    ("unresolved", .promo, "EUR", "a price report that names this transaction and the offer, or"),
    ("previous_renewal", .regular, "USD", "a price report that names this transaction, or price_"),
  ])
  func `what would tell an amount follows from what the row lacks`(
    rule: String, kind: PeriodKind, currency: String?, advice: String
  ) throws {
    let text = ExplanationAdvice.text(
      rule: try #require(PriceRule(rawValue: rule)), kind: kind, product: "pro",
      currency: currency.flatMap { Currency($0) },
      day: try #require(CivilDay(text: "2021-05-08")))
    #expect(text.hasPrefix(advice), "\(text)")
  }
}
