/// The behaviour of customers in a hard store, in numbers per thousand; phenomena change it.
struct Habits: Sendable {
  /// Customers who turn off renewal at the end of a paid period; half of this number if the period
  /// is a week.
  var leaves = 50
  /// Customers who turn off renewal at the end of a free offer.
  var leavesFree = 330
  /// Renewals with a declined card.
  var declined = 35
  /// Renewals with a change to another plan of the group.
  var changes = 18
  /// Renewals that use a promotional offer for subscribers, which begins with the next period.
  var promotions = 20
  /// Renewals with an offer code for subscribers.
  var codes = 3
  /// New subscribers with an offer code.
  var codesAtStart = 90
  /// The number of customers who come back after a lapse, per thousand customers who left.
  var comesBack = 320
  /// The number of returns that use an offer, per thousand returns.
  var comesBackWithOffer = 380
  /// The number of returns that use a win-back offer, per thousand returns with an offer.
  var winBacks = 150
  /// Paid periods that are extended.
  var extended = 0
  /// The number of payments within the grace period, per thousand declined cards.
  var recoversSoon = 600
  /// Customers who give consent to a price rise.
  var agrees = 800
  /// The number of customers whose consent a response shows before the renewal, per thousand
  /// customers who give consent.
  var isSeenAgreeing = 650
  /// Customers who move to another country.
  var moves = 0
  /// The number of customers who move again, per thousand customers who have moved.
  var movesAgain = 200
  /// Customers whose subscription began before the exports.
  var older = 0
  /// Customers whose responses have only the newest rows.
  var cutOff = 0
  var refunds = 14
  /// The number of first purchases that use a promo code, per thousand first purchases while codes
  /// exist.
  var promoCodes = 0
  /// The number of customers per thousand who upgrade, get a refund for the new plan, and leave.
  var regretsUpgrade = 0
  /// The number of upgraded rows per thousand that also have a cancellation date.
  var upgradeIsCancelled = 0
  /// The weights of 0, 1 and 2 server requests for a customer's receipt between purchases.
  var priceViews = [55, 30, 15]
}

/// The data that phones and servers send, in numbers per thousand; phenomena change them.
struct Reporting: Sendable {
  /// Customers whose app reports prices.
  var phones = 850
  /// Purchases in the app whose price it reports.
  var purchases = 900
  /// Reports with the transaction id.
  var namesPurchase = 925
  /// Reports with the storefront.
  var namesStorefront = 880
  /// Response records with the storefront.
  var recordNamesStorefront = 600
  /// Purchases whose receipt is sent at once.
  var receipts = 930
  /// The weights of 0, 1, 2 and more views of the price list between purchases.
  var visits = [15, 20, 25, 20, 12, 8]
}
