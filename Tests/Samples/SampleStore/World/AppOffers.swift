/// All offers of the app, with their changes over time.
struct AppOffers: Sendable {
  /// The introductory offer from a moment on; `offer` is `nil` if there is none from then on.
  struct Era: Hashable, Sendable {
    /// The beginning in Unix milliseconds; `Int64.min` for the first offer.
    var from: Int64
    var offer: WorldOffer?
  }

  /// The promotional offers of each product before any change; StoreKit lists them in `discounts`.
  private(set) var promotional: [[WorldOffer]]
  /// Offer codes of each product, which StoreKit does not list.
  var codes: [[WorldOffer]]
  /// Win-back offers of each product, which StoreKit 1 does not list.
  var winBacks: [[WorldOffer]]
  /// The identifiers of the offers with a price in the catalogue.
  var catalogued: Set<String> = []
  /// The price changes of promotional offers, keyed by the offer's identifier.
  ///
  /// A change has its time, and the new price in percent of the regular price.
  private(set) var repriced: [String: (from: Int64, percent: Int64)] = [:]
  private var introductory: [[Era]]
  private let storefronts: Int

  /// Creates the offers of an app from lists, each with one element per product.
  ///
  /// `introductory` has the offers of each product in each storefront.
  init(
    introductory: [[WorldOffer?]], promotional: [[WorldOffer]], codes: [[WorldOffer]],
    catalogued: Set<String>, storefronts: Int
  ) {
    self.introductory = introductory.joined().map { [Era(from: .min, offer: $0)] }
    self.promotional = promotional
    self.codes = codes
    self.catalogued = catalogued
    self.storefronts = storefronts
    winBacks = Array(repeating: [], count: promotional.count)
  }

  /// Draws the offers of an app.
  ///
  /// Each plan has one introductory offer in most storefronts, and another or no offer in some
  /// storefronts. Each plan also has promotional offers, offer codes and a win-back offer.
  init(_ products: [WorldProduct], storefronts: Int, _ random: inout SampleRandom) {
    self.storefronts = storefronts
    introductory = []
    promotional = []
    codes = []
    winBacks = []
    append(products, &random)
  }

  /// Draws and adds the offers of additional products.
  mutating func append(_ products: [WorldProduct], _ random: inout SampleRandom) {
    let first = codes.count
    for product in products {
      guard product.isSubscription else {
        introductory += Array(repeating: [Era(from: .min)], count: storefronts)
        promotional.append([])
        codes.append([])
        winBacks.append([])
        continue
      }
      let usual = Self.introduction(of: product, &random)
      for _ in 0..<storefronts {
        let offer =
          random.happens(perMille: 250) ? Self.introduction(of: product, &random) : usual
        introductory.append([Era(from: .min, offer: offer)])
      }
      promotional.append(Self.promotions(of: product))
      codes.append(Self.codes(of: product))
      winBacks.append([.upFront(product.periodText, percent: 40, product.id + ".back40")])
    }
    for offer in (codes[first...] + winBacks[first...]).joined() where random.happens(perMille: 600)
    {
      catalogued.insert(offer.identifier)
    }
  }

  /// Returns the introductory offers of a product in a storefront over time, oldest first.
  func eras(_ product: Int, _ storefront: Int) -> [Era] {
    introductory[product * storefronts + storefront]
  }

  /// The introductory offer in force at a moment.
  func introduction(_ product: Int, _ storefront: Int, at moment: Int64) -> WorldOffer? {
    eras(product, storefront).last { $0.from <= moment }?.offer
  }

  /// Replaces a product's introductory offer in a storefront from a moment on.
  ///
  /// `nil` ends the offer. Changes that were planned after the moment are removed.
  mutating func introduce(
    _ offer: WorldOffer?, _ product: Int, _ storefront: Int, from moment: Int64
  ) {
    let index = product * storefronts + storefront
    introductory[index].removeAll { $0.from >= moment }
    introductory[index].append(Era(from: moment, offer: offer))
  }

  /// The promotional offers of a product, with their prices at a moment.
  func promotions(_ product: Int, at moment: Int64) -> [WorldOffer] {
    promotional[product].map { offer in
      guard let change = repriced[offer.identifier], change.from <= moment else { return offer }
      var offer = offer
      offer.percent = change.percent
      return offer
    }
  }

  /// Changes the price of a promotional offer from a moment on.
  ///
  /// Customers who have redeemed the offer before that moment keep the old price.
  mutating func reprice(_ identifier: String, from moment: Int64, percent: Int64) {
    repriced[identifier] = (moment, percent)
  }

  /// Draws an introductory offer of a plan; returns `nil` for one plan in six.
  static func introduction(of product: WorldProduct, _ random: inout SampleRandom) -> WorldOffer? {
    let isLong = product.periodText == "P1Y"
    switch random.below(12) {
    case 0, 1: return nil
    case 2...6: return .free(["P3D", "P1W", "P2W", "P1M"][random.below(4)])
    case 7, 8:
      return .reduced(
        product, times: isLong ? 1 : random.within(1...4), percent: [10, 30, 50][random.below(3)])
    case 9, 10:
      let times = isLong ? 1 : random.within(2...4)
      return .upFront(
        product.length(ofPeriods: times), percent: Int64(times) * [50, 60, 70][random.below(3)])
    default: return .upFront(product.periodText, percent: 25)
    }
  }

  private static func promotions(of product: WorldProduct) -> [WorldOffer] {
    let isLong = product.periodText == "P1Y"
    return [
      .reduced(product, times: isLong ? 1 : 3, percent: 50, product.id + ".half"),
      .upFront(
        product.length(ofPeriods: isLong ? 1 : 2), percent: isLong ? 75 : 130,
        product.id + ".bundle"),
      .free(isLong ? "P1M" : product.periodText, product.id + ".gift"),
    ]
  }

  private static func codes(of product: WorldProduct) -> [WorldOffer] {
    let isLong = product.periodText == "P1Y"
    return [
      .reduced(product, times: isLong ? 1 : 2, percent: 80, "PODCAST \(product.id)"),
      .upFront(
        product.length(ofPeriods: isLong ? 1 : 3), percent: isLong ? 70 : 150,
        "FAIR \(product.id)"),
      .free(isLong ? "P1Y" : "P1M", "FRIENDS \(product.id)"),
    ]
  }

  /// Derives Apple's id of an offer code from the developer's reference name.
  static func codeID(_ referenceName: String) -> String {
    var seed: UInt64 = 14_695_981_039_346_656_037
    for byte in referenceName.utf8 { seed = (seed ^ UInt64(byte)) &* 1_099_511_628_211 }
    var random = SampleRandom(seed: seed, stream: 0)
    let digits = (0..<32).map { _ in Array("0123456789abcdef")[random.below(16)] }
    return [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }
}
