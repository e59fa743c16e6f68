/// One transaction of a store whose owner has only a hosted service's export.
struct ServiceSale: Sendable {
  /// What a customer of the store buys.
  enum Kind: String, Sendable {
    case trial, intro, regular
    case oneTime = "one_time"
  }

  var customer: Int
  var transaction: Int64
  var original: Int64
  /// The number of the transaction in its chain, from 1.
  var number: Int
  var product: ServiceProduct
  var kind: Kind
  /// Unix milliseconds.
  var startsAt: Int64
  /// Unix milliseconds; `nil` for a one-time purchase.
  var endsAt: Int64?
  var country: ServiceCountry
  /// The amount that the customer paid, in thousandths of the currency's main unit.
  var paid: Int64
  /// The amount that the service says was charged.
  var stated: Int64
  /// The currency of ``stated``; another one than the country's if the service converted.
  var statedCurrency: String
  var refundedAt: Int64?
  var renewalOffAt: Int64?
  var upgradedAt: Int64?
  var buyer: ServiceBuyer
  /// The error that the service makes, as in `service_comparison`; `equal` without one.
  var cause = "equal"

  /// The amount that the service books: nothing for a refunded purchase.
  var booked: Int64 { refundedAt == nil ? stated : 0 }
  var isFree: Bool { kind == .trial }
}

/// The buyer of a transaction: a customer of the App Store, or somebody who brings no revenue
/// there.
enum ServiceBuyer: Sendable {
  case appStore, playStore, promotional, sandbox, family
}

/// A product of the store.
enum ServiceProduct: String, Sendable, CaseIterable {
  case monthly = "pro.monthly"
  case yearly = "pro.yearly"
  case lite = "lite.monthly"
  case coins

  /// The days of a period; `nil` for a one-time purchase.
  var days: Int? {
    switch self {
    case .monthly, .lite: 30
    case .yearly: 365
    case .coins: nil
    }
  }

  /// The period in ISO 8601.
  var period: String { self == .yearly ? "P1Y" : "P1M" }

  /// The list price; `isLater` is true after the rise.
  func price(_ country: ServiceCountry, isLater: Bool) -> Int64 {
    let usd: Int64 =
      switch self {
      case .monthly: isLater ? 12_990 : 9_990
      case .yearly: 59_990
      case .lite: isLater ? 5_990 : 4_990
      case .coins: 1_990
      }
    return usd - country.discount
  }

  /// The price of the introductory month.
  func introPrice(_ country: ServiceCountry) -> Int64 { 1_990 - country.discount / 2 }

  /// Whether subscribers keep the price from before the rise.
  var keepsPrice: Bool { self == .monthly }
}

/// A storefront with its currency.
enum ServiceCountry: String, Sendable, CaseIterable {
  case unitedStates = "US"
  case germany = "DE"
  case britain = "GB"

  var currency: String {
    switch self {
    case .unitedStates: "USD"
    case .germany: "EUR"
    case .britain: "GBP"
    }
  }

  /// The number of thousandths by which prices are lower than in US dollars.
  fileprivate var discount: Int64 {
    switch self {
    case .unitedStates: 0
    case .germany: 500
    case .britain: 1_000
    }
  }
}
