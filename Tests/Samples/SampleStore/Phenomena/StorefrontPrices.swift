internal import CivilTime

/// Storefronts of one currency have different prices, and the storefront is often unknown.
///
/// Since December 2022 an owner may set prices for each storefront. Here about two fifths of the
/// storefronts with euro or US dollars have their own prices of a product. Some always had their
/// own prices; most get them on a day after December 6, 2022. Some of these prices are higher, some
/// lower. Every cut applies to existing subscribers in the storefront, and so does every second
/// rise. The catalogue has prices per currency, so it lacks these changes. Most reports and records
/// have no storefront.
///
/// Reports with a storefront show the prices of that storefront. Any report or record with a
/// storefront shows the storefront of the account's rows. The effect of a rise in one storefront on
/// existing subscribers is unknown.
struct StorefrontPrices: Phenomenon {
  var currencies = ["EUR", "USD"]
  /// The number of storefronts that have their own prices of a product, per thousand storefronts.
  var leaving = 400
  /// The number of products per thousand whose prices differ between storefronts.
  var products = 600
  /// The number of storefronts that always had their own prices, per thousand storefronts with
  /// their own prices.
  var always = 350
  /// The number of storefronts with lower prices, per thousand storefronts with their own prices.
  var cheaper = 600
  /// The numbers of reports and of records with a storefront, each per thousand.
  var named = (reports: 450, records: 300)

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.reporting.namesStorefront = named.reports
    world.reporting.recordNamesStorefront = named.records
    let december: Int64 = 1_670_284_800_000  // 2022-12-06T00:00:00Z
    let firstDay = max(0, Int((december - world.start) / BillingClock.day))
    for currency in currencies {
      let members = world.storefronts(in: currency)
      for product in world.products.indices where random.happens(perMille: products) {
        guard world.claim(product, currency) else { continue }
        // The largest storefront has the common price.
        for storefront in members.dropFirst() where random.happens(perMille: leaving) {
          let isCheaper = random.happens(perMille: cheaper)
          let percent = isCheaper ? random.within(60...88) : random.within(112...140)
          let isOld = random.happens(perMille: always) || firstDay >= world.days * 9 / 10
          let day = random.within(firstDay...max(firstDay, world.days * 8 / 10))
          world.prices.scale(
            product, storefront, from: isOld ? .min : world.start + Int64(day) * BillingClock.day,
            percent: Int64(percent), random.happens(perMille: 500) ? .moved : .preserved,
            withOffers: true)
        }
      }
    }
  }
}
