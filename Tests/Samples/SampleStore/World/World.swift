internal import CivilTime
internal import PurchaseModel

/// The world of a store: everything that all its customers have in common.
///
/// It has Apple's price lists, the owner's catalogue, and the default behavior of customers and
/// phones. In a store with phenomena, the app, its prices and the days of changes depend on the
/// seed, so that the pipeline's rules cannot be fitted to a single app. An ordinary store has the
/// fixed world of the sample app.
struct World: Sendable {
  /// The seed of all random choices.
  let seed: UInt64
  /// The first moment of the exports, midnight UTC, in Unix milliseconds.
  let start: Int64
  /// The moment after the last day of the exports, in Unix milliseconds.
  let end: Int64
  /// The number of days of the exports.
  let days: Int
  /// The first possible moment of a purchase; before ``start`` if customers subscribed before the
  /// exports.
  var earliestPurchase: Int64
  var storefronts: [WorldStorefront]
  private(set) var products: [WorldProduct]
  /// The bundle ids of the owner's apps.
  private(set) var apps = [World.bundle]
  var prices: PriceLists
  var offers: AppOffers
  var habits = Habits()
  var reporting = Reporting()
  /// The outages: the time of each outage, and the number of days that Apple adds afterwards.
  ///
  /// The days are added to each paid subscription period that is running at that time.
  var outages: [(at: Int64, days: Int)] = []
  /// The periods in which promo codes can be redeemed.
  var promoCodes: [PromoCodeTime] = []
  /// Whether the catalogue has the periods of promo codes.
  var arePromoCodesListed = true
  /// The catalogue's lines for currencies that dropped zeros.
  var rebasedLines: [String] = []
  /// The number of the store's customers.
  var customers = 0
  /// The yearly plans that are also sold by the month, keyed by their positions in ``products``.
  var commitments: [Int: Commitment] = [:]
  /// The products that were replaced by a product with another id, keyed by their positions.
  private(set) var successors: [Int: Successor] = [:]
  /// The currencies of the list prices that the catalogue has, keyed by the product's position.
  var listedPrices: [Int: [WorldCurrency]] = [:]
  /// The comment at the beginning of the catalogue.
  var catalogueHead = "# What App Store Connect knows about the app and a receipt does not.\n"
  /// The text at the end of the catalogue.
  var catalogueEnd = ""
  /// The exchange rates of the store.
  var quotes = RateQuote.constant
  /// The forms in which the exports have charges.
  var chargeForms: [ChargeForm] = []
  /// Pairs of a product id and a currency that a phenomenon has reserved for its price changes.
  private var claimed: Set<[String]> = []

  /// The bundle id of the app.
  static let bundle = "app.paidline.sample"

  /// Draws a world with the first prices and without price changes.
  init(seed: UInt64, firstDay: CivilDay, days: Int) {
    var random = SampleRandom(seed: seed, stream: 1 << 49)
    let storefronts = WorldStorefront.all
    let products = WorldProduct.draw(&random)
    self.init(
      seed: seed, firstDay: firstDay, days: days, storefronts, products,
      PriceLists(products, storefronts),
      AppOffers(products, storefronts: storefronts.count, &random))
  }

  /// Creates a world from its app and its prices.
  init(
    seed: UInt64, firstDay: CivilDay, days: Int, _ storefronts: [WorldStorefront],
    _ products: [WorldProduct], _ prices: PriceLists, _ offers: AppOffers
  ) {
    self.seed = seed
    start = firstDay.start.milliseconds
    end = firstDay.advanced(by: Int64(days)).start.milliseconds
    self.days = days
    earliestPurchase = start
    self.storefronts = storefronts
    self.products = products
    self.prices = prices
    self.offers = offers
  }

  /// Midnight UTC at a percentage of the store's days: 50 of 900 days → the start of day 450.
  func midnight(perCent: Int) -> Int64 {
    start + Int64(days * perCent / 100) * BillingClock.day
  }

  /// The positions of the storefronts whose currency at the beginning of the store is `currency`.
  func storefronts(in currency: String) -> [Int] {
    storefronts.indices.filter { storefronts[$0].currency.code == currency }
  }

  /// The positions of the subscription plans.
  var plans: [Int] { products.indices.filter { products[$0].isSubscription } }

  /// The positions of an app's plans.
  func plans(ofApp app: Int) -> [Int] { plans.filter { products[$0].app == app } }

  /// Adds an app whose products have the same ids as the first app's, but other prices.
  mutating func addApp(_ bundle: String, _ random: inout SampleRandom) {
    apps.append(bundle)
    let copies = products.filter { $0.app == 0 }.map { product in
      var copy = product
      copy.app = apps.count - 1
      copy.group = product.group.map { "\($0)\(apps.count)" }
      let dollars = product.dollars * Int64([55, 70, 140, 180][random.below(4)]) / 100
      copy.dollars = dollars / 1000 * 1000 + 990
      return copy
    }
    products += copies
    prices.append(copies, storefronts)
    offers.append(copies, &random)
  }

  /// Replaces a product by a copy with another id and price, from a moment on.
  mutating func replace(
    _ product: Int, by id: String, from moment: Int64, percent: Int64, _ random: inout SampleRandom
  ) {
    var copy = products[product]
    copy.id = id
    copy.dollars = copy.dollars * percent / 100 / 1000 * 1000 + 990
    copy.weight = 0  // Customers buy it where they would have bought the old product.
    successors[product] = Successor(product: products.count, from: moment)
    products.append(copy)
    prices.append([copy], storefronts)
    offers.append([copy], &random)
  }

  /// The product that is sold at a moment: of a replaced product and its successor, one of the two.
  func sold(_ product: Int, at moment: Int64) -> Int {
    if let next = successors[product] { return next.from <= moment ? next.product : product }
    let former = successors.first { $0.value.product == product }
    return former.map { moment < $0.value.from ? $0.key : product } ?? product
  }

  /// Sets the weight with which a product's purchases are drawn.
  mutating func weigh(_ product: Int, _ weight: Int) { products[product].weight = weight }

  /// Whether a promo code for a product may be redeemed at a moment.
  func hasPromoCodes(_ product: Int, at moment: Int64) -> Bool {
    promoCodes.contains { $0.product == product && $0.from <= moment && moment < $0.to }
  }

  /// Reserves a product and currency for a phenomenon's changes.
  ///
  /// Returns false if they are already reserved.
  mutating func claim(_ product: Int, _ currency: String) -> Bool {
    claimed.insert([products[product].id, currency]).inserted
  }

  /// Changes a product's price from a moment on, in all storefronts that then have the currency.
  mutating func change(
    _ product: Int, _ currency: String, from moment: Int64, percent: Int64,
    _ effect: PriceStep.Effect, isCatalogued: Bool
  ) {
    for storefront in storefronts.indices
    where prices.step(product, storefront, at: moment).currency.code == currency {
      prices.scale(
        product, storefront, from: moment, percent: percent, effect, isCatalogued: isCatalogued)
    }
  }

  /// Changes the price of one random plan in each currency.
  ///
  /// A currency is left out if a phenomenon has reserved the drawn plan in this currency.
  ///
  /// - Parameters:
  ///   - currencies: One currency per change; a currency may occur several times.
  mutating func changePlans(
    in currencies: [String], within days: ClosedRange<Int>, percent: ClosedRange<Int>,
    _ effect: PriceStep.Effect, isCatalogued: Bool, _ random: inout SampleRandom
  ) {
    for currency in currencies {
      let plan = plans[random.below(plans.count)]
      guard claim(plan, currency) else { continue }
      change(
        plan, currency, from: midnight(perCent: random.within(days)),
        percent: Int64(random.within(percent)), effect, isCatalogued: isCatalogued)
    }
  }

  // MARK: - What a phone shows

  /// The prices that StoreKit displays for a product in a storefront at a moment.
  func displayed(_ product: Int, _ storefront: Int, at moment: Int64) -> DisplayedPrices {
    let step = prices.step(product, storefront, at: moment)
    return DisplayedPrices(
      currency: step.currency, price: step.price,
      introductory: offers.introduction(product, storefront, at: moment).map {
        priced($0, product, storefront, at: moment)
      },
      discounts: offers.promotions(product, at: moment).map {
        priced($0, product, storefront, at: moment)
      })
  }

  /// An offer with its price in a storefront at a moment.
  func priced(_ offer: WorldOffer, _ product: Int, _ storefront: Int, at moment: Int64)
    -> PricedOffer
  {
    priced(offer, by: prices.step(product, storefront, at: moment))
  }

  /// An offer with the price that follows from a price of its product.
  ///
  /// The offer's price is a percentage of ``PriceStep/offerBase``, or of the list price if the list
  /// price is lower. A free offer has the price 0.
  func priced(_ offer: WorldOffer, by step: PriceStep) -> PricedOffer {
    guard offer.mode != .freeTrial else { return PricedOffer(offer: offer, price: 0) }
    let base = min(step.offerBase, step.price)
    return PricedOffer(offer: offer, price: step.currency.price(near: base * offer.percent / 100))
  }
}

/// A product that replaces another from a moment on, in Unix milliseconds.
struct Successor: Sendable {
  var product: Int
  var from: Int64
}

/// A period in which promo codes for a product can be redeemed, in Unix milliseconds.
struct PromoCodeTime: Sendable {
  var product: Int
  var from: Int64
  /// The end of the period, exclusive.
  var to: Int64
}

/// The prices of one product that a phone displays.
struct DisplayedPrices: Hashable, Sendable {
  var currency: WorldCurrency
  /// The regular price of one unit in thousandths.
  var price: Int64
  var introductory: PricedOffer?
  var discounts: [PricedOffer]

  /// Multiplies every price by a fraction.
  mutating func multiply(by factor: Int64, over divisor: Int64 = 1) {
    map { $0 * factor / divisor }
  }

  /// Replaces every price, also those of offers.
  mutating func map(_ change: (Int64) -> Int64) {
    price = change(price)
    if let offer = introductory { introductory?.price = change(offer.price) }
    for index in discounts.indices { discounts[index].price = change(discounts[index].price) }
  }
}
