/// The behaviour of customers in the hard world, in numbers of a thousand; phenomena change it.
struct Habits: Sendable {
  /// At the end of a paid period the customer turns renewal off; of a week, half as often.
  var leaves = 50
  /// At the end of a free offer the customer turns renewal off.
  var leavesFree = 330
  /// The card is declined.
  var declined = 35
  /// Another plan of the group.
  var changes = 18
  /// An offer to somebody who subscribes, beginning with the next period.
  var promotions = 20
  /// An offer code, redeemed by somebody who subscribes.
  var codes = 3
  /// A new subscriber brings an offer code.
  var codesAtStart = 90
  /// Somebody who left comes back.
  var comesBack = 320
  /// Returns that use an offer.
  var comesBackWithOffer = 380
  /// Of those, with a win-back offer, which no phone lists.
  var winBacks = 150
  /// A paid period is extended.
  var extended = 0
  /// The declined card is paid within the grace period.
  var recoversSoon = 600
  /// The number in a thousand who give consent to a price rise.
  var agrees = 800
  /// The number in a thousand of them with a snapshot between consent and renewal.
  var isSeenAgreeing = 650
  /// A customer moves to another country.
  var moves = 0
  /// Of those who moved, again.
  var movesAgain = 200
  /// A customer whose subscription began before the exports.
  var older = 0
  /// A customer whose responses show only the newest rows.
  var cutOff = 0
  var refunds = 14
  /// The number in a thousand whose first purchase, while promo codes exist, uses a code.
  var promoCodes = 0
  /// Somebody who upgraded gets the money for the new plan back, and leaves.
  var regretsUpgrade = 0
  /// A row left by an upgrade bears a date of cancellation too.
  var upgradeIsCancelled = 0
  /// The weights of 0, 1, 2 and so on questions of the server about a customer between purchases.
  var looks = [55, 30, 15]
}

/// The data that phones and servers send, in numbers of a thousand; phenomena change it.
struct Reporting: Sendable {
  /// A customer's app reports prices at all.
  var phones = 850
  /// It reports when something is bought in it.
  var purchases = 900
  /// The report names the transaction.
  var namesPurchase = 925
  /// The report names the storefront.
  var namesStorefront = 880
  /// The record around a response names the storefront.
  var recordNamesStorefront = 600
  /// The receipt is sent when something is bought.
  var receipts = 930
  /// The weights of 0, 1, 2 and so on views of the price list between purchases.
  var visits = [15, 20, 25, 20, 12, 8]
}
