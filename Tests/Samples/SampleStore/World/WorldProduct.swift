internal import CivilTime
internal import PurchaseModel

/// A product of an app.
struct WorldProduct: Sendable {
  /// The product's id in App Store Connect.
  var id: String
  let kind: ProductKind
  /// The index in ``World/apps`` of the app that sells the product.
  var app = 0
  /// The subscription group; `nil` for products that do not renew.
  var group: String?
  /// The level in the subscription group; a smaller number is a better plan.
  var level = 0
  /// One billing period, in ISO 8601.
  var periodText = "P1M"
  /// The first list price in the United States, in thousandths.
  var dollars: Int64
  /// The weight of the product: the products of purchases are drawn in proportion to the weights.
  var weight: Int

  var isSubscription: Bool { kind == .autoRenewableSubscription }
  var period: Period { .sample(periodText) }

  /// Draws the products of an app: two groups of plans, two consumables, and two products that are
  /// bought once.
  static func draw(_ random: inout SampleRandom) -> [WorldProduct] {
    func pick(_ prices: [Int64]) -> Int64 { prices[random.below(prices.count)] }
    // Apple's usual price points end in .99.
    func whole(_ price: Int64) -> Int64 { price / 1000 * 1000 + 990 }
    let month = pick([6_990, 7_990, 9_990, 11_990, 12_990])
    let week = pick([1_990, 2_990, 3_990])
    let coins = pick([990, 1_990])
    func plan(
      _ id: String, _ group: String, _ level: Int, _ period: String, _ price: Int64, _ weight: Int
    ) -> WorldProduct {
      WorldProduct(
        id: id, kind: .autoRenewableSubscription, group: group, level: level, periodText: period,
        dollars: price, weight: weight)
    }
    return [
      plan("studio.month", "20990001", 1, "P1M", month, 42),
      plan("studio.year", "20990001", 0, "P1Y", whole(month * Int64(random.within(6...8))), 14),
      plan("sketch.month", "20990001", 2, "P1M", whole(month / 2), 18),
      plan("news.week", "20990002", 1, "P1W", week, 14),
      plan("news.quarter", "20990002", 0, "P3M", whole(week * 8), 8),
      WorldProduct(id: "coins.small", kind: .consumable, dollars: coins, weight: 65),
      WorldProduct(id: "coins.large", kind: .consumable, dollars: whole(coins * 7), weight: 35),
      WorldProduct(
        id: "unlock.all", kind: .nonConsumable, dollars: pick([39_990, 59_990]), weight: 55),
      WorldProduct(
        id: "season.pass", kind: .nonRenewingSubscription, dollars: pick([14_990, 19_990]),
        weight: 45),
    ]
  }
}

extension Period {
  /// Parses a literal in ISO 8601, such as `P1M`.
  static func sample(_ text: String) -> Period {
    guard let period = Period(text: text) else { preconditionFailure("no period: \(text)") }
    return period
  }
}
