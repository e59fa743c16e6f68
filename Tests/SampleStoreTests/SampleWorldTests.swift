internal import CivilTime
internal import Testing

@testable internal import SampleStore

/// The fixed world of the sample app, and its catalogue.
struct SampleWorldTests {
  private let world = World.sample(
    seed: 1, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 365)

  @Test func `the catalogue names what it should and keeps the rest to itself`() {
    let text = world.catalogueText()
    // 35 percent of 365 days is day 127, May 8; 45 percent is day 164, June 14.
    #expect(text.contains("{currency: USD, from: 2021-05-08, existing_subscribers: preserved}"))
    #expect(text.contains("{currency: EUR, from: 2021-06-14, existing_subscribers: moved}"))
    // 80 percent of 1,200 is 960; the price point below is 950.
    #expect(text.contains("{kind: offer_code, identifier: SPRING21, currency: JPY, price: \"950\""))
    #expect(
      text.contains("identifier: winback_year, name: \"Welcome back, a year for 60 %\", currency"))
    #expect(text.contains("{currency: PLN, price: \"59.99\", from: 2020-01-01}"))
    #expect(!text.contains("identifier: PODCAST"))
  }

  @Test func `prices change once, at midnight, and by less than a factor of three`() {
    var changes = 0
    for product in world.products.indices {
      for storefront in world.storefronts.indices {
        let steps = world.prices.steps(product, storefront)
        #expect(steps.count <= 2)
        guard steps.count == 2 else { continue }
        changes += 1
        #expect(steps[1].at % BillingClock.day == 0)
        #expect(steps[1].price * 3 > steps[0].price && steps[0].price * 3 > steps[1].price)
      }
    }
    #expect(changes == 7, "six changes, one of them in two storefronts")
  }

  @Test func `every price is one that its currency can write`() {
    for product in world.products.indices {
      for storefront in world.storefronts.indices {
        let displayed = world.displayed(product, storefront, at: world.start)
        let unit: [Int64] = [1000, 100, 10, 1]
        let offers = [displayed.introductory].compactMap(\.self) + displayed.discounts
        for price in offers.map(\.price) + [displayed.price] {
          #expect(price % unit[displayed.currency.decimals] == 0, "\(product) \(price)")
        }
      }
    }
  }
}
