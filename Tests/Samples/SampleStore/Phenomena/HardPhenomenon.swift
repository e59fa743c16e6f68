/// A difficulty of real stores that the ordinary ``SampleStore`` does not have.
///
/// Each phenomenon is a file in `Phenomena`, which describes the events and their traces in the
/// exports. Phenomena can be combined: `movers,late-reports` is a store with both.
public enum HardPhenomenon: String, CaseIterable, Sendable {
  /// Storefronts of one currency have different prices.
  case storefrontPrices = "storefront-prices"
  /// Customers move to another country while a subscription runs.
  case movers
  /// A storefront changes its currency, on a day that only customers' reports show.
  case currencySwitch = "currency-switch"
  /// Reports wait for weeks, clocks are wrong, and reports arrive twice.
  case lateReports = "late-reports"
  /// Customers have no ids, changing ids, or one common id.
  case anonymous
  /// Versions of the app send wrong reports for two weeks.
  case appBug = "app-bug"
  /// Renewal dates are extended, cards are declined, and responses lack old rows.
  case extensions
  /// Prices rise two or three times: with consent, with notice, or for new subscribers only.
  case consent
  /// Prices fall for two weeks and return to the old level.
  case sales
  /// A fifth of the phones report half the price.
  case adversarial
  /// Customers get offers of all kinds, one after another.
  case offers
  /// Only one customer in twenty reports prices.
  case sparse

  /// Two apps have products with the same ids.
  case severalApps = "several-apps"
  /// Two people with Apple accounts in different countries use one phone.
  case sharedDevices = "shared-devices"
  /// An SDK sends the regular price instead of the introductory price.
  case sdkIntroductory = "sdk-introductory"
  /// An SDK sends prices in US dollars, but with the currency code of the storefront.
  case sdkDollars = "sdk-dollars"
  /// An SDK sends prices as 32-bit floats.
  case sdkFloats = "sdk-floats"
  /// An SDK sends the price of one month for yearly and quarterly plans.
  case sdkMonths = "sdk-months"
  /// An SDK sends the charge for the whole quantity as the price.
  case sdkQuantities = "sdk-quantities"
  /// Promo codes are used instead of payments, and the receipt does not show them.
  ///
  /// The catalogue has the days of the codes.
  case promoCodes = "promo-codes"
  /// The app tests prices: half of the phones report the price of another product or another offer.
  case priceTests = "price-tests"
  /// Apple changes the prices of a storefront because a tax changed there.
  case taxChanges = "tax-changes"
  /// A currency drops two zeros and keeps its code; the catalogue has the day.
  case currencyReform = "currency-reform"
  /// Some weeks of the exports are lost.
  case lostWeeks = "lost-weeks"
  /// Children need approval before they buy, and many purchases are never reported.
  case askToBuy = "ask-to-buy"
  /// Phones send local times marked as UTC, or dates in another calendar.
  case oddDates = "odd-dates"
  /// Customers upgrade, and Apple refunds the new plan.
  case upgradeRefunds = "upgrade-refunds"
  /// The store has forty customers in twenty-five countries.
  case smallShop = "small-shop"
  /// An app reports every transaction that the payment queue delivers, not only new purchases.
  case replayedPurchases = "replayed-purchases"
  /// An app drops the comma from prices.
  case commaPrices = "comma-prices"
  /// People switch to an account of another country, and the app shows prices from its cache.
  case accountSwitch = "account-switch"
  /// Promo codes are used instead of payments, and the catalogue lacks their days.
  case promoCodesUnlisted = "promo-codes-unlisted"
  /// A currency drops two zeros, and the catalogue lacks the day.
  case currencyReformUnlisted = "currency-reform-unlisted"

  /// A yearly plan is also sold by the month, for twelve months at least.
  case commitment
  /// Reports are kept in a table with one row per customer and product; later sessions overwrite
  /// the price.
  case upsertReports = "upsert-reports"
  /// An app cuts prices at their first comma: 12,99 becomes 12, and ¥1,550 becomes 1.
  case parseFloat = "parse-float"
  /// Most customers also send reports of another store, with other prices.
  case otherStore = "other-store"
  /// Reports of StoreKit's test files are merged into the export.
  case testFiles = "test-files"
  /// Products get a new id, and reports name the old id for the new, or the new for the old.
  case renamedProducts = "renamed-products"
  /// The owner's export has Apple's decoded transactions for some charges.
  case decoded
  /// The owner's export has a table with one row per charge.
  case charges
  /// The owner's export has the events of a service's webhook.
  case webhooks
  /// The storefront in the exports is the country of the customer's IP address.
  case ipCountry = "ip-country"
  /// Phones send introductory offers with the price 0 that are not free.
  case zeroOffers = "zero-offers"
  /// Prices fall to a third in some countries and rise threefold in others, on one day each.
  case regionalPricing = "regional-pricing"
  /// Receipts are passed on, and hundreds of customers upload them.
  case restoreStorm = "restore-storm"
  /// Children need approval before they buy, and prices change without lines in the catalogue.
  case askToBuyUndated = "ask-to-buy-undated"
  /// Two people use one phone; a report and the record of its moment name the same wrong country.
  case sharedMoments = "shared-moments"
  /// Apps name the first transaction of a subscription in every later report.
  case originalIDs = "original-ids"
  /// A server stores prices as whole numbers, so that 9.99 becomes 10.
  case roundedPrices = "rounded-prices"
  /// Apps report the introductory price as the price of the product.
  case paywallPrices = "paywall-prices"
  /// No phone reports prices.
  case silent

  /// The phenomena that the name `all` selects: the first eleven, which come before `sparse`.
  ///
  /// `sparse` removes evidence, so it would hide the effects of the other phenomena.
  private static let all = Set(allCases.prefix { $0 != .sparse })

  /// The phenomena that the name `all-new` selects: from `several-apps` to `account-switch`,
  /// without `small-shop`, which changes the size of the store.
  private static let allNew = Set(
    allCases.drop { $0 != .severalApps }.prefix { $0 != .promoCodesUnlisted }
  ).subtracting([.smallShop])

  /// The phenomena whose stores run with the usual gates: `commitment` and those after it.
  private static let gated = Set(allCases.drop { $0 != .commitment })

  /// Whether the pipeline of a store with this phenomenon has the usual gates for rejected records.
  var hasUsualGates: Bool { Self.gated.contains(self) }

  /// Reads a list such as `movers,late-reports`; `nil` for an unknown name.
  ///
  /// There are three names for groups of phenomena:
  /// - `none`: no phenomenon; the result is a difficult store without a phenomenon.
  /// - `all`: the cases before `sparse`.
  /// - `all-new`: the cases from `several-apps` to `account-switch`, without `small-shop`.
  public static func list(_ text: String) -> [HardPhenomenon]? {
    var found: Set<HardPhenomenon> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch name {
      case "none": continue
      case "all": found.formUnion(all)
      case "all-new": found.formUnion(allNew)
      default:
        guard let phenomenon = HardPhenomenon(rawValue: String(name)) else { return nil }
        found.insert(phenomenon)
      }
    }
    return allCases.filter(found.contains)
  }
}
