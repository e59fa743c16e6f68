/// The frequencies of what a store's customers do, per thousand.
///
/// The difficulties that the store simulates may change these numbers.
struct Habits: Sendable {
  /// The number of customers who turn off renewal, per thousand paid periods.
  ///
  /// For weekly plans, half of this number is used.
  var leaves = 50
  /// The number of customers who turn off renewal, per thousand free periods.
  var leavesFree = 330
  /// The number of renewals with a declined card, per thousand.
  ///
  /// For weekly plans, a third of this number is used.
  var declined = 35
  /// The number of renewals with a change to another plan of the group, per thousand.
  ///
  /// For weekly plans, the number is 3.
  var changes = 18
  /// The number of renewals, per thousand, that use a promotional offer for subscribers.
  ///
  /// For weekly plans, a third of this number is used.
  var promotions = 20
  /// The number of renewals, per thousand, that use an offer code for subscribers.
  var codes = 3
  /// The number of new subscribers with an offer code, per thousand.
  var codesAtStart = 90
  /// The number of customers who come back after a lapse, per thousand customers who left.
  var comesBack = 320
  /// The number of returns that use an offer, per thousand returns.
  var comesBackWithOffer = 380
  /// The number of returns that use a win-back offer, per thousand returns with an offer.
  var winBacks = 150
  /// The number of paid periods that are extended, per thousand.
  var extended = 0
  /// The number of payments within the grace period, per thousand declined cards.
  var recoversSoon = 600
  /// The number of customers who give consent to a price rise, per thousand.
  var agrees = 800
  /// The number of consents that a response shows before the renewal, per thousand consents.
  var isSeenAgreeing = 650
  /// The number of customers who move to another country, per thousand.
  var moves = 0
  /// The number of customers who move again, per thousand customers who have moved.
  var movesAgain = 200
  /// The number of customers per thousand whose subscription began before the exports.
  var older = 0
  /// The number of customers per thousand whose responses have only the newest rows.
  var cutOff = 0
  var refunds = 14
  /// The number of refunds per thousand that Apple reverses later.
  var reversedRefunds = 0
  /// The number of restores on another phone, per thousand non-consumable products.
  var restores = 0
  /// The number of first purchases that use a promo code, per thousand first purchases while codes
  /// exist.
  var promoCodes = 0
  /// The number of upgrades per thousand after which the customer gets a refund and leaves.
  var regretsUpgrade = 0
  /// The number of upgraded rows per thousand that also have a cancellation date.
  var upgradeIsCancelled = 0
  /// The number of subscribers who move to the product that replaced theirs, per thousand renewals.
  var movesToSuccessor = 350
  /// The weights of the numbers of verifyReceipt responses per customer, besides those after
  /// purchases.
  ///
  /// Element `n` is the weight of `n` responses. Example: `[55, 30, 15]` → 55 percent of the
  /// customers have no such response, 15 percent have two. In addition, most customers have one
  /// response in the last 30 days of the store.
  var priceViews = [55, 30, 15]
}

/// The data that phones and servers send, in numbers per thousand; phenomena change these numbers.
struct Reporting: Sendable {
  /// The number of customers per thousand whose app reports prices.
  var phones = 850
  /// The number of purchases per thousand whose price the app reports.
  var purchases = 900
  /// The number of reports per thousand that have the transaction id.
  var namesPurchase = 925
  /// The number of reports per thousand that have the storefront.
  var namesStorefront = 880
  /// The number of response records per thousand that have the storefront.
  var recordNamesStorefront = 600
  /// The number of purchases per thousand whose receipt the app sends immediately.
  var receipts = 930
  /// The weights of the numbers of views of the price list per customer, from 0 to 5 views.
  var visits = [15, 20, 25, 20, 12, 8]
  /// Whether some lines of the exports occur twice, are cut, or have an error of Apple.
  var hasBrokenLines = false
}
