internal import CivilTime
internal import Testing

@testable internal import SampleStore

struct CatalogueTextTests {
  private let plan = StorePlan(firstDay: CivilDay(daysSinceEpoch: 18_628), days: 365)

  @Test func `the catalogue names what it should and keeps the rest to itself`() {
    let text = plan.catalogueText()
    // 35 percent of 365 days is day 127, May 8; 45 percent is day 164, June 14.
    #expect(text.contains("{currency: USD, from: 2021-05-08, existing_subscribers: preserved}"))
    #expect(text.contains("{currency: EUR, from: 2021-06-14, existing_subscribers: moved}"))
    #expect(text.contains("{kind: offer_code, identifier: SPRING21, currency: JPY, price: \"960\""))
    #expect(
      text.contains("identifier: winback_year, name: \"Welcome back, a year for 60 %\", currency"))
    #expect(text.contains("{currency: PLN, price: \"59.99\", from: 2020-01-01}"))
    #expect(!text.contains("identifier: PODCAST"))
  }

  @Test func `prices change once, at midnight, and by less than a factor of three`() {
    for step in plan.steps {
      let old = step.product.basePrice(step.currency)
      #expect(step.at % BillingClock.day == 0)
      #expect(plan.listPrice(step.product, step.currency, at: step.at - 1) == old)
      #expect(plan.listPrice(step.product, step.currency, at: step.at) == step.price)
      #expect(step.price * 3 > old && old * 3 > step.price)
    }
  }

  @Test func `every price is one that its currency can write`() {
    for product in SampleProduct.allCases {
      for currency in SampleCurrency.allCases {
        let offers = product.promotionalOffers(currency) + product.offerCodes(currency)
        for price in offers.map(\.price) + [product.basePrice(currency)] {
          #expect(price % currency.step == 0, "\(product.id) \(currency.code) \(price)")
        }
      }
      for market in SampleMarket.allCases {
        let price = product.introductoryOffer(in: market)?.price ?? 0
        #expect(price % market.currency.step == 0, "\(product.id) \(market.storefront) \(price)")
      }
    }
  }
}
